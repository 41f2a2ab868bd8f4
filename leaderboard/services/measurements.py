"""Keeping what is measured beside the scores: what asking a model took, and what evidence adds."""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from evaluation.stats import paired_gain
from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.measurements import EvidenceGain, RunUsage
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.usage import KEPT, UsageView, replies_usage, runs_usage

MOST_GAINS: Final = 50
"""Computed at once: submissions from before gains were kept are taken up little by little."""


def measurements_refresh(release: Release) -> None:
    """Keep the usage of finished runs, and the gain of submissions finished in both conditions, that have none yet.

    Both stay as they are: replies and verdicts of a finished run do not change.
    """
    finished = Run.objects.filter(submission__release=release, state=RunState.FINISHED)
    asked = finished.filter(generation__isnull=False, usage=None).values_list("pk", flat=True)
    _usage_keep(replies_usage(list(asked)))
    gains = [_gain(submission) for submission in _without_gain(release)[:MOST_GAINS]]
    EvidenceGain.objects.bulk_create((gain for gain in gains if gain is not None), ignore_conflicts=True)


def _usage_keep(usages: dict[int, UsageView]) -> None:
    rows = [
        RunUsage(run_id=run_id, repairs=dict(usage.repairs), **{name: getattr(usage, name) for name in KEPT})
        for run_id, usage in usages.items()
    ]
    RunUsage.objects.bulk_create(rows, ignore_conflicts=True)


def _without_gain(release: Release) -> QuerySet[Submission]:
    runs = Run.objects.filter(submission=OuterRef("pk"), state=RunState.FINISHED)
    both = [Exists(runs.filter(condition=condition)) for condition in Condition]
    return Submission.objects.filter(*both, release=release, evidence_gain=None).order_by("-created_at")


def _gain(submission: Submission) -> EvidenceGain | None:
    """Paired by item and clustered by database; None where no item was judged in both conditions."""
    strict: dict[str, dict[str, bool]] = {condition: {} for condition in Condition}
    clusters: dict[str, Any] = {}
    rows = ItemScore.objects.filter(run__submission=submission, item__set_aside="", strict__isnull=False)
    for condition, item, database, value in rows.order_by("item__position").values_list(
        "run__condition", "item__question_id", "item__database_id", "strict"
    ):
        strict[condition][item] = bool(value)
        clusters[item] = database
    gain = paired_gain(strict[Condition.WITH_EVIDENCE], strict[Condition.WITHOUT_EVIDENCE], clusters=clusters)
    found = gain.difference
    if found.value is None:
        return None
    # Where no database differs from another (nothing right at all, say), an interval of no width would claim certainty.
    varies = found.low != found.high
    return EvidenceGain(
        submission=submission,
        n=found.n,
        value=found.value,
        low=found.low if varies else None,
        high=found.high if varies else None,
        with_only=gain.comparison.first_only,
        without_only=gain.comparison.second_only,
        p_value=gain.comparison.p_value,
    )


def model_carry_over(old: Submission, new: Submission) -> None:
    """Let a submission that is scored again keep what was said of its model, and what asking it took; no key."""
    for endpoint in ModelEndpoint.objects.filter(submission=old):
        ModelEndpoint.objects.create(submission=new, **_fields(endpoint, without={"key"}))
    for facts in ModelFacts.objects.filter(submission=old):
        ModelFacts.objects.create(submission=new, **_fields(facts))
    before = {run.condition: run.pk for run in old.runs.all()}
    usages = runs_usage(list(before.values()))
    earlier = {run.pk: usages.get(before.get(run.condition, 0)) for run in new.runs.all()}
    _usage_keep({run_id: usage for run_id, usage in earlier.items() if usage is not None})


def _fields(row: ModelEndpoint | ModelFacts, *, without: Iterable[str] = ()) -> dict[str, Any]:
    left_out = {"id", "submission", *without}
    return {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if field.name not in left_out}

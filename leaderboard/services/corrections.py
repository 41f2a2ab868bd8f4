"""Corrections of a release, and the scoring of all its submissions again under the release that corrects it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from benchmark_data.diff import ITEM_FIELDS
from benchmark_data.errors import BenchmarkError
from evaluation.types import Condition
from leaderboard.models.corrections import Correction, ItemCorrection
from leaderboard.models.releases import Release, ReleaseItem
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.queue import RESCORE, publish
from leaderboard.services.measurements import model_carry_over
from leaderboard.services.releases import release_open
from leaderboard.services.runs import run_create

ASKED: Final = ("question", "db_id")
"""What a model was asked: where it changes, the old predictions answer another question."""

COMPARED: Final = tuple(name for name in ITEM_FIELDS if name not in {"db_id", "flags"})
"""Fields of items that the site keeps."""


class NotACorrectionError(BenchmarkError):
    """The new release differs from the old one by more than a correction may."""


@transaction.atomic
def correction_open(
    old: Release, new: Release, *, set_aside: Mapping[str, str], reasons: Mapping[str, str], reason: str
) -> Correction:
    """Let a release go live as the correction of another one, and start to score its submissions again.

    From then on the old release takes no submissions; its board stays as it is.

    Args:
        old: live, and not corrected yet.
        new: its gold was proved.
        set_aside: as for `release_open`.
        reasons: question_id → why that item was changed.
        reason: for changed items that have no reason of their own.

    Raises:
        NotACorrectionError: the old release is not live, is corrected already, or asks other questions.
    """
    old = Release.objects.select_for_update().get(pk=old.pk)
    if old.live_at is None or old.name != new.name:
        raise NotACorrectionError(f"{old} is no live release of the same benchmark.")
    known = Correction.objects.filter(old=old).first()
    if known is not None:
        if known.new_id == new.pk:
            return known
        raise NotACorrectionError(f"{old} is corrected by {known.new} already; correct that one.")
    release_open(new, set_aside=set_aside)
    changes = dict(release_changes(old, new))
    if not changes:
        raise NotACorrectionError(f"{new} changes no item of {old}.")
    correction = Correction.objects.create(old=old, new=new, made_at=timezone.now())
    databases = dict(old.items.values_list("question_id", "database__db_id"))
    ItemCorrection.objects.bulk_create(
        ItemCorrection(
            correction=correction,
            question_id=question_id,
            db_id=databases[question_id],
            changes=names,
            reason=(reasons.get(question_id) or reason)[:500],
        )
        for question_id, names in changes.items()
    )
    publish(RESCORE)
    return correction


def release_changes(old: Release, new: Release) -> Iterator[tuple[str, list[str]]]:
    """For each item that differs, its question_id and the names of what does.

    Raises:
        NotACorrectionError: an item is new, or its question or database is another.
    """
    before, after = _contents(old), _contents(new)
    if added := after.keys() - before.keys():
        raise NotACorrectionError(f"Nobody was asked {len(added)} of the items, such as {min(added)}: a new release.")
    for question_id, content in before.items():
        found = after.get(question_id)
        if found is None:
            yield question_id, ["removed"]
            continue
        names = [name for name in content if content[name] != found[name]]
        if asked := [name for name in ASKED if name in names]:
            raise NotACorrectionError(
                f"The {asked[0]} of item {question_id} is another, so its predictions answer another question."
            )
        if names:
            yield question_id, names


def _contents(release: Release) -> dict[str, dict[str, Any]]:
    rows = release.items.order_by("position").values(
        *COMPARED, "question_id", "set_aside", db_id=F("database__db_id"), database_content=F("database__digest")
    )
    return {row.pop("question_id"): {**row, "set_aside": bool(row["set_aside"])} for row in rows}


def rescoring_due(*, limit: int = 50) -> list[Submission]:
    """Submissions to corrected releases that have not been taken over yet, the oldest first.

    Those whose every run was cancelled by their owner stay where they are; those whose model is still being asked
    wait until its predictions are stored.
    """
    runs = Run.objects.filter(submission=OuterRef("pk"))
    due = Submission.objects.filter(
        Exists(runs.exclude(state=RunState.CANCELLED)),
        ~Exists(runs.filter(state=RunState.GENERATING)),
        release__corrected_by__isnull=False,
        rescorings=None,
    )
    return list(due.select_related("release__corrected_by__new").order_by("created_at")[:limit])


def submission_rescore(submission: Submission) -> Submission | None:
    """Take a submission over to the release that corrects its own: new runs on its stored predictions.

    The old submission, its runs, scores and standings stay as they are. Returns None where another worker was first.
    """
    correction = submission.release.corrected_by
    try:
        with transaction.atomic():
            made = _copy(submission, correction.new)
            conditions = submission.runs.exclude(state=RunState.CANCELLED).values_list("condition", flat=True)
            _copy_predictions(submission, made, list(conditions))
            for condition in conditions:
                run_create(made, Condition(condition))
            model_carry_over(submission, made)
    except IntegrityError:
        if Submission.objects.filter(rescored_from=submission, release=correction.new).exists():
            return None
        raise
    return made


def _copy(submission: Submission, release: Release) -> Submission:
    return Submission.objects.create(
        owner_id=submission.owner_id,
        team_id=submission.team_id,
        release=release,
        rescored_from=submission,
        entry=submission.entry,
        description=submission.description,
        file_name=submission.file_name,
        file_format=submission.file_format,
        file_sha256=submission.file_sha256,
        file_bytes=submission.file_bytes,
        request_digest=submission.request_digest,
        created_at=submission.created_at,
    )


def _copy_predictions(old: Submission, new: Submission, conditions: list[str]) -> None:
    ids = dict(ReleaseItem.objects.filter(release=new.release).values_list("question_id", "pk"))
    rows = old.predictions.filter(condition__in=conditions).order_by("pk")
    texts = rows.values_list("item__question_id", "condition", "text")
    Prediction.objects.bulk_create(
        (
            Prediction(submission=new, item_id=ids[question_id], condition=condition, text=text)
            for question_id, condition, text in texts.iterator(chunk_size=2000)
            if question_id in ids
        ),
        batch_size=2000,
    )

"""What must be true of every run after a chaos trial."""

import json
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from evaluation.aggregate import aggregate
from evaluation.executors.connect import opened
from evaluation.gold import gold_compute
from evaluation.score import score
from evaluation.types import Condition, Limits, Verdict
from leaderboard.models.events import ENDS, EventKind
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.selectors.batches import SHELF
from leaderboard.selectors.verdicts import track_items

COMPARED = ("outcome", "executed", "soft", "strict", "reason", "message")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the undisturbed scoring of one file gives: its verdicts by item, and its report."""

    verdicts: Mapping[int, Verdict]
    report: Mapping[str, Any]


def undisturbed(submissions: Sequence[Submission]) -> dict[uuid.UUID, Expected]:
    """Score every file once more, in peace, on the same engine, with nothing of the site but its predictions."""
    release = submissions[0].release
    items = SHELF.items([database.pk for database in release.databases.all()])
    facts = track_items(release)
    found = {}
    with opened(settings.MONGO_URL, demo=True) as executor:
        golds = {key: gold_compute(item.source, executor=executor) for key, item in items.items()}
        for submission in submissions:
            texts = dict(
                Prediction.objects.filter(submission=submission, condition=Condition.WITH_EVIDENCE).values_list(
                    "item_id", "text"
                )
            )
            verdicts = {
                key: score(
                    texts.get(key),
                    source=item.source,
                    gold=golds[key],
                    split=item.split,
                    executor=executor,
                    limits=Limits(milliseconds=settings.QUERY_MILLISECONDS),
                )
                for key, item in items.items()
            }
            report = json.loads(json.dumps(aggregate(verdicts.values(), items=facts).as_json()))
            found[submission.pk] = Expected(verdicts=verdicts, report=report)
    return found


def problems_of(run: Run, expected: Expected) -> Iterator[str]:
    """What is wrong with one run, as sentences."""
    name = run.submission.entry
    if run.state != RunState.FINISHED:
        yield f"{name} is {run.state}: {run.reason}"
        return
    if run.ended_at is None or run.ended_at > run.deadline:
        yield f"{name} ended after its deadline"
    ends = Counter(run.events.filter(kind__in=ENDS).values_list("kind", flat=True))
    if ends[EventKind.FINISHED] != 1:
        yield f"{name} finished {ends[EventKind.FINISHED]} times"
    if Standing.objects.filter(run=run).count() != 1:
        yield f"{name} has not one standing"
    yield from _differences(run, expected)


def _differences(run: Run, expected: Expected) -> Iterator[str]:
    scores = list(ItemScore.objects.filter(run=run))
    counts = Counter(score.item_id for score in scores)
    if counts.keys() != expected.verdicts.keys() or set(counts.values()) != {1}:
        yield f"{run.submission.entry} has not one score for each item"
        return
    for one in scores:
        wanted = expected.verdicts[one.item_id]
        differences = {
            field: (getattr(one, field), getattr(wanted, field))
            for field in COMPARED
            if getattr(one, field) != getattr(wanted, field)
        }
        if differences:
            yield f"{run.submission.entry}, item {one.item_id}: {differences}"
    if run.report != expected.report:
        yield f"{run.submission.entry} has another report"

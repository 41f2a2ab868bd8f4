"""Reading of a few entries of one release side by side: figures and counts, which are public."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import IntegerField
from django.db.models.functions import Cast, Coalesce
from numpy.typing import NDArray

from benchmark_data.types import Difficulty
from evaluation.aggregate import Report
from evaluation.contrasts import ABSENT, Contrast, GroupContrast, contrast_groups, contrast_pairs
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.selectors.access import may_read_items
from leaderboard.selectors.comparable import FEWEST, entries_found

LETTERS: Final = "ABCDE"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedEntry:
    """One of the entries; its letter stands for it in tables and pictures, `place` counts from 0."""

    place: int
    letter: str
    entry: str
    submission: uuid.UUID
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRun:
    """An entry in one condition, with what its numbers were measured on; no rank where it is not on the board."""

    compared: ComparedEntry
    report: Report
    rank: int | None
    tie_group: int | None
    scorer: str
    engine: str
    demo_engine: bool
    ended_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """Two entries on the items of one condition; `better` is None where they cannot be told apart."""

    first: ComparedEntry
    second: ComparedEntry
    contrast: Contrast
    better: ComparedEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCondition:
    """The entries that were scored in one condition, at least two; groups have them in the order of `runs`."""

    condition: Condition
    runs: tuple[ComparedRun, ...]
    unscored: tuple[ComparedEntry, ...]
    pairs: tuple[ComparedPair, ...]
    per_database: tuple[GroupContrast, ...]
    per_difficulty: tuple[GroupContrast, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Entries of one release side by side; `readable` says that the reader may see single items of all of them."""

    release: Release
    entries: tuple[ComparedEntry, ...]
    conditions: tuple[ComparedCondition, ...]
    readable: bool


def comparison(wanted: Sequence[str], *, reader: User | AnonymousUser) -> Comparison:
    """Compare entries of one release, in four queries whatever its size.

    Args:
        wanted: ids of submissions, as somebody wrote them; one that is repeated counts once.
        reader: who asks.

    Raises:
        IncomparableError: they are too few or too many, unknown, not scored, or of different releases.
    """
    submissions, runs = entries_found(wanted)
    entries = tuple(
        ComparedEntry(place=place, letter=LETTERS[place], entry=one.entry, submission=one.pk, created_at=one.created_at)
        for place, one in enumerate(submissions)
    )
    track = _track(submissions[0].release)
    scores = _scores(runs, track)
    conditions = []
    for condition in Condition:
        scored = {run.submission_id: run for run in runs if run.condition == condition}
        if len(scored) >= FEWEST:
            conditions.append(_condition(condition, entries, scored, track=track, scores=scores))
    return Comparison(
        release=submissions[0].release,
        entries=entries,
        conditions=tuple(conditions),
        readable=all(may_read_items(reader, one) for one in submissions),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Track:
    """The items that count, sorted by id: database, difficulty."""

    ids: NDArray[np.int64]
    databases: list[str]
    difficulties: list[str]


def _track(release: Release) -> _Track:
    rows = release.items.filter(set_aside="").order_by("pk").values_list("pk", "database__db_id", "difficulty")
    ids, databases, difficulties = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    return _Track(ids=np.array(ids, dtype=np.int64), databases=databases, difficulties=difficulties)


def _scores(runs: Sequence[Run], track: _Track) -> Mapping[int, NDArray[np.int8]]:
    """Strict-EX of every run item by item, as `contrast_pairs` takes it; one row a run comes from the database."""
    judged = Coalesce(Cast("strict", IntegerField()), ABSENT)
    rows = (
        ItemScore.objects.filter(run__in=runs, item__set_aside="")
        .values_list("run_id")
        .annotate(items=ArrayAgg("item_id", order_by="item_id"), judged=ArrayAgg(judged, order_by="item_id"))
    )
    scores = {run.pk: np.full(len(track.ids), ABSENT, dtype=np.int8) for run in runs}
    for run_id, items, values in rows:
        scores[run_id][np.searchsorted(track.ids, items)] = values
    return scores


def _condition(
    condition: Condition,
    entries: Sequence[ComparedEntry],
    scored: Mapping[uuid.UUID, Run],
    *,
    track: _Track,
    scores: Mapping[int, NDArray[np.int8]],
) -> ComparedCondition:
    present = [entry for entry in entries if entry.submission in scored]
    matrix = np.stack([scores[scored[entry.submission].pk] for entry in present])
    levels = [level.value for level in Difficulty]
    return ComparedCondition(
        condition=condition,
        runs=tuple(_run(entry, scored[entry.submission]) for entry in present),
        unscored=tuple(entry for entry in entries if entry.submission not in scored),
        pairs=tuple(_pair(contrast, present) for contrast in contrast_pairs(matrix, track.databases)),
        per_database=tuple(sorted(contrast_groups(matrix, track.databases), key=lambda group: group.name)),
        per_difficulty=tuple(
            sorted(contrast_groups(matrix, track.difficulties), key=lambda group: levels.index(group.name))
        ),
    )


def _pair(contrast: Contrast, present: Sequence[ComparedEntry]) -> ComparedPair:
    return ComparedPair(
        first=present[contrast.first],
        second=present[contrast.second],
        contrast=contrast,
        better=None if contrast.better is None else present[contrast.better],
    )


def _run(entry: ComparedEntry, run: Run) -> ComparedRun:
    if run.report is None or run.ended_at is None:
        raise ValueError(f"{run} is finished without a report")
    standing = run.standing if hasattr(run, "standing") else None
    return ComparedRun(
        compared=entry,
        report=Report.from_json(run.report),
        rank=standing.rank if standing else None,
        tie_group=standing.tie_group if standing else None,
        scorer=run.scorer,
        engine=run.engine,
        demo_engine=run.demo_engine,
        ended_at=run.ended_at,
    )

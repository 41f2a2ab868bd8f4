"""Reading of whom an entry may be compared with: those near it on the board, and its owner's version before it."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from evaluation.types import Condition
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.board import PAGE_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Another entry of the same release."""

    entry: str
    submission: uuid.UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlace:
    """Where an entry stands on the board of one condition.

    `above` and `best` are None where it leads, and `above` where the entry above it is the best one; `page` is that of
    the board on which it is found.
    """

    condition: Condition
    rank: int
    tie_group: int
    page: int
    above: Rival | None
    best: Rival | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingAmong:
    """An entry among the others of its release; `earlier` is its owner's version before it, told to the owner only."""

    places: tuple[BoardPlace, ...]
    earlier: Rival | None


def standing_among(submission: Submission, *, owned: bool) -> StandingAmong:
    """Whom an entry may be compared with, in two queries and one more for its owner; nobody while it has no rank."""
    own = list(Standing.objects.filter(run__submission=submission).order_by("condition"))
    if not own:
        return StandingAmong(places=(), earlier=None)
    rivals = _near(submission, own)
    places = tuple(
        BoardPlace(
            condition=Condition(one.condition),
            rank=one.rank,
            tie_group=one.tie_group,
            page=(one.position - 1) // PAGE_SIZE + 1,
            above=rivals.get((one.condition, one.position - 1)) if one.position > 2 else None,
            best=rivals.get((one.condition, 1)) if one.position > 1 else None,
        )
        for one in own
    )
    return StandingAmong(places=places, earlier=_earlier(submission) if owned else None)


def _near(submission: Submission, own: Iterable[Standing]) -> dict[tuple[str, int], Rival]:
    """The first entry of each board and the one above, by condition and position."""
    wanted = Q()
    for one in own:
        wanted |= Q(condition=one.condition, position__in=(1, one.position - 1))
    rows = Standing.objects.filter(wanted, release=submission.release_id).values_list(
        "condition", "position", "run__submission__entry", "run__submission_id"
    )
    return {(condition, position): Rival(entry=entry, submission=key) for condition, position, entry, key in rows}


def _earlier(submission: Submission) -> Rival | None:
    before = (
        Submission.objects.filter(
            owner=submission.owner_id,
            release=submission.release_id,
            created_at__lt=submission.created_at,
            runs__state=RunState.FINISHED,
        )
        .order_by("-created_at")
        .first()
    )
    return None if before is None else Rival(entry=before.entry, submission=before.pk)

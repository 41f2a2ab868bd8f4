"""Whose turn it is: the order in which runs that have something due get a worker."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, Value, When, Window
from django.db.models.functions import RowNumber

from leaderboard.clock import is_up
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import SCORABLE_RUN_STATES, BatchState, RunState

AGEING: Final = 0.1
"""Seconds of service that a second of waiting outweighs: no run waits for ever behind newer, smaller ones."""

LONGEST_BACK_OFF: Final = timedelta(minutes=5)
"""Of a batch after a fault on our side."""

LONGEST_PAUSE: Final = timedelta(hours=1)
"""Between two attempts to take an incomplete run up again, or to ask a model again."""

BACKGROUND_SECONDS: Final = 900.0
"""Head start of a run that somebody waits for before one that nobody does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A run with a batch that is due.

    Args:
        run_id: the run.
        state: queued or scoring.
        account: whose share it uses.
        background: nobody waits for it.
        service_seconds: time that workers have spent on it.
        created_at: when it was queued.
        account_leases: batches of its account that workers hold now.
    """

    run_id: int
    state: RunState
    account: str
    background: bool
    service_seconds: float
    created_at: datetime
    account_leases: int


def fair_order(candidates: Iterable[Candidate], *, now: datetime) -> list[Candidate]:
    """The candidates, the one whose turn it is first.

    A run that nobody waits for goes after all others until it is old enough. Then, an account that holds fewer workers
    goes first (max-min fairness: one team's large runs do not keep another's small one waiting). Between equals, the
    run that has had the least service goes first, which is the small or new one without having to know sizes (least
    attained service; Kleinrock, Queueing Systems II, 1976, 4.6), less its age.
    """

    def turn(candidate: Candidate) -> tuple[bool, int, float, int]:
        age = max(0.0, (now - candidate.created_at).total_seconds())
        late = BACKGROUND_SECONDS if candidate.background else 0.0
        weight = candidate.service_seconds + late - AGEING * age
        # Else, of several workers all but one would go to the teams of such runs, which hold none.
        yields = candidate.background and weight > 0
        return yields, candidate.account_leases, weight, candidate.run_id

    return sorted(candidates, key=turn)


def batch_due(now: datetime) -> Q:
    """The condition that a batch can be claimed now."""
    waits_no_more = Q(not_before=None) | is_up("not_before", now, longest=LONGEST_BACK_OFF)
    return Q(state=BatchState.QUEUED) & waits_no_more


def due_runs(now: datetime) -> list[Candidate]:
    """The runs that have a batch due now, of each account as many as may be active, and as many background ones."""
    due = Batch.objects.filter(batch_due(now), run=OuterRef("pk"))
    runs = (
        Run.every.filter(state__in=SCORABLE_RUN_STATES)
        .annotate(turn=account_turn(), due=Exists(due))
        .filter(due=True)
        .order_by()
    )
    if settings.ACTIVE_RUNS:
        runs = runs.filter(turn__lte=settings.ACTIVE_RUNS)
    rows = list(runs.values_list("pk", "state", "account", "background", "service_milliseconds", "created_at"))
    leases = account_leases() if len(rows) > 1 else {}
    return [
        Candidate(
            run_id=run_id,
            state=RunState(state),
            account=account,
            background=background,
            service_seconds=milliseconds / 1000,
            created_at=created_at,
            account_leases=leases.get(account, 0),
        )
        for run_id, state, account, background, milliseconds, created_at in rows
    ]


def account_turn() -> Window:
    """The place of a run among the active ones of its account, from 1: those that have begun come first.

    Runs that nobody waits for are counted apart: they yield to those of other teams, and would keep their own team's
    waiting for as long.
    """
    begun = Case(When(state=RunState.SCORING, then=Value(0)), default=Value(1), output_field=IntegerField())
    return Window(
        RowNumber(),
        partition_by=[F("account"), F("background")],
        order_by=[begun.asc(), F("created_at").asc(), F("pk").asc()],
    )


def account_leases() -> dict[str, int]:
    """How many batches workers hold now, by account."""
    rows = Batch.objects.filter(state=BatchState.LEASED).order_by().values_list("run__account").annotate(n=Count("pk"))
    return dict(rows.values_list("run__account", "n"))

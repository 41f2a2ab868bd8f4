"""Measures gold queries: strategies against sizes, with warm-up, quartiles and time-outs as censored values."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from evaluation.types import ExecutionFailure, Executor, FailureKind, Limits, Query

Examined = Callable[[Query, str], int | None]
"""How many documents the engine says that it looked at for a query on a database; None where it does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One strategy at one size.

    Args:
        strategy: its name.
        factor: the size, in multiples of the source.
        db_id: the source.
        database: the MongoDB database.
        queries: by question.
    """

    strategy: str
    factor: float
    db_id: str
    database: str
    queries: Mapping[str, Query]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The times of one query, without the warm-up.

    Args:
        milliseconds: one for each repetition, in order; empty where the query failed.
        censored: it was broken off, so that the one time is a lower bound.
        failure: the engine's sentence where it failed in another way, "" otherwise.
        examined: documents that the engine looked at, None where it does not tell.
    """

    question_id: str
    milliseconds: tuple[float, ...]
    censored: bool = False
    failure: str = ""
    examined: int | None = None

    @property
    def median(self) -> float:
        """The median; a lower bound where it is censored."""
        return statistics.median(self.milliseconds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """First and third quartile, by the inclusive method."""
        if len(self.milliseconds) < 2:
            return self.median, self.median
        first, _, third = statistics.quantiles(self.milliseconds, n=4, method="inclusive")
        return first, third


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmResult:
    """All timings of an arm."""

    strategy: str
    factor: float
    db_id: str
    timings: tuple[Timing, ...] = field(default_factory=tuple)

    @property
    def measured(self) -> tuple[Timing, ...]:
        """The queries that have a time."""
        return tuple(timing for timing in self.timings if timing.milliseconds)

    @property
    def censored(self) -> int:
        """How many of them are lower bounds."""
        return sum(timing.censored for timing in self.measured)

    @property
    def mean(self) -> float | None:
        """Mean of the medians in milliseconds, a lower bound where some are censored; None where there is none."""
        return statistics.fmean(timing.median for timing in self.measured) if self.measured else None

    @property
    def spread(self) -> tuple[float, float] | None:
        """Means of the first and of the third quartiles."""
        if not self.measured:
            return None
        pairs = [timing.quartiles for timing in self.measured]
        return statistics.fmean(low for low, _ in pairs), statistics.fmean(high for _, high in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How queries are timed.

    Args:
        executor: runs them.
        limits: of one run.
        repetitions: timed runs of each query, at least 1.
        warm_ups: runs before them that are not kept.
        examined: asks the engine for the documents that it looked at.
    """

    executor: Executor
    limits: Limits
    repetitions: int = 5
    warm_ups: int = 1
    examined: Examined | None = None


def measure(arms: Sequence[Arm], plan: Plan, *, advance: Callable[[], None] = lambda: None) -> tuple[ArmResult, ...]:
    """Time the queries of all arms side by side.

    Each repetition of a question runs in each arm before the next begins, so that whatever else the machine does weighs
    on all arms alike. The first run that breaks the time limit ends its query: the limit is its
    censored time.

    Args:
        arms: strategies at one size.
        plan: how.
        advance: called after each question.

    Returns:
        The result of each arm, in their order.

    Raises:
        EngineUnavailableError: the server cannot be reached, or failed.
    """
    timings: list[list[Timing]] = [[] for _ in arms]
    for question_id in sorted({name for arm in arms for name in arm.queries}):
        asked = [(place, arm) for place, arm in enumerate(arms) if question_id in arm.queries]
        runs = [_Run(question_id, arm, plan) for _, arm in asked]
        for number in range(plan.warm_ups + plan.repetitions):
            for run in runs:
                run.once(is_kept=number >= plan.warm_ups)
        for (place, _), run in zip(asked, runs, strict=True):
            timings[place].append(run.timing())
        advance()
    return tuple(
        ArmResult(strategy=arm.strategy, factor=arm.factor, db_id=arm.db_id, timings=tuple(found))
        for arm, found in zip(arms, timings, strict=True)
    )


class _Run:
    """The runs of one query in one arm."""

    def __init__(self, question_id: str, arm: Arm, plan: Plan) -> None:
        self._question_id = question_id
        self._arm = arm
        self._plan = plan
        self._query = arm.queries[question_id]
        self._times: list[float] = []
        self._broken: Timing | None = None

    def once(self, *, is_kept: bool) -> None:
        """Run it, unless an earlier run was broken off or failed."""
        if self._broken is not None:
            return
        limits = self._plan.limits
        answer = self._plan.executor.execute(self._query, database=self._arm.database, limits=limits)
        if not isinstance(answer, ExecutionFailure):
            self._times += [answer.milliseconds] if is_kept else []
        elif answer.kind is FailureKind.TIMED_OUT:
            limit = (float(limits.milliseconds),)
            self._broken = Timing(question_id=self._question_id, milliseconds=limit, censored=True)
        else:
            failure = answer.message or answer.kind.value
            self._broken = Timing(question_id=self._question_id, milliseconds=(), failure=failure)

    def timing(self) -> Timing:
        """What the runs found."""
        if self._broken is not None:
            return self._broken
        examined = self._plan.examined
        looked_at = examined(self._query, self._arm.database) if examined is not None else None
        return Timing(question_id=self._question_id, milliseconds=tuple(self._times), examined=looked_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One strategy at one size over all databases: geometric mean of the databases' means, in milliseconds."""

    strategy: str
    factor: float
    milliseconds: float
    low: float
    high: float
    censored: int
    queries: int


def points(results: Sequence[ArmResult]) -> tuple[Point, ...]:
    """The points of the plot, in order of strategy and size; source of the two means: the paper's Appendix G."""
    found = []
    for strategy, factor in sorted({(result.strategy, result.factor) for result in results}):
        same = [each for each in results if (each.strategy, each.factor) == (strategy, factor) and each.measured]
        if not same:
            continue
        spreads = [each.spread for each in same]
        found.append(
            Point(
                strategy=strategy,
                factor=factor,
                milliseconds=_geometric([each.mean or 0.0 for each in same]),
                low=_geometric([spread[0] for spread in spreads if spread]),
                high=_geometric([spread[1] for spread in spreads if spread]),
                censored=sum(each.censored for each in same),
                queries=sum(len(each.measured) for each in same),
            )
        )
    return tuple(found)


def _geometric(values: Sequence[float]) -> float:
    # A clock may show no time at all for a trivial query.
    return exp(statistics.fmean(log(max(value, 1e-6)) for value in values))

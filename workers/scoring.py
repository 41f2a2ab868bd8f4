"""Scoring of one leased batch for a while: whose turn it is, its items, and storing verdicts as they come."""

import logging
import math
import os
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection

from benchmark_data.errors import InfrastructureError
from evaluation.executors.connect import connected
from evaluation.identity import scorer_identity
from evaluation.judgement import Circumstances
from evaluation.types import EngineIdentity, Executor, Limits
from leaderboard.clock import database_now
from leaderboard.models.states import RunState
from leaderboard.redaction import MAY_QUOTE_GOLD
from leaderboard.selectors.batches import BatchItem, open_items
from leaderboard.selectors.schedule import due_runs, fair_order
from leaderboard.selectors.workers import scoring_slots
from leaderboard.services.batches import (
    Lease,
    LeaseLostError,
    batches_claim,
    lease_extend,
    lease_hand_back,
    lease_yield,
)
from leaderboard.services.reuse import verdicts_reuse
from leaderboard.services.runs import run_begin, run_finish_if_done
from leaderboard.services.scores import JudgedBy, work_store
from leaderboard.services.standings import boards_catch_up
from workers.golds import Golds
from workers.judging import CHUNK_ITEMS, Judge

logger = logging.getLogger(__name__)

SCORER: Final = scorer_identity()
"""Reckoned when a worker starts, before it has processes: files that are replaced later are not what it judges by."""

STORE_SECONDS: Final = 1.0
"""Verdicts are stored at least this often, so that a killed worker loses no more than this."""

CAREFUL_ITEMS: Final = 16
"""So many verdicts are stored one by one where an attempt before came to nothing."""

STUCK_SECONDS: Final = 600.0
"""Above what gold, a query that loses the engine twice, and the comparison of two large answers take together."""

HAND_BACK_TRIES: Final = 3
HAND_BACK_PAUSE: Final = 0.5


@cache
def executor() -> Executor:
    """The process's connection to the benchmark databases, as a user that can only find."""
    return connected(settings.MONGO_URL, demo=settings.DEMO_ENGINE)


@cache
def golds(label: str) -> Golds:
    """The gold that this process holds, for one engine."""
    return Golds(engine=label)


@dataclass(slots=True)
class Slots:
    """How many batches can be scored at a time by all workers; asked now and then."""

    count: int = 1
    asked_at: float = -math.inf

    def __call__(self) -> int:
        """The number."""
        if time.monotonic() - self.asked_at > settings.SWEEP_SECONDS:
            self.count, self.asked_at = scoring_slots(), time.monotonic()
        return self.count


slots: Final = Slots()


def worker_name() -> str:
    """Host and process, for the record."""
    return f"{socket.gethostname()}:{os.getpid()}"


def query_limits() -> Limits:
    """What one predicted query may use here."""
    return Limits(milliseconds=settings.QUERY_MILLISECONDS)


def label_of(identity: EngineIdentity) -> str:
    """Name and version of an engine, as scores name it."""
    return f"{identity.name} {identity.version}"


def score_next() -> bool:
    """Work for a while on the run whose turn it is; False where nothing is due."""
    now = database_now()
    for candidate in fair_order(due_runs(now), now=now):
        if candidate.state is RunState.QUEUED and run_begin(candidate.run_id):
            reuse_known(candidate.run_id)
        lease = batches_claim(candidate.run_id, worker=worker_name(), workers=slots())
        if lease is not None:
            work_on(lease)
        ended = run_finish_if_done(candidate.run_id)
        if ended:
            boards_catch_up(candidate.run_id)
        if ended or lease is not None:
            return True
    return False


def reuse_known(run_id: int) -> None:
    """Give a run that has just begun the verdicts that are known; it goes on without them where that fails."""
    try:
        identity = executor().identity
        verdicts_reuse(
            run_id,
            circumstances=Circumstances(engine=label_of(identity), limits=query_limits()),
            scorer=SCORER,
            demo_engine=identity.demo,
        )
    except InfrastructureError as error:
        logger.warning("run %s: known verdicts are not used: %s", run_id, error)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("run %s: known verdicts are not used", run_id, extra=MAY_QUOTE_GOLD)


def work_on(lease: Lease) -> None:
    """Score leased batches for a while; whatever happens, its batches are closed, yielded or handed back."""
    progress = Progress()
    try:
        with kept_alive(lease, progress):
            score_leased(lease, executor(), progress)
    except LeaseLostError as error:
        logger.warning("run %s: %s", lease.run_id, error)
    except InfrastructureError as error:
        logger.warning("run %s: batches handed back: %s", lease.run_id, error)
        hand_back(lease, reason=str(error))
    except DatabaseError as error:
        logger.warning("run %s: batches handed back: %s", lease.run_id, error)
        hand_back(lease, reason=f"the site's database failed: {type(error).__name__}")
    except Exception as error:
        logger.exception("run %s: fault in the worker", lease.run_id, extra=MAY_QUOTE_GOLD)
        hand_back(lease, reason=f"fault in the worker: {type(error).__name__}")


def hand_back(lease: Lease, *, reason: str) -> None:
    """Hand a batch back over a new connection: the old one may be what failed. Else the lease lapses."""
    for _ in range(HAND_BACK_TRIES):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        try:
            lease_hand_back(lease, reason=reason)
        except DatabaseError as error:
            logger.warning("run %s: batches cannot be handed back: %s", lease.run_id, error)
            time.sleep(HAND_BACK_PAUSE)
        else:
            return


@dataclass(slots=True)
class Progress:
    """When a worker last got on with its batch, by the monotonic clock."""

    at: float = field(default_factory=time.monotonic)

    def made(self) -> None:
        """Note that it did just now."""
        self.at = time.monotonic()

    @property
    def stuck(self) -> bool:
        """Whether it has been at one item for longer than any item can take."""
        return time.monotonic() - self.at > STUCK_SECONDS


def score_leased(lease: Lease, engine: Executor, progress: Progress) -> None:
    """Judge the open items of leased batches until all are judged, or their turn is over.

    Raises:
        LeaseLostError: the batches are no longer ours; what was stored before stays.
        EngineUnavailableError: the document database went away; what was judged before is stored.
    """
    identity = engine.identity
    judged_by = JudgedBy(scorer=SCORER, engine=label_of(identity), demo_engine=identity.demo)
    items = rotated(open_items(lease.run_id, database_ids=lease.database_ids), by=lease.attempts - 1)
    judge = Judge(
        engine,
        golds=golds(judged_by.engine),
        limits=query_limits(),
        # Where workers have died of an item, as few others as possible are lost with it.
        first_chunk=CHUNK_ITEMS if lease.attempts == 1 else 1,
    )
    left = Counter(dict.fromkeys(lease.database_ids, 0))
    left.update(item.scorable.database_id for item in items)
    if not judge_for_a_while(lease, judge, items, left=left, judged_by=judged_by, progress=progress):
        lease_yield(lease)


def judge_for_a_while(
    lease: Lease,
    judge: Judge,
    items: Sequence[BatchItem],
    *,
    left: Counter[int],
    judged_by: JudgedBy,
    progress: Progress,
) -> bool:
    """Judge items and store their verdicts as they come; False where the turn is over before all are judged.

    Raises:
        LeaseLostError: the batches are no longer ours.
        EngineUnavailableError: the document database went away; what was judged before is stored.
    """
    turn_ends = time.monotonic() + settings.BATCH_SLICE_SECONDS
    # Where workers have died of an item, nothing that was judged before it is to be judged again.
    careful = 0 if lease.attempts == 1 else CAREFUL_ITEMS
    try:
        for done, item in enumerate(judge.judge(items), 1):
            progress.made()
            left[item.scorable.database_id] -= 1
            if (judge.tally.seconds >= STORE_SECONDS or done <= careful) and left.total():
                work_store(lease, judge.taken(left=left, judged_by=judged_by))
            if time.monotonic() >= turn_ends:
                break
        return not left.total()
    finally:
        if not isinstance(sys.exception(), LeaseLostError | DatabaseError):
            work_store(lease, judge.taken(left=left, judged_by=judged_by))


def rotated(items: Sequence[BatchItem], *, by: int) -> Sequence[BatchItem]:
    """The items, begun at another one after each attempt that came to nothing: a worker may have died of the first."""
    start = by % len(items) if items else 0
    return (*items[start:], *items[:start])


@contextmanager
def kept_alive(lease: Lease, progress: Progress) -> Iterator[None]:
    """Extend the lease in the background while the body runs and gets on."""
    done = threading.Event()
    thread = threading.Thread(target=_beat, args=(lease, progress, done), name=f"lease-{lease.token}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _beat(lease: Lease, progress: Progress, done: threading.Event) -> None:
    try:
        while not done.wait(settings.BATCH_LEASE_SECONDS / 3):
            try:
                if progress.stuck or not lease_extend(lease):
                    return
            except DatabaseError as error:
                logger.warning("run %s: lease cannot be kept at the moment: %s", lease.run_id, error)
                connection.close()
    finally:
        connection.close()

"""Scoring of one leased batch: gold, verdicts, and storing them as they come."""

import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from django.db import DatabaseError, connection

from benchmark_data.errors import InfrastructureError
from evaluation.executors.connect import connected
from evaluation.gold import UnusableGoldError, gold_compute
from evaluation.identity import scorer_identity
from evaluation.score import GOLD_FAILED, score, unscored_verdict, unusable_gold_verdict
from evaluation.types import Executor, Limits, Verdict
from leaderboard.queue import SCORE_BATCH, publish
from leaderboard.selectors.gold import gold_answer_kept
from leaderboard.services.batches import (
    BatchItem,
    Lease,
    LeaseLostError,
    batch_claim,
    batch_extend,
    batch_finish,
    batch_hand_back,
    scores_store,
)
from leaderboard.services.releases import gold_store
from leaderboard.services.runs import run_finish_if_done

logger = logging.getLogger(__name__)

STORE_SECONDS = 1.0
"""Verdicts are stored at least this often, so that a killed worker loses no more than this."""


@cache
def executor() -> Executor:
    """The process's connection to the benchmark databases, as a user that can only find."""
    return connected(settings.MONGO_URL, demo=settings.DEMO_ENGINE)


def worker_name() -> str:
    """Host and process, for the record."""
    return f"{socket.gethostname()}:{os.getpid()}"


def score_next_batch(run_id: int) -> None:
    """Claim, score and close one batch; then the run, if it was the last one."""
    lease = batch_claim(run_id, worker=worker_name())
    if lease is not None:
        try:
            with kept_alive(lease):
                score_leased(lease, executor())
        except LeaseLostError as error:
            logger.warning("run %s: %s", run_id, error)
        except InfrastructureError as error:
            logger.warning("run %s: batch %s handed back: %s", run_id, lease.batch_id, error)
            batch_hand_back(lease, reason=str(error))
        publish(SCORE_BATCH, run_id)
    run_finish_if_done(run_id)


def score_leased(lease: Lease, engine: Executor) -> None:
    """Judge every open item of a batch and close it.

    Raises:
        LeaseLostError: the batch is no longer ours; what was stored before stays.
        EngineUnavailableError: the document database went away; what was stored before stays.
    """
    identity = engine.identity
    label = f"{identity.name} {identity.version}"
    waiting: list[tuple[int, Verdict]] = []
    stored_at = time.monotonic()
    for item in lease.items:
        waiting.append((item.item_id, guarded_verdict(item, engine, label=label)))
        if time.monotonic() - stored_at >= STORE_SECONDS:
            scores_store(lease, waiting)
            waiting, stored_at = [], time.monotonic()
    scores_store(lease, waiting)
    batch_finish(lease, scorer=scorer_identity(), engine=label, demo_engine=identity.demo)


def guarded_verdict(item: BatchItem, engine: Executor, *, label: str) -> Verdict:
    """The verdict on one item; a fault of the scorer itself leaves this item unscored and the others alone.

    Raises:
        InfrastructureError: nobody's fault; the batch is handed back.
        DatabaseError: PostgreSQL failed; the lease will lapse.
    """
    try:
        return item_verdict(item, engine, label=label)
    except (InfrastructureError, DatabaseError):
        raise
    except Exception:
        logger.exception("item %s: fault in the scorer", item.source.question_id)
        return unscored_verdict(item.source.question_id, reason="scorer_fault", message=SCORER_FAULT)


SCORER_FAULT = "This item could not be judged because of a fault in the scorer, which has been logged."


def item_verdict(item: BatchItem, engine: Executor, *, label: str) -> Verdict:
    """The verdict on one item; a set-aside item is named and has no score."""
    question_id = item.source.question_id
    if item.set_aside:
        return unscored_verdict(question_id, reason=GOLD_FAILED, message="The organisers set this item aside.")
    known = gold_answer_kept(item.item_id, engine=label)
    try:
        gold = gold_compute(item.source, executor=engine, known=known)
    except UnusableGoldError as error:
        gold_store(item_id=item.item_id, engine=label, gold=error)
        return unusable_gold_verdict(question_id, error=error, split=item.split)
    if known is None:
        gold_store(item_id=item.item_id, engine=label, gold=gold)
    limits = Limits(milliseconds=settings.QUERY_MILLISECONDS)
    return score(item.text, source=item.source, gold=gold, split=item.split, executor=engine, limits=limits)


@contextmanager
def kept_alive(lease: Lease) -> Iterator[None]:
    """Extend the lease in the background while the body runs."""
    done = threading.Event()
    thread = threading.Thread(target=_beat, args=(lease, done), name=f"lease-{lease.batch_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _beat(lease: Lease, done: threading.Event) -> None:
    try:
        while not done.wait(settings.BATCH_LEASE_SECONDS / 3):
            if not batch_extend(lease):
                return
    finally:
        connection.close()

"""The only way in which the site asks workers for work: by task name, after the transaction has been committed."""

import logging
from functools import cache
from typing import Any, Final

from celery import Celery
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

SCORE_BATCH: Final = "workers.tasks.score_batch"
SWEEP: Final = "workers.tasks.sweep"
GENERATE: Final = "workers.generation.generate"
SWEEP_GENERATIONS: Final = "workers.generation.sweep"
SEND_NOTICE: Final = "workers.notices.send_notice"
SEND_DUE_NOTICES: Final = "workers.notices.send_due_notices"
SEND_WEBHOOK: Final = "workers.webhooks.send_webhook"
SEND_DUE_WEBHOOKS: Final = "workers.webhooks.send_due_webhooks"
RECHECK_GOLD: Final = "workers.gold.recheck_gold"
RESCORE: Final = "workers.rescoring.rescore"

SCORING: Final = "scoring"
GENERATING: Final = "generating"
CHORES: Final = "chores"
QUEUES: Final = (SCORING, GENERATING, CHORES)
"""A worker takes from all of them, or from those that `celery worker --queues` names."""

ROUTES: Final = {
    SCORE_BATCH: {"queue": SCORING},
    # Gold is executed by the workers that execute predictions.
    "workers.gold.*": {"queue": SCORING},
    "workers.generation.*": {"queue": GENERATING},
}

BROKER_OPTIONS: Final = {
    "socket_connect_timeout": 1,
    "socket_timeout": 10,
    "socket_keepalive": True,
    "visibility_timeout": 3600,
}

MOST_MESSAGES: Final = 16
"""Waking more workers than there are does nothing: each goes on until nothing is due."""


@cache
def sender() -> Celery:
    """A Celery application that can only send."""
    app = Celery("aptboard-sender", broker=settings.REDIS_URL, set_as_current=False)
    app.conf.update(
        broker_transport_options=BROKER_OPTIONS,
        task_default_queue=CHORES,
        task_ignore_result=True,
        task_routes=ROUTES,
    )
    return app


def wake_scorers(batches: int) -> None:
    """Tell workers, when the present transaction has been committed, that so many batches are due."""
    if batches:
        publish(SCORE_BATCH, times=min(batches, MOST_MESSAGES), expires=settings.WAKE_SECONDS)


def publish(task: str, *ids: int | str, times: int = 1, expires: float | None = None) -> None:
    """Send `times` messages when the present transaction has been committed.

    A message only wakes a worker up. Where the broker is down the message is lost with a warning: the sweep finds the
    work in PostgreSQL later.

    Args:
        task: its name.
        ids: its arguments.
        times: how many messages.
        expires: seconds after which a message that nobody took is dropped; None keeps it.
    """
    options = {} if expires is None else {"expires": expires}
    transaction.on_commit(lambda: _send(task, ids, times, options))


def _send(task: str, ids: tuple[int | str, ...], times: int, options: dict[str, Any]) -> None:
    try:
        for _ in range(times):
            sender().send_task(task, args=ids, retry=False, **options)
    except OperationalError as error:
        logger.warning("%s %s not announced, the sweep will find it: %s", task, ids, error)

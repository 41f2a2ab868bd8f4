"""The only way in which the site asks workers for work: by task name, after the transaction has been committed."""

import logging
from functools import cache
from typing import Final

from celery import Celery
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

SCORE_BATCH: Final = "workers.tasks.score_batch"
SWEEP: Final = "workers.tasks.sweep"

BROKER_OPTIONS: Final = {"socket_connect_timeout": 1, "socket_timeout": 10, "visibility_timeout": 3600}


@cache
def sender() -> Celery:
    """A Celery application that can only send."""
    app = Celery("aptboard-sender", broker=settings.REDIS_URL, set_as_current=False)
    app.conf.update(broker_transport_options=BROKER_OPTIONS, task_ignore_result=True)
    return app


def publish(task: str, *ids: int, times: int = 1) -> None:
    """Send `times` messages when the present transaction has been committed.

    A message only wakes a worker up. Where the broker is down the message is lost with a warning: the sweep finds the
    work in PostgreSQL later.
    """
    transaction.on_commit(lambda: _send(task, ids, times))


def _send(task: str, ids: tuple[int, ...], times: int) -> None:
    try:
        for _ in range(times):
            sender().send_task(task, args=ids, retry=False)
    except OperationalError as error:
        logger.warning("%s %s not announced, the sweep will find it: %s", task, ids, error)

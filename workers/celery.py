"""The Celery application: messages wake workers up, PostgreSQL holds the truth."""

import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402
from kombu import Queue  # noqa: E402

from leaderboard.queue import BROKER_OPTIONS, CHORES, QUEUES, ROUTES  # noqa: E402
from workers.schedule import SCHEDULE  # noqa: E402

TASKS = ("tasks", "presence", "generation", "gold", "notices", "rescoring", "webhooks")
app = Celery("aptboard", broker=settings.REDIS_URL, include=[f"workers.{module}" for module in TASKS])
app.conf.update(
    beat_schedule=SCHEDULE,
    # A worker that loses the broker goes on with what it has in hand, and looks for the broker for as long as it takes.
    broker_connection_max_retries=None,
    broker_connection_retry_on_startup=True,
    broker_transport_options=BROKER_OPTIONS,
    # Messages only wake workers up: one that is lost or comes twice costs nothing, so none is kept until it is done,
    # and no task is ended because the broker went away.
    task_acks_late=False,
    task_default_queue=CHORES,
    task_ignore_result=True,
    task_queues=[Queue(name) for name in QUEUES],
    task_routes=ROUTES,
    task_serializer="json",
    # Above a turn and an item that is stuck: the process that hangs is ended, its lease has lapsed before.
    task_time_limit=900,
    timezone="UTC",
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_prefetch_multiplier=1,
)


@setup_logging.connect
def keep_django_logging(**_: object) -> None:
    """Celery would replace the logging set up in the settings."""

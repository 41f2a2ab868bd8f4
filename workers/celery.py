"""The Celery application: messages wake workers up, PostgreSQL holds the truth."""

import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402

from leaderboard.queue import BROKER_OPTIONS  # noqa: E402
from workers.schedule import SCHEDULE  # noqa: E402

app = Celery("aptboard", broker=settings.REDIS_URL, include=["workers.tasks"])
app.conf.update(
    beat_schedule=SCHEDULE,
    broker_connection_retry_on_startup=True,
    broker_transport_options=BROKER_OPTIONS,
    task_acks_late=True,
    task_ignore_result=True,
    task_reject_on_worker_lost=True,
    task_serializer="json",
    timezone="UTC",
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_prefetch_multiplier=1,
)


@setup_logging.connect
def keep_django_logging(**_: object) -> None:
    """Celery would replace the logging set up in the settings."""

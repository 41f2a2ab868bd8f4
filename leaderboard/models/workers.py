"""The workers that are alive, as they say themselves."""

from django.db import models


class WorkerNode(models.Model):
    """One Celery worker, with the processes that it has; it is alive while it keeps saying so."""

    name = models.CharField(max_length=200, unique=True)
    queues = models.CharField(max_length=200, help_text="The queues that it takes messages from, parted by commas.")
    slots = models.PositiveSmallIntegerField(help_text="Batches that it can work on at a time.")
    scorer = models.CharField(max_length=80, blank=True, help_text="Version and digest of the scorer that it runs.")
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name

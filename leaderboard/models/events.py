"""What happened to a run, as it happened: one row an event, never changed."""

from django.db import models

from leaderboard.models.runs import Run


class EventKind(models.TextChoices):
    """What happened; the last six end a run or reopen it."""

    QUEUED = "queued", "Queued"
    ASKING = "asking", "The model is asked"
    ENDPOINT_DOWN = "endpoint_down", "The model endpoint did not answer"
    ASKED = "asked", "The model's replies are in"
    CLAIMED = "claimed", "Claimed by a worker"
    STARTED = "started", "Scoring started"
    BATCH_DONE = "batch_done", "Database scored"
    HANDED_BACK = "handed_back", "Handed back after a fault on our side"
    LEASE_LAPSED = "lease_lapsed", "Worker stopped answering"
    RETRIED = "retried", "Tried again"
    RESCORED = "rescored", "Scored again"
    GOLD_RECHECKED = "gold_rechecked", "Gold computed again"
    REFUNDED = "refunded", "Quota given back"
    RESUMED = "resumed", "Taken up again"
    FINISHED = "finished", "Finished"
    INCOMPLETE = "incomplete", "Incomplete"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ENDS = frozenset({EventKind.FINISHED, EventKind.INCOMPLETE, EventKind.FAILED, EventKind.CANCELLED})
"""The kinds that end a run; an incomplete one may be resumed."""


class RunEvent(models.Model):
    """One thing that happened to a run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=24, choices=EventKind.choices)
    detail = models.CharField(
        max_length=500,
        blank=True,
        help_text="A sentence for the owner and staff, who alone read it: it may name a worker or a server of ours.",
    )
    data = models.JSONField(
        default=dict, help_text="Plain values that go with it, such as the database and item counts."
    )

    class Meta:
        indexes = [models.Index(fields=["run", "id"], name="run_event_order")]
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.kind} of run {self.run_id}"

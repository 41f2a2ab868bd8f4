"""The asking of a model for one run: the lease under which it is done, and each reply as it came."""

from django.db import models
from django.db.models import Q

from evaluation.generation.types import Reason
from leaderboard.models.releases import ReleaseItem
from leaderboard.models.runs import Run


class GenerationState(models.TextChoices):
    """Where the asking for a run is."""

    QUEUED = "queued", "Queued"
    LEASED = "leased", "Under way"
    DONE = "done", "Done"


class Generation(models.Model):
    """The asking of a model for one run; there is one as long as the run has one, whatever the run's state."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="generation")
    state = models.CharField(max_length=8, choices=GenerationState.choices, default=GenerationState.QUEUED)
    lease = models.UUIDField(null=True)
    leased_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=200, blank=True)
    not_before = models.DateTimeField(null=True, help_text="Back-off after an outage of the endpoint or of ours.")
    outages = models.PositiveSmallIntegerField(default=0, help_text="In a row, without a reply between them.")
    rounds = models.PositiveSmallIntegerField(default=0, help_text="That left single items unanswered.")
    refused = models.BooleanField(default=False, help_text="By the endpoint, for a reason that its owner must see to.")
    prompts_digest = models.CharField(max_length=64, blank=True, help_text="Over the prompts of all items.")
    message = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(state=GenerationState.LEASED) | Q(lease__isnull=False, leased_until__isnull=False),
                name="leased_generation_has_lease",
            )
        ]
        indexes = [models.Index(fields=["state", "not_before"], name="generation_due")]

    def __str__(self) -> str:
        return f"generation of run {self.run_id} ({self.state})"


class StoredReply(models.Model):
    """One reply of a model to one item, word for word; `evaluation.generation.types.Reply` tells of the fields."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="replies")
    item = models.ForeignKey(ReleaseItem, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    is_final = models.BooleanField()
    text = models.TextField(blank=True)
    reason = models.CharField(max_length=24, blank=True, choices=[(reason.value, reason.value) for reason in Reason])
    message = models.CharField(max_length=500, blank=True)
    error = models.TextField(blank=True)
    calls = models.PositiveSmallIntegerField()
    prompt_digest = models.CharField(max_length=64, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=200, blank=True)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    reasoning_tokens = models.PositiveIntegerField(default=0)
    tokens_estimated = models.BooleanField(default=False)
    cost = models.DecimalField(null=True, max_digits=14, decimal_places=8)
    milliseconds = models.FloatField(default=0.0)
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "item", "number"], name="reply_once")]
        ordering = ["item", "number"]

    def __str__(self) -> str:
        return f"reply {self.number} to {self.item_id}"

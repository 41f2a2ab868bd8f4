"""What submitters send: the submission and its predictions."""

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from evaluation.types import Condition
from leaderboard.models.releases import Release, ReleaseItem
from leaderboard.models.teams import Team

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
    from leaderboard.models.runs import Run


class Submission(models.Model):
    """One prediction file of one entry."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    team = models.ForeignKey(
        Team,
        on_delete=models.SET_NULL,
        null=True,
        related_name="submissions",
        help_text="Of its owner, when it was sent.",
    )
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="submissions")
    rescored_from = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        related_name="rescorings",
        help_text="The submission to the corrected release whose predictions these are.",
    )
    entry = models.CharField(max_length=80, help_text="Name shown on the board.")
    description = models.CharField(max_length=500, blank=True)
    file_name = models.CharField(max_length=255)
    file_format = models.CharField(max_length=40)
    file_sha256 = models.CharField(max_length=64)
    file_bytes = models.PositiveBigIntegerField()
    idempotency_key = models.CharField(max_length=255, blank=True)
    request_digest = models.CharField(max_length=64, help_text="Tells whether a key comes back with the same request.")
    created_at = models.DateTimeField(
        default=timezone.now, help_text="When the predictions came in; scoring them again does not change it."
    )

    told_states = models.CharField(
        max_length=200, blank=True, help_text="The ends of its runs that its owner was told of last."
    )

    if TYPE_CHECKING:
        runs: RelatedManager["Run"]
        predictions: RelatedManager["Prediction"]
        endpoint: "ModelEndpoint"
        facts: "ModelFacts"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "idempotency_key"],
                condition=~Q(idempotency_key=""),
                name="submission_idempotency_key",
            ),
            models.UniqueConstraint(fields=["rescored_from", "release"], name="submission_rescored_once"),
        ]
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.entry} ({self.id})"


class Prediction(models.Model):
    """The text that a model gave for one item in one condition."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="predictions")
    item = models.ForeignKey(ReleaseItem, on_delete=models.PROTECT, related_name="+")
    condition = models.CharField(max_length=24, choices=[(c.value, c.value) for c in Condition])
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["submission", "condition", "item"], name="prediction_once")]

    def __str__(self) -> str:
        return f"{self.condition} {self.item_id}"

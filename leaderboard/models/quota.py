"""The quota ledger: charges and refunds are rows that are written once and never changed."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Team

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class QuotaRule(models.Model):
    """How many submissions a team may send to one benchmark; benchmarks without a row follow the settings."""

    benchmark = models.SlugField(max_length=64, unique=True, help_text="Name of the benchmark: all its releases.")
    submissions = models.PositiveIntegerField(help_text="In one window; 0 means no limit.")
    seconds = models.PositiveIntegerField(help_text="Length of the rolling window.")

    def __str__(self) -> str:
        return f"{self.benchmark}: {self.submissions} in {self.seconds} s"


class QuotaAccount(models.Model):
    """Whose ledger for one benchmark: of a team, or of a user without one. Its row is the lock of the ledger."""

    benchmark = models.SlugField(max_length=64)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")

    if TYPE_CHECKING:
        entries: RelatedManager["QuotaEntry"]

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "team"], name="quota_account_team"),
            models.UniqueConstraint(fields=["benchmark", "user"], name="quota_account_user"),
            models.CheckConstraint(
                condition=Q(team__isnull=True, user__isnull=False) | Q(team__isnull=False, user__isnull=True),
                name="quota_account_has_one_holder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} of {self.team_id or self.user_id}"


class QuotaReason(models.TextChoices):
    """Why a ledger has an entry."""

    SUBMITTED = "submitted", "Submitted"
    CANCELLED_BEFORE_START = "cancelled_before_start", "Cancelled before it started"
    OUR_FAULT = "our_fault", "A fault on our side"


class QuotaEntry(models.Model):
    """One charge, or the refund of one charge. A deleted submission leaves its charge behind."""

    account = models.ForeignKey(QuotaAccount, on_delete=models.CASCADE, related_name="entries")
    submission = models.ForeignKey(Submission, on_delete=models.SET_NULL, null=True, related_name="quota_entries")
    refunds = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, related_name="refund", help_text="The charge that this gives back."
    )
    reason = models.CharField(max_length=32, choices=QuotaReason.choices)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission"], condition=Q(refunds__isnull=True), name="quota_submission_charged_once"
            ),
            models.CheckConstraint(
                condition=Q(refunds__isnull=True, reason=QuotaReason.SUBMITTED)
                | (Q(refunds__isnull=False) & ~Q(reason=QuotaReason.SUBMITTED)),
                name="quota_refund_has_its_reason",
            ),
        ]
        indexes = [models.Index(fields=["account", "at"], name="quota_account_at")]
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.reason} at {self.at:%Y-%m-%d %H:%M}"

"""Checks of a release's gold, and what they found of single items."""

from typing import TYPE_CHECKING

from django.db import models

from evaluation.gold_check import FindingKind
from leaderboard.models.releases import Release, ReleaseItem

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class GoldCheck(models.Model):
    """One whole check of a release on one engine; the newest of an engine counts."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="gold_checks")
    engine = models.CharField(max_length=100)
    checked_at = models.DateTimeField()
    items = models.PositiveIntegerField(help_text="Items of the track that were checked.")
    equal = models.PositiveIntegerField(help_text="Items whose gold scored Strict-EX 1 against itself each time.")
    seconds = models.FloatField()

    if TYPE_CHECKING:
        findings: RelatedManager["GoldFinding"]

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"gold of {self.release_id} on {self.engine}: {self.equal} of {self.items}"


class GoldFinding(models.Model):
    """Something that a check found of one item; `detail` may quote gold and is for organisers."""

    check_run = models.ForeignKey(GoldCheck, on_delete=models.CASCADE, related_name="findings")
    item = models.ForeignKey(ReleaseItem, on_delete=models.CASCADE, related_name="gold_findings")
    kind = models.CharField(max_length=24, choices=[(kind.value, kind.value) for kind in FindingKind])
    detail = models.CharField(max_length=500)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["check_run", "item", "kind"], name="gold_finding_once")]
        ordering = ["item__position", "kind"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.item_id}"

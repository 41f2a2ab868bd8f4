"""Corrections: a release that replaces gold or evidence of an earlier one, item by item, and why."""

from typing import TYPE_CHECKING

from django.db import models

from leaderboard.models.releases import Release

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Correction(models.Model):
    """The step from one release to the one that corrects it; all its submissions are scored again under the new one."""

    old = models.OneToOneField(Release, on_delete=models.PROTECT, related_name="corrected_by")
    new = models.OneToOneField(Release, on_delete=models.PROTECT, related_name="corrects")
    made_at = models.DateTimeField()

    if TYPE_CHECKING:
        items: RelatedManager["ItemCorrection"]

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"


class ItemCorrection(models.Model):
    """What was changed of one item. Fields are named, not quoted: gold may be hidden."""

    correction = models.ForeignKey(Correction, on_delete=models.CASCADE, related_name="items")
    question_id = models.CharField(max_length=128)
    db_id = models.CharField(max_length=128)
    changes = models.JSONField(help_text='Names of what changed: "gold_query", "evidence", "database_content", …')
    reason = models.CharField(max_length=500, help_text="Why, in the organisers' words; public.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["correction", "question_id"], name="item_correction_once")]
        ordering = ["id"]

    def __str__(self) -> str:
        return self.question_id

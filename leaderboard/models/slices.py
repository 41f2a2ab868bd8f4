"""The figures of ranked runs inside one database or one difficulty, ready to be ordered by an index."""

from django.db import models
from django.db.models import Q

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run


class SliceKind(models.TextChoices):
    """By what the items of a release are divided; the values are also names of query parameters."""

    DATABASE = "database"
    DIFFICULTY = "difficulty"


class SliceScore(models.Model):
    """One finished run on the items of one slice; metrics are shares from 0 to 1 with 95 % intervals.

    Only a slice whose every item was judged has a row: what was not measured can neither rank nor be taken for 0.
    Nothing here depends on other runs, so a run that comes in moves no row: its rank is its place in the index.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="+", db_index=False)
    condition = models.CharField(max_length=24, choices=[(c.value, c.value) for c in Condition])
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="slices", db_index=False)
    submitted_at = models.DateTimeField(help_text="Of the submission; decides the order between equal metrics.")
    kind = models.CharField(max_length=16, choices=SliceKind.choices)
    name = models.CharField(max_length=128)
    n = models.PositiveIntegerField(help_text="Items of the slice; every one was judged.")
    strict_ex = models.FloatField()
    strict_ex_low = models.FloatField(null=True)
    strict_ex_high = models.FloatField(null=True)
    soft_ex = models.FloatField()
    soft_ex_low = models.FloatField(null=True)
    soft_ex_high = models.FloatField(null=True)
    exec_rate = models.FloatField()
    exec_rate_low = models.FloatField(null=True)
    exec_rate_high = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "kind", "name"], name="slice_score_once"),
            models.CheckConstraint(
                # NaN is greater than every number in PostgreSQL, so it fails here as well.
                condition=Q(
                    strict_ex__gte=0,
                    soft_ex__gte=models.F("strict_ex"),
                    exec_rate__gte=models.F("soft_ex"),
                    exec_rate__lte=1,
                ),
                name="slice_metrics_are_nested_shares",
            ),
        ]
        indexes = [
            # The order of evaluation.rank inside one slice.
            models.Index(
                fields=[
                    "release", "condition", "kind", "name",
                    "-strict_ex", "-soft_ex", "-exec_rate", "submitted_at", "run",
                ],
                name="slice_score_order",
            ),
        ]  # fmt: skip
        ordering = ["release", "condition", "kind", "name", "-strict_ex"]

    def __str__(self) -> str:
        return f"{self.run_id} in {self.kind} {self.name}"

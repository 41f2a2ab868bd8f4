"""The published order: what it is made from, and one row for each ranked run."""

from django.db import models
from django.db.models import Q

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run


def nested_shares() -> Q:
    """The condition that the metrics of a row are shares, each at most the one that is easier to reach."""
    # NaN is greater than every number in PostgreSQL, so it fails here as well.
    return Q(
        strict_ex__gte=0,
        soft_ex__gte=models.F("strict_ex"),
        exec_rate__gte=models.F("soft_ex"),
        exec_rate__lte=1,
        coverage__gte=0,
        coverage__lte=1,
    )


class RunFigures(models.Model):
    """What a board needs to know of one finished run: its figures, and its strict verdicts, one bit an item.

    All of it is in the report and the item scores as well; ranking ten thousand runs must not read those.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="figures")
    order = models.CharField(max_length=64, help_text="evaluation.packing.order_digest of the items that count.")
    strict = models.BinaryField(help_text="evaluation.packing.verdicts_pack of the verdicts in this order.")
    exec_rate = models.FloatField()
    soft_ex = models.FloatField()
    strict_ex = models.FloatField()
    coverage = models.FloatField()
    n = models.PositiveIntegerField()

    class Meta:
        constraints = [models.CheckConstraint(condition=nested_shares(), name="figures_are_nested_shares")]

    def __str__(self) -> str:
        return f"figures of run {self.run_id}"


class Standing(models.Model):
    """The rank of one finished run on the board of one release and condition; metrics are shares from 0 to 1."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="standings")
    condition = models.CharField(max_length=24, choices=[(c.value, c.value) for c in Condition])
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="standing")
    rank = models.PositiveIntegerField()
    position = models.PositiveIntegerField(help_text="Order of display; entries of one rank follow each other.")
    tie_group = models.PositiveIntegerField(help_text="Entries not separable from the first of their group share it.")
    exec_rate = models.FloatField()
    soft_ex = models.FloatField()
    strict_ex = models.FloatField()
    coverage = models.FloatField()
    n = models.PositiveIntegerField()
    computed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "condition", "position"], name="standing_position"),
            models.CheckConstraint(condition=nested_shares(), name="standing_metrics_are_nested_shares"),
        ]
        ordering = ["release", "condition", "position"]

    def __str__(self) -> str:
        return f"{self.rank}. {self.run_id}"

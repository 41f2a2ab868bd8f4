"""How many ranked entries solved each item: added up when entries are ranked, so that lists of items only read."""

from django.db import models
from django.db.models import Q

from evaluation.types import Condition
from leaderboard.models.releases import ReleaseItem
from leaderboard.models.runs import Run


class ItemTally(models.Model):
    """The ranked entries that were judged on an item in one condition, and those that solved it by Strict-EX."""

    item = models.ForeignKey(ReleaseItem, on_delete=models.CASCADE, related_name="tallies")
    condition = models.CharField(max_length=24, choices=[(c.value, c.value) for c in Condition])
    entries = models.PositiveIntegerField()
    solved = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "condition"], name="item_tally_once"),
            models.CheckConstraint(condition=Q(solved__lte=models.F("entries")), name="item_tally_solved_by_entries"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.solved} of {self.entries}"


class TalliedRun(models.Model):
    """A run whose verdicts are in the tallies; of a run that is deleted, the missing row tells."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="tallied")

    def __str__(self) -> str:
        return f"run {self.run_id} is tallied"

"""What is measured beside the scores and kept for the board: what asking a model took, and what evidence adds."""

from django.db import models
from django.db.models import Q

from leaderboard.models.runs import Run
from leaderboard.models.submissions import Submission


class RunUsage(models.Model):
    """What asking a model took for one finished run; until then its replies are added up each time."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="usage")
    items = models.PositiveIntegerField(help_text="With a final reply.")
    usable = models.PositiveIntegerField(help_text="Of them, those with a text.")
    reasons = models.JSONField(default=dict, help_text="Why the others have none: reason → items.")
    repairs = models.JSONField(default=dict, help_text="Number of repairs → usable replies that took so many.")
    calls = models.PositiveIntegerField(help_text="Of the endpoint, failures included.")
    prompt_tokens = models.PositiveBigIntegerField()
    completion_tokens = models.PositiveBigIntegerField()
    reasoning_tokens = models.PositiveBigIntegerField()
    tokens_estimated = models.BooleanField(help_text="The endpoint did not report all of them.")
    cost = models.DecimalField(null=True, max_digits=18, decimal_places=8, help_text="US dollars; null: price unknown.")
    median_milliseconds = models.FloatField(null=True)
    p95_milliseconds = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"usage of run {self.run_id}"


class EvidenceGain(models.Model):
    """Strict-EX with evidence minus without, over the items judged in both conditions; shares from -1 to 1."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="evidence_gain")
    n = models.PositiveIntegerField()
    value = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    with_only = models.PositiveIntegerField(help_text="Items that only went right with evidence.")
    without_only = models.PositiveIntegerField(help_text="Items that only went right without evidence.")
    p_value = models.FloatField(help_text="Exact McNemar test, two-sided.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                # NaN is greater than every number in PostgreSQL, so it fails here.
                condition=Q(value__gte=-1, value__lte=1),
                name="gain_is_a_difference_of_shares",
            )
        ]

    def __str__(self) -> str:
        return f"gain of {self.submission_id}"

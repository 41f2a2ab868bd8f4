"""The evaluation of a submission: runs, their leased batches, and the scores of items."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from evaluation.types import Condition, Outcome
from leaderboard.models.releases import ReleaseDatabase, ReleaseItem
from leaderboard.models.states import BatchState, RunState
from leaderboard.models.submissions import Submission

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from leaderboard.models.generations import Generation


class ShownRuns(models.Manager["Run"]):
    """The runs of submissions, without those that judge one of them again in the background."""

    def get_queryset(self) -> models.QuerySet["Run"]:
        """As everywhere but in scoring."""
        return super().get_queryset().filter(replaces=None)


class Run(models.Model):
    """The scoring of one submission in one condition.

    A run that `replaces` another one judges the same predictions by a newer scorer; nobody sees it. When it is done,
    its verdicts take the place of the other's, and it is deleted.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="runs")
    condition = models.CharField(max_length=24, choices=[(c.value, c.value) for c in Condition])
    replaces = models.OneToOneField("self", on_delete=models.CASCADE, null=True, related_name="replacement")
    state = models.CharField(max_length=16, choices=RunState.choices, default=RunState.QUEUED)
    reason = models.CharField(max_length=500, blank=True, help_text="Why it ended without a score.")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    deadline = models.DateTimeField()
    unranked = models.BooleanField(default=False, help_text="It has finished, and the board does not know it yet.")
    report = models.JSONField(null=True, help_text="evaluation.aggregate.Report; written with the end state.")
    scorer = models.CharField(
        max_length=200, blank=True, help_text="All that judged items of it, where that changed meanwhile."
    )
    engine = models.CharField(max_length=200, blank=True, help_text="All that ran queries of it, likewise.")
    demo_engine = models.BooleanField(default=False)
    account = models.CharField(
        max_length=40, blank=True, help_text="The team, or the user, whose share of workers it uses."
    )
    background = models.BooleanField(
        default=False, help_text="Nobody waits for it: it yields to runs that somebody does."
    )
    resumptions = models.PositiveSmallIntegerField(default=0, help_text="How often it was taken up again.")
    resume_at = models.DateTimeField(null=True, help_text="When an incomplete run is taken up again.")
    service_milliseconds = models.PositiveBigIntegerField(default=0, help_text="Time that workers have spent on it.")
    executed_queries = models.PositiveIntegerField(default=0, help_text="Queries that were sent to the engine.")
    cached_answers = models.PositiveIntegerField(
        default=0, help_text="Queries whose answer was known from another item."
    )
    reused_verdicts = models.PositiveIntegerField(default=0, help_text="Items whose very text had been judged before.")

    objects = ShownRuns()
    every = models.Manager["Run"]()

    if TYPE_CHECKING:
        batches: RelatedManager["Batch"]
        item_scores: RelatedManager["ItemScore"]
        generation: "Generation"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "condition"], condition=Q(replaces=None), name="run_once"),
            models.CheckConstraint(
                condition=~Q(state=RunState.FINISHED) | Q(report__isnull=False, ended_at__isnull=False),
                name="finished_run_has_report",
            ),
            models.CheckConstraint(
                condition=Q(unranked=False) | Q(state=RunState.FINISHED), name="unranked_run_has_finished"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "deadline"], name="run_state_deadline"),
            models.Index(fields=["submission"], name="run_unranked", condition=Q(unranked=True)),
            models.Index(fields=["created_at"], name="run_created"),
            models.Index(fields=["started_at"], name="run_started", condition=Q(started_at__isnull=False)),
            models.Index(fields=["ended_at"], name="run_ended", condition=Q(ended_at__isnull=False)),
        ]
        ordering = ["condition"]

    def __str__(self) -> str:
        return f"run {self.pk} ({self.condition}, {self.state})"


class EarlierScore(models.Model):
    """What a run had scored before its predictions were judged again by another scorer; metrics are shares."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="earlier_scores")
    scorer = models.CharField(max_length=200)
    engine = models.CharField(max_length=200)
    strict_ex = models.FloatField(null=True)
    soft_ex = models.FloatField(null=True)
    exec_rate = models.FloatField(null=True)
    replaced_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.strict_ex} of run {self.run_id} by {self.scorer}"


class Batch(models.Model):
    """The items of one database of one run: the unit that a worker leases."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    database = models.ForeignKey(ReleaseDatabase, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=16, choices=BatchState.choices, default=BatchState.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Claims since the last verdict was stored.")
    not_before = models.DateTimeField(null=True, help_text="Back-off after a fault on our side.")
    lease = models.UUIDField(null=True)
    leased_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=200, blank=True)
    reason = models.CharField(max_length=500, blank=True, help_text="The last fault on our side.")
    items = models.PositiveIntegerField(default=0, help_text="How many items it has.")
    judged = models.PositiveIntegerField(default=0, help_text="How many of them have a verdict that stays.")
    service_milliseconds = models.PositiveBigIntegerField(default=0, help_text="Time that workers have spent on it.")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "database"], name="batch_once"),
            models.CheckConstraint(
                condition=~Q(state=BatchState.LEASED) | Q(lease__isnull=False, leased_until__isnull=False),
                name="leased_batch_has_lease",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "leased_until"], name="batch_state_lease"),
            # Those that tell how fast workers are: a batch that was closed with known verdicts took no time.
            models.Index(
                fields=["ended_at"],
                name="batch_ended",
                condition=Q(ended_at__isnull=False, service_milliseconds__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"batch {self.pk} of run {self.run_id} ({self.state})"


class ItemScore(models.Model):
    """The verdict on one item of one run; null metrics mean unscored, for a reason on our side."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="item_scores")
    item = models.ForeignKey(ReleaseItem, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=16, choices=[(o.value, o.value) for o in Outcome])
    executed = models.BooleanField(null=True)
    soft = models.BooleanField(null=True)
    strict = models.BooleanField(null=True)
    reason = models.CharField(max_length=60, blank=True)
    message = models.TextField(blank=True)
    milliseconds = models.FloatField(null=True)
    diagnostics = models.JSONField(default=dict)
    scored_at = models.DateTimeField(auto_now=True)
    judgement = models.CharField(
        max_length=64,
        blank=True,
        help_text="Digest of all that the verdict depends on; blank where it may not be reused.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "item"], name="item_score_once"),
            models.CheckConstraint(
                condition=Q(strict__isnull=True, soft__isnull=True, executed__isnull=True, outcome=Outcome.UNSCORED)
                | Q(strict=False)
                | Q(strict=True, soft=True, executed=True),
                name="strict_implies_soft",
            ),
            models.CheckConstraint(
                condition=Q(soft__isnull=True) | Q(soft=False) | Q(executed=True), name="soft_implies_executed"
            ),
        ]
        indexes = [models.Index(fields=["judgement"], name="item_score_judgement", condition=~Q(judgement=""))]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.outcome}"

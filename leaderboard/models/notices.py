"""Notices: what a user is told, in the site and by e-mail."""

from django.conf import settings
from django.db import models

from leaderboard.models.submissions import Submission


class NoticeKind(models.TextChoices):
    """What a notice tells of."""

    SCORED = "scored", "A submission was scored"
    TROUBLE = "trouble", "A submission ended without a score"
    RESCORED = "rescored", "A submission was scored again"
    WEBHOOK_STOPPED = "webhook_stopped", "A webhook was stopped"
    INVITED = "invited", "An invitation to a team"


class MailState(models.TextChoices):
    """Where the e-mail of a notice is."""

    UNWANTED = "unwanted", "Not wanted"
    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    GIVEN_UP = "given_up", "Given up"


class MailChoice(models.TextChoices):
    """Which notices a user wants by e-mail; in the site, all are shown."""

    ALL = "all", "Every notice"
    TROUBLE = "trouble", "Only when something went wrong"
    NONE = "none", "None"


class NoticePreference(models.Model):
    """A user's choice; users without a row get `MailChoice.ALL` where they have an address."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_preference")
    mail = models.CharField(max_length=16, choices=MailChoice.choices, default=MailChoice.ALL)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.mail}"


class Notice(models.Model):
    """One thing that one user is told."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=24, choices=NoticeKind.choices)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, null=True, related_name="notices")
    title = models.CharField(max_length=200)
    text = models.TextField()
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)
    mail_state = models.CharField(max_length=16, choices=MailState.choices)
    mail_attempts = models.PositiveSmallIntegerField(default=0)
    mail_due_at = models.DateTimeField(null=True, help_text="When a worker should try next.")

    class Meta:
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_user_newest"),
            models.Index(
                fields=["mail_due_at"], condition=models.Q(mail_state=MailState.WAITING), name="notice_mail_due"
            ),
        ]
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"

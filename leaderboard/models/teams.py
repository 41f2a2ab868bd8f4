"""Teams: who shares one quota, and whose runs share one place in the queue."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Team(models.Model):
    """People who submit together; a user who is in none is a team of one. A team is never deleted: its ledger stays."""

    name = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TeamRole(models.TextChoices):
    """What a member may do."""

    OWNER = "owner", "Owner"
    MEMBER = "member", "Member"


class Membership(models.Model):
    """A user's one team: in two, a person would have two quotas."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="membership")
    role = models.CharField(max_length=16, choices=TeamRole.choices, default=TeamRole.MEMBER)
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.team_id}"


class PastMembership(models.Model):
    """A membership that has ended: what the team sent in that time goes on counting for who has left."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="past_memberships")
    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "team"], name="past_membership_user")]

    def __str__(self) -> str:
        return f"{self.user_id} was in {self.team_id}"


class TeamInvitation(models.Model):
    """An invitation to a team, for one user or one e-mail address; it is answered once. Its id is its link's secret."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="team_invitations"
    )
    email = models.EmailField(max_length=254, blank=True, help_text="In lower case; empty where a user is invited.")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    declined_at = models.DateTimeField(null=True, help_text="Declined by whom it is for, or withdrawn by the team.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=True, email__gt="") | Q(user__isnull=False, email=""),
                name="team_invitation_is_for_one",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(declined_at__isnull=True),
                name="team_invitation_is_answered_once",
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="team_invitation_lasts"),
        ]
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"invitation to {self.team_id}"

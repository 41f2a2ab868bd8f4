"""Teams: who shares one quota, and whose runs share one place in the queue."""

from django.conf import settings
from django.db import models


class Team(models.Model):
    """A team that the organisers registered; a user who is in none is a team of one."""

    name = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A user's one team: in two, a person would have two quotas."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="membership")
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.team_id}"

"""What organisers may look at in Django's admin: to read, not to change, for scores are only made by services."""

from typing import TYPE_CHECKING, TypeAlias

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, Run
from leaderboard.models.standings import Standing
from leaderboard.models.submissions import Submission
from leaderboard.models.tokens import ApiToken

if TYPE_CHECKING:
    ModelAdmin: TypeAlias = admin.ModelAdmin[models.Model]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnlyAdmin(ModelAdmin):
    """A table that can be read."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Nobody."""
        return False


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    """Releases; gold is in the items, which are not shown."""

    list_display = ("__str__", "title", "live_at", "imported_at")


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    """Submissions; the predicted texts are not shown."""

    list_display = ("entry", "owner", "release", "created_at")
    list_filter = ("release",)
    list_select_related = ("owner", "release")
    search_fields = ("entry", "owner__username")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Runs and why they ended."""

    list_display = ("id", "submission", "condition", "state", "reason", "deadline")
    list_filter = ("state", "condition")
    list_select_related = ("submission",)


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    """Batches: who works on what, and what failed."""

    list_display = ("id", "run", "database", "state", "attempts", "worker", "leased_until", "reason")
    list_filter = ("state",)
    list_select_related = ("run", "database")


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    """The published order."""

    list_display = ("release", "condition", "position", "rank", "tie_group", "run", "strict_ex")
    list_filter = ("release", "condition")
    list_select_related = ("release", "run")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens by prefix; the digest is not shown."""

    list_display = ("prefix", "owner", "name", "created_at", "expires_at", "last_used_at", "revoked_at")
    fields = ("prefix", "owner", "name", "created_at", "expires_at", "last_used_at", "revoked_at")
    list_select_related = ("owner",)

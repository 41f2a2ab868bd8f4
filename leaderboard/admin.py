"""What organisers may look at in Django's admin: to read, not to change, for scores are only made by services."""

from typing import TYPE_CHECKING, TypeAlias

from allauth.mfa import admin as two_step_admin
from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from leaderboard.models.corrections import Correction
from leaderboard.models.events import RunEvent
from leaderboard.models.gold_checks import GoldCheck
from leaderboard.models.quota import QuotaEntry
from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, Run
from leaderboard.models.standings import Standing
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Team
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
    """Submissions; the predicted texts are not shown, nor what would let somebody else repeat a request."""

    exclude = ("idempotency_key", "request_digest", "told_states")

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


@admin.register(RunEvent)
class RunEventAdmin(ReadOnlyAdmin):
    """What happened to runs."""

    list_display = ("at", "run", "kind", "detail")
    list_filter = ("kind",)
    list_select_related = ("run",)


@admin.register(QuotaEntry)
class QuotaEntryAdmin(ReadOnlyAdmin):
    """The ledger of charges and refunds."""

    list_display = ("at", "account", "reason", "submission")
    list_filter = ("reason", "account__benchmark")
    list_select_related = ("account", "submission")


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    """Teams; the command `team` changes them."""

    list_display = ("name", "created_at")


@admin.register(Correction)
class CorrectionAdmin(ReadOnlyAdmin):
    """Which release corrects which."""

    list_display = ("old", "new", "made_at")
    list_select_related = ("old", "new")


@admin.register(GoldCheck)
class GoldCheckAdmin(ReadOnlyAdmin):
    """Checks of gold; findings may quote it, and are not shown."""

    list_display = ("release", "engine", "checked_at", "items", "equal", "seconds")
    list_select_related = ("release",)


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    """The published order."""

    list_display = ("release", "condition", "position", "rank", "tie_group", "run", "strict_ex")
    list_filter = ("release", "condition")
    list_select_related = ("release", "run")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens by prefix; the digest is not shown."""

    list_display = ("prefix", "owner", "name", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
    fields = list_display
    list_select_related = ("owner",)


# Django-allauth's own table shows the secrets, if encrypted, and lets them be edited.
admin.site.unregister(two_step_admin.Authenticator)


@admin.register(two_step_admin.Authenticator)
class AuthenticatorAdmin(ReadOnlyAdmin):
    """Second steps of logins, to be deleted for those who have lost theirs."""

    list_display = ("user", "type", "created_at", "last_used_at")
    fields = list_display
    list_select_related = ("user",)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Those whose account has the right."""
        return bool(admin.ModelAdmin.has_delete_permission(self, request, obj))

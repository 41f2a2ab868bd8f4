"""Reading of the quota ledger: what is used, what is left, and from when on more is."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from leaderboard.models.quota import QuotaEntry, QuotaReason, QuotaRule
from leaderboard.models.releases import Release
from leaderboard.models.teams import Membership, PastMembership, Team
from leaderboard.selectors.teams import team_of


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaState:
    """A ledger at one moment.

    Args:
        benchmark: its name: the quota spans all its releases.
        limit: submissions in one window; 0 means no limit.
        used: charges in the window that were not given back.
        window: its length; it rolls, so each charge counts for this long.
        reset_at: when the oldest of the charges that stand in the way stops counting; None where nothing is used.
    """

    benchmark: str
    limit: int
    used: int
    window: timedelta
    reset_at: datetime | None

    @property
    def remaining(self) -> int | None:
        """Submissions that can be sent now; None where there is no limit."""
        return max(0, self.limit - self.used) if self.limit else None

    @property
    def window_seconds(self) -> int:
        """The window's length in seconds."""
        return round(self.window.total_seconds())

    @property
    def hours(self) -> str:
        """The window's length as people write it: "24 hours"."""
        count = self.window.total_seconds() / 3600
        return f"{count:g} hour{'' if count == 1 else 's'}"

    @property
    def exhausted(self) -> bool:
        """Whether nothing can be sent now."""
        return self.remaining == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaLine:
    """One line of the ledger; `amount` is 1 for a charge and -1 for a refund."""

    at: datetime
    reason: QuotaReason
    amount: int
    entry: str
    submission: str

    @property
    def amount_text(self) -> str:
        """The amount with its sign."""
        return "+1" if self.amount > 0 else "−1"


def quota_state(user: User, benchmark: str) -> QuotaState:
    """What a user, or the user's team, has left."""
    return holder_state(team_of(user), user, benchmark)


def entries_of(team: Team | None, user: User) -> QuerySet[QuotaEntry]:
    """The entries that count for a team, or for a user without one.

    Those of its own ledger; those of its members' own ledgers, from before they joined; and those of the teams that
    its members were in, for the time in which they were. So nobody gets a fresh quota by making a team, leaving one or
    changing over to another: what a person could use up goes along until it is as old as the window.
    """
    people: Any = Membership.objects.filter(team=team).values("user") if team is not None else [user.pk]
    was_in = PastMembership.objects.filter(
        user__in=people,
        team=OuterRef("account__team"),
        since__lte=OuterRef("charged_at"),
        until__gte=OuterRef("charged_at"),
    )
    own = Q(account__user__in=people) | Exists(was_in)
    # A refund counts for whom its charge counts.
    entries = QuotaEntry.objects.annotate(charged_at=Coalesce("refunds__at", "at"))
    return entries.filter(own if team is None else own | Q(account__team=team))


def holder_state(team: Team | None, user: User, benchmark: str) -> QuotaState:
    """What is left to a team, or to a user without one; exact only while `quota_reserve` holds its locks."""
    rule = QuotaRule.objects.filter(benchmark=benchmark).first()
    limit = rule.submissions if rule else settings.QUOTA_SUBMISSIONS
    window = timedelta(seconds=rule.seconds if rule else settings.QUOTA_SECONDS)
    charges = _counted(entries_of(team, user), benchmark, since=timezone.now() - window)
    # Where a limit was lowered, several charges stand in the way of the next submission.
    blocking = charges[max(0, len(charges) - limit) if limit else 0] if charges else None
    return QuotaState(
        benchmark=benchmark,
        limit=limit,
        used=len(charges),
        window=window,
        reset_at=None if blocking is None else blocking + window,
    )


def _counted(entries: QuerySet[QuotaEntry], benchmark: str, *, since: datetime) -> list[datetime]:
    charges = entries.filter(account__benchmark=benchmark, refunds=None, refund=None, at__gt=since).order_by("at")
    return list(charges.values_list("at", flat=True))


def quota_lines(user: User, *, limit: int = 100) -> tuple[QuotaLine, ...]:
    """The newest entries that count for a user, or the user's team, in two queries."""
    rows = entries_of(team_of(user), user).select_related("submission").order_by("-at", "-id")[:limit]
    return tuple(
        QuotaLine(
            at=row.at,
            reason=QuotaReason(row.reason),
            amount=1 if row.refunds_id is None else -1,
            entry=row.submission.entry if row.submission else "",
            submission=str(row.submission_id or ""),
        )
        for row in rows
    )


def quota_states(user: User) -> tuple[QuotaState, ...]:
    """What a user, or the user's team, has left of every benchmark that is live."""
    names = Release.objects.exclude(live_at=None).order_by("name").values_list("name", flat=True)
    return tuple(quota_state(user, name) for name in names.distinct())

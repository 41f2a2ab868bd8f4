"""Reading of the quota ledger: what is used, what is left, and from when on more is."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.models.quota import QuotaAccount, QuotaEntry, QuotaReason, QuotaRule
from leaderboard.models.releases import Release
from leaderboard.models.teams import Team
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
    return account_state(account_of(benchmark, team_of(user), user), benchmark)


def account_of(benchmark: str, team: Team | None, user: User) -> QuotaAccount | None:
    """The ledger, if anything was ever sent."""
    holder = {"team": team} if team is not None else {"user": user}
    return QuotaAccount.objects.filter(benchmark=benchmark, **holder).first()


def account_state(account: QuotaAccount | None, benchmark: str) -> QuotaState:
    """What is left on a ledger; exact only while the account's row is locked."""
    rule = QuotaRule.objects.filter(benchmark=benchmark).first()
    limit = rule.submissions if rule else settings.QUOTA_SUBMISSIONS
    window = timedelta(seconds=rule.seconds if rule else settings.QUOTA_SECONDS)
    charges = _counted(account, since=timezone.now() - window) if account else []
    # Where a limit was lowered, several charges stand in the way of the next submission.
    blocking = charges[max(0, len(charges) - limit) if limit else 0] if charges else None
    return QuotaState(
        benchmark=benchmark,
        limit=limit,
        used=len(charges),
        window=window,
        reset_at=None if blocking is None else blocking + window,
    )


def _counted(account: QuotaAccount, *, since: datetime) -> list[datetime]:
    charges = account.entries.filter(refunds=None, refund=None, at__gt=since).order_by("at")
    return list(charges.values_list("at", flat=True))


def quota_lines(user: User, *, limit: int = 100) -> tuple[QuotaLine, ...]:
    """The newest lines of a user's, or a team's, ledgers, in two queries."""
    team = team_of(user)
    holder = {"account__team": team} if team is not None else {"account__user": user}
    rows = QuotaEntry.objects.filter(**holder).select_related("submission").order_by("-at", "-id")[:limit]
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

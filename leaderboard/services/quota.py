"""The quota ledger: charges and refunds, each a row, written while the ledger is locked."""

from django.contrib.auth.models import User
from django.utils import timezone

from benchmark_data.errors import SubmissionError
from leaderboard.models.quota import QuotaAccount, QuotaEntry, QuotaReason, QuotaRule
from leaderboard.models.submissions import Submission
from leaderboard.selectors.quota import QuotaState, holder_state, quota_state
from leaderboard.selectors.teams import team_of
from leaderboard.services.teams import team_lock, users_lock


class QuotaExceededError(SubmissionError):
    """Everything that may be sent in the present window was sent; `state` says from when on more may be."""

    def __init__(self, state: QuotaState) -> None:
        self.state = state
        super().__init__(
            f"The quota for {state.benchmark} is used up: {state.limit} in {state.hours}. "
            f"The next submission can be sent from {state.reset_at:%Y-%m-%d %H:%M:%S} UTC on."
        )


def quota_check(user: User, benchmark: str) -> None:
    """Refuse early, before a file is read; `quota_charge` decides.

    Raises:
        QuotaExceededError: nothing is left.
    """
    state = quota_state(user, benchmark)
    if state.exhausted:
        raise QuotaExceededError(state)


def quota_reserve(benchmark: str, *, user: User) -> QuotaAccount:
    """Lock the ledger of the user's team, or the user's own, until the transaction ends; see that it has room for one.

    Raises:
        QuotaExceededError: it has none.
    """
    # Two clients that submit at once take turns here; without this, both would find the last place free. Nor does
    # anybody join or leave meanwhile: whose ledger it is, and what counts for it, is decided under these locks.
    users_lock([user])
    team = team_of(user)
    if team is not None:
        team_lock(team.pk)
    holder = {"team": team} if team is not None else {"user": user}
    account, _ = QuotaAccount.objects.get_or_create(benchmark=benchmark, **holder)
    account = QuotaAccount.objects.select_for_update().get(pk=account.pk)
    state = holder_state(team, user, benchmark)
    if state.exhausted:
        raise QuotaExceededError(state)
    return account


def quota_charge(account: QuotaAccount, submission: Submission) -> None:
    """Charge a ledger that `quota_reserve` locked in this transaction."""
    QuotaEntry.objects.create(account=account, submission=submission, reason=QuotaReason.SUBMITTED, at=timezone.now())


def quota_refund(submission: Submission, *, reason: QuotaReason) -> bool:
    """Give the charge of a submission back, once; True where this call did.

    Submissions that were scored again at the organisers' wish have no charge.
    """
    charge = QuotaEntry.objects.filter(submission=submission, refunds=None).first()
    if charge is None:
        return False
    QuotaAccount.objects.select_for_update().get(pk=charge.account_id)
    if QuotaEntry.objects.filter(refunds=charge).exists():
        return False
    QuotaEntry.objects.create(
        account_id=charge.account_id, submission=submission, refunds=charge, reason=reason, at=timezone.now()
    )
    return True


def quota_rule_set(benchmark: str, *, submissions: int, seconds: int) -> QuotaRule:
    """Say how many submissions a team may send to a benchmark in a window; what was sent keeps counting."""
    values = {"submissions": submissions, "seconds": seconds}
    rule, _ = QuotaRule.objects.update_or_create(benchmark=benchmark, defaults=values)
    return rule

"""Teams: who may join, and that no change of a team is a way to more quota."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.models.accounts import SignUp
from leaderboard.models.notices import Notice
from leaderboard.models.quota import QuotaEntry, QuotaRule
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Membership, PastMembership, Team, TeamRole
from leaderboard.selectors.quota import quota_lines, quota_state
from leaderboard.selectors.teams import team_of
from leaderboard.services.account_deletion import account_delete
from leaderboard.services.accounts import EmailNotVerifiedError
from leaderboard.services.invitations import NotInvitedError, invitation_accept, invitation_create
from leaderboard.services.quota import QuotaExceededError
from leaderboard.services.runs import run_begin, submission_cancel
from leaderboard.services.teams import (
    MOST_CHANGES,
    TeamConflictError,
    member_remove,
    member_role_set,
    team_change,
    team_create,
    team_leave,
)
from tests.leaderboard.builders import live_release, submission, user
from tests.leaderboard.services.test_quota import at_once

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def join(member: User, team: Team) -> Team:
    """Let a user join a team by an invitation of its owner."""
    owner = Membership.objects.get(team=team, role=TeamRole.OWNER).user
    return invitation_accept(member, invitation_create(owner, username=member.username).pk)


@pytest.fixture
def release() -> Release:
    """A live release with a quota of two."""
    QuotaRule.objects.create(benchmark="small", submissions=2, seconds=86_400)
    return live_release()


def used_up(release: Release, owner: User) -> None:
    """Send as much as may be sent."""
    for _ in range(2):
        submission(release, owner=owner)
    assert_exhausted(release, owner)


def assert_exhausted(release: Release, *users: User) -> None:
    for each in users:
        with pytest.raises(QuotaExceededError):
            submission(release, owner=each)


FRESH_STARTS: dict[str, Callable[[User, User], object]] = {
    "makes a team": lambda ann, bea: team_create(ann, name="Green"),
    "joins a fresh team": lambda ann, bea: join(ann, team_create(bea, name="Green")),
    "makes a team and leaves it": lambda ann, bea: (team_create(ann, name="Green"), team_leave(ann)),
    "makes one team after another": lambda ann, bea: (
        team_create(ann, name="Green"), team_leave(ann), team_create(ann, name="Red"),
    ),
    "is put into a team by organisers": lambda ann, bea: team_change("Green", add=[ann]),
}  # fmt: skip


@pytest.mark.parametrize("how", FRESH_STARTS)
def test_who_has_used_the_quota_up_gets_none_by_a_change_of_teams(release: Release, how: str) -> None:
    ann, bea = user("ann"), user("bea")
    used_up(release, ann)
    FRESH_STARTS[how](ann, bea)
    assert_exhausted(release, ann)


EXITS: dict[str, Callable[[User, User], object]] = {
    "leaves": lambda ann, bea: team_leave(bea),
    "is removed": lambda ann, bea: member_remove(ann, bea.pk),
    "is removed by organisers": lambda ann, bea: team_change("Blue", remove=[bea]),
    "leaves and makes a team": lambda ann, bea: (team_leave(bea), team_create(bea, name="Green")),
    "leaves and comes back": lambda ann, bea: (team_leave(bea), join(bea, Team.objects.get(name="Blue"))),
    "is left by the owner": lambda ann, bea: (member_role_set(ann, bea.pk, TeamRole.OWNER), team_leave(ann)),
}


@pytest.mark.parametrize("how", EXITS)
def test_who_goes_from_a_team_that_has_used_its_quota_up_has_no_fresh_one(release: Release, how: str) -> None:
    ann, bea = user("ann"), user("bea")
    join(bea, team_create(ann, name="Blue"))
    used_up(release, ann)
    EXITS[how](ann, bea)
    assert_exhausted(release, ann, bea)


def test_members_who_take_turns_in_leaving_get_nothing_out_of_it(release: Release) -> None:
    ann, bea, cy = user("ann"), user("bea"), user("cy")
    team = team_create(ann, name="Blue")
    for each in (bea, cy):
        join(each, team)
    used_up(release, bea)
    for each in (bea, cy):
        team_leave(each)
    other = team_create(cy, name="Green")
    join(bea, other)
    assert_exhausted(release, ann, bea, cy)


def test_what_the_team_sent_before_and_after_is_not_the_members(release: Release) -> None:
    ann, bea = user("ann"), user("bea")
    team = team_create(ann, name="Blue")
    submission(release, owner=ann)
    QuotaEntry.objects.update(at=timezone.now() - timedelta(hours=1))
    join(bea, team)
    team_leave(bea)
    submission(release, owner=ann)
    assert quota_state(bea, "small").used == 0
    assert quota_state(ann, "small").used == 2


def test_what_goes_along_ends_with_the_window(release: Release) -> None:
    ann, bea = user("ann"), user("bea")
    join(bea, team_create(ann, name="Blue"))
    used_up(release, ann)
    team_leave(bea)
    QuotaEntry.objects.update(at=timezone.now() - timedelta(hours=24, seconds=1))
    assert quota_state(bea, "small").used == 0
    assert submission(release, owner=bea).team is None


def test_a_refund_reaches_all_for_whom_the_charge_counts(release: Release) -> None:
    ann, bea = user("ann"), user("bea")
    join(bea, team_create(ann, name="Blue"))
    made = submission(release, owner=ann)
    team_leave(bea)
    assert quota_state(bea, "small").used == 1
    submission_cancel(made)
    assert (quota_state(ann, "small").used, quota_state(bea, "small").used) == (0, 0)
    assert [line.amount for line in quota_lines(bea)] == [-1, 1]


def test_a_charge_that_counts_twice_over_is_counted_once(release: Release) -> None:
    ann, bea = user("ann"), user("bea")
    team = team_create(ann, name="Blue")
    join(bea, team)
    submission(release, owner=bea)
    team_leave(bea)
    join(bea, team)
    assert quota_state(ann, "small").used == 1


def test_deleting_an_account_leaves_the_teams_charges_behind(release: Release) -> None:
    ann, bea = user("ann"), user("bea")
    join(bea, team_create(ann, name="Blue"))
    used_up(release, bea)
    for run in Run.objects.all():
        run_begin(run.pk)
    account_delete(bea)
    assert_exhausted(release, ann)


@pytest.mark.django_db(transaction=True)
def test_submitting_and_leaving_at_once_is_one_after_the_other() -> None:
    QuotaRule.objects.create(benchmark="small", submissions=2, seconds=86_400)
    release, ann, bea = live_release(), user("ann"), user("bea")
    join(bea, team_create(ann, name="Blue"))

    def work(number: int) -> None:
        if number == 3:
            team_leave(bea)
        else:
            submission(release, owner=(ann, bea)[number % 2], entry=f"entry {number}")

    at_once(8, work)
    # Whoever came first: nobody has more than the quota, what goes along from the time together included.
    assert all(quota_state(each, "small").used <= 2 for each in (ann, bea))
    assert QuotaEntry.objects.count() == Submission.objects.count() <= 4
    assert team_of(bea) is None


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\u202eb", "a\nb"])
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(TeamConflictError):
        team_create(user(), name=name)
    assert not Team.objects.exists()


def test_a_name_is_taken_whatever_its_letters_case() -> None:
    team_create(user("ann"), name="Blue")
    with pytest.raises(TeamConflictError, match="already"):
        team_create(user("bea"), name=" BLUE ")


def test_a_user_is_in_one_team_and_joins_few_a_month() -> None:
    ann = user("ann")
    for number in range(MOST_CHANGES):
        team_create(ann, name=f"Team {number}")
        with pytest.raises(TeamConflictError, match="in a team already"):
            team_create(ann, name="Another")
        team_leave(ann)
    with pytest.raises(TeamConflictError, match="within 30 days"):
        team_create(ann, name="One more")
    PastMembership.objects.update(since=timezone.now() - timedelta(days=31))
    assert team_create(ann, name="One more") == team_of(ann)


def test_an_unverified_account_makes_no_team_and_joins_none() -> None:
    ann, bea = user("ann"), user("bea")
    SignUp.objects.create(user=bea, mailbox=b"bea")
    with pytest.raises(EmailNotVerifiedError):
        team_create(bea, name="Blue")
    team_create(ann, name="Green")
    with pytest.raises(TeamConflictError, match="There is no user bea"):
        invitation_create(ann, username="bea")
    assert not Notice.objects.exists()
    by_mail = invitation_create(ann, email="bea@example.org")
    EmailAddress.objects.create(user=bea, email="bea@example.org")
    with pytest.raises(NotInvitedError):
        invitation_accept(bea, by_mail.pk)
    assert team_of(bea) is None


def test_a_team_always_has_an_owner_who_is_the_only_one_to_change_it() -> None:
    ann, bea, eve = user("ann"), user("bea"), user("eve")
    join(bea, team_create(ann, name="Blue"))
    team_create(eve, name="Green")
    for refused in (
        lambda: team_leave(ann),
        lambda: member_role_set(ann, ann.pk, TeamRole.MEMBER),
        lambda: member_remove(ann, ann.pk),
        lambda: member_remove(bea, ann.pk),
        lambda: member_remove(eve, bea.pk),
        lambda: member_role_set(bea, bea.pk, TeamRole.OWNER),
        lambda: member_role_set(eve, bea.pk, TeamRole.OWNER),
        lambda: member_remove(ann, 10**12),
    ):
        with pytest.raises(TeamConflictError):
            refused()
    member_role_set(ann, bea.pk, TeamRole.OWNER)
    team_leave(ann)
    assert Membership.objects.get(user=bea).role == TeamRole.OWNER


def test_the_last_member_may_leave_and_the_name_stays_taken() -> None:
    ann = user("ann")
    team_create(ann, name="Blue")
    team_leave(ann)
    with pytest.raises(TeamConflictError):
        team_create(user("bea"), name="Blue")


def test_organisers_name_an_owner() -> None:
    ann, bea = user("ann"), user("bea")
    assert team_change("Blue", add=[bea], owners=[ann]) == ["ann", "bea"]
    assert Membership.objects.get(user=ann).role == TeamRole.OWNER
    assert Membership.objects.get(user=bea).role == TeamRole.MEMBER

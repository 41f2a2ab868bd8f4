"""Organisers register teams and set quotas by command."""

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from leaderboard.models.teams import Membership, Team
from leaderboard.selectors.quota import quota_state
from leaderboard.selectors.teams import team_of

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().strip()


def test_a_team_is_registered_and_its_members_come_and_go() -> None:
    users = [User.objects.create_user(name) for name in ("ann", "bea", "cy")]
    assert told("team", "Blue", "--add", "ann", "bea") == "Blue: ann, bea"
    assert told("team", "Blue", "--add", "cy", "--remove", "bea") == "Blue: ann, cy"
    assert [str(team_of(user)) for user in users] == ["Blue", "None", "Blue"]
    assert told("team", "Red") == "Red: nobody"


def test_a_user_of_another_team_changes_nothing() -> None:
    for name in ("ann", "bea"):
        User.objects.create_user(name)
    told("team", "Blue", "--add", "ann")
    with pytest.raises(CommandError, match="ann is in the team Blue already"):
        told("team", "Red", "--add", "bea", "ann")
    assert Membership.objects.count() == 1
    assert not Team.objects.filter(name="Red").exists()


@pytest.mark.parametrize("arguments", [("Blue", "--add", "nobody"), ("\u202e",), ("x" * 81,)])
def test_unknown_users_and_unreadable_names_are_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        told("team", *arguments)
    assert not Team.objects.exists()


def test_a_quota_is_set_and_changed() -> None:
    ann = User.objects.create_user("ann")
    assert told("quota", "tiny", "--submissions", "5", "--hours", "0.5") == "tiny: 5 submissions in 0.5 hours."
    state = quota_state(ann, "tiny")
    assert (state.limit, state.window_seconds) == (5, 1800)
    assert told("quota", "tiny", "--submissions", "0") == "tiny: no limit in 24 hours."
    assert quota_state(ann, "tiny").remaining is None

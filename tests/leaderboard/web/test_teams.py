"""The pages of teams: a team is made, invited to, joined and left; no invitation is of use to anybody else."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from leaderboard.models.notices import Notice, NoticeKind
from leaderboard.models.teams import Membership, TeamInvitation, TeamRole
from leaderboard.selectors.teams import InvitationState, invitation_state, team_of
from leaderboard.services.invitations import MOST_A_DAY, invitation_accept, invitation_create
from leaderboard.services.teams import member_role_set, team_create, team_leave

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def team(ann: User) -> None:
    """Ann's team Blue."""
    team_create(ann, name="Blue")


def invited(owner: User, **whom: str) -> TeamInvitation:
    return invitation_create(owner, **whom)


def address(invitation: TeamInvitation | uuid.UUID, action: str = "") -> str:
    key = invitation.pk if isinstance(invitation, TeamInvitation) else invitation
    return f"/teams/invitations/{key}/" + (f"{action}/" if action else "")


def test_a_team_is_made_invited_to_joined_and_left(ann: User, bob: User) -> None:
    anns, bobs = browser(ann), browser(bob)
    assert "You are in no team" in text(anns.get("/teams/"))
    assert anns.post("/teams/", {"name": "Blue"}).headers["Location"] == "/teams/"
    answer = anns.post("/teams/invite/", {"whom": "bob"})
    assert answer.status_code == 201
    invitation = TeamInvitation.objects.get()
    assert f"http://testserver{address(invitation)}" in text(answer)
    notice = Notice.objects.get(user=bob)
    assert (notice.kind, notice.title) == (NoticeKind.INVITED, "ann invites you to the team “Blue”")
    assert "ann invites you" in text(bobs.get("/teams/"))
    assert "Join the team Blue?" in text(bobs.get(address(invitation)))
    assert "You are in the team Blue now." in text(bobs.post(address(invitation, "accept"), follow=True))
    page = text(anns.get("/teams/"))
    assert re.search(r'<th scope="row"> bob </th> <td>Member</td>', page)
    assert "Make owner" in page
    assert "Make owner" not in text(bobs.get("/teams/"))
    assert "You have left the team Blue" in text(bobs.post("/teams/leave/", follow=True))
    assert Membership.objects.count() == 1


def test_an_owner_makes_owners_and_removes_members(team: None, ann: User, bob: User) -> None:
    invitation_accept(bob, invited(ann, username="bob").pk)
    anns = browser(ann)
    assert "bob is an owner now" in text(anns.post(f"/teams/members/{bob.pk}/owner/", follow=True))
    assert "bob is no owner any more" in text(anns.post(f"/teams/members/{bob.pk}/member/", follow=True))
    assert "bob is no longer in the team" in text(anns.post(f"/teams/members/{bob.pk}/remove/", follow=True))
    assert team_of(bob) is None
    assert anns.post(f"/teams/members/{bob.pk}/promote/").status_code == 404


def test_an_address_gets_an_e_mail_whether_it_has_an_account_or_not(team: None, ann: User, bob: User) -> None:
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True, primary=True)
    answers = []
    for whom in ("Bob@example.org", "nobody@example.org"):
        answer = browser(ann).post("/teams/invite/", {"whom": whom})
        answers.append((answer.status_code, re.sub(r"\S*@\S+|[0-9a-f-]{36}|value=\"\S+\"", "", text(answer))[:4000]))
        assert mail.outbox[-1].to == [whom.lower()]
        assert f"http://localhost:8000{address(TeamInvitation.objects.latest('created_at'))}" in mail.outbox[-1].body
    assert answers[0][0] == answers[1][0] == 201
    assert Notice.objects.count() == 0


def test_an_invitation_to_an_address_is_for_who_has_verified_it(team: None, ann: User, bob: User) -> None:
    invitation = invited(ann, email="bob@example.org")
    bobs = browser(bob)
    row = EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True)
    for ask in (bobs.get, bobs.post):
        refused = ask(address(invitation, "" if ask == bobs.get else "accept"))
        assert refused.status_code == 403
        assert "bob@example.org" not in text(refused)
    assert "Join" not in text(bobs.get("/teams/"))
    EmailAddress.objects.filter(pk=row.pk).update(verified=True)
    assert "Blue" in text(bobs.get("/teams/"))
    bobs.post(address(invitation, "accept"))
    assert str(team_of(bob)) == "Blue"


@pytest.mark.parametrize("action", ["accept", "decline"])
def test_another_user_can_do_nothing_with_an_invitation(
    team: None, ann: User, bob: User, sam: User, action: str
) -> None:
    invitation = invited(ann, username="bob")
    assert browser(sam).get(address(invitation)).status_code == 403
    assert browser(sam).post(address(invitation, action)).status_code == 403
    assert browser(sam).post(address(invitation, "withdraw"), follow=True).status_code == 200
    assert team_of(sam) is None
    assert "Join the team Blue?" in text(browser(bob).get(address(invitation)))


def test_a_forged_invitation_leads_nowhere(team: None, bob: User) -> None:
    bobs = browser(bob)
    assert bobs.get(address(uuid.uuid4())).status_code == 404
    assert bobs.post(address(uuid.uuid4(), "accept")).status_code == 403
    assert bobs.get("/teams/invitations/1/").status_code == 404
    assert team_of(bob) is None


def test_an_invitation_works_once(team: None, ann: User, bob: User) -> None:
    invitation = invited(ann, username="bob")
    bobs = browser(bob)
    bobs.post(address(invitation, "accept"))
    bobs.post("/teams/leave/")
    assert "was accepted before: it works once" in text(bobs.post(address(invitation, "accept"), follow=True))
    gone = bobs.get(address(invitation))
    assert (gone.status_code, team_of(bob)) == (410, None)


@pytest.mark.parametrize("how", ["expired", "declined", "withdrawn", "inviter left", "inviter removed"])
def test_an_invitation_that_is_over_lets_nobody_in(team: None, ann: User, bob: User, sam: User, how: str) -> None:
    invitation_accept(sam, invited(ann, username="sam").pk)
    member_role_set(ann, sam.pk, TeamRole.OWNER)
    invitation = invited(sam, username="bob")
    bobs = browser(bob)
    if how == "expired":
        early = timezone.now() - timedelta(days=8)
        TeamInvitation.objects.filter(pk=invitation.pk).update(created_at=early, expires_at=early + timedelta(days=7))
    elif how == "inviter left":
        team_leave(sam)
    elif how == "inviter removed":
        browser(ann).post(f"/teams/members/{sam.pk}/remove/")
    else:
        who, action = (bobs, "decline") if how == "declined" else (browser(ann), "withdraw")
        who.post(address(invitation, action))
    answer = bobs.post(address(invitation, "accept"), follow=True)
    assert "expired" in text(answer) if how == "expired" else "declined or withdrawn" in text(answer)
    assert bobs.get(address(invitation)).status_code == 410
    assert "Join" not in text(bobs.get("/teams/"))
    assert team_of(bob) is None


def test_who_is_in_a_team_leaves_it_before_joining_another(team: None, ann: User, bob: User) -> None:
    team_create(bob, name="Green")
    invitation = invited(ann, username="bob")
    assert "You are in the team Green" in text(browser(bob).get(address(invitation)))
    answer = browser(bob).post(address(invitation, "accept"), follow=True)
    assert "You are in a team already" in text(answer)
    assert str(team_of(bob)) == "Green"
    assert TeamInvitation.objects.get().accepted_at is None


def test_a_second_invitation_takes_the_place_of_the_first(team: None, ann: User, bob: User) -> None:
    for whom in ({"username": "bob"}, {"email": "x@example.org"}):
        first, second = invited(ann, **whom), invited(ann, **whom)
        assert [invitation_state(TeamInvitation.objects.get(pk=each.pk)) for each in (first, second)] == [
            InvitationState.WITHDRAWN,
            InvitationState.OPEN,
        ]
    invitation_accept(bob, TeamInvitation.objects.get(user=bob, declined_at=None).pk)
    assert "is in the team already" in text(browser(ann).post("/teams/invite/", {"whom": "bob"}))


@pytest.mark.parametrize("whom", ["nobody", "not an@address", "", "@"])
def test_whom_nobody_knows_is_said_at_the_field(team: None, ann: User, whom: str) -> None:
    assert browser(ann).post("/teams/invite/", {"whom": whom}).status_code == 422
    assert not TeamInvitation.objects.exists()
    assert mail.outbox == []


def test_invitations_are_not_a_way_to_send_many_e_mails(team: None, ann: User) -> None:
    anns = browser(ann)
    for number in range(MOST_A_DAY):
        assert anns.post("/teams/invite/", {"whom": f"n{number}@example.org"}).status_code == 201
    refused = anns.post("/teams/invite/", {"whom": "one-more@example.org"})
    assert "within 24 hours" in text(refused)
    assert len(mail.outbox) == MOST_A_DAY


def test_a_member_who_is_no_owner_invites_nobody_and_a_stranger_neither(team: None, ann: User, bob: User) -> None:
    for _ in range(2):
        refused = browser(bob).post("/teams/invite/", {"whom": "eve@example.org"})
        assert refused.status_code == 422
        if team_of(bob) is None:
            invitation_accept(bob, invited(ann, username="bob").pk)
    assert mail.outbox == []


def test_the_database_refuses_an_invitation_for_nobody_and_one_answered_both_ways(team: None, ann: User) -> None:
    invitation = invited(ann, email="x@example.org")
    for change in (
        {"email": ""},
        {"user": ann},
        {"accepted_at": timezone.now(), "declined_at": timezone.now()},
        {"expires_at": invitation.created_at},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            TeamInvitation.objects.filter(pk=invitation.pk).update(**change)

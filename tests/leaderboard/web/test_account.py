"""The account: addresses, password, two-step login, one's own data, and the end."""

import io
import json
import re
import time
from collections.abc import Mapping
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from leaderboard.models.accounts import SignUp
from leaderboard.models.notices import NoticeKind
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Membership, TeamRole
from leaderboard.models.webhooks import Webhook
from leaderboard.services.notices import notice_create
from leaderboard.services.teams import team_change
from leaderboard.services.tokens import token_create, token_verify
from tests.leaderboard.web.test_signup import PASSWORD, link_in

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def eve() -> User:
    """Eve signed up and verified her address."""
    user = User.objects.create_user("eve", "eve@example.org", PASSWORD)
    SignUp.objects.create(user=user, mailbox=b"eve")
    EmailAddress.objects.create(user=user, email="eve@example.org", verified=True, primary=True)
    return user


@pytest.fixture
def eves(client: Client, eve: User) -> Client:
    """Eve's browser, where she has just given her password again, as some pages want it."""
    client.post("/login/", {"login": "eve", "password": PASSWORD})
    client.post("/account/again/", {"password": PASSWORD})
    return client


def code_at(secret: str) -> str:
    """The code that an app with this secret shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def switch_on(client: Client) -> str:
    """Switch two-step login on as a person does; returns the secret that the app keeps."""
    page = client.get("/account/two-step/app/").content.decode()
    found = re.search(r"<code>([A-Z2-7]{16,})</code>", page)
    assert found, page
    answer = client.post("/account/two-step/app/", {"code": code_at(found.group(1))})
    assert answer.headers["Location"] == "/account/two-step/codes/"
    return found.group(1)


def shown(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.headers)
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.parametrize("name", ["eve", "EVE", "eve@example.org", "Eve@Example.ORG"])
def test_a_login_takes_the_name_or_the_address(client: Client, eve: User, name: str) -> None:
    assert client.post("/login/", {"login": name, "password": PASSWORD}).headers["Location"] == "/"


def test_an_account_that_organisers_made_needs_no_address(client: Client, ann: User) -> None:
    ann.set_password(PASSWORD)
    ann.save()
    client.post("/login/", {"login": "ann", "password": PASSWORD})
    assert "ann, since" in shown(client, "/account/")
    assert mail.outbox == []


def test_a_session_that_is_not_to_be_remembered_ends_with_the_browser(client: Client, eve: User) -> None:
    for remember, ends in (("", True), ("on", False)):
        client.post("/login/", {"login": "eve", "password": PASSWORD, "remember": remember})
        assert client.session.get_expire_at_browser_close() == ends
        client.logout()


def test_two_step_login_asks_for_a_code_and_takes_each_recovery_code_once(
    eves: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        secret = switch_on(eves)
    assert secret not in json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    codes = re.findall(r"\d{8}", shown(eves, "/account/two-step/codes/"))
    assert len(codes) == 10
    assert eves.get("/account/two-step/codes/file/").content.decode().split() == codes
    assert [message.subject for message in mail.outbox] == ["[AptBoard] Two-step login was switched on"]
    for code, gets_in in (("000000", False), (codes[0], True), (codes[0], False), (codes[1], True)):
        other = Client()
        answer = other.post("/login/?next=/tokens/", {"login": "eve", "password": PASSWORD})
        assert answer.headers["Location"] == "/login/two-step/"
        assert other.get("/tokens/").status_code == 302
        answer = other.post("/login/two-step/", {"code": code})
        assert (answer.headers.get("Location") == "/tokens/") == gets_in
        assert (other.get("/tokens/").status_code == 200) == gets_in


def test_a_code_of_the_app_opens_the_account_and_guesses_are_limited(eves: Client, eve: User) -> None:
    secret = switch_on(eves)
    other = Client()
    other.post("/login/", {"login": "eve", "password": PASSWORD})
    for _ in range(5):
        other.post("/login/two-step/", {"code": "000000"})
    assert "Too many failed attempts" in other.post("/login/two-step/", {"code": code_at(secret)}).content.decode()
    assert other.get("/tokens/").status_code == 302


def test_a_new_key_of_the_site_takes_the_secrets_over(eves: Client, settings: Settings) -> None:
    secret = switch_on(eves)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key" * 6, [settings.SECRET_KEY]
    out = io.StringIO()
    call_command("rotate_two_step_keys", stdout=out)
    assert out.getvalue() == "2 secrets of two-step logins are encrypted under the present SECRET_KEY.\n"
    settings.SECRET_KEY_FALLBACKS = []
    other = Client()
    other.post("/login/", {"login": "eve", "password": PASSWORD})
    assert other.post("/login/two-step/", {"code": code_at(secret)}).headers["Location"] == "/"
    settings.SECRET_KEY = "a key that nobody knows any more" * 2
    with pytest.raises(CommandError, match="SECRET_KEY_FALLBACKS"):
        call_command("rotate_two_step_keys")


def test_the_admin_has_no_login_that_leaves_the_second_step_out(client: Client, sam: User) -> None:
    assert client.get("/admin/").status_code == 302
    answer = client.get("/admin/login/?next=/admin/")
    assert answer.headers["Location"] == "/login/?next=%2Fadmin%2F"


def test_two_step_login_can_be_switched_off_by_who_gives_the_password_again(eves: Client, eve: User) -> None:
    switch_on(eves)
    session = eves.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 3600
    session["account_authentication_methods"] = session["account_authentication_methods"]
    session.save()
    assert eves.get("/account/two-step/app/remove/").headers["Location"].startswith("/account/again/")
    assert eves.post("/account/again/", {"password": "wrong"}).status_code == 200
    assert Authenticator.objects.exists()
    again = eves.post("/account/again/?next=/account/two-step/app/remove/", {"password": PASSWORD})
    assert again.headers["Location"] == "/account/two-step/app/remove/"
    eves.post("/account/two-step/app/remove/")
    assert not Authenticator.objects.filter(user=eve).exists()


def test_another_address_is_added_verified_and_made_primary(eves: Client, eve: User) -> None:
    eves.post("/account/email/", {"email": "second@example.org", "action_add": "1"})
    assert "not verified" in shown(eves, "/account/email/")
    eves.post(link_in(mail.outbox[0]))
    eves.post("/account/email/", {"email": "second@example.org", "action_primary": "1"})
    eve.refresh_from_db()
    assert eve.email == "second@example.org"
    assert mail.outbox[-1].to == ["eve@example.org"], "who loses the account learns it at the old address"
    eves.post("/account/email/", {"email": "eve@example.org", "action_remove": "1"})
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["second@example.org"]


def test_the_last_verified_address_stays(eves: Client, eve: User) -> None:
    EmailAddress.objects.create(user=eve, email="unproved@example.org")
    EmailAddress.objects.filter(verified=True).update(primary=False)
    eves.post("/account/email/", {"email": "eve@example.org", "action_remove": "1"})
    assert EmailAddress.objects.filter(user=eve, verified=True).exists()
    assert "cannot be removed" in shown(eves, "/account/email/")


def test_an_address_of_another_account_can_be_named_but_never_verified(eves: Client, ann: User) -> None:
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    answer = eves.post("/account/email/", {"email": "ann@example.org", "action_add": "1"}, follow=True)
    assert "another account" not in answer.content.decode()
    link = link_in(mail.outbox[-1])
    assert "another account has verified it" in Client().get(link).content.decode()
    Client().post(link)
    assert not EmailAddress.objects.filter(user__username="eve", email="ann@example.org", verified=True).exists()


def test_a_new_password_ends_all_other_sessions_and_is_told(eves: Client, eve: User) -> None:
    elsewhere = Client()
    elsewhere.post("/login/", {"login": "eve", "password": PASSWORD})
    new = "another long password"
    answer = eves.post("/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert answer.headers["Location"] == "/account/"
    assert eves.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    assert mail.outbox[-1].subject == "[AptBoard] Your password was changed"
    assert "from the address 127.0.0.1" in mail.outbox[-1].body


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(client: Client, eve: User) -> None:
    client.post("/account/password/reset/", {"email": "EVE@example.org"})
    link = link_in(mail.outbox[-1])
    form = client.get(link).headers["Location"]
    assert link not in form, "the secret is not in the address of the form, which a referrer could tell"
    new = {"password1": "another long password", "password2": "another long password"}
    assert client.post(form, new).headers["Location"] == "/account/password/reset/done/"
    eve.refresh_from_db()
    assert eve.check_password("another long password")
    assert "This link is not valid" in shown(Client(), link)


@pytest.fixture
def belongings(eve: User, ann: User, queued: Submission) -> Mapping[str, Any]:
    """One of everything that an account can have."""
    team_change("Blue", add=[ann], owners=[eve])
    Submission.objects.filter(pk=queued.pk).update(owner=eve)
    _, secret = token_create(eve, name="laptop")
    Webhook.objects.create(owner=eve, url="https://hooks.example.org/")
    notice_create(eve, kind=NoticeKind.SCORED, title="It was scored", text="Well.", submission=queued)
    return {"secret": secret, "submission": queued}


def test_the_export_has_everything_of_ones_own_and_nothing_of_others(
    eves: Client, ann: User, belongings: Mapping[str, Any]
) -> None:
    foreign = Submission.objects.create(
        owner=ann, release=belongings["submission"].release, entry="Foreign", file_name="x", file_format="x",
        file_sha256="0" * 64, file_bytes=1,
    )  # fmt: skip
    answer = eves.get("/account/export/")
    assert 'filename="aptboard-account.json"' in answer.headers["Content-Disposition"]
    text = b"".join(answer).decode()
    told = json.loads(text)
    assert told["account"]["name"] == "eve"
    assert told["addresses"] == [{"email": "eve@example.org", "verified": True, "primary": True}]
    assert (told["team"][0]["team_name"], told["team"][0]["role"]) == ("Blue", "owner")
    assert [each["name"] for each in told["tokens"]] == ["laptop"]
    assert [each["url"] for each in told["webhooks"]] == ["https://hooks.example.org/"]
    assert [each["title"] for each in told["notices"]] == ["It was scored"]
    (submission,) = told["submissions"]
    assert (submission["entry"], len(submission["predictions"])) == ("Waiting model", 26)
    assert belongings["secret"] not in text
    assert str(foreign.pk) not in text
    assert eves.get("/account/export/").headers["Cache-Control"].count("no-store")


def test_deleting_takes_the_person_and_leaves_the_entry(
    eves: Client, eve: User, ann: User, belongings: Mapping[str, Any]
) -> None:
    assert eves.post("/account/delete/", {"name": "ann"}).status_code == 422
    assert "It cannot" not in shown(eves, "/account/delete/")
    answer = eves.post("/account/delete/", {"name": "eve"}, follow=True)
    assert "Your account and your personal data were deleted" in answer.content.decode()
    submission = Submission.objects.get(pk=belongings["submission"].pk)
    assert (submission.entry, submission.file_name) == ("Waiting model", "")
    assert set(submission.runs.values_list("state", flat=True)) == {RunState.CANCELLED}
    eve.refresh_from_db()
    assert (eve.username, eve.email, eve.is_active) == (f"deleted-{eve.pk}", "", False)
    for rows in (eve.emailaddress_set, eve.api_tokens, eve.webhooks, eve.notices):  # type: ignore[attr-defined]
        assert not rows.exists()
    assert token_verify(belongings["secret"]) is None
    assert Membership.objects.get().role == TeamRole.OWNER
    assert Membership.objects.get().user == ann
    assert not re.search(r"\beve\b", shown(Client(), f"/submissions/{submission.pk}/"))
    refused = Client().post("/login/", {"login": "eve", "password": PASSWORD})
    assert "No account has this name" in refused.content.decode()
    assert SignUp.objects.get().closed_at is not None
    assert timezone.now() >= SignUp.objects.get().closed_at  # type: ignore[operator]


def test_deleting_asks_for_the_password_again_and_organisers_cannot(client: Client, sam: User) -> None:
    sam.set_password(PASSWORD)
    sam.save()
    client.post("/login/", {"login": "sam", "password": PASSWORD})
    assert client.post("/account/delete/", {"name": "sam"}).headers["Location"].startswith("/account/again/")
    client.post("/account/again/", {"password": PASSWORD})
    answer = client.post("/account/delete/", {"name": "sam"})
    assert "You are an organiser" in answer.content.decode()
    assert User.objects.filter(username="sam", is_active=True).exists()

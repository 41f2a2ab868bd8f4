"""Signing up: verified e-mail first, one account for a mailbox, and answers that tell nobody who has one."""

import re
import smtplib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from leaderboard.models.accounts import SignUp
from leaderboard.services.account_deletion import account_delete

pytestmark = [pytest.mark.site, pytest.mark.django_db]

PASSWORD = "correct horse battery"
LINK = re.compile(r"http://localhost:8000(/\S+)")


def sign_up(client: Client, *, username: str = "eve", email: str = "eve@example.org", **more: str) -> Any:
    fields = {"username": username, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/signup/", fields | more)


def link_in(message: EmailMessage) -> str:
    found = LINK.search(str(message.body))
    assert found, message.body
    return found.group(1)


def plain(answer: Any) -> str:
    """The words of an answer, without what is drawn anew for each."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", answer.content.decode())
    return re.sub(r"\S+@\S+", "", text)


def test_who_signs_up_verifies_the_address_and_is_logged_in(client: Client) -> None:
    answer = sign_up(client, email="Eve@Example.org")
    assert answer.headers["Location"] == "/account/email/sent/"
    assert "Look at your e-mail" in client.get("/account/email/sent/").content.decode()
    assert client.get("/tokens/").status_code == 302
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["eve@example.org"], "[AptBoard] Welcome: verify your e-mail address")
    assert "AptBoard, the public board of AptMQL-Bench: http://localhost:8000" in message.body
    assert message.extra_headers["Auto-Submitted"] == "auto-generated"
    assert getattr(message, "alternatives", []) == [], "plain text only"
    page = client.get(link_in(message)).content.decode()
    assert "<strong>eve@example.org</strong>" in page
    assert not EmailAddress.objects.get().verified
    assert client.post(link_in(message)).headers["Location"] == "/submit/"
    assert EmailAddress.objects.get().verified
    assert client.get("/tokens/").status_code == 200


def test_a_login_before_that_sends_another_link_and_lets_nobody_in(client: Client) -> None:
    sign_up(client)
    other = Client()
    answer = other.post("/login/", {"login": "eve", "password": PASSWORD})
    assert answer.headers["Location"] == "/account/email/sent/"
    assert other.get("/tokens/").status_code == 302
    assert len(mail.outbox) == 1, "not more than one in three minutes"


def test_a_link_that_was_opened_elsewhere_verifies_but_logs_nobody_in(client: Client) -> None:
    sign_up(client)
    other = Client()
    assert other.post(link_in(mail.outbox[0])).headers["Location"] == "/login/"
    assert EmailAddress.objects.get().verified
    assert other.get("/tokens/").status_code == 302


@pytest.mark.parametrize("key", ["nonsense", "MQ:1abcde:forged"])
def test_a_forged_link_verifies_nothing(client: Client, key: str) -> None:
    sign_up(client)
    assert "This link is not valid" in client.get(f"/account/email/verify/{key}/").content.decode()
    assert client.post(f"/account/email/verify/{key}/").status_code == 404
    assert not EmailAddress.objects.get().verified


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password1": "123456789012345", "password2": "123456789012345"}, "entirely numeric"),
        ({"password1": "1qaz2wsx3edc", "password2": "1qaz2wsx3edc"}, "too common"),
        ({"password2": "another long password"}, "same password each time"),
        ({"username": "evé"}, "A username has 2 to 40"),
        ({"username": "eve@example.org"}, "A username has 2 to 40"),
        ({"username": "e"}, "A username has 2 to 40"),
        ({"username": "Admin"}, "cannot be taken"),
        ({"username": "deleted-7"}, "cannot be taken"),
        ({"username": "ANN"}, "is taken"),
        ({"email": "nowhere"}, "valid email address"),
    ],
    ids=str,
)
def test_what_cannot_be_an_account_is_said_at_its_field(
    client: Client, ann: User, fields: dict[str, str], words: str
) -> None:
    answer = sign_up(client, **fields)
    assert words in answer.content.decode()
    assert (User.objects.count(), mail.outbox) == (1, [])


class Counting:
    """Counts how often a password is hashed, which is what costs time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        encode = MD5PasswordHasher.encode

        def counted(*args: Any, **kwargs: Any) -> str:
            self.count += 1
            return encode(*args, **kwargs)

        monkeypatch.setattr(MD5PasswordHasher, "encode", counted)


def outcome(ask: Callable[[Client], Any], work: Counting) -> tuple[object, ...]:
    """All that somebody who asks can see, and how much work there was."""
    client = Client()
    mail.outbox.clear()
    work.count = 0
    answer = ask(client)
    location = answer.headers.get("Location", "")
    shown = plain(client.get(location) if location else answer)
    return answer.status_code, location, shown, len(mail.outbox), work.count, sorted(client.cookies)


QUESTIONS: dict[str, tuple[Callable[[Client], Any], Callable[[Client], Any]]] = {
    "sign-up": (
        lambda client: sign_up(client, username="known-asked", email="ann@example.org"),
        lambda client: sign_up(client, username="other-asked", email="nobody@example.org"),
    ),
    "sign-up with the same mailbox": (
        lambda client: sign_up(client, username="known-asked", email="ann+2@example.org"),
        lambda client: sign_up(client, username="other-asked", email="nobody+2@example.org"),
    ),
    "password reset": (
        lambda client: client.post("/account/password/reset/", {"email": "ann@example.org"}),
        lambda client: client.post("/account/password/reset/", {"email": "nobody@example.org"}),
    ),
    "login by address": (
        lambda client: client.post("/login/", {"login": "ann@example.org", "password": "wrong"}),
        lambda client: client.post("/login/", {"login": "nobody@example.org", "password": "wrong"}),
    ),
    "login by name": (
        lambda client: client.post("/login/", {"login": "ann", "password": "wrong"}),
        lambda client: client.post("/login/", {"login": "nobody", "password": "wrong"}),
    ),
}


@pytest.fixture
def member_ann(client: Client) -> User:
    """Ann, who signed up and verified her address."""
    sign_up(client, username="ann", email="ann@example.org")
    client.post(link_in(mail.outbox[0]))
    client.logout()
    # As if it had been some time ago: an address gets one link in three minutes.
    cache.clear()
    return User.objects.get(username="ann")


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_does_not_tell_whether_there_is_an_account(
    member_ann: User, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    known, unknown = QUESTIONS[question]
    work = Counting(monkeypatch)
    first, second = outcome(known, work), outcome(unknown, work)
    # What was typed is shown again in the field that it was typed into.
    first, second = (tuple(re.sub(r'value="[^"]*"', "", str(part)) for part in each) for each in (first, second))
    assert first == second


def test_the_owner_of_an_address_is_told_that_somebody_tried_to_sign_up_with_it(
    client: Client, member_ann: User
) -> None:
    mail.outbox.clear()
    sign_up(client, username="mallory", email="ann+mallory@example.org")
    assert not User.objects.filter(username="mallory").exists()
    (message,) = mail.outbox
    assert "This mailbox has an account already" in message.body
    assert "http://localhost:8000/account/password/reset/" in message.body


def test_two_sign_ups_from_one_mailbox_that_race_make_one_account(
    client: Client, member_ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SignUp.objects.filter
    answers = iter([SignUp.objects.none()])
    monkeypatch.setattr(
        "leaderboard.web.account_forms.sign_up_of_mailbox",
        lambda email: next(answers, real()).first(),
    )
    answer = sign_up(client, username="ann2", email="ann+2@example.org")
    assert answer.headers["Location"] == "/account/email/sent/"
    assert not User.objects.filter(username="ann2").exists()


def test_who_deletes_an_account_cannot_sign_up_again_within_the_quotas_window(
    client: Client, member_ann: User, settings: Settings
) -> None:
    account_delete(member_ann)
    mail.outbox.clear()
    sign_up(client, username="ann-again", email="ann+again@example.org")
    assert not User.objects.filter(username="ann-again").exists()
    assert "was deleted lately" in mail.outbox[0].body
    over = timezone.now() - timedelta(seconds=settings.QUOTA_SECONDS + 1)
    SignUp.objects.update(closed_at=over)
    sign_up(client, username="ann-again", email="ann+another@example.org")
    assert User.objects.filter(username="ann-again").exists()
    assert SignUp.objects.get(user=member_ann).mailbox is None


def test_an_account_that_nobody_verified_is_forgotten_with_its_name(client: Client, member_ann: User) -> None:
    sign_up(client, username="slow", email="slow@example.org")
    sign_up(client, username="slower", email="slower@example.org")
    for name in ("ann", "slower"):
        SignUp.objects.filter(user__username=name).update(at=timezone.now() - timedelta(days=15))
    sign_up(client, username="slower", email="faster@example.org")
    assert sorted(User.objects.values_list("username", "email")) == [
        ("ann", "ann@example.org"),
        ("slow", "slow@example.org"),
        ("slower", "faster@example.org"),
    ]


def test_nor_does_who_had_an_account_from_the_organisers(client: Client) -> None:
    account_delete(User.objects.create_user("given", "given@example.org"))
    sign_up(client, username="fresh", email="given+1@example.org")
    assert not User.objects.filter(username="fresh").exists()


def test_a_closed_site_says_so_and_makes_no_account(client: Client, settings: Settings) -> None:
    assert "/signup/" in client.get("/").content.decode()
    settings.SIGNUP_OPEN = False
    assert "/signup/" not in client.get("/").content.decode()
    assert "Accounts are made by the organisers" in client.get("/login/").content.decode()
    assert "Sign-up is closed" in client.get("/signup/").content.decode()
    assert "Sign-up is closed" in sign_up(client).content.decode()
    assert not User.objects.exists()


def test_sign_ups_from_one_network_are_limited(client: Client) -> None:
    for number in range(20):
        assert sign_up(client, username=f"n{number}", email="nowhere").status_code == 200
    refused = sign_up(client)
    assert refused.status_code == 429
    assert "Too many attempts" in refused.content.decode()
    assert not User.objects.exists()


def test_guessing_a_password_is_stopped_after_a_few_attempts_for_known_and_unknown_names(
    client: Client, member_ann: User
) -> None:
    for name in ("ann", "nobody"):
        for _ in range(5):
            client.post("/login/", {"login": name, "password": "wrong"})
        right = client.post("/login/", {"login": name, "password": PASSWORD})
        assert "Too many failed attempts" in right.content.decode()


def test_a_forged_host_gets_into_no_link(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["evil.example", "testserver"]
    client.post("/signup/", {}, headers={"host": "evil.example"})
    sign_up(client)
    client.post("/account/password/reset/", {"email": "eve@example.org"}, headers={"host": "evil.example"})
    assert len(mail.outbox) == 2
    assert all("evil.example" not in message.body for message in mail.outbox)


class BrokenBackend(EmailBackend):
    """A mail server that takes nothing."""

    def send_messages(self, *_: Any) -> int:
        raise smtplib.SMTPServerDisconnected("gone")


def test_a_broken_mail_server_is_told_and_is_no_fault_page(client: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.{BrokenBackend.__name__}"
    answer = client.post("/account/password/reset/", {"email": "eve@example.org"}, follow=True)
    assert answer.status_code == 200
    assert "did not take the e-mail" in answer.content.decode()

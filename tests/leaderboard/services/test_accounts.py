"""Who may submit: accounts that signed up, only with a verified address."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from leaderboard.models.accounts import SignUp
from leaderboard.models.quota import QuotaEntry
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.selectors.accounts import is_vouched_for, mailbox_digest
from leaderboard.services.account_secrets import secret_decrypted, secret_encrypted
from leaderboard.services.accounts import EmailNotVerifiedError
from leaderboard.services.endpoints import EndpointRequest, endpoint_submission_create
from leaderboard.services.tokens import token_create
from tests.leaderboard.builders import live_release, submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

LINE = b'{"question_id": "q0", "query": "db.things.find({})", "condition": "with_evidence"}\n'


@pytest.fixture
def release() -> Release:
    """A live release."""
    return live_release()


@pytest.fixture
def eve() -> User:
    """Eve signed up and has not opened the link in her e-mail."""
    user = User.objects.create_user("eve", "eve@example.org")
    SignUp.objects.create(user=user, mailbox=b"eve")
    EmailAddress.objects.create(user=user, email="eve@example.org", primary=True)
    return user


def test_who_signed_up_submits_once_the_address_is_verified(release: Release, eve: User) -> None:
    with pytest.raises(EmailNotVerifiedError, match="Verify your e-mail address first"):
        submission(release, owner=eve)
    with pytest.raises(EmailNotVerifiedError):
        endpoint_submission_create(owner=eve, release=release, entry="x", request=EndpointRequest(model="m"))
    assert not QuotaEntry.objects.exists()
    EmailAddress.objects.update(verified=True)
    assert submission(release, owner=eve).owner == eve


def test_one_verified_address_of_several_is_enough(
    eve: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    EmailAddress.objects.create(user=eve, email="second@example.org", verified=True)
    with django_assert_num_queries(1):
        assert is_vouched_for(eve)


def test_the_api_refuses_with_a_problem_of_its_own(client: Client, release: Release, eve: User) -> None:
    _, secret = token_create(eve, name="t")
    answer = client.post(
        "/api/v1/submissions",
        {"entry": "x", "file": SimpleUploadedFile("p.jsonl", LINE)},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert (answer.status_code, answer.json()["type"]) == (403, "/problems/email-not-verified")
    assert "Verify your e-mail address first" in answer.json()["detail"]
    assert not Submission.objects.exists()


def test_the_form_refuses_in_the_same_words(client: Client, release: Release, eve: User) -> None:
    client.force_login(eve)
    fields = {"release": str(release.pk), "entry": "x", "condition": "", "file": SimpleUploadedFile("p.jsonl", LINE)}
    answer = client.post("/submit/", fields)
    assert answer.status_code == 403
    assert "Verify your e-mail address first" in answer.content.decode()


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("ann@example.org", "Ann@EXAMPLE.org", True),
        ("ann@example.org", "ann+board@example.org", True),
        ("ann+1@example.org", "ann+2@example.org", True),
        ("ann@example.org", "anna@example.org", False),
        ("ann@example.org", "ann@example.com", False),
        ("a.nn@example.org", "ann@example.org", False),
        ("+1@example.org", "+2@example.org", False),
    ],
)
def test_what_stands_behind_a_plus_makes_no_other_mailbox(first: str, second: str, same: bool) -> None:
    assert (mailbox_digest(first) == mailbox_digest(second)) == same


def test_secrets_outlive_a_change_of_the_sites_key_and_are_unreadable_without(settings: Settings) -> None:
    secret = "JBSWY3DPEHPK3PXP"
    stored = secret_encrypted(secret)
    assert secret not in stored
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key" * 6, [settings.SECRET_KEY]
    assert secret_decrypted(stored) == secret

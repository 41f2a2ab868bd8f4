"""The admin is for looking: nobody changes there what services compute, and no secret is shown."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import models
from django.test import Client

from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook
from leaderboard.services.secrets import encrypted
from leaderboard.services.tokens import token_create
from tests.leaderboard.web.addresses import admin_routes, filled

pytestmark = [pytest.mark.site, pytest.mark.django_db]

PEOPLE = {User, Group, EmailAddress, Authenticator}
"""What organisers look after by hand."""

TABLES = sorted((model for model in admin.site._registry if model not in PEOPLE), key=lambda model: model.__name__)


@pytest.fixture
def sams(sam: User) -> Client:
    client = Client()
    client.force_login(sam)
    return client


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_no_table_can_be_changed_even_by_those_who_have_every_right(
    sams: Client, scored: Submission, ann: User, model: type[models.Model]
) -> None:
    token_create(ann, name="laptop")
    place = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    before = list(model._default_manager.order_by("pk").values())
    first = model._default_manager.first()
    key = first.pk if first else 1
    assert sams.get(place).status_code == 200
    assert sams.post(f"{place}add/", {}).status_code == 403
    assert sams.post(f"{place}{key}/delete/", {"post": "yes"}).status_code in ({403} if first else {302, 403})
    assert sams.post(f"{place}{key}/change/", {}).status_code in ({403} if first else {302, 403})
    sams.post(place, {"action": "delete_selected", "_selected_action": [key], "post": "yes"})
    assert list(model._default_manager.order_by("pk").values()) == before


def test_every_address_of_the_admin_is_closed_to_all_but_staff(client: Client, ann: User, bob: User) -> None:
    eve = User.objects.create_user("eve", is_staff=True)
    routes = set(admin_routes())
    assert len(routes) > 50
    values = {"object_id": "1", "app_label": "leaderboard", "content_type_id": "1", "id": "1"}
    visitors = {"visitor": Client(), "member": Client(), "staff without rights": Client()}
    visitors["member"].force_login(ann)
    visitors["staff without rights"].force_login(eve)
    for route in routes - {"admin/login/", "admin/logout/"}:
        for role, visitor in visitors.items():
            answer = visitor.get(filled(route, values))
            staff = role.startswith("staff")
            away = answer.headers.get("Location", "").startswith("/admin/" if staff else "/admin/login/")
            of_no_table = staff and not route.startswith(("admin/leaderboard/", "admin/auth/"))
            assert away or answer.status_code in {403, 404} or of_no_table, (route, role, answer.status_code)


def test_no_page_of_the_admin_shows_a_key_a_digest_or_a_predicted_text(
    sams: Client, scored: Submission, ann: User
) -> None:
    ModelEndpoint.objects.create(submission=scored, model="m", template="full@1", key=encrypted("sk-4711-abc"))
    token, secret = token_create(ann, name="laptop")
    Webhook.objects.create(owner=ann, url="https://hooks.example.org/s3cr3t")
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": "totp-0815"})
    scored.idempotency_key, scored.request_digest = "once-only-key", "digest-of-all"
    scored.save()
    hidden = ("sk-4711-abc", secret, token.digest, "s3cr3t", "// p", "once-only-key", "digest-of-all", "totp-0815")
    for model in admin.site._registry:
        place = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        rows = [f"{place}{row.pk}/change/" for row in model._default_manager.all()[:3]]
        for address in (place, *rows):
            page = sams.get(address).content.decode()
            assert not [word for word in hidden if word in page], address


def test_who_has_sent_something_cannot_be_deleted_with_it(sams: Client, scored: Submission, ann: User) -> None:
    sams.post(f"/admin/auth/user/{ann.pk}/delete/", {"post": "yes"})
    assert Submission.objects.filter(pk=scored.pk, owner=ann).exists()


def test_a_lost_second_step_can_be_deleted_and_not_be_changed(sams: Client, ann: User) -> None:
    step = Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": "totp-0815"})
    place = f"/admin/mfa/authenticator/{step.pk}"
    assert sams.post(f"{place}/change/", {"type": "webauthn"}).status_code == 403
    assert sams.post(f"{place}/delete/", {"post": "yes"}).status_code == 302
    assert not Authenticator.objects.exists()

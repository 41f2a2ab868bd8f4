"""Who may do what: every address, every verb, every role; what the table does not allow is refused."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.api import urls as api_urls
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook
from leaderboard.services.tokens import token_create
from leaderboard.services.webhooks import call_create
from tests.leaderboard.web.addresses import filled, routes

pytestmark = [pytest.mark.site, pytest.mark.django_db]

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROLES = ("visitor", "stranger", "owner", "owner's token", "stranger's token", "staff")

EVERYBODY = frozenset(ROLES)
BROWSERS = frozenset({"stranger", "owner", "staff"})
MEMBERS = EVERYBODY - {"visitor"}
OWN = frozenset({"owner", "owner's token", "staff"})

ALLOWED: Mapping[tuple[str, str], frozenset[str]] = {
    ("", "GET"): EVERYBODY,
    ("submit/", "GET"): BROWSERS,
    ("submit/", "POST"): BROWSERS,
    ("submit/endpoint/", "GET"): BROWSERS,
    ("submit/endpoint/", "POST"): BROWSERS,
    ("submissions/", "GET"): BROWSERS,
    ("submissions/<uuid:submission_id>/", "GET"): EVERYBODY,
    ("submissions/<uuid:submission_id>/live/", "GET"): EVERYBODY,
    ("submissions/<uuid:submission_id>/events/", "GET"): EVERYBODY,
    ("submissions/<uuid:submission_id>/cancel/", "POST"): frozenset({"owner", "staff"}),
    ("quota/", "GET"): BROWSERS,
    ("notices/", "GET"): BROWSERS,
    ("notices/", "POST"): BROWSERS,
    ("notices/read/", "POST"): BROWSERS,
    ("webhooks/", "GET"): BROWSERS,
    ("webhooks/", "POST"): BROWSERS,
    ("webhooks/<uuid:webhook_id>/", "GET"): frozenset({"owner"}),
    ("webhooks/<uuid:webhook_id>/secret/", "POST"): frozenset({"owner"}),
    ("webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/", "POST"): frozenset({"owner"}),
    ("webhooks/<uuid:webhook_id>/<slug:action>/", "POST"): frozenset({"owner"}),
    ("tokens/", "GET"): BROWSERS,
    ("tokens/", "POST"): BROWSERS,
    ("tokens/<int:token_id>/revoke/", "POST"): frozenset({"owner"}),
    ("releases/", "GET"): EVERYBODY,
    ("releases/<slug:name>@<path:version>/", "GET"): EVERYBODY,
    ("problems/", "GET"): EVERYBODY,
    ("problems/<slug:kind>", "GET"): EVERYBODY,
    ("status/", "GET"): EVERYBODY,
    ("healthz", "GET"): EVERYBODY,
    ("login/", "GET"): EVERYBODY,
    ("login/", "POST"): EVERYBODY,
    ("logout/", "POST"): EVERYBODY,
    ("api/v1/submissions", "POST"): MEMBERS,
    ("api/v1/submissions/<uuid:submission_id>", "GET"): EVERYBODY,
    ("api/v1/submissions/<uuid:submission_id>/items", "GET"): OWN,
    ("api/v1/submissions/<uuid:submission_id>/cancel", "POST"): OWN,
    ("api/v1/submissions/<uuid:submission_id>/events", "GET"): EVERYBODY,
    ("api/v1/endpoint-submissions", "POST"): MEMBERS,
    ("api/v1/quota", "GET"): MEMBERS,
    ("api/v1/validate", "POST"): MEMBERS,
    ("api/v1/board", "GET"): EVERYBODY,
    ("api/v1/releases", "GET"): EVERYBODY,
    ("api/v1/schema/", "GET"): EVERYBODY,
}

ALL_ROUTES = sorted(set(routes()))


@pytest.fixture
def clients(ann: User, bob: User, sam: User) -> Mapping[str, Client]:
    """A client of each role."""
    made = {"visitor": Client()}
    for role, user in (("stranger", bob), ("owner", ann), ("staff", sam)):
        made[role] = Client()
        made[role].force_login(user)
    for role, user in (("owner's token", ann), ("stranger's token", bob)):
        made[role] = Client(headers={"Authorization": f"Bearer {token_create(user, name=role)[1]}"})
    return made


def let_in(answer: Any) -> bool:
    """Whether a request got past the question of who may do this; what it asked for may still be faulty."""
    to_login = answer.status_code == 302 and answer.headers["Location"].startswith("/login/")
    return not to_login and answer.status_code not in {401, 403, 404, 405}


def test_the_table_speaks_of_addresses_that_exist() -> None:
    assert {route for route, _ in ALLOWED} == set(ALL_ROUTES) - {"api/"}


@pytest.mark.parametrize("route", ALL_ROUTES)
def test_nobody_gets_in_whom_the_table_does_not_name(
    clients: Mapping[str, Client], queued: Submission, ann: User, route: str
) -> None:
    for verb, (role, client) in product(VERBS, clients.items()):
        token, _ = token_create(ann, name="to be revoked")
        webhook = Webhook.objects.create(owner=ann, url="https://hooks.example.org/")
        values = {
            "submission_id": str(queued.pk), "token_id": str(token.pk), "kind": "not-found",
            "name": "tiny", "version": "1.0", "webhook_id": str(webhook.pk), "action": "delete",
            "delivery_id": str(call_create(webhook, event="e", data={}).pk),
        }  # fmt: skip
        queued.runs.update(state="queued")
        answer = client.generic(verb, filled(route, values))
        assert let_in(answer) == (role in ALLOWED.get((route, verb), frozenset())), (verb, role, answer.status_code)


def test_every_endpoint_names_its_own_permissions() -> None:
    for pattern in api_urls.urlpatterns:
        view = getattr(pattern.callback, "cls", None)
        assert view is not None
        assert "permission_classes" in vars(view) or view.__module__.startswith("drf_spectacular"), view


@pytest.mark.parametrize("address", ["/submissions/", "/submit/", "/tokens/", "/quota/", "/notices/", "/webhooks/"])
def test_a_visitor_is_sent_to_the_login_and_back(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/login/?next={address}")

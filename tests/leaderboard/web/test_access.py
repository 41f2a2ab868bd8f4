"""Who may do what: every address, every verb, every role; what the table does not allow is refused."""

from collections.abc import Mapping
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from leaderboard.api import urls as api_urls
from leaderboard.models.events import EventKind
from leaderboard.models.notices import Notice
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Team, TeamInvitation
from leaderboard.models.tokens import TokenScope
from leaderboard.models.webhooks import Webhook
from leaderboard.services.events import event_record
from leaderboard.services.teams import team_change
from leaderboard.services.tokens import token_create
from leaderboard.services.webhooks import call_create
from tests.leaderboard.selectors.records import make_release, make_submission
from tests.leaderboard.web.addresses import filled, routes

pytestmark = [pytest.mark.site, pytest.mark.django_db]

VERBS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

BROWSERS = frozenset({"stranger", "mate", "owner", "staff"})
SENDERS = frozenset({"owner's token", "submit token", "mate's token", "stranger's token"})
"""Tokens that may submit; the submit token is the owner's, and made for nothing else."""
READERS = (SENDERS - {"submit token"}) | {"read token"}
TOKENS = SENDERS | READERS
SUSPECTS = frozenset({"visitor", "owner", "owner's token", "staff"})
"""Who is tried with methods that the table does not name: nobody may do more than one of these."""

ROLES = ("visitor", *sorted(BROWSERS), *sorted(TOKENS))

EVERYBODY = frozenset(ROLES)
OURS = frozenset({"owner", "mate", "staff", "owner's token", "mate's token", "submit token", "read token"})
"""Who may see and do what is the submission's owner's and the team's, as far as a token's scope goes."""

ALLOWED: Mapping[tuple[str, str], frozenset[str]] = {
    ("", "GET"): EVERYBODY,
    ("board.csv", "GET"): EVERYBODY,
    ("board.json", "GET"): EVERYBODY,
    ("submit/", "GET"): BROWSERS,
    ("submit/", "POST"): BROWSERS,
    ("submit/endpoint/", "GET"): BROWSERS,
    ("submit/endpoint/", "POST"): BROWSERS,
    ("submissions/", "GET"): BROWSERS,
    ("submissions/<uuid:submission_id>/", "GET"): EVERYBODY,
    ("submissions/<uuid:submission_id>/live/", "GET"): EVERYBODY,
    ("submissions/<uuid:submission_id>/events/", "GET"): EVERYBODY,
    ("submissions/<uuid:submission_id>/cancel/", "POST"): OURS & BROWSERS,
    ("quota/", "GET"): BROWSERS,
    ("notices/", "GET"): BROWSERS,
    ("notices/", "POST"): BROWSERS,
    ("notices/read/", "POST"): BROWSERS,
    ("webhooks/", "GET"): BROWSERS,
    ("webhooks/", "POST"): BROWSERS,
    ("webhooks/<uuid:webhook_id>/", "GET"): frozenset({"owner"}),
    ("webhooks/<uuid:webhook_id>/", "POST"): frozenset({"owner"}),
    ("webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/", "POST"): frozenset({"owner"}),
    ("webhooks/<uuid:webhook_id>/<slug:action>/", "POST"): frozenset({"owner"}),
    ("tokens/", "GET"): BROWSERS,
    ("tokens/", "POST"): BROWSERS,
    ("tokens/<int:token_id>/revoke/", "POST"): frozenset({"owner"}),
    ("compare/", "GET"): EVERYBODY,
    ("releases/", "GET"): EVERYBODY,
    ("releases/<slug:name>@<path:version>/", "GET"): EVERYBODY,
    ("releases/<slug:name>@<path:version>/items/", "GET"): EVERYBODY,
    ("releases/<slug:name>@<path:version>/items/<path:question_id>/", "GET"): EVERYBODY,
    ("problems/", "GET"): EVERYBODY,
    ("problems/<slug:kind>", "GET"): EVERYBODY,
    ("status/", "GET"): EVERYBODY,
    ("healthz", "GET"): EVERYBODY,
    ("teams/", "GET"): BROWSERS,
    ("teams/", "POST"): BROWSERS,
    ("teams/invite/", "POST"): BROWSERS,
    ("teams/leave/", "POST"): BROWSERS,
    ("teams/members/<int:user_id>/<slug:action>/", "POST"): BROWSERS,
    ("teams/invitations/<uuid:invitation_id>/", "GET"): frozenset({"owner"}),
    ("teams/invitations/<uuid:invitation_id>/<slug:action>/", "POST"): frozenset({"owner"}),
    ("signup/", "GET"): EVERYBODY,
    ("signup/", "POST"): EVERYBODY,
    ("account/", "GET"): BROWSERS,
    ("account/export/", "GET"): BROWSERS,
    # Those who are logged in give their password again first.
    ("account/delete/", "GET"): BROWSERS,
    ("account/delete/", "POST"): BROWSERS,
    ("account/again/", "GET"): BROWSERS,
    ("account/again/", "POST"): BROWSERS,
    ("account/inactive/", "GET"): EVERYBODY,
    ("account/email/", "GET"): BROWSERS,
    ("account/email/", "POST"): BROWSERS,
    ("account/email/sent/", "GET"): EVERYBODY,
    ("account/email/verify/<str:key>/", "GET"): EVERYBODY,
    ("account/password/", "GET"): BROWSERS,
    ("account/password/", "POST"): BROWSERS,
    ("account/password/first/", "GET"): BROWSERS,
    ("account/password/first/", "POST"): BROWSERS,
    ("account/password/reset/", "GET"): EVERYBODY,
    ("account/password/reset/", "POST"): EVERYBODY,
    ("account/password/reset/sent/", "GET"): EVERYBODY,
    ("account/password/reset/done/", "GET"): EVERYBODY,
    ("account/password/reset/<userkey:uidb36>-<str:key>/", "GET"): EVERYBODY,
    ("account/password/reset/<userkey:uidb36>-<str:key>/", "POST"): EVERYBODY,
    ("account/two-step/", "GET"): BROWSERS,
    ("account/two-step/again/", "GET"): BROWSERS,
    ("account/two-step/again/", "POST"): BROWSERS,
    ("account/two-step/app/", "GET"): BROWSERS,
    ("account/two-step/app/", "POST"): BROWSERS,
    # There is nothing before the second step is switched on.
    ("account/two-step/app/remove/", "GET"): frozenset(),
    ("account/two-step/codes/", "GET"): frozenset(),
    ("account/two-step/codes/file/", "GET"): frozenset(),
    ("account/two-step/codes/new/", "GET"): BROWSERS,
    ("account/two-step/codes/new/", "POST"): BROWSERS,
    # Who is logged in is sent on; others first come through the first step.
    ("login/two-step/", "GET"): BROWSERS,
    ("login/two-step/", "POST"): BROWSERS,
    ("login/", "GET"): EVERYBODY,
    ("login/", "POST"): EVERYBODY,
    ("logout/", "POST"): EVERYBODY,
    ("api/v1/submissions", "POST"): BROWSERS | SENDERS,
    ("api/v1/submissions/<uuid:submission_id>", "GET"): EVERYBODY,
    ("api/v1/submissions/<uuid:submission_id>/items", "GET"): OURS & (BROWSERS | READERS),
    ("api/v1/submissions/<uuid:submission_id>/cancel", "POST"): OURS & (BROWSERS | SENDERS),
    ("api/v1/submissions/<uuid:submission_id>/events", "GET"): EVERYBODY,
    ("api/v1/endpoint-submissions", "POST"): BROWSERS | SENDERS,
    ("api/v1/quota", "GET"): BROWSERS | READERS,
    ("api/v1/validate", "POST"): BROWSERS | SENDERS,
    ("api/v1/board", "GET"): EVERYBODY,
    ("api/v1/compare", "GET"): EVERYBODY,
    ("api/v1/board/breakdown", "GET"): EVERYBODY,
    ("api/v1/releases", "GET"): EVERYBODY,
    ("api/v1/schema/", "GET"): EVERYBODY,
}

ALL_ROUTES = sorted(set(routes()))


@pytest.fixture
def mia(ann: User, queued: Submission) -> User:
    """In Ann's team, for which she submitted."""
    mia = User.objects.create_user("mia")
    team_change("Blue", add=[ann, mia])
    queued.team = Team.objects.get()
    queued.save()
    return mia


@pytest.fixture
def clients(ann: User, bob: User, sam: User, mia: User) -> Mapping[str, Client]:
    """A client of each role."""
    for user in (ann, bob, sam, mia):
        user.set_password("a password that can be asked for again")
        user.save()
    made = {"visitor": Client()}
    for role, user in (("stranger", bob), ("owner", ann), ("mate", mia), ("staff", sam)):
        made[role] = Client()
        made[role].force_login(user)
    tokens: tuple[tuple[str, User, tuple[TokenScope, ...]], ...] = (
        ("owner's token", ann, tuple(TokenScope)),
        ("stranger's token", bob, tuple(TokenScope)),
        ("mate's token", mia, tuple(TokenScope)),
        ("submit token", ann, (TokenScope.SUBMIT,)),
        ("read token", ann, (TokenScope.READ,)),
    )
    for role, user, scopes in tokens:
        secret = token_create(user, name=role, scopes=scopes)[1]
        made[role] = Client(headers={"Authorization": f"Bearer {secret}"})
    assert made.keys() == set(ROLES)
    return made


def action_of(route: str) -> str:
    """What is done at an address that takes an action."""
    return {"teams/members": "remove", "teams/invitations": "accept"}.get("/".join(route.split("/")[:2]), "delete")


def invitation_to(user: User, inviter: User) -> TeamInvitation:
    """A new invitation to a team."""
    now = timezone.now()
    team, _ = Team.objects.get_or_create(name="Blue")
    return TeamInvitation.objects.create(
        team=team, invited_by=inviter, user=user, created_at=now, expires_at=now + timedelta(days=7)
    )


def let_in(answer: Any) -> bool:
    """Whether a request got past the question of who may do this; what it asked for may still be faulty."""
    to_login = answer.status_code == 302 and answer.headers["Location"].startswith("/login/")
    return not to_login and answer.status_code not in {401, 403, 404, 405}


def test_the_table_speaks_of_addresses_that_exist() -> None:
    assert {route for route, _ in ALLOWED} == set(ALL_ROUTES) - {"api/"}


@pytest.mark.parametrize("route", ALL_ROUTES)
def test_nobody_gets_in_whom_the_table_does_not_name(
    clients: Mapping[str, Client], queued: Submission, ann: User, sam: User, route: str
) -> None:
    for verb, (role, client) in product(VERBS, clients.items()):
        named = (route, "GET" if verb == "HEAD" else verb)
        if role not in SUSPECTS and (verb == "HEAD" or named not in ALLOWED):
            continue
        token, _ = token_create(ann, name="to be revoked")
        webhook = Webhook.objects.create(owner=ann, url="https://hooks.example.org/")
        values = {
            "submission_id": str(queued.pk), "token_id": str(token.pk), "kind": "not-found",
            "name": "tiny", "version": "1.0", "webhook_id": str(webhook.pk), "action": action_of(route),
            "delivery_id": str(call_create(webhook, event="e", data={}).pk),
            "question_id": "100",
            "invitation_id": str(invitation_to(ann, sam).pk),
        }  # fmt: skip
        queued.runs.update(state="queued")
        answer = client.generic(verb, filled(route, values))
        assert let_in(answer) == (role in ALLOWED.get(named, frozenset())), (verb, role, answer.status_code)


def test_what_is_not_live_is_there_for_nobody(clients: Mapping[str, Client]) -> None:
    hidden = make_release(name="unborn", live=False)
    for role, client in clients.items():
        assert client.get("/releases/unborn@1.0/").status_code == 404, role
        assert client.get("/?release=unborn@1.0").status_code == 404, role
        assert client.get("/api/v1/board?release=unborn@1.0").status_code == 422, role
        for address in ("/releases/", "/api/v1/releases", "/submit/", "/quota/", "/api/v1/quota", "/"):
            assert b"unborn" not in client.get(address).content, (role, address)
        line = {"entry": "x", "file": SimpleUploadedFile("p.jsonl", b"{}")}
        assert client.post("/api/v1/submissions", {**line, "release": "unborn@1.0"}).status_code in {401, 403, 422}
        assert client.post("/submit/", {**line, "release": hidden.pk}).status_code in {302, 422}
    assert not Submission.objects.filter(release=hidden).exists()


def test_a_mate_reads_what_the_team_sent_and_nothing_else(
    clients: Mapping[str, Client], mia: User, ann: User, queued: Submission
) -> None:
    own = make_submission(ann, queued.release, entry="Before the team")
    address = f"/api/v1/submissions/{own.pk}"
    assert clients["mate"].get(f"{address}/items").status_code == 403
    assert clients["mate"].post(f"{address}/cancel").status_code == 403
    mine = clients["mate"].get("/submissions/").content.decode()
    assert "Waiting model" in mine
    assert "by ann, of your team" in mine
    assert "Before the team" not in mine
    team_change("Blue", remove=[mia])
    assert clients["mate"].get(f"/api/v1/submissions/{queued.pk}/items").status_code == 403
    assert "Waiting model" not in clients["mate"].get("/submissions/").content.decode()


def test_who_left_a_team_still_owns_what_was_sent(clients: Mapping[str, Client], ann: User, queued: Submission) -> None:
    team_change("Blue", remove=[ann])
    assert clients["owner"].get(f"/api/v1/submissions/{queued.pk}/items").status_code == 200


def test_a_token_that_may_not_read_sees_what_visitors_see(clients: Mapping[str, Client], queued: Submission) -> None:
    run = queued.runs.first()
    assert run is not None
    event_record(run.pk, kind=EventKind.STARTED, detail="inner matters")
    queued.runs.update(reason="inner matters")
    for address in (f"/api/v1/submissions/{queued.pk}", f"/api/v1/submissions/{queued.pk}/events"):
        seen = {role: b"inner matters" in client.get(address).content for role, client in clients.items()}
        assert {role for role, there in seen.items() if there} == OURS - {"submit token"}


def test_a_token_that_was_made_for_something_else_is_told_which_scope_is_missing(
    clients: Mapping[str, Client], queued: Submission
) -> None:
    asked = (("submit token", "GET", "/api/v1/quota", "read"), ("read token", "POST", "/api/v1/validate", "submit"))
    for role, verb, address, scope in asked:
        answer = clients[role].generic(verb, address)
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/insufficient-scope")
        assert f"“{scope}”" in answer.json()["detail"]
        assert answer.headers["WWW-Authenticate"] == f'Bearer error="insufficient_scope", scope="{scope}"'


def test_what_somebody_else_cancels_its_owner_is_told_of(
    clients: Mapping[str, Client], queued: Submission, ann: User
) -> None:
    for role, who in (("mate", "mia of your team"), ("staff", "the organisers of the site"), ("owner", None)):
        queued.runs.update(state="queued")
        Notice.objects.all().delete()
        assert clients[role].post(f"/submissions/{queued.pk}/cancel/").status_code == 302
        assert set(queued.runs.values_list("reason", flat=True)) == {f"Cancelled by {who or 'its owner'}."}
        assert [notice.text for notice in ann.notices.all()] == ([f"It was cancelled by {who}."] if who else [])


def test_what_is_shown_to_somebody_signed_in_is_kept_by_no_shared_cache(
    clients: Mapping[str, Client], queued: Submission
) -> None:
    plain = [route for route in ALL_ROUTES if "<" not in route and "schema" not in route and route != "healthz"]
    for address in (*(f"/{route}" for route in plain), f"/submissions/{queued.pk}/", "/releases/tiny@1.0/", "/nothing"):
        headers = clients["owner"].get(address).headers
        kept = headers.get("Cache-Control", "")
        # Whole tables are the same for everybody: no session is looked at for them.
        assert "private" in kept or "no-store" in kept or "Cookie" not in headers.get("Vary", ""), address


def test_every_endpoint_names_its_own_permissions() -> None:
    for pattern in api_urls.urlpatterns:
        view = getattr(pattern.callback, "cls", None)
        assert view is not None
        assert "permission_classes" in vars(view) or view.__module__.startswith("drf_spectacular"), view


@pytest.mark.parametrize(
    "address",
    ["/submissions/", "/submit/", "/tokens/", "/quota/", "/notices/", "/webhooks/", "/account/", "/teams/"],
)
def test_a_visitor_is_sent_to_the_login_and_back(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/login/?next={address}")

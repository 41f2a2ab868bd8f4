"""Gold and SQL of hidden items never leave the site: a canary in each is looked for in every answer to every role."""

import uuid
from collections.abc import Iterator, Mapping

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from evaluation.gold_check import FindingKind
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.releases import GoldAnswer, Release, ReleaseItem
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Team
from leaderboard.models.webhooks import Webhook
from leaderboard.services.teams import team_change
from leaderboard.services.tokens import token_create
from tests.leaderboard.selectors.records import CANARY, finish, make_submission
from tests.leaderboard.web.addresses import filled, routes

pytestmark = [pytest.mark.site, pytest.mark.django_db]

QUERIES = ("", "?sort=-strict_ex&outcome=unscored&page=1")


@pytest.fixture
def clients(ann: User, bob: User, sam: User) -> Mapping[str, Client]:
    """A client of each role that can see anything of its own; the mate is in the team that everything was sent for."""
    mia = User.objects.create_user("mia")
    team_change("Blue", add=[ann, mia])
    made = {"visitor": Client(), "token": Client(headers={"Authorization": f"Bearer {token_create(ann, name='t')[1]}"})}
    for role, user in (("stranger", bob), ("owner", ann), ("mate", mia), ("staff", sam)):
        made[role] = Client()
        made[role].force_login(user)
    return made


def addresses(submission: Submission, token_id: int, webhook_id: uuid.UUID) -> Iterator[str]:
    """Every address of the site and of its admin, with and without query strings."""
    values = {
        "submission_id": str(submission.pk), "token_id": str(token_id), "kind": "not-found",
        "name": "tiny", "version": "1.0", "webhook_id": str(webhook_id), "action": "test",
        "delivery_id": str(webhook_id),
        "question_id": "101",
    }  # fmt: skip
    for route in set(routes()):
        for query in QUERIES:
            yield filled(route, values) + query
    compared = "&".join(f"entries={one.pk}" for one in Submission.objects.filter(release=submission.release))
    yield from (f"/compare/?{compared}", f"/api/v1/compare?{compared}", f"/api/v1/compare?{compared}&items=true")
    yield "/?view=evidence"
    for item in submission.release.items.all():
        yield f"/releases/tiny@1.0/items/{item.question_id}/"
    for model in admin.site._registry:
        place = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield place
        yield from (f"{place}{row.pk}/change/" for row in model._default_manager.all()[:3])


def note_findings(release: Release) -> None:
    """A check of the gold whose details quote hidden gold, of every kind."""
    item = release.items.filter(split="hidden", set_aside="").first()
    assert item is not None
    check = GoldCheck.objects.create(
        release=release, engine="x", checked_at=timezone.now(), items=12, equal=11, seconds=1
    )
    for kind in FindingKind:
        GoldFinding.objects.create(check_run=check, item=item, kind=kind, detail=f"it says {CANARY}")


def test_the_canary_is_where_hidden_gold_is(scored: Submission) -> None:
    assert ReleaseItem.objects.filter(split="hidden", gold_query__contains=CANARY, sql__contains=CANARY).count() == 7
    assert GoldAnswer.objects.filter(failure__contains=CANARY).exists()


@pytest.mark.parametrize("role", ["visitor", "stranger", "mate", "owner", "token", "staff"])
def test_no_page_and_no_endpoint_shows_hidden_gold(
    clients: Mapping[str, Client], scored: Submission, ann: User, role: str
) -> None:
    token, _ = token_create(ann, name="laptop")
    webhook = Webhook.objects.create(owner=ann, url="https://hooks.example.org/")
    note_findings(scored.release)
    for seed in range(2):
        finish(make_submission(ann, scored.release, entry=f"entry {seed}"), seed=seed)
    Submission.objects.update(team=Team.objects.get())
    seen = 0
    for address in addresses(scored, token.pk, webhook.pk):
        for verb in ("GET", "POST"):
            answer = clients[role].generic(verb, address)
            assert CANARY.encode() not in answer.getvalue(), (role, verb, address)
            assert CANARY not in str(answer.headers), (role, verb, address)
            seen += answer.status_code == 200
    assert seen > 20


def test_no_refusal_shows_hidden_gold(clients: Mapping[str, Client], release: Release) -> None:
    file = "\n".join(f'{{"question_id": "{100 + n}x", "query": 5}}' for n in range(13))
    for address in ("/api/v1/submissions", "/api/v1/validate", "/submit/"):
        sent = {"entry": "x", "release": str(release.pk), "file": SimpleUploadedFile("p.jsonl", file.encode())}
        if address.startswith("/api"):
            sent.pop("release")
        answer = clients["owner"].post(address, sent)
        assert answer.status_code == 422
        assert b"question_id" in answer.content
        assert CANARY.encode() not in answer.content


def test_a_visitor_sees_no_predicted_text_no_message_and_no_file_name(
    clients: Mapping[str, Client], scored: Submission
) -> None:
    private = (b"db.things.find()", b"verdict message", b"private-file-name")
    for address in (f"/submissions/{scored.pk}/", f"/api/v1/submissions/{scored.pk}"):
        for role in ("visitor", "stranger"):
            content = clients[role].get(address).content
            assert not [word for word in private if word in content], (role, address)
    content = clients["owner"].get(f"/submissions/{scored.pk}/").content
    assert [word for word in private if word in content] == list(private)

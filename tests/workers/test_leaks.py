"""Gold of hidden items is in nothing that a scored run leaves behind: no log, event, message, e-mail or page."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
from django.test import Client
from django.utils import timezone

from evaluation.types import Answer, ExecutionFailure, FailureKind, Query
from leaderboard.models.events import RunEvent
from leaderboard.models.notices import Notice
from leaderboard.models.releases import GoldAnswer, Release, ReleaseItem
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook, WebhookDelivery
from leaderboard.redaction import RedactingFormatter, redacted
from tests.leaderboard.builders import HIDDEN_CANARY, live_release, submission
from tests.leaderboard.web.addresses import filled, routes
from tests.workers.engines import FakeExecutor, answer
from workers import scoring
from workers.gold import recheck
from workers.notices import send_due_notices

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that is logged, as the site's own handler writes it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(RedactingFormatter("{levelname} {name}: {message}", style="{"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def works(_: Query) -> Answer:
    return answer({"name": HIDDEN_CANARY}, {"name": "public"})


def fails(query: Query) -> Answer | ExecutionFailure:
    if HIDDEN_CANARY in str(query.arguments):
        return ExecutionFailure(kind=FailureKind.INVALID, code=1, message=f"unknown operator in {query.arguments}")
    return works(query)


def times_out(query: Query) -> Answer | ExecutionFailure:
    if HIDDEN_CANARY in str(query.arguments):
        return ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message=f"too slow: {query.arguments}")
    return works(query)


def stumbles(query: Query) -> Answer:
    if HIDDEN_CANARY in str(query.arguments):
        raise ValueError(f"no idea what to do with {query.arguments}") from KeyError(HIDDEN_CANARY)
    return works(query)


def breaks_a_rule_of_the_database(query: Query) -> Answer:
    if HIDDEN_CANARY in str(query.arguments):
        item = ReleaseItem.objects.get(split="hidden")
        with transaction.atomic():
            GoldAnswer.objects.create(item=item, engine="x", failure=HIDDEN_CANARY, content=b"x", milliseconds=1)
    return works(query)


def texts_of(rows: models.QuerySet[Any]) -> str:
    return json.dumps(list(rows.values()), cls=DjangoJSONEncoder, default=str)


@pytest.mark.parametrize(
    ("behave", "gold"),
    [
        (works, ""),
        (fails, ""),
        (times_out, ""),
        (stumbles, ""),
        (breaks_a_rule_of_the_database, ""),
        (works, f"db.things.findAll({{ {HIDDEN_CANARY}"),
        (works, f"db.things.drop('{HIDDEN_CANARY}')"),
    ],
    ids=["works", "fails", "times out", "stumbles", "breaks a rule", "unreadable", "forbidden"],
)
def test_hidden_gold_is_in_nothing_that_a_run_leaves_behind(
    behave: Callable[[Query], Answer], gold: str, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = User.objects.create_user("ann", email="ann@example.org")
    Webhook.objects.create(owner=owner, url="https://hooks.example.org/")
    release = live_release()
    if gold:
        release.items.filter(split="hidden").update(gold_query=gold)
    made = submission(release, owner=owner, texts={"q0": "db.things.find()", "q3": "db.things.find()"})
    monkeypatch.setattr(scoring, "executor", lambda: FakeExecutor(behave))
    scoring.golds.cache_clear()
    for _ in range(14):
        Batch.objects.update(not_before=None)
        scoring.score_next()
    GoldAnswer.objects.update(retry_at=timezone.now())
    recheck(FakeExecutor(behave))
    send_due_notices()
    assert ItemScore.objects.filter(run__submission=made).exists()
    assert WebhookDelivery.objects.exists()
    assert mail.outbox
    left = {
        "log": log.getvalue(),
        "mail": "".join(f"{each.subject}{each.body}{each.extra_headers}" for each in mail.outbox),
        **{
            model.__name__: texts_of(model._default_manager.all())
            for model in (RunEvent, Notice, WebhookDelivery, Run, Batch, ItemScore)
        },
    }
    assert [name for name, text in left.items() if HIDDEN_CANARY in text] == []
    assert pages_with_it(made, release, owner) == []


def pages_with_it(made: Submission, release: Release, owner: User) -> list[str]:
    """Addresses whose answer to the owner holds it."""
    client = Client(raise_request_exception=False)
    client.force_login(owner)
    values = dict.fromkeys(("token_id",), "1") | {
        "submission_id": str(made.pk), "kind": "not-found", "name": release.name, "version": release.version,
        "webhook_id": str(Webhook.objects.get().pk), "action": "test",
        "delivery_id": str(WebhookDelivery.objects.all()[0].pk), "question_id": "q3",
    }  # fmt: skip
    found = {filled(route, values): client.get(filled(route, values)).getvalue() for route in set(routes())}
    return [address for address, content in found.items() if HIDDEN_CANARY.encode() in content]


def test_a_row_that_the_database_quotes_is_not_logged(log: io.StringIO) -> None:
    hidden = live_release().items.filter(split="hidden")
    with pytest.raises(IntegrityError, match=HIDDEN_CANARY) as refused:
        hidden.update(position=-1)
    logger = logging.getLogger("leaderboard.test")
    logger.warning("not stored: %s", refused.value)
    logger.warning("not stored", exc_info=refused.value)
    assert log.getvalue().count("DETAIL: [not logged]") >= 2
    assert HIDDEN_CANARY not in log.getvalue()


@pytest.mark.parametrize("after", ["\nCONTEXT: here", "\nHINT: do", "\n\nThe above exception was the direct cause", ""])
def test_what_follows_a_row_of_many_lines_stays(after: str) -> None:
    assert redacted(f"no\nDETAIL:  Failing row (1, db.x(\n\n1)).{after}") == f"no\nDETAIL: [not logged]{after}"

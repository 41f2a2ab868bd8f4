"""Everything that the site keeps of one user, as JSON in pieces."""

import json
from collections.abc import Iterator
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from leaderboard.models.notices import Notice
from leaderboard.models.quota import QuotaEntry
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.models.teams import Membership, PastMembership
from leaderboard.models.tokens import ApiToken
from leaderboard.models.webhooks import Webhook
from leaderboard.selectors.notices import mail_choice

CHUNK: Final = 2000


def account_export(user: User) -> Iterator[str]:
    """One JSON document, written piece by piece: the predictions of one submission may be tens of megabytes.

    Secrets are not in it, for the site keeps none: of the password and of tokens only digests, and the second step's
    secret only encrypted.
    """
    yield "{"
    for name, value in _belongings(user):
        yield f"{json.dumps(name)}: {_json(value)},\n"
    yield '"submissions": ['
    for number, submission in enumerate(_submissions(user).iterator(chunk_size=50)):
        yield f"{',' if number else ''}\n"
        yield from _submission(submission)
    yield "]}\n"


def _belongings(user: User) -> Iterator[tuple[str, Any]]:
    yield "account", {"name": user.username, "joined_at": user.date_joined, "last_login_at": user.last_login}
    yield "addresses", _rows(EmailAddress.objects.filter(user=user), "email", "verified", "primary")
    yield "team", _rows(Membership.objects.filter(user=user), "team__name", "role", "since")
    yield "past_teams", _rows(PastMembership.objects.filter(user=user), "team__name", "since", "until")
    tokens = ApiToken.objects.filter(owner=user)
    yield "tokens", _rows(tokens, "name", "prefix", "created_at", "expires_at", "last_used_at", "revoked_at")
    yield "webhooks", _rows(Webhook.objects.filter(owner=user), "url", "created_at", "stopped_at", "stopped_because")
    yield "notices_by_mail", mail_choice(user)
    yield "notices", _rows(Notice.objects.filter(user=user), "kind", "title", "text", "created_at", "read_at")
    charges = QuotaEntry.objects.filter(submission__owner=user)
    yield "quota", _rows(charges, "account__benchmark", "account__team__name", "submission", "reason", "at")


def _rows(rows: QuerySet[Any], *fields: str) -> list[dict[str, Any]]:
    return [{name.replace("__", "_"): value for name, value in row.items()} for row in rows.values(*fields)]


def _submissions(user: User) -> QuerySet[Submission]:
    return Submission.objects.filter(owner=user).select_related("release").prefetch_related("runs")


def _submission(submission: Submission) -> Iterator[str]:
    facts = {
        "id": submission.pk,
        "entry": submission.entry,
        "description": submission.description,
        "release": str(submission.release),
        "file_name": submission.file_name,
        "file_sha256": submission.file_sha256,
        "created_at": submission.created_at,
        "runs": [
            {"condition": run.condition, "state": run.state, "ended_at": run.ended_at, "report": run.report}
            for run in submission.runs.all()
        ],
    }
    yield _json(facts)[:-1] + ', "predictions": ['
    rows = Prediction.objects.filter(submission=submission).order_by("condition", "item__position")
    for number, row in enumerate(rows.values_list("item__question_id", "condition", "text").iterator(chunk_size=CHUNK)):
        question_id, condition, text = row
        piece = {"question_id": question_id, "condition": condition, "query": text}
        yield f"{',' if number else ''}\n{_json(piece)}"
    yield "]}"


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)

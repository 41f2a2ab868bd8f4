"""Submissions whose model was asked by the site, in the database as the services would leave them."""

from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.generation.types import Reason
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.generations import Generation, GenerationState, StoredReply
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.secrets import encrypted
from tests.leaderboard.selectors.records import make_submission

SECRET = "sk-a-lent-key-2290"
PLACE = "https://models.example.org/v1"


def make_asked(
    owner: User, release: Release, *, entry: str = "Asked model", state: RunState = RunState.SCORING, replies: int = 12
) -> Submission:
    """A submission with an endpoint, facts, and so many replies in each condition; each fourth holds no text."""
    submission = make_submission(owner, release, entry=entry)
    Submission.objects.filter(pk=submission.pk).update(
        file_format="endpoint", file_name="", file_sha256="", file_bytes=0
    )
    ModelEndpoint.objects.create(
        submission=submission,
        model="model-a",
        address=PLACE,
        key=encrypted(SECRET) if state is RunState.GENERATING else None,
        template="default@1",
        budget_tokens=7_654_321,
        price_prompt=Decimal("0.1"),
        price_completion=Decimal("0.4"),
    )
    ModelFacts.objects.create(
        submission=submission, provider="Acme", name="Model A", open_weights=True, parameters="7B",
        links=["https://example.org/card"],
    )  # fmt: skip
    submission.runs.update(state=state)
    for run in submission.runs.all():
        asked(run, replies=replies)
    return Submission.objects.get(pk=submission.pk)


def asked(run: Run, *, replies: int) -> None:
    """The replies of one run; together 30 tokens and 0.00000500 dollars each."""
    over = run.state != RunState.GENERATING
    Generation.objects.create(
        run=run,
        state=GenerationState.DONE if over else GenerationState.QUEUED,
        prompts_digest="cd" * 32 if over else "",
    )
    items = run.submission.release.items.filter(set_aside="").order_by("position")[:replies]
    StoredReply.objects.bulk_create(
        StoredReply(
            run=run,
            item=item,
            number=0,
            is_final=True,
            text="" if number % 4 == 3 else "db.things.find()",
            reason=Reason.CONTENT_FILTER if number % 4 == 3 else "",
            message="The filter kept it." if number % 4 == 3 else "",
            calls=2,
            prompt_tokens=20,
            completion_tokens=10,
            cost=Decimal("0.000005"),
            milliseconds=100.0 + number,
            asked_at=timezone.now() - timedelta(minutes=1),
        )
        for number, item in enumerate(items)
    )

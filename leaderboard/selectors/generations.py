"""Reading of generations: which are due, what is still to be asked, and what was spent."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from evaluation.generation.tally import total_usage
from evaluation.generation.types import Reason, Reply, Usage
from evaluation.types import Condition
from leaderboard.clock import is_up
from leaderboard.models.generations import Generation, GenerationState, StoredReply
from leaderboard.models.releases import Release, ReleaseItem
from leaderboard.models.states import RunState
from leaderboard.selectors.schedule import LONGEST_PAUSE


def due_generations(now: datetime) -> QuerySet[Generation]:
    """Generations that a worker may take now, those that wait longest first; one of a submission at a time."""
    busy = Generation.objects.filter(
        run__submission=OuterRef("run__submission"), state=GenerationState.LEASED, leased_until__gte=now
    )
    return (
        Generation.objects.filter(
            Q(not_before=None) | is_up("not_before", now, longest=LONGEST_PAUSE),
            ~Exists(busy),
            state=GenerationState.QUEUED,
            run__state=RunState.GENERATING,
        )
        .select_related("run")
        .order_by(F("not_before").asc(nulls_first=True), "pk")
    )


def run_item_keys(run_id: int, question_ids: Sequence[str]) -> dict[str, int]:
    """The keys of items of a run's release by question_id."""
    items = ReleaseItem.objects.filter(release__submissions__runs=run_id, question_id__in=question_ids)
    return dict(items.values_list("question_id", "pk"))


def run_replies(run_id: int, condition: Condition) -> Mapping[str, tuple[Reply, ...]]:
    """The replies of a run so far, in order, by question_id."""
    found: dict[str, list[Reply]] = {}
    rows = StoredReply.objects.filter(run_id=run_id).select_related("item").order_by("item_id", "number")
    for row in rows.iterator():
        found.setdefault(row.item.question_id, []).append(_reply(row, condition))
    return {question_id: tuple(replies) for question_id, replies in found.items()}


def _reply(row: StoredReply, condition: Condition) -> Reply:
    return Reply(
        question_id=row.item.question_id,
        condition=condition,
        number=row.number,
        is_final=row.is_final,
        text=row.text,
        reason=Reason(row.reason) if row.reason else None,
        message=row.message,
        error=row.error,
        calls=row.calls,
        prompt_digest=row.prompt_digest,
        finish_reason=row.finish_reason,
        model=row.model,
        usage=Usage(
            prompt_tokens=row.prompt_tokens,
            completion_tokens=row.completion_tokens,
            reasoning_tokens=row.reasoning_tokens,
            cost=row.cost,
            estimated=row.tokens_estimated,
        ),
        milliseconds=row.milliseconds,
        asked_at=row.asked_at,
    )


def submission_usage(submission_id: uuid.UUID) -> Usage:
    """What all replies to all runs of a submission took together; its cost is None where one part's is unknown."""
    rows = StoredReply.objects.filter(run__submission=submission_id).values_list(
        "prompt_tokens", "completion_tokens", "reasoning_tokens", "cost"
    )
    return total_usage(
        Usage(prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning, cost=cost)
        for prompt, completion, reasoning, cost in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlace:
    """Where the query of an item can be tried."""

    db_id: str
    storage_name: str
    collections: tuple[str, ...]


def trial_places(release: Release) -> Mapping[str, TrialPlace]:
    """By question_id: the database that an item asks about, as the document database holds it."""
    databases = {
        database.pk: TrialPlace(
            db_id=database.db_id,
            storage_name=database.storage_name,
            collections=tuple(database.collections),
        )
        for database in release.databases.all()
    }
    return {question_id: databases[key] for question_id, key in release.items.values_list("question_id", "database")}

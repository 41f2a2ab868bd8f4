"""What asking took is added up the same way by the site and by the command line."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest_django import DjangoAssertNumQueries

from evaluation.generation.tally import tally
from evaluation.generation.types import Reason, Reply, Usage
from evaluation.types import Condition
from leaderboard.models.generations import Generation, StoredReply
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.selectors.usage import replies_usage, runs_usage
from tests.leaderboard.selectors.asked import make_asked
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

REPLIES = st.lists(
    st.builds(
        lambda prompt, completion, cost, milliseconds, calls, reason: Reply(
            question_id="",
            condition=Condition.WITH_EVIDENCE,
            number=0,
            is_final=True,
            text="" if reason else "db.things.find()",
            reason=reason,
            calls=calls,
            prompt_digest="",
            usage=Usage(prompt_tokens=prompt, completion_tokens=completion, cost=cost),
            milliseconds=milliseconds,
            asked_at=datetime(2026, 1, 1, tzinfo=UTC),
        ),
        st.integers(0, 9000),
        st.integers(0, 900),
        st.one_of(st.none(), st.decimals(0, 9, places=8)),
        st.one_of(st.just(0.0), st.floats(0.5, 90_000)),
        st.integers(0, 5),
        st.one_of(st.none(), st.sampled_from(Reason)),
    ),
    min_size=1,
    max_size=12,
)


class Sums(TestCase):
    """Hypothesis needs each example in a transaction of its own."""

    @settings(max_examples=25, deadline=None)
    @given(REPLIES)
    def test_the_database_adds_up_as_the_command_line_does(self, replies: list[Reply]) -> None:
        """Sums, reasons, the median, and the value that 95 of 100 do not exceed."""
        release = make_release()
        submission = make_submission(User.objects.create_user("ann"), release)
        run = submission.runs.first()
        assert run is not None
        for reply, item in zip(replies, release.items.all(), strict=False):
            StoredReply.objects.create(
                run=run, item=item, number=0, is_final=True, text=reply.text, reason=reply.reason or "",
                calls=reply.calls, prompt_tokens=reply.usage.prompt_tokens, cost=reply.usage.cost,
                completion_tokens=reply.usage.completion_tokens, milliseconds=reply.milliseconds,
                asked_at=reply.asked_at,
            )  # fmt: skip
        found, wanted = replies_usage([run.pk])[run.pk], tally(replies)
        assert (found.items, found.usable, found.calls) == (wanted.items, wanted.usable, wanted.calls)
        assert (found.tokens, found.cost) == (wanted.usage.tokens, wanted.usage.cost)
        assert dict(found.reasons) == dict(wanted.reasons)
        assert found.p95_milliseconds == wanted.p95_milliseconds
        assert found.median_milliseconds == pytest.approx(wanted.median_milliseconds)


def test_a_finished_run_keeps_what_its_replies_added_up_to(ann: User, release: Release) -> None:
    submission = make_asked(ann, release)
    before = runs_usage([run.pk for run in submission.runs.all()])
    finish(submission)
    StoredReply.objects.all().delete()
    assert runs_usage(before.keys()) == before
    usage = before[submission.runs.get(condition=Condition.WITH_EVIDENCE).pk]
    assert (usage.tokens, usage.cost, usage.calls) == (12 * 30, Decimal("0.00006"), 24)
    assert (usage.items, usage.usable, usage.reasons) == (12, 9, {Reason.CONTENT_FILTER: 3})


def test_what_is_not_priced_has_no_cost(ann: User, release: Release) -> None:
    submission = make_asked(ann, release)
    run = submission.runs.first()
    assert run is not None
    StoredReply.objects.filter(pk=StoredReply.objects.filter(run=run)[0].pk).update(cost=None)
    assert runs_usage([run.pk])[run.pk].cost is None


def test_repairs_are_counted_by_their_number(ann: User, release: Release) -> None:
    run = make_asked(ann, release, state=RunState.SCORING).runs.first()
    assert run is not None
    first = StoredReply.objects.filter(run=run, reason="").first()
    assert first is not None
    StoredReply.objects.create(
        run=run, item=first.item, number=1, is_final=True, text="x", calls=1, asked_at=first.asked_at
    )
    StoredReply.objects.filter(pk=first.pk).update(is_final=False, error="no such stage")
    usage = runs_usage([run.pk])[run.pk]
    assert (usage.items, dict(usage.repairs)) == (12, {0: 8, 1: 1})


def test_the_number_of_queries_does_not_grow(
    ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    runs = [run.pk for n in range(3) for run in make_asked(ann, release, entry=f"m{n}").runs.all()]
    with django_assert_num_queries(3):
        assert len(runs_usage(runs)) == 6
    assert Generation.objects.count() == Run.objects.count()
    assert replace(runs_usage(runs)[runs[0]], reasons={}) == replace(runs_usage(runs)[runs[1]], reasons={})

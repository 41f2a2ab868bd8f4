"""Gold that failed for a passing reason is computed again, and the runs that waited for it end with a score."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.errors import EngineUnavailableError
from evaluation.score import GOLD_FAILED
from evaluation.types import Answer, AnswerKind, EngineIdentity, ExecutionFailure, FailureKind, Limits, Outcome, Query
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind, RunEvent
from leaderboard.models.releases import GoldAnswer
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.services.gold_checks import REOPENED, failed_gold_claim, runs_reopen, runs_without_gold
from leaderboard.services.releases import gold_pause
from tests.leaderboard.builders import HIDDEN_CANARY, live_release, submission
from workers import scoring
from workers.gold import recheck

pytestmark = [pytest.mark.site, pytest.mark.django_db]

TIMED_OUT = ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message="too slow")


class Engine:
    """Answers everything, but times out on the gold of the hidden item while it is `busy`."""

    identity = EngineIdentity(name="Fake", version="1", demo=True)

    def __init__(self, *, busy: bool) -> None:
        self.busy = busy
        self.asked = 0

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        self.asked += 1
        if self.busy and HIDDEN_CANARY in str(query.arguments):
            return TIMED_OUT
        return Answer(kind=AnswerKind.DOCUMENTS, rows=({"name": "public"},), milliseconds=1.0)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine(busy=True)
    monkeypatch.setattr(scoring, "executor", lambda: made)
    scoring.golds.cache_clear()
    return made


@pytest.fixture
def run(engine: Engine) -> Run:
    """A run that is incomplete because the gold of one item timed out."""
    made = submission(live_release(), texts={"q3": "db.things.find()"}).runs.get()
    work()
    made.refresh_from_db()
    assert made.state == RunState.INCOMPLETE
    return made


def work() -> None:
    while scoring.score_next():
        pass


def due_now() -> None:
    GoldAnswer.objects.exclude(failure="").update(retry_at=timezone.now() - timedelta(seconds=1))


def test_a_run_ends_with_a_score_when_its_gold_works_again(run: Run, engine: Engine) -> None:
    assert runs_without_gold(run.submission.release) == 1
    engine.busy = False
    recheck(engine)
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE, "the failed gold is not due yet"
    due_now()
    recheck(engine)
    run.refresh_from_db()
    assert run.state == RunState.SCORING
    assert RunEvent.objects.filter(run=run, kind=EventKind.RESUMED, detail=REOPENED).exists()
    work()
    run.refresh_from_db()
    assert run.state == RunState.FINISHED
    assert runs_without_gold(run.submission.release) == 0


def test_gold_that_fails_still_rests_for_longer_each_time_and_reopens_nothing(run: Run, engine: Engine) -> None:
    asked = engine.asked
    pauses = []
    for _ in range(3):
        due_now()
        recheck(engine)
        failed = GoldAnswer.objects.exclude(failure="").get()
        assert failed.retry_at is not None
        pauses.append(failed.retry_at - database_now())
    assert engine.asked == asked + 3
    assert pauses == sorted(pauses)
    assert pauses[-1] > 3 * pauses[0]
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE


def test_the_pause_of_failed_gold_grows_to_a_day_and_no_further() -> None:
    assert [gold_pause(n) for n in (1, 2, 3)] == [timedelta(minutes=n) for n in (1, 4, 16)]
    assert gold_pause(20) == timedelta(days=1)


def test_a_run_is_reopened_as_well_when_another_run_computed_the_gold(run: Run, engine: Engine) -> None:
    engine.busy = False
    due_now()
    submission(run.submission.release, texts={"q0": "db.things.find()"}, entry="another")
    work()
    assert GoldAnswer.objects.exclude(failure="").count() == 0
    assert runs_reopen(engine="Fake 1") == 1
    assert runs_reopen(engine="Fake 1") == 0


def test_a_run_is_reopened_however_the_clocks_of_two_workers_differ(run: Run, engine: Engine) -> None:
    engine.busy = False
    ItemScore.objects.filter(run=run).update(scored_at=timezone.now() + timedelta(minutes=5))
    due_now()
    recheck(engine)
    run.refresh_from_db()
    assert run.state == RunState.SCORING


def test_a_run_whose_gold_failed_on_another_engine_is_judged_on_the_new_one(run: Run, engine: Engine) -> None:
    engine.busy = False
    engine.identity = EngineIdentity(name="Fake", version="2", demo=True)
    recheck(engine)
    work()
    run.refresh_from_db()
    assert run.state == RunState.FINISHED


def test_kept_gold_that_cannot_be_used_does_not_reopen_a_run_in_every_round(run: Run) -> None:
    GoldAnswer.objects.all().delete()
    assert runs_reopen(engine="Fake 1") == 1
    Run.objects.filter(pk=run.pk).update(state=RunState.INCOMPLETE, ended_at=database_now())
    failed = run.item_scores.get(item__split="public", item__question_id="q0")
    ItemScore.objects.filter(pk=failed.pk).update(
        outcome=Outcome.UNSCORED, executed=None, soft=None, strict=None, reason=GOLD_FAILED
    )
    assert runs_reopen(engine="Fake 1") == 0
    Run.objects.filter(pk=run.pk).update(ended_at=database_now() - timedelta(minutes=3))
    assert runs_reopen(engine="Fake 1") == 1


def test_failed_gold_is_taken_by_one_worker(run: Run) -> None:
    due_now()
    assert failed_gold_claim(engine="Fake 1") is not None
    assert failed_gold_claim(engine="Fake 1") is None


@pytest.mark.parametrize("change", [{"set_aside": "by the organisers"}, {"release__live_at": None}])
def test_gold_that_nobody_needs_is_left_alone(run: Run, change: dict[str, object]) -> None:
    due_now()
    if "set_aside" in change:
        run.submission.release.items.update(**change)
    else:
        run.submission.release.live_at = None
        run.submission.release.save()
    assert failed_gold_claim(engine="Fake 1") is None


def test_gold_of_another_engine_is_left_to_its_own_workers(run: Run) -> None:
    due_now()
    assert failed_gold_claim(engine="Other 2") is None


def test_an_engine_that_goes_away_meanwhile_leaves_the_gold_for_later(run: Run, engine: Engine) -> None:
    def down(*_: object, **__: object) -> Answer:
        raise EngineUnavailableError("refused")

    due_now()
    engine.execute = down  # type: ignore[method-assign]
    with pytest.raises(EngineUnavailableError):
        recheck(engine)
    failed = GoldAnswer.objects.exclude(failure="").get()
    assert failed.retry_at is not None
    assert failed.retry_at > database_now()

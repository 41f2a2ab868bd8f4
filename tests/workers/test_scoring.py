"""A worker stores what it judged, hands back what it could not, and blames nobody for our faults."""

import pytest

from evaluation.types import Answer, ExecutionFailure, FailureKind, Outcome, Query
from leaderboard.models.releases import GoldAnswer
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.services.runs import run_cancel
from tests.leaderboard.builders import HIDDEN_CANARY, live_release, submission
from tests.workers.engines import Behaviour, FakeExecutor, answer, down
from workers import scoring

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def run() -> Run:
    return submission(
        live_release(), texts={"q0": 'db.things.find({"name": "public"})', "q1": "not a query"}
    ).runs.get()


def work(run: Run, monkeypatch: pytest.MonkeyPatch, behave: Behaviour, *, times: int = 2) -> FakeExecutor:
    fake = FakeExecutor(behave)
    monkeypatch.setattr(scoring, "executor", lambda: fake)
    for _ in range(times):
        scoring.score_next()
    run.refresh_from_db()
    return fake


def test_a_run_is_judged_item_by_item_and_closed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    work(run, monkeypatch, lambda _: answer({"name": "public"}))
    outcomes = dict(ItemScore.objects.filter(run=run).values_list("item__question_id", "outcome"))
    assert outcomes == {
        "q0": Outcome.CORRECT,
        "q1": Outcome.UNPARSABLE,
        "q2": Outcome.MISSING,
        "q3": Outcome.MISSING,
    }
    assert (run.state, run.engine, run.demo_engine) == (RunState.FINISHED, "Fake 1", True)
    assert run.scorer.startswith("aptboard ")


def test_gold_is_computed_once_for_all_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = work(run, monkeypatch, lambda _: answer({"name": "public"}))
    second_run = submission(run.submission.release, texts={"q0": "db.things.find()"}).runs.get()
    second = work(second_run, monkeypatch, lambda _: answer({"name": "public"}))
    assert first.asked == 5
    assert second.asked == 1


def test_a_fault_of_the_engine_scores_nobody_and_hands_the_batch_back(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(run, monkeypatch, down)
    assert not ItemScore.objects.filter(run=run).exists()
    assert run.state == RunState.SCORING
    assert set(Batch.objects.filter(run=run).values_list("state", flat=True)) == {BatchState.QUEUED}
    Batch.objects.update(not_before=None)
    work(run, monkeypatch, lambda _: answer({"name": "public"}))
    assert run.state == RunState.FINISHED
    assert ItemScore.objects.filter(run=run).count() == 4


def test_an_engine_that_stays_away_leaves_the_run_incomplete_and_unranked(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        Batch.objects.update(not_before=None)
        work(run, monkeypatch, down)
    assert run.state == RunState.INCOMPLETE
    assert run.report is not None
    assert run.report["unscored"] == 4
    assert run.report["strict_ex"]["value"] is None
    assert not hasattr(run, "standing")


def test_gold_that_fails_leaves_its_item_unscored_and_its_hidden_text_untold(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Query) -> ExecutionFailure:
        return ExecutionFailure(kind=FailureKind.INVALID, code=1, message=f"near {HIDDEN_CANARY}")

    work(run, monkeypatch, broken)
    hidden = ItemScore.objects.get(run=run, item__question_id="q3")
    assert (hidden.outcome, hidden.strict) == (Outcome.UNSCORED, None)
    assert HIDDEN_CANARY not in hidden.message
    assert run.state == RunState.INCOMPLETE
    assert GoldAnswer.objects.exclude(failure="").count() == 4


def test_an_item_set_aside_is_named_unscored_and_keeps_nobody_from_ranking(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.submission.release.items.filter(question_id="q2").update(set_aside="its gold fails")
    work(run, monkeypatch, lambda _: answer({"name": "public"}))
    assert run.state == RunState.FINISHED
    assert run.report is not None
    assert run.report["n"] == 3
    assert ItemScore.objects.get(run=run, item__question_id="q2").outcome == Outcome.UNSCORED


def test_a_run_cancelled_while_it_is_scored_stores_nothing_more(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel(_: Query) -> Answer:
        run_cancel(run.pk)
        return answer({"name": "public"})

    work(run, monkeypatch, cancel, times=1)
    assert run.state == RunState.CANCELLED
    assert not ItemScore.objects.filter(run=run).exists()


def test_where_nothing_is_due_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeExecutor(lambda _: answer())
    monkeypatch.setattr(scoring, "executor", lambda: fake)
    assert not scoring.score_next()
    assert fake.asked == 0


def test_a_fault_of_the_scorer_leaves_one_item_unscored_and_judges_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(query: Query) -> Answer:
        if query.arguments["filter"] == {"name": HIDDEN_CANARY}:
            raise ZeroDivisionError
        return answer({"name": "public"})

    work(run, monkeypatch, stumble)
    scores = {score.item.question_id: score for score in ItemScore.objects.filter(run=run).select_related("item")}
    assert (scores["q3"].outcome, scores["q3"].reason) == (Outcome.UNSCORED, "scorer_fault")
    assert scores["q0"].outcome == Outcome.CORRECT
    assert run.state == RunState.INCOMPLETE

"""The same query on the same data is executed once, the same text judged once; nothing else is ever reused."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.errors import EngineUnavailableError
from evaluation.execution import result_pack
from evaluation.types import Answer, ExecutionFailure, FailureKind, Outcome, Query
from leaderboard.clock import database_now
from leaderboard.models.executions import Execution
from leaderboard.models.releases import Release, ReleaseDatabase
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.selectors.batches import SHELF
from leaderboard.selectors.workers import reuse_rate
from leaderboard.services.executions import executions_find, executions_keep, executions_trim
from tests.leaderboard.builders import live_release, submission
from tests.workers.engines import FakeExecutor, answer
from workers import scoring

pytestmark = [pytest.mark.site, pytest.mark.django_db]

TEXTS = {"q0": 'db.things.find({"a": 0})', "q1": 'db.things.find({"a": 1})', "q2": "no query"}


@pytest.fixture
def release() -> Release:
    return live_release()


def right(_: Query) -> Answer:
    return answer({"name": "public"})


def scored(release: Release, engine: FakeExecutor, texts: dict[str, str], patch: pytest.MonkeyPatch) -> Run:
    patch.setattr(scoring, "executor", lambda: engine)
    run = submission(release, texts=texts).runs.get()
    while scoring.score_next():
        pass
    run.refresh_from_db()
    return run


def verdicts(run: Run) -> list[tuple[object, ...]]:
    fields = ("item_id", "outcome", "executed", "soft", "strict", "reason", "message", "milliseconds", "diagnostics")
    return list(ItemScore.objects.filter(run=run).order_by("item_id").values_list(*fields))


def warm(release: Release, patch: pytest.MonkeyPatch) -> FakeExecutor:
    """An engine that has computed gold."""
    engine = FakeExecutor(right)
    scored(release, engine, {"q3": "db.things.find()"}, patch)
    engine.asked = 0
    return engine


def test_the_same_query_in_another_text_is_not_executed_again(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = warm(release, monkeypatch)
    first = scored(release, engine, TEXTS, monkeypatch)
    assert engine.asked == first.executed_queries == 2
    again = scored(release, engine, {key: f"{text} // again" for key, text in TEXTS.items()}, monkeypatch)
    assert engine.asked == 2
    assert (again.executed_queries, again.cached_answers) == (0, 2)
    assert [row[1] for row in verdicts(again)] == [row[1] for row in verdicts(first)]


def test_the_same_file_is_judged_once_and_its_run_ends_without_an_engine(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = scored(release, warm(release, monkeypatch), TEXTS, monkeypatch)

    def gone(_: Query) -> Answer:
        raise EngineUnavailableError("gone")

    again = scored(release, FakeExecutor(gone), TEXTS, monkeypatch)
    assert again.state == RunState.FINISHED
    assert again.reused_verdicts == 4
    assert verdicts(again) == verdicts(first)
    assert again.report == first.report
    assert (again.scorer, again.engine) == (first.scorer, first.engine)


def test_a_file_that_differs_in_one_text_is_judged_anew_in_that_one(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = warm(release, monkeypatch)
    scored(release, engine, TEXTS, monkeypatch)
    again = scored(release, engine, TEXTS | {"q1": 'db.things.find({"a": 7})'}, monkeypatch)
    assert (again.reused_verdicts, again.executed_queries, engine.asked) == (3, 1, 3)
    assert again.state == RunState.FINISHED


def test_a_verdict_of_another_engine_scorer_or_limit_is_not_reused(
    release: Release, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    engine = warm(release, monkeypatch)
    scored(release, engine, TEXTS, monkeypatch)
    settings.QUERY_MILLISECONDS = 1_000  # type: ignore[attr-defined]
    again = scored(release, engine, TEXTS, monkeypatch)
    assert (again.reused_verdicts, again.cached_answers, again.executed_queries) == (0, 0, 2)


def test_other_data_under_the_same_names_is_executed_anew(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = warm(release, monkeypatch)
    scored(release, engine, TEXTS, monkeypatch)
    for database in ReleaseDatabase.objects.all():
        ReleaseDatabase.objects.filter(pk=database.pk).update(digest=database.digest[::-1])
    SHELF.clear()
    again = scored(release, engine, TEXTS, monkeypatch)
    assert (again.reused_verdicts, again.cached_answers, again.executed_queries) == (0, 0, 2)
    SHELF.clear()


def test_a_time_out_is_tried_again_by_every_run(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = warm(release, monkeypatch)
    engine.behave = lambda _: ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message="slow")
    first = scored(release, engine, TEXTS, monkeypatch)
    engine.behave = right
    again = scored(release, engine, TEXTS, monkeypatch)
    assert [row[1] for row in verdicts(first)][:2] == [Outcome.TIMED_OUT] * 2
    assert [row[1] for row in verdicts(again)][:2] == [Outcome.CORRECT] * 2
    assert again.executed_queries == 2


def test_a_rejected_query_is_rejected_once_for_all(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = warm(release, monkeypatch)
    engine.behave = lambda _: ExecutionFailure(kind=FailureKind.INVALID, code=2, message="bad")
    scored(release, engine, TEXTS, monkeypatch)
    again = scored(release, engine, {key: f"{text} // x" for key, text in TEXTS.items()}, monkeypatch)
    assert (again.cached_answers, again.executed_queries) == (2, 0)


def test_a_fault_of_ours_leaves_nothing_that_is_reused(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = warm(release, monkeypatch)

    def gone(_: Query) -> Answer:
        raise EngineUnavailableError("gone")

    def stumble(_: Query) -> Answer:
        raise ZeroDivisionError

    kept = set(Execution.objects.values_list("pk", flat=True))
    for broken in (gone, stumble):
        engine.behave = broken
        run = scored(release, engine, TEXTS, monkeypatch)
        assert set(Execution.objects.values_list("pk", flat=True)) == kept
        assert not ItemScore.objects.filter(run=run, outcome=Outcome.UNSCORED).exclude(judgement="").exists()
        Batch.objects.update(state=BatchState.DONE)
    engine.behave = right
    again = scored(release, engine, TEXTS, monkeypatch)
    assert again.executed_queries == 2
    assert again.state == RunState.FINISHED


def test_an_item_that_was_set_aside_meanwhile_gets_no_verdict(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = warm(release, monkeypatch)
    scored(release, engine, TEXTS, monkeypatch)
    release.items.filter(question_id="q0").update(set_aside="its gold is wrong")
    again = scored(release, engine, TEXTS, monkeypatch)
    score = ItemScore.objects.get(run=again, item__question_id="q0")
    assert (score.outcome, score.strict) == (Outcome.UNSCORED, None)
    assert again.state == RunState.FINISHED
    assert (again.reused_verdicts, again.executed_queries) == (3, 0)


def test_the_share_that_was_spared_is_counted(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    since = database_now()
    engine = warm(release, monkeypatch)
    scored(release, engine, TEXTS, monkeypatch)
    scored(release, engine, {key: f"{text} // x" for key, text in TEXTS.items()}, monkeypatch)
    scored(release, engine, TEXTS, monkeypatch)
    rate = reuse_rate(since - timedelta(seconds=1))
    assert (rate.executed, rate.cached, rate.reused) == (3, 2, 1 + 4)
    assert rate.share == pytest.approx(7 / 10)


class TestKeeping:
    """The cache itself."""

    def test_what_is_kept_is_found_and_the_first_stays(self) -> None:
        executions_keep({"a": b"one", "b": b"two"})
        executions_keep({"a": b"other"})
        assert executions_find({"a", "b", "c"}) == {"a": b"one", "b": b"two"}
        assert executions_find(set()) == {}

    def test_a_large_answer_is_not_kept(self, settings: object) -> None:
        settings.EXECUTION_ANSWER_BYTES = 3  # type: ignore[attr-defined]
        executions_keep({"a": b"123", "b": b"1234"})
        assert executions_find({"a", "b"}).keys() == {"a"}

    def test_what_was_not_used_for_longest_goes_first(self, settings: object) -> None:
        settings.EXECUTION_BYTES = 100  # type: ignore[attr-defined]
        executions_keep(dict.fromkeys("abcdef", b"x" * 20))
        for hours, name in enumerate("abcdef"):
            Execution.objects.filter(pk=name).update(used_at=database_now() - timedelta(hours=hours + 2))
        assert executions_find({"f"})
        assert executions_trim() == 2
        assert set(Execution.objects.values_list("pk", flat=True)) == {"f", "a", "b", "c"}
        assert executions_trim() == 0

    def test_what_is_within_the_bound_is_not_added_up(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        executions_keep(dict.fromkeys("abc", b"x" * 20))
        with django_assert_num_queries(1):
            assert executions_trim() == 0

    def test_the_size_of_a_large_table_is_estimated_from_a_part_of_it(
        self, settings: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        executions_keep({f"{number:064}": b"x" * 700 for number in range(3_000)})
        monkeypatch.setattr("leaderboard.services.executions.SAMPLED_BYTES", 1_500_000)
        for bound, trimmed in ((2_800_000, 0), (1_000_000, 3_000 - 900_000 // 700)):
            settings.EXECUTION_BYTES = bound  # type: ignore[attr-defined]
            assert executions_trim() == trimmed

    def test_a_use_is_noted_once_an_hour(self) -> None:
        executions_keep({"a": result_pack(answer())})
        noted = Execution.objects.get().used_at
        executions_find({"a"})
        assert Execution.objects.get().used_at == noted

"""A new scorer judges finished runs again in the background; no run is left between two scorers unnoticed."""

from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from evaluation.types import Answer, Condition, Query
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind, RunEvent
from leaderboard.models.measurements import EvidenceGain
from leaderboard.models.notices import Notice, NoticeKind
from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, EarlierScore, ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.board import board
from leaderboard.selectors.submissions import submission_found, submission_view
from leaderboard.services.corrections import correction_open
from leaderboard.services.rejudging import run_rejudge, runs_outdated, runs_rejudge
from leaderboard.services.scores import LONGEST_NAMES, together
from leaderboard.services.sweeps import sweep
from leaderboard.services.workers import worker_seen
from tests.leaderboard.builders import live_release, submission
from tests.leaderboard.services.test_corrections import next_release
from tests.workers.engines import FakeExecutor, answer, down
from workers import rescoring, scoring

pytestmark = [pytest.mark.site, pytest.mark.django_db]

OLD, NEW = "aptboard 0.1.0 (old)", "aptboard 0.2.0 (new)"
TEXTS = {f"q{number}": f"db.things.find({{a: {number}}})" for number in range(4)}


def answers(query: Query) -> Answer:
    """Gold, and what equals it for a below 2; there is no a in gold."""
    return answer({"name": "public"} if query.arguments["filter"].get("a", 0) < 2 else {"name": "other"})


def work(patch: pytest.MonkeyPatch, engine: FakeExecutor, *, scorer: str) -> None:
    """What workers of one scorer do until nothing is due; texts are judged as by the code that is here."""
    patch.setattr(scoring, "SCORER", scorer)
    patch.setattr(scoring, "executor", lambda: engine)
    scoring.golds.cache_clear()
    while scoring.score_next():
        pass


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> Submission:
    """Two of four items right, by the old scorer, in both conditions."""
    made = submission(live_release(), texts=TEXTS, conditions=tuple(Condition))
    work(monkeypatch, FakeExecutor(answers), scorer=OLD)
    return made


def run_of(made: Submission) -> Run:
    return made.runs.get(condition=Condition.WITH_EVIDENCE)


def strict(run: Run) -> float:
    assert run.report is not None
    return float(run.report["strict_ex"]["value"])


def rows(release: Release) -> dict[str, tuple[float, str]]:
    entries = board(release, Condition.WITH_EVIDENCE).entries.items
    return {row.entry: (row.strict_ex.value, row.scorer) for row in entries}


def forget_verdicts() -> None:
    """The verdicts of another scorer have other keys, which here is the same code."""
    ItemScore.objects.update(judgement="")


def test_a_finished_run_is_judged_again_and_keeps_its_scores_until_all_new_ones_are_there(
    finished: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(finished)
    forget_verdicts()
    before, ended_at = list(ItemScore.objects.filter(run=run).values()), run.ended_at
    made = run_rejudge(run.pk)
    assert made is not None
    assert run_rejudge(run.pk) is None
    assert Run.objects.count() == 2
    assert rows(finished.release) == {"entry": (0.5, OLD)}
    assert list(ItemScore.objects.filter(run=run).values()) == before
    work(monkeypatch, FakeExecutor(answers), scorer=NEW)
    run.refresh_from_db()
    assert (run.state, run.scorer, run.ended_at, strict(run)) == (RunState.FINISHED, NEW, ended_at, 0.5)
    assert ItemScore.objects.filter(run=run, strict=True).count() == 2
    assert ItemScore.objects.count() == 8
    assert not Run.every.filter(replaces__isnull=False).exists()
    assert rows(finished.release) == {"entry": (0.5, NEW)}
    (earlier,) = EarlierScore.objects.all()
    assert (earlier.scorer, earlier.engine, earlier.strict_ex) == (OLD, "Fake 1", 0.5)
    assert RunEvent.objects.filter(run=run, kind=EventKind.RESCORED, detail=f"by {NEW} on Fake 1").exists()


def all_right(_: Query) -> Answer:
    return answer({"name": "public"})


def test_an_owner_is_told_of_another_figure_and_everybody_sees_both(
    finished: Submission, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    run = run_of(finished)
    told = Notice.objects.count()
    forget_verdicts()
    run_rejudge(run.pk)
    work(monkeypatch, FakeExecutor(all_right, version="2"), scorer=NEW)
    run.refresh_from_db()
    assert strict(run) == 1.0
    assert Notice.objects.count() == told + 1
    assert "With evidence: Strict-EX 50.00 % → 100.00 %" in Notice.objects.get(kind=NoticeKind.RESCORED).text
    page = client.get(f"/submissions/{finished.pk}/").content.decode()
    for words in ("Earlier, judged otherwise", OLD, NEW, "Fake 1", "Fake 2"):
        assert words in page
    assert EvidenceGain.objects.get(submission=finished).value == 0.5


def test_queries_whose_answer_is_known_are_not_executed_for_a_new_scorer(
    finished: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_verdicts()
    run_rejudge(run_of(finished).pk)
    engine = FakeExecutor(down)
    work(monkeypatch, engine, scorer=NEW)
    assert (run_of(finished).scorer, engine.asked) == (NEW, 0)


def test_nobody_judges_again_while_workers_of_two_scorers_are_alive(
    finished: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rescoring, "SCORER", NEW)
    rescoring.rescore()
    worker_seen("a@host", queues=("scoring",), slots=1, scorer=NEW)
    worker_seen("b@host", queues=("scoring",), slots=1, scorer=OLD)
    worker_seen("c@host", queues=("generating",), slots=1, scorer=OLD)
    rescoring.rescore()
    assert not Run.every.filter(replaces__isnull=False).exists()
    worker_seen("b@host", queues=("scoring",), slots=1, scorer=NEW)
    rescoring.rescore()
    assert Run.every.filter(replaces__isnull=False).count() == 2
    rescoring.rescore()
    work(monkeypatch, FakeExecutor(answers), scorer=NEW)
    assert set(Run.objects.values_list("scorer", flat=True)) == {NEW}
    rescoring.rescore()
    assert Run.every.count() == 2


def test_only_so_many_runs_are_judged_again_at_once(finished: Submission) -> None:
    assert runs_rejudge(scorer=NEW, at_once=1) == 1
    assert runs_rejudge(scorer=NEW, at_once=1) == 0
    assert runs_outdated(scorer=NEW).count() == 1
    assert not runs_outdated(scorer=OLD).exists()
    assert runs_outdated(scorer=OLD, engine="Fake 2").count() == 1


def test_a_run_that_changed_hands_names_both_scorers_until_it_is_judged_again_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as one whose items met a fault of the old scorer: it is taken up again, and ends by the repaired one."""
    made = submission(live_release(), texts=TEXTS)

    def stumble(query: Query) -> Answer:
        if query.arguments["filter"].get("a") == 1:
            raise ZeroDivisionError
        return answers(query)

    work(monkeypatch, FakeExecutor(stumble), scorer=OLD)
    run = run_of(made)
    assert (run.state, run.scorer) == (RunState.INCOMPLETE, OLD)
    Run.objects.update(resume_at=database_now() - timedelta(seconds=1))
    assert sweep().resumed == 1
    work(monkeypatch, FakeExecutor(answers), scorer=NEW)
    run.refresh_from_db()
    assert (run.state, run.scorer) == (RunState.FINISHED, f"{OLD}, {NEW}")
    assert rows(made.release) == {"entry": (0.5, f"{OLD}, {NEW}")}
    forget_verdicts()
    assert runs_rejudge(scorer=NEW, at_once=8) == 1
    work(monkeypatch, FakeExecutor(answers), scorer=NEW)
    run.refresh_from_db()
    assert run.scorer == NEW


def test_a_fault_of_ours_in_the_background_takes_no_score_away(
    finished: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_verdicts()
    run = run_of(finished)
    standings, told = list(Standing.objects.values()), Notice.objects.count()
    made = run_rejudge(run.pk)
    assert made is not None
    Batch.objects.filter(run=made).update(attempts=4)
    work(monkeypatch, FakeExecutor(down, version="2"), scorer=NEW)
    Batch.objects.filter(run=made).update(attempts=4, not_before=None)
    work(monkeypatch, FakeExecutor(down, version="2"), scorer=NEW)
    sweep()
    made = Run.every.get(pk=made.pk)
    assert made.state == RunState.INCOMPLETE
    assert list(Standing.objects.values()) == standings
    view = submission_view(submission_found(finished.pk) or finished, reader=finished.owner)
    assert {each.state for each in view.runs} == {RunState.FINISHED}
    Run.every.filter(pk=made.pk).update(created_at=database_now() - timedelta(days=15))
    sweep()
    assert not Run.every.filter(pk=made.pk).exists()
    run.refresh_from_db()
    assert (run.state, run.scorer, strict(run)) == (RunState.FINISHED, OLD, 0.5)
    assert Notice.objects.count() == told


def test_the_board_of_a_corrected_release_is_kept_as_it_was(
    finished: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_verdicts()
    run = run_of(finished)
    run_rejudge(run.pk)
    correction_open(finished.release, next_release(), set_aside={}, reasons={}, reason="x")
    work(monkeypatch, FakeExecutor(answers), scorer=NEW)
    run.refresh_from_db()
    assert run.scorer == OLD
    assert not Run.every.filter(replaces__isnull=False).exists()
    assert not runs_outdated(scorer=NEW).exists()


def test_the_names_of_all_that_judged_fit_and_end_with_the_present_one() -> None:
    assert together("", NEW) == NEW
    assert together(NEW, NEW) == NEW
    assert together(OLD, NEW) == f"{OLD}, {NEW}"
    assert together(f"{OLD}, {NEW}", OLD) == f"{NEW}, {OLD}"
    names = ""
    for number in range(20):
        names = together(names, f"aptboard 0.1.0 ({number:012})")
    assert len(names) <= LONGEST_NAMES
    assert names.endswith("000019)")


def test_an_operator_has_runs_of_another_engine_judged_again(
    finished: Submission, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    executor = FakeExecutor(answers, version="2")
    monkeypatch.setattr("leaderboard.management.commands.rejudge.site_engine", lambda: nullcontext(executor))
    monkeypatch.setattr("leaderboard.management.commands.rejudge.scorer_identity", lambda: OLD)
    call_command("rejudge", "small@1", "--list")
    assert "2 runs were judged by something else." in capsys.readouterr().out
    assert Run.every.count() == 2
    call_command("rejudge")
    assert "2 runs are judged again in the background." in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no live release other@1"):
        call_command("rejudge", "other@1")

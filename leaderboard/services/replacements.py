"""The end of a run that judged another one again: its verdicts take the place of the other's, all at once."""

from evaluation.aggregate import Report
from evaluation.types import Condition
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind
from leaderboard.models.measurements import EvidenceGain
from leaderboard.models.releases import Release
from leaderboard.models.runs import EarlierScore, ItemScore, Run
from leaderboard.models.slices import SliceScore
from leaderboard.models.standings import RunFigures
from leaderboard.selectors.releases import corrected_label
from leaderboard.services.events import event_record
from leaderboard.services.notices import submission_rejudged_notice
from leaderboard.services.standings import standings_refresh
from leaderboard.services.tallies import run_untally


def replacement_take_over(replacement: Run) -> None:
    """Let a locked run that is done replace the one that it judged again, and keep what that one had scored.

    Of a release that was corrected meanwhile nothing is replaced: its board is kept as it was.
    """
    runs = Run.objects.select_for_update(of=("self",), no_key=True).select_related("submission__release")
    run = runs.get(replacement=replacement)
    # Under its lock, so that no correction comes between this look and the new standings.
    release = Release.objects.select_for_update().get(pk=run.submission.release_id)
    if corrected_label(release) is not None:
        replacement.delete()
        return
    before, after = _report(run), _report(replacement)
    EarlierScore.objects.create(
        run=run,
        scorer=run.scorer,
        engine=run.engine,
        strict_ex=before.strict_ex.value,
        soft_ex=before.soft_ex.value,
        exec_rate=before.exec_rate.value,
        replaced_at=database_now(),
    )
    _forget(run)
    ItemScore.objects.filter(run=run).delete()
    ItemScore.objects.filter(run=replacement).update(run=run)
    names = ("report", "scorer", "engine", "demo_engine")
    Run.objects.filter(pk=run.pk).update(**{name: getattr(replacement, name) for name in names})
    replacement.delete()
    standings_refresh(release, Condition(run.condition))
    data = {"strict_ex_before": before.strict_ex.value, "strict_ex": after.strict_ex.value}
    event_record(run.pk, kind=EventKind.RESCORED, detail=f"by {replacement.scorer} on {replacement.engine}", data=data)
    if before.strict_ex.value != after.strict_ex.value:
        submission_rejudged_notice(run, before=before, after=after)


def _forget(run: Run) -> None:
    """Drop what boards keep of the old verdicts, before they go; ranking makes it anew from the new ones."""
    run_untally(run)
    RunFigures.objects.filter(run=run).delete()
    SliceScore.objects.filter(run=run).delete()
    EvidenceGain.objects.filter(submission=run.submission_id).delete()


def _report(run: Run) -> Report:
    """The report of a finished run; the database sees to it that there is one."""
    return Report.from_json(run.report or {})

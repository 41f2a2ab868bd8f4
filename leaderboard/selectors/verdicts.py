"""Reading of a run's verdicts, as a report is made from them."""

from benchmark_data.types import Difficulty
from evaluation.aggregate import ItemFacts
from evaluation.types import Diagnostics, Outcome, Verdict
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run


def track_items(release: Release) -> tuple[ItemFacts, ...]:
    """The items that count: all but those set aside by the organisers."""
    rows = release.items.filter(set_aside="").values_list("question_id", "database__db_id", "difficulty")
    return tuple(
        ItemFacts(question_id=question_id, db_id=db_id, difficulty=Difficulty(difficulty))
        for question_id, db_id, difficulty in rows
    )


def run_verdicts(run: Run) -> tuple[Verdict, ...]:
    """The stored verdicts of a run on the items that count; items without one are unscored."""
    rows = (
        ItemScore.objects.filter(run=run, item__set_aside="")
        .order_by("item__position")
        .values_list("item__question_id", "outcome", "executed", "soft", "strict", "reason", "milliseconds")
    )
    judged = {
        row[0]: Verdict(
            question_id=row[0],
            outcome=Outcome(row[1]),
            executed=row[2],
            soft=row[3],
            strict=row[4],
            reason=row[5],
            milliseconds=row[6],
            diagnostics=Diagnostics(),
        )
        for row in rows
    }
    ids = run.submission.release.items.filter(set_aside="").values_list("question_id", flat=True)
    return tuple(judged.get(question_id) or _unjudged(question_id) for question_id in ids)


def _unjudged(question_id: str) -> Verdict:
    return Verdict(
        question_id=question_id,
        outcome=Outcome.UNSCORED,
        executed=None,
        soft=None,
        strict=None,
        reason="infrastructure",
        message="This item could not be judged, through no fault of the submission.",
    )

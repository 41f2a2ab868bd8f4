"""Reading of submissions that were scored again under a corrected release: what changed, and why."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from evaluation.aggregate import Report
from evaluation.types import Condition, Outcome
from leaderboard.models.corrections import ItemCorrection
from leaderboard.models.runs import EarlierScore, ItemScore, Run
from leaderboard.models.submissions import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherVersion:
    """The same predictions under another release."""

    submission: uuid.UUID
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """Strict-EX of one condition before and after, and what judged; None where a run has no score."""

    condition: Condition
    before: float | None
    after: float | None
    judges_before: str
    judges_after: str

    @property
    def difference(self) -> float | None:
        """After minus before."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeChange:
    """A corrected item of one condition before and after; for the owner and staff."""

    condition: Condition
    before: Outcome | None
    after: Outcome | None

    @property
    def moved(self) -> bool:
        """Whether the correction changed it."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedScore:
    """A corrected item: what was changed by name, why, and what that did to this entry."""

    question_id: str
    db_id: str
    changes: tuple[str, ...]
    reason: str
    outcomes: tuple[OutcomeChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescoring:
    """How an entry fared under the release that corrects the one that it was sent to."""

    before: OtherVersion
    figures: tuple[FigureChange, ...]
    items: tuple[CorrectedScore, ...]

    @property
    def evidence_changed(self) -> int:
        """Items whose evidence is another than the one that the model was given."""
        return sum("evidence" in item.changes for item in self.items)

    @property
    def documents_changed(self) -> int:
        """Items whose documents are others than those that the model could be told of."""
        return sum("database_content" in item.changes for item in self.items)

    @property
    def scorers(self) -> tuple[str, str] | None:
        """What judged before and after, where a difference may be the scorer's or the engine's doing as well."""
        found = {
            (figure.judges_before, figure.judges_after) for figure in self.figures if figure.difference is not None
        }
        return next((pair for pair in sorted(found) if pair[0] != pair[1]), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierFigures:
    """What a run had scored by another scorer, before its predictions were judged again; metrics are shares."""

    scorer: str
    engine: str
    strict_ex: float | None
    soft_ex: float | None
    exec_rate: float | None
    replaced_at: datetime


def earlier_figures(runs: Iterable[Run]) -> Mapping[int, tuple[EarlierFigures, ...]]:
    """Of some runs, by key, the newest first; one query."""
    names = [field.name for field in fields(EarlierFigures)]
    found: dict[int, tuple[EarlierFigures, ...]] = {}
    for row in EarlierScore.objects.filter(run__in=runs).values("run_id", *names):
        run_id = row.pop("run_id")
        found[run_id] = (*found.get(run_id, ()), EarlierFigures(**row))
    return found


def rescored_as(submission: Submission) -> OtherVersion | None:
    """The same predictions under the release that corrects this one, if they were taken over; one query."""
    made = submission.rescorings.select_related("release").first()
    return None if made is None else OtherVersion(submission=made.pk, release=str(made.release))


def rescoring(submission: Submission, runs: Iterable[Run], *, owned: bool) -> Rescoring | None:
    """What scoring again changed, in four queries, or None where a submission was not scored again.

    Args:
        submission: under the correcting release.
        runs: its runs.
        owned: whether the reader may see outcomes of single items.
    """
    if submission.rescored_from_id is None:
        return None
    old = Submission.objects.select_related("release").get(pk=submission.rescored_from_id)
    earlier = {Condition(run.condition): run for run in old.runs.all()}
    figures = tuple(
        FigureChange(
            condition=condition,
            before=_strict(earlier.get(condition)),
            after=_strict(run),
            judges_before=_judges(earlier.get(condition)),
            judges_after=_judges(run),
        )
        for condition, run in ((Condition(run.condition), run) for run in runs)
    )
    rows = list(ItemCorrection.objects.filter(correction__new=submission.release_id, correction__old=old.release_id))
    outcomes = _outcomes(old, submission, [row.question_id for row in rows]) if owned else {}
    conditions = [figure.condition for figure in figures]
    return Rescoring(
        before=OtherVersion(submission=old.pk, release=str(old.release)),
        figures=figures,
        items=tuple(
            CorrectedScore(
                question_id=row.question_id,
                db_id=row.db_id,
                changes=tuple(row.changes),
                reason=row.reason,
                outcomes=tuple(
                    OutcomeChange(
                        condition=condition,
                        before=outcomes.get((old.pk, condition, row.question_id)),
                        after=outcomes.get((submission.pk, condition, row.question_id)),
                    )
                    for condition in conditions
                    if owned
                ),
            )
            for row in rows
        ),
    )


def _strict(run: Run | None) -> float | None:
    return None if run is None or run.report is None else Report.from_json(run.report).strict_ex.value


def _judges(run: Run | None) -> str:
    return "" if run is None else f"{run.scorer} on {run.engine}"


def _outcomes(
    old: Submission, new: Submission, question_ids: list[str]
) -> dict[tuple[uuid.UUID, Condition, str], Outcome]:
    shown = ItemScore.objects.filter(run__submission__in=[old.pk, new.pk], run__replaces=None)
    rows = shown.filter(item__question_id__in=question_ids)
    found = rows.values_list("run__submission_id", "run__condition", "item__question_id", "outcome")
    return {(key, Condition(condition), item): Outcome(outcome) for key, condition, item, outcome in found}

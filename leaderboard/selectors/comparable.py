"""Finding the entries that somebody wants to compare, and telling everything that speaks against it."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.types import Condition
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission

FEWEST: Final = 2
MOST: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonFault:
    """Why entries cannot be compared: a stable identifier, and a sentence for the reader."""

    rule: str
    message: str


class IncomparableError(ValueError):
    """Entries that cannot be compared; `faults` has every reason."""

    def __init__(self, faults: Sequence[ComparisonFault]) -> None:
        super().__init__(" ".join(fault.message for fault in faults))
        self.faults = tuple(faults)


def entries_found(wanted: Sequence[str]) -> tuple[list[Submission], list[Run]]:
    """The submissions in the order asked for, and their finished runs, in two queries.

    Args:
        wanted: ids of submissions, as somebody wrote them; one that is repeated counts once.

    Raises:
        IncomparableError: they are too few or too many, unknown, not scored, or of different releases.
    """
    known, faults = _ids(wanted)
    found = {one.pk: one for one in Submission.objects.filter(pk__in=known).select_related("release")}
    submissions = [found[key] for key in known if key in found]
    runs = list(
        Run.objects.filter(submission__in=submissions, state=RunState.FINISHED)
        .select_related("standing")
        .order_by("condition", "pk")
    )
    faults += [_fault("unknown", f"There is no entry {key}.") for key in known if key not in found]
    faults += _unscored(submissions, runs) + _mixed(submissions)
    if not faults and all(sum(run.condition == each for run in runs) < FEWEST for each in Condition):
        faults.append(_fault("no_shared_condition", "There is no condition in which two of these entries are scored."))
    if faults:
        raise IncomparableError(faults)
    return submissions, runs


def _ids(wanted: Sequence[str]) -> tuple[list[uuid.UUID], list[ComparisonFault]]:
    ids: list[uuid.UUID] = []
    faults = []
    for text in dict.fromkeys(wanted):
        try:
            ids.append(uuid.UUID(text))
        except ValueError:
            told = text[:60] if text.isprintable() else "?"
            faults.append(_fault("invalid", f"“{told}” is not the id of an entry."))
    ids = list(dict.fromkeys(ids))
    number = len(ids) + len(faults)
    if number < FEWEST:
        faults.append(_fault("too_few", f"Choose at least {FEWEST} different entries; there is {number or 'none'}."))
    if number > MOST:
        faults.append(_fault("too_many", f"Choose at most {MOST} entries; there are {number}."))
    return ids, faults


def _unscored(submissions: Sequence[Submission], runs: Sequence[Run]) -> list[ComparisonFault]:
    scored = {run.submission_id for run in runs}
    return [
        _fault("not_scored", f"“{one.entry}” has no score yet; its page says how far it is.")
        for one in submissions
        if one.pk not in scored
    ]


def _mixed(submissions: Sequence[Submission]) -> list[ComparisonFault]:
    releases: dict[str, list[str]] = {}
    for one in submissions:
        releases.setdefault(str(one.release), []).append(f"“{one.entry}”")
    if len(releases) < FEWEST:
        return []
    named = "; ".join(f"{', '.join(names)} to {release}" for release, names in releases.items())
    message = f"Scores of different releases are not compared, and these entries belong to several: {named}."
    return [_fault("different_releases", message)]


def _fault(rule: str, message: str) -> ComparisonFault:
    return ComparisonFault(rule=rule, message=message)

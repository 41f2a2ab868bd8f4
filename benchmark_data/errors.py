"""The three blames, and the fault records that every reader of files reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong in a file that somebody gave us.

    Args:
        file: the file's name as its sender knows it.
        line: 1-based line number, or None where the format has no lines.
        field: dotted path of the field, "" for the whole line or file.
        rule: stable snake_case identifier of the broken rule, e.g. "unknown_question_id".
        message: a sentence that says what is wrong and what would be right.
        count: how many faults it tells of; more than one where it closes a list that was cut.
    """

    file: str
    line: int | None = None
    field: str = ""
    rule: str
    message: str
    count: int = 1

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.field}: {self.message}" if self.field else f"{place}: {self.message}"


class AptBoardError(Exception):
    """Base of every error that AptBoard raises on purpose."""


class SubmissionError(AptBoardError):
    """The submitter's fault: the message is shown word for word."""


class BenchmarkError(AptBoardError):
    """The organisers' fault (bundle, gold): the item stays unscored."""


class InfrastructureError(AptBoardError):
    """Nobody's fault in the submission (server down, lost connection): retried, never scored as wrong."""


class FaultyFileError(AptBoardError):
    """A file has faults; all that were found are in `faults`, at most `LISTED_FAULTS` of them.

    Args:
        faults: the faults found, in file order.
        total: how many there are when more were counted than are listed.
    """

    def __init__(self, faults: "tuple[Fault, ...]", *, total: int | None = None) -> None:
        self.faults = faults
        self.total = len(faults) if total is None else total
        super().__init__("\n".join(map(str, faults)))


class FaultyPredictionsError(FaultyFileError, SubmissionError):
    """A prediction file cannot be accepted."""


class FaultyBundleError(FaultyFileError, BenchmarkError):
    """A benchmark bundle, or a file that is to become one, cannot be accepted."""


LISTED_FAULTS = 100

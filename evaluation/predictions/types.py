"""The records of a prediction file."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from evaluation.types import Condition


class PredictionFormat(StrEnum):
    """The forms in which predictions are accepted."""

    JSON_LINES = "json_lines"
    JSON_LIST = "json_list"
    DICTIONARY = "dictionary"
    BIRD_DICTIONARY = "bird_dictionary"
    CONDITION_DICTIONARY = "condition_dictionary"


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionLimits:
    """What a prediction file may cost to read.

    Args:
        file_bytes: the most bytes, packed and unpacked.
        ratio: how many times larger than its packed bytes an unpacked file of more than a MiB may be; prediction
            files pack 5 to 30 times, a bomb a thousand times.
    """

    file_bytes: int = 50_000_000
    ratio: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionSet:
    """The predictions of one file.

    Args:
        conditions: those with at least one prediction, in the order of `Condition`.
        texts: for each of `conditions`, the query text by question_id; items without a prediction are not in it.
        sha256: hex digest of the bytes as they came, packed if they came packed.
        size: number of those bytes.
        format: the form found.
        notes: sentences for the submitter on what is no fault, but worth a look.
    """

    conditions: tuple[Condition, ...]
    texts: Mapping[Condition, Mapping[str, str]]
    sha256: str
    size: int
    format: PredictionFormat
    notes: tuple[str, ...]

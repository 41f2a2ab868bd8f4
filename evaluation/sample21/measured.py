"""What an engine found of the sample benchmark: proofs, gold against itself, the baselines' scores; kept as a file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from benchmark_data.bundles.sample21.databases import FOLDER
from benchmark_data.errors import BenchmarkError
from evaluation.types import Condition, Verdict

MEASURED: Final = FOLDER / "measured.json"


class UnmeasuredError(BenchmarkError):
    """There is no file of measurements, or it cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certified:
    """The proof of one database: its verdict, the rows read back in each place, and the design's own checks."""

    verdict: str
    rows: int
    places: tuple[str, ...]
    checks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """How many queries are one mistake away from gold, and how many of them Strict-EX tells from it."""

    mutants: int
    caught: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """The three metrics of one file in one condition, as shares of all items; None where an item has no score."""

    condition: str
    items: int
    strict: float | None
    soft: float | None
    executed: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All that an engine found of one bundle.

    Args:
        digest: the bundle's.
        engine: name and version.
        instances: on how many instances every item's gold was proved equal to its SQL.
        certificates: by database.
        noticed: by database and kind of mistake, what its data notices.
        gold: gold against itself, a round after another, each in both conditions.
        baselines: by name, in both conditions.
    """

    digest: str
    engine: str
    instances: int
    certificates: Mapping[str, Certified]
    noticed: Mapping[str, Mapping[str, Noticed]]
    gold: tuple[tuple[Shares, ...], ...]
    baselines: Mapping[str, tuple[Shares, ...]]

    @property
    def is_gold_perfect(self) -> bool:
        """Whether gold scores 1 in every round, condition and metric."""
        shares = [one for round_ in self.gold for one in round_]
        return bool(shares) and all(one.strict == one.soft == one.executed == 1 for one in shares)


def shares_of(condition: Condition, verdicts: Sequence[Verdict]) -> Shares:
    """The metrics of all items' verdicts in a condition."""

    def share(values: list[bool | None]) -> float | None:
        known = [value for value in values if value is not None]
        return round(sum(known) / len(known), 6) if len(known) == len(values) else None

    return Shares(
        condition=condition.value,
        items=len(verdicts),
        strict=share([verdict.strict for verdict in verdicts]),
        soft=share([verdict.soft for verdict in verdicts]),
        executed=share([verdict.executed for verdict in verdicts]),
    )


def measured_text(measured: Measured) -> str:
    """The measurements as they stand in their file."""
    return json.dumps(asdict(measured), indent=1, allow_nan=False) + "\n"


def read_measured(path: Path = MEASURED) -> Measured:
    """The measurements that are kept.

    Raises:
        UnmeasuredError: there are none, or the file is broken.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Measured(
            digest=content["digest"],
            engine=content["engine"],
            instances=content["instances"],
            certificates={
                name: Certified(**{**one, "places": tuple(one["places"])})
                for name, one in content["certificates"].items()
            },
            noticed={
                name: {kind: Noticed(**one) for kind, one in kinds.items()}
                for name, kinds in content["noticed"].items()
            },
            gold=tuple(tuple(Shares(**one) for one in round_) for round_ in content["gold"]),
            baselines={name: tuple(Shares(**one) for one in found) for name, found in content["baselines"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnmeasuredError(f"{path.name} cannot be read: {error!r}.") from error

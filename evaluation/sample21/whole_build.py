"""Builds the sample benchmark from its sources: proves everything, scores gold and baselines, writes the report."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmark_data.bundles.sample21.authored_items import read_authored
from benchmark_data.bundles.sample21.build import Built, Ratings, write_sample
from benchmark_data.bundles.sample21.databases import ITEMS, SEEDS, SampleDatabase
from benchmark_data.docmap.certificate import Proved
from benchmark_data.faults import FaultLog
from benchmark_data.types import Bundle, Difficulty
from evaluation.difficulty import difficulty_of
from evaluation.sample21.baselines import BASELINES, prediction_lines
from evaluation.sample21.database_check import DatabaseCheck, check_databases
from evaluation.sample21.instances import Engine
from evaluation.sample21.measured import Certified, Measured
from evaluation.sample21.proofs import ItemProof
from evaluation.sample21.report import figures_of, report_text
from evaluation.sample21.requirements import requirements_of
from evaluation.sample21.scoring import baseline_shares, gold_shares, lines_as_texts, loaded_privately, shuffled
from evaluation.types import Condition

ROUNDS: Final = 2
Advance = Callable[[int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBuild:
    """Everything that a build gives.

    Args:
        checks: of every database.
        built: the bundle; None where a database has faults.
        ratings: of its items.
        predictions: lines of each baseline's file.
        measured: what the engine found.
        report: as Markdown.
    """

    checks: tuple[DatabaseCheck, ...]
    built: Built | None = None
    ratings: Ratings | None = None
    predictions: Mapping[str, tuple[str, ...]] | None = None
    measured: Measured | None = None
    report: str = ""

    @property
    def certificates(self) -> dict[str, Proved]:
        """By database, what its certificate is written from."""
        return {check.db_id: check.proved for check in self.checks if check.proved is not None}


def work_of(samples: Sequence[SampleDatabase]) -> int:
    """How many steps `whole_build` tells of."""
    items = sum(len(read_authored(sample, FaultLog(sample.file(ITEMS)))) for sample in samples)
    return 2 * len(samples) + items * (len(Condition) * ROUNDS + 1)


def whole_build(
    samples: Sequence[SampleDatabase], engines: Sequence[Engine], *, work: Path, bundle: Path, advance: Advance
) -> WholeBuild:
    """Check all databases; with no fault in them, write the bundle and measure everything.

    Args:
        samples: the databases.
        engines: databases are checked on all of them, the bundle is scored on the first.
        work: a folder for what is needed while building.
        bundle: the folder to write, which must not exist.
        advance: told of steps done, and what they were.

    Raises:
        EngineUnavailableError: the document database failed.
        OSError: a source cannot be read, or the disk refused.
    """
    checks = check_databases(samples, engines, work, lambda done, db_id: advance(done, f"proved {db_id}"))
    if any(check.faults for check in checks):
        return WholeBuild(checks=checks)
    ratings = {check.db_id: _ratings(check.proofs) for check in checks}
    needed = requirements_of([proof.query for check in checks for proof in check.proofs if proof.query is not None])
    built = write_sample(
        bundle,
        samples=samples,
        ratings=ratings,
        engine=needed,
        progress=lambda step: advance(1, f"wrote {step.db_id}"),
    )
    predictions = {name: tuple(prediction_lines(built.bundle, name)) for name in BASELINES}
    measured = _measured(built.bundle, predictions, checks, engines[0], advance)
    return WholeBuild(
        checks=checks,
        built=built,
        ratings=ratings,
        predictions=predictions,
        measured=measured,
        report=report_text(figures_of(built), measured),
    )


def _ratings(proofs: Sequence[ItemProof]) -> dict[int, Difficulty]:
    return {proof.item.number: difficulty_of(proof.query) for proof in proofs if proof.query is not None}


def _measured(
    bundle: Bundle,
    predictions: Mapping[str, Sequence[str]],
    checks: Sequence[DatabaseCheck],
    engine: Engine,
    advance: Advance,
) -> Measured:
    identity = engine.executor.identity
    with loaded_privately(bundle, engine) as loaded:
        gold = tuple(
            gold_shares(shuffled(loaded, number), engine, lambda: advance(1, "gold")) for number in range(1, ROUNDS + 1)
        )
        texts = {name: lines_as_texts(map(json.loads, lines)) for name, lines in predictions.items()}
        found = baseline_shares(loaded, texts, engine, lambda: advance(1, "baselines"))
    return Measured(
        digest=bundle.digest,
        engine=f"{identity.name} {identity.version}",
        instances=len(SEEDS),
        certificates={check.db_id: _certified(check.proved) for check in checks if check.proved is not None},
        noticed={check.db_id: check.noticed for check in checks},
        gold=gold,
        baselines=found,
    )


def _certified(proved: Proved) -> Certified:
    return Certified(
        verdict="lossless" if proved.is_lossless else "lossy",
        rows=sum(one.rows for one in proved.findings[0].tables.values()),
        places=tuple(one.place for one in proved.findings),
        checks=len(proved.checks),
    )

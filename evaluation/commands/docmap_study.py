"""`aptboard docmap study`: what a design is worth, measured side by side with One-to-One at several sizes."""

import contextlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmark_data.docmap.scale import scale_database
from benchmark_data.docmap.sinks import migrate_to_folder
from evaluation.commands.docmap_sources import (
    Design,
    Engine,
    Perturbations,
    Questions,
    Seconds,
    Source,
    design_of,
    loaded,
    perturbed_files,
    questions_of,
    running_engine,
)
from evaluation.commands.faults import faults_shown
from evaluation.equivalence_run import SqlQuestion, optimised, prove, sent_query
from evaluation.study import Arm, ArmResult, Plan, measure, points
from evaluation.study_machine import machine_description
from evaluation.study_plot import svg_plot
from evaluation.study_table import markdown_table
from evaluation.types import Limits, Query

_PROOF_LIMITS = Limits(milliseconds=120_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Strategy:
    """A design, and the proved queries of the questions under it."""

    name: str
    design: Design
    queries: dict[str, Query]
    unproved: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Study:
    """What is the same for all strategies and sizes."""

    source: Path
    asked: list[dict[str, Any]]
    engine: Engine
    perturbations: int
    folder: Path

    def proved(self, name: str, design: Design) -> _Strategy:
        """The queries of the questions under a design."""
        folder = self.folder / f"proof-{name}"
        folder.mkdir()
        files = [self.source, *perturbed_files(self.source, design, folder, self.perturbations)]
        queries: dict[str, Query] = {}
        unproved: dict[str, str] = {}
        # A query that is slow is proved all the same, and measured up to the limit.
        with loaded(design, files, engine=self.engine, limits=_PROOF_LIMITS, folder=folder) as found:
            bench, schema, layout = found.bench, found.schema, found.layout
            for question in self.asked:
                one = SqlQuestion(question_id=str(question["question_id"]), sql=question["SQL"])
                proof = prove(one, bench=bench, schema=schema, layout=layout)
                proof = optimised(one, proof, bench=bench, schema=schema, layout=layout)
                if proof.is_proved and proof.compiled is not None:
                    queries[one.question_id] = sent_query(proof.compiled, collections=bench.collections)[0]
                else:
                    unproved[one.question_id] = f"{name}: {proof.reason}"
        return _Strategy(name=name, design=design, queries=queries, unproved=unproved)

    def arm(self, strategy: _Strategy, shared: set[str], file: Path, size: float) -> Arm:
        """A strategy at one size, loaded."""
        folder = self.folder / f"{size:g}-{strategy.name}"
        database = migrate_to_folder(strategy.design.docmap, file, folder, file="docmap")
        self.engine.loader.load(database)
        return Arm(
            strategy=strategy.name,
            factor=size,
            db_id=strategy.design.docmap.db_id,
            database=database.storage_name,
            queries={name: query for name, query in strategy.queries.items() if name in shared},
        )


def study(
    source: Source,
    questions: Questions,
    docmap: Annotated[
        list[Path], typer.Option("--docmap", help="A strategy; may be given more than once.", exists=True)
    ],
    output: Annotated[Path, typer.Option("--output", help="Folder for study.json, study.md and study.svg.")],
    factor: Annotated[
        list[float] | None, typer.Option("--factor", help="A size to scale the source to; 1 is always measured.")
    ] = None,
    scaled: Annotated[
        list[str] | None, typer.Option("--scaled", help="FACTOR=FILE: a source that was scaled already.")
    ] = None,
    indexed: Annotated[
        bool, typer.Option("--indexed/--no-indexed", help="Also One-to-One with indexes on the keys that joins use.")
    ] = True,
    perturbations: Perturbations = 2,
    repetitions: Annotated[int, typer.Option("--repetitions", help="Timed runs of each query.", min=1)] = 5,
    seconds: Seconds = 30.0,
) -> None:
    """Measure the questions' queries under One-to-One and each docmap, at each size; write a table and a plot.

    Each query is proved first, on the source and altered copies of it; questions that are not proved under each
    strategy are left out and named. Exit codes: 0 measured, 2 a file cannot be used, 4 the document database failed.
    """
    limits = Limits(milliseconds=int(seconds * 1000))
    asked = questions_of(questions)
    given = _scaled_files(scaled or [])
    with faults_shown(), tempfile.TemporaryDirectory() as name, running_engine() as engine:
        one = _Study(source=source, asked=asked, engine=engine, perturbations=perturbations, folder=Path(name))
        sizes = {1.0: source, **given, **_scaled(source, factor or [], docmap[0], one.folder)}
        plain = one.proved("one_to_one", design_of(source, None))
        strategies = [plain, *([_with_indexes(plain, source)] if indexed else [])]
        strategies += [one.proved(_strategy_name(path), design_of(source, path)) for path in docmap]
        shared = set.intersection(*(set(each.queries) for each in strategies))
        results: list[ArmResult] = []
        plan = Plan(executor=engine.executor, limits=limits, repetitions=repetitions, examined=engine.examined)
        for size, file in sorted(sizes.items()):
            found = measure([one.arm(each, shared, file, size) for each in strategies], plan)
            results += found
            typer.echo("\n".join(map(_line, found)))
        identity = f"{engine.executor.identity.name} {engine.executor.identity.version}"
    left_out = {name: reason for each in strategies for name, reason in each.unproved.items()}
    for name, reason in sorted(left_out.items()):
        typer.echo(f"{name} is left out: {reason}", err=True)
    _write(output, results, identity=identity, plan=plan, left_out=left_out)


def _with_indexes(plain: _Strategy, source: Path) -> _Strategy:
    """One-to-One with indexes: the same documents, and so the same proofs."""
    return replace(plain, name="one_to_one_indexed", design=design_of(source, None, indexed=True), unproved={})


def _write(output: Path, results: Sequence[ArmResult], *, identity: str, plan: Plan, left_out: dict[str, str]) -> None:
    output.mkdir(parents=True, exist_ok=True)
    record = {
        "engine": identity,
        "machine": machine_description(),
        "measured_at": datetime.now(tz=UTC).isoformat(timespec="seconds"),
        "repetitions": plan.repetitions,
        "warm_ups": plan.warm_ups,
        "limit_milliseconds": plan.limits.milliseconds,
        "left_out": left_out,
        "arms": [_arm_record(result) for result in results],
    }
    (output / "study.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (output / "study.md").write_text(markdown_table(results), encoding="utf-8")
    plot = svg_plot(points(results), title="Time of a gold query", note=identity)
    (output / "study.svg").write_text(plot, encoding="utf-8")


def _strategy_name(path: Path) -> str:
    return path.parent.name if path.stem == "docmap" else path.stem


def _line(result: ArmResult) -> str:
    mean = "nothing measured" if result.mean is None else f"mean {result.mean:.2f} ms"
    failed = len(result.timings) - len(result.measured)
    return f"{result.strategy} {result.factor:g}×: {mean}, {result.censored} timed out, {failed} failed"


def _arm_record(result: ArmResult) -> dict[str, Any]:
    return {
        "strategy": result.strategy,
        "factor": result.factor,
        "db_id": result.db_id,
        "mean_milliseconds": result.mean,
        "censored": result.censored,
        "queries": [
            {
                "question_id": timing.question_id,
                "milliseconds": list(timing.milliseconds),
                "median": timing.median if timing.milliseconds else None,
                "quartiles": list(timing.quartiles) if timing.milliseconds else None,
                "censored": timing.censored,
                "failure": timing.failure,
                "documents_examined": timing.examined,
            }
            for timing in result.timings
        ],
    }


def _scaled(source: Path, factors: Sequence[float], docmap: Path, folder: Path) -> dict[float, Path]:
    """The source at each size, with the links that the first docmap knows kept."""
    found = {}
    links = tuple(design_of(source, docmap).docmap.links.values())
    for factor in factors:
        path = folder / f"{source.stem}-{factor:g}.sqlite"
        scale_database(source, path, factor=factor, links=links)
        found[factor] = path
    return found


def _scaled_files(values: Sequence[str]) -> dict[float, Path]:
    found = {}
    for value in values:
        factor, _, name = value.partition("=")
        number = None
        with contextlib.suppress(ValueError):
            number = float(factor)
        if number is None:
            raise typer.BadParameter(f"--scaled {value}: expected FACTOR=FILE")
        if number <= 0 or not Path(name).is_file():
            raise typer.BadParameter(f"--scaled {value}: expected FACTOR=FILE, with a file that exists")
        found[number] = Path(name)
    return found

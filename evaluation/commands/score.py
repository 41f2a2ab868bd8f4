"""`aptboard score`: scores a prediction file on a laptop, with the code that the site runs."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmark_data.errors import FaultyFileError, InfrastructureError
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from evaluation.aggregate import Report
from evaluation.commands.engine import bundle_loaded, engine
from evaluation.executors.loading import DatabaseLoader
from evaluation.identity import scorer_identity
from evaluation.predictions.read import read_predictions
from evaluation.predictions.types import PredictionSet
from evaluation.runner import ScoredCondition, score_bundle
from evaluation.types import Condition, EngineIdentity, Executor, Verdict

FAULTY = 2
PLATFORM = 4


def score(
    bundle: Annotated[Path, typer.Option(help="The benchmark bundle's folder.")],
    predictions: Annotated[Path, typer.Option(help="The prediction file.")],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write reports and verdicts to this file.")] = None,
    condition: Annotated[
        Condition | None, typer.Option(help="Condition of predictions that name none (BIRD files never do).")
    ] = None,
) -> None:
    """Score a prediction file: Exec-Rate, Soft-EX, Strict-EX and the reason for each lost item.

    Queries run on the server that MONGO_URL names, or on the embedded engine. Exit codes: 0 scored, 2 a file has
    faults (all are listed), 4 the document database failed.
    """
    console = Console(stderr=True)
    try:
        loaded = load_bundle(bundle)
        read = _read(predictions, loaded, condition)
        with engine() as (executor, loader):
            _load(loaded, loader, console)
            scored = _score(loaded, read, executor, console)
            identity = executor.identity
    except FaultyFileError as error:
        console.print(f"{error.total} faults:", style="red")
        for fault in error.faults:
            console.print(f"  {fault}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(FAULTY) from error
    except InfrastructureError as error:
        console.print(f"The document database failed: {error}", style="red", markup=False)
        raise typer.Exit(PLATFORM) from error
    _print_reports(scored, loaded, identity)
    if json_file is not None:
        json_file.write_text(json.dumps(_document(scored, loaded, read, identity), indent=1, ensure_ascii=False) + "\n")
        console.print(f"Written to {json_file}", markup=False)


def _read(path: Path, bundle: Bundle, condition: Condition | None) -> PredictionSet:
    items = {item.question_id: item.db_id for item in bundle.items}
    if not path.is_file():
        raise typer.BadParameter(f"{path} is not a file", param_hint="--predictions")
    with path.open("rb") as file:
        return read_predictions(file, name=path.name, items=items, default_condition=condition)


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<20}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )


def _load(bundle: Bundle, loader: DatabaseLoader, console: Console) -> None:
    total = sum(collection.documents for database in bundle.databases for collection in database.collections)
    with _bar(console) as bar:
        task = bar.add_task("Loading documents", total=total)
        bundle_loaded(bundle, loader, lambda count: bar.advance(task, count))
        bar.update(task, completed=total)


def _score(
    bundle: Bundle, predictions: PredictionSet, executor: Executor, console: Console
) -> tuple[ScoredCondition, ...]:
    with _bar(console) as bar:
        task = bar.add_task("Scoring", total=len(bundle.items) * len(predictions.conditions))
        return score_bundle(bundle, predictions.texts, executor=executor, progress=lambda: bar.advance(task))


def _print_reports(scored: tuple[ScoredCondition, ...], bundle: Bundle, engine: EngineIdentity) -> None:
    label = f"{engine.name} {engine.version}{' (demo engine)' if engine.demo else ''}"
    table = Table(title=f"{bundle.name} {bundle.version}", caption=f"{scorer_identity()}, {label}")
    table.add_column("Condition")
    for head in ("n", "Unscored", "Coverage", "Exec-Rate", "Soft-EX", "Strict-EX"):
        table.add_column(head, justify="right")
    for one in scored:
        table.add_row(one.condition, *_cells(one.report))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 100).print(table)


def _cells(report: Report) -> tuple[str, ...]:
    shares = (report.coverage, report.exec_rate.value, report.soft_ex.value, report.strict_ex.value)
    return (str(report.n), str(report.unscored), *("–" if v is None else f"{100 * v:.2f}" for v in shares))


def _document(
    scored: tuple[ScoredCondition, ...], bundle: Bundle, predictions: PredictionSet, engine: EngineIdentity
) -> dict[str, Any]:
    return {
        "bundle": {"name": bundle.name, "version": bundle.version, "digest": bundle.digest},
        "predictions": {"sha256": predictions.sha256, "format": predictions.format},
        "scorer": scorer_identity(),
        "engine": asdict(engine),
        "conditions": {
            one.condition.value: {
                "report": one.report.as_json(),
                "items": [_verdict_document(verdict) for verdict in one.verdicts],
            }
            for one in scored
        },
    }


def _verdict_document(verdict: Verdict) -> dict[str, Any]:
    return {**asdict(verdict), "outcome": verdict.outcome.value}

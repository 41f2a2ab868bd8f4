"""`aptboard docmap queries` and `study`: SQL questions as proved queries, and what a design is worth."""

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmark_data.docmap.queries.compile import compile_sql
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.evidence import restated
from benchmark_data.docmap.queries.layout import OneToOne
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.scope import TableLayout
from benchmark_data.docmap.read import read_docmap
from benchmark_data.docmap.sinks import migrate_to_folder
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from benchmark_data.docmap.types import Docmap
from benchmark_data.errors import BenchmarkError
from benchmark_data.faults import FaultLog
from benchmark_data.types import Database
from evaluation.embedded.document_database import DocumentDatabaseUrls, provided, urls_from_environment
from evaluation.embedded.home import home
from evaluation.equivalence_run import Bench, Instance, Proof, SqlQuestion, optimised, prove, sent_query
from evaluation.equivalence_sqlite import perturbed, schema_of
from evaluation.executors.connect import opened
from evaluation.executors.explaining import DocumentsExamined
from evaluation.executors.loading import DatabaseLoader
from evaluation.study import Arm, ArmResult, measure, points
from evaluation.study_plot import svg_plot
from evaluation.types import Executor, Limits

FAULTY = 2

Source = Annotated[Path, typer.Argument(metavar="SOURCE", help="The SQLite file.", exists=True, dir_okay=False)]
Questions = Annotated[
    Path, typer.Argument(metavar="QUESTIONS", help="JSON list of {question_id, SQL, evidence?}.", exists=True)
]
DocmapFile = Annotated[
    Path | None, typer.Option("--docmap", help="The docmap; without it each table is a collection.", exists=True)
]
Seconds = Annotated[float, typer.Option("--seconds", help="Time limit of one query.", min=0.1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Engine:
    executor: Executor
    loader: DatabaseLoader
    examined: DocumentsExamined


def queries(
    source: Source,
    questions: Questions,
    docmap: DocmapFile = None,
    output: Annotated[Path | None, typer.Option("--output", help="Write one JSON line for each question.")] = None,
    perturbations: Annotated[
        int, typer.Option("--perturbations", help="Altered copies of the source to prove on; 0 with --docmap.", min=0)
    ] = 2,
    instance: Annotated[
        list[Path] | None, typer.Option("--instance", help="Another SQLite file with the same schema.", exists=True)
    ] = None,
    seconds: Seconds = 30.0,
) -> None:
    """Compile each question's SQL and prove the MongoDB query equal, on the source and on other instances.

    Exit codes: 0 all are proved, 1 some are not (each with its reason), 2 a file cannot be used.
    """
    asked = _questions(questions)
    limits = Limits(milliseconds=int(seconds * 1000))
    with _faults_shown(), tempfile.TemporaryDirectory() as folder, _engine() as engine, contextlib.ExitStack() as stack:
        altered = 0 if docmap is not None else perturbations
        files = [source, *(instance or []), *_perturbed_files(source, Path(folder), altered)]
        mapped = _docmap(source, docmap)
        instances: list[Instance] = []
        collections: tuple[str, ...] = ()
        for number, file in enumerate(files):
            database = migrate_to_folder(mapped, file, Path(folder) / f"documents{number}", file="docmap")
            engine.loader.load(database)
            connection = stack.enter_context(contextlib.closing(connect_read_only(file)))
            instances.append(Instance(name=file.stem, connection=connection, database=database.storage_name))
            collections = tuple(collection.name for collection in database.collections)
        schema = schema_of(instances[0].connection)
        layout = _layout(mapped, schema, one_to_one=docmap is None)
        bench = Bench(instances=tuple(instances), executor=engine.executor, collections=collections, limits=limits)
        records = []
        for question in asked:
            found = SqlQuestion(question_id=str(question["question_id"]), sql=question["SQL"])
            proof = optimised(found, prove(found, bench=bench, schema=schema, layout=layout), bench=bench)
            records.append(_record(question, proof, schema, layout))
    if output is not None:
        output.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")
    _report(records)


def _report(records: list[dict[str, Any]]) -> None:
    proved = [each for each in records if not each["reason"]]
    tied = sum("tied" in each["flags"] for each in proved)
    typer.echo(f"{len(proved)} of {len(records)} proved equal, {tied} of them up to ties.")
    for each in records:
        if each["reason"]:
            typer.echo(f"{each['question_id']}: {each['reason']}", err=True)
    if len(proved) < len(records):
        raise typer.Exit(1)


def _record(question: dict[str, Any], proof: Proof, schema: Schema, layout: TableLayout) -> dict[str, Any]:
    evidence = str(question.get("evidence") or "")
    try:
        text = restated(evidence, sql=question["SQL"], schema=schema, layout=layout).text
    except UntranslatableSqlError:
        text = evidence
    return {
        "question_id": proof.question_id,
        "gold_query": proof.compiled.text if proof.compiled else None,
        "evidence": text,
        "verdicts": [verdict.value for verdict in proof.verdicts],
        "rows": list(proof.rows),
        "flags": list(proof.flags),
        "reason": proof.reason,
    }


def study(
    source: Source,
    questions: Questions,
    docmap: Annotated[
        list[Path], typer.Option("--docmap", help="A strategy; may be given more than once.", exists=True)
    ],
    output: Annotated[Path, typer.Option("--output", help="Folder for study.json and study.svg.")],
    scaled: Annotated[
        list[str] | None, typer.Option("--scaled", help="FACTOR=FILE: a scaled source; the source itself is 1.")
    ] = None,
    repetitions: Annotated[int, typer.Option("--repetitions", min=1)] = 5,
    seconds: Seconds = 30.0,
) -> None:
    """Measure the questions' queries under One-to-One and each docmap, at each size; write a table and a plot.

    Exit codes: 0 measured, 2 a file cannot be used.
    """
    asked = _questions(questions)
    sizes = {1.0: source, **_scaled(scaled or [])}
    limits = Limits(milliseconds=int(seconds * 1000))
    results: list[ArmResult] = []
    with _faults_shown(), tempfile.TemporaryDirectory() as folder, _engine() as engine:
        for number, (factor, file) in enumerate(sorted(sizes.items())):
            for place, given in enumerate([None, *docmap]):
                arm = _arm(file, given, factor, asked, engine, Path(folder) / f"{number}-{place}")
                results.append(_measured(arm, engine, limits, repetitions))
                typer.echo(_line(results[-1]))
        identity = engine.executor.identity
    output.mkdir(parents=True, exist_ok=True)
    record = {
        "engine": f"{identity.name} {identity.version}",
        "measured_at": datetime.now(tz=UTC).isoformat(timespec="seconds"),
        "repetitions": repetitions,
        "limit_milliseconds": limits.milliseconds,
        "arms": [_arm_record(result) for result in results],
    }
    (output / "study.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    plot = svg_plot(points(results), title="Time of a gold query", note=f"{identity.name} {identity.version}")
    (output / "study.svg").write_text(plot, encoding="utf-8")


def _measured(arm: Arm, engine: _Engine, limits: Limits, repetitions: int) -> ArmResult:
    return measure(arm, executor=engine.executor, limits=limits, repetitions=repetitions, examined=engine.examined)


def _arm(
    file: Path, given: Path | None, factor: float, asked: list[dict[str, Any]], engine: _Engine, folder: Path
) -> Arm:
    mapped = _docmap(file, given)
    database: Database = migrate_to_folder(mapped, file, folder, file="docmap")
    engine.loader.load(database)
    with contextlib.closing(connect_read_only(file)) as connection:
        schema = schema_of(connection)
    layout = _layout(mapped, schema, one_to_one=given is None)
    names = tuple(collection.name for collection in database.collections)
    found = {}
    for question in asked:
        with contextlib.suppress(UntranslatableSqlError):
            compiled = compile_sql(question["SQL"], schema=schema, layout=layout)
            found[str(question["question_id"])] = sent_query(compiled, collections=names)[0]
    strategy = "one_to_one" if given is None else given.parent.name if given.stem == "docmap" else given.stem
    return Arm(strategy=strategy, factor=factor, db_id=mapped.db_id, database=database.storage_name, queries=found)


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


def _questions(path: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise typer.BadParameter(f"{path}: not JSON: {error}") from error
    good = isinstance(found, list) and all(
        isinstance(each, dict) and "question_id" in each and isinstance(each.get("SQL"), str) for each in found
    )
    if not good:
        raise typer.BadParameter(f'{path}: expected a list of objects with "question_id" and "SQL"')
    return list(found)


def _scaled(values: list[str]) -> dict[float, Path]:
    found = {}
    for value in values:
        factor, _, name = value.partition("=")
        try:
            number = float(factor)
        except ValueError as error:
            raise typer.BadParameter(f"--scaled {value}: expected FACTOR=FILE") from error
        if number <= 0 or not Path(name).is_file():
            raise typer.BadParameter(f"--scaled {value}: expected FACTOR=FILE, with a file that exists")
        found[number] = Path(name)
    return found


def _docmap(source: Path, path: Path | None) -> Docmap:
    with contextlib.closing(connect_read_only(source)) as connection:
        schema = read_schema(connection)
    name = "one_to_one" if path is None else path.name
    text = one_to_one(schema, source.stem) if path is None else path.read_text(encoding="utf-8")
    log = FaultLog(name)
    found = read_docmap(text, schema, log)
    if found is None or log.faults:
        raise BenchmarkError("\n".join(str(fault) for fault in log.faults) or f"{name}: cannot be read.")
    return found


def _layout(docmap: Docmap, schema: Schema, *, one_to_one: bool) -> TableLayout:
    if one_to_one:
        return OneToOne(tuple(table.name for table in schema.tables.values()))
    return DocmapLayout(docmap)


def _perturbed_files(source: Path, folder: Path, number: int) -> Iterator[Path]:
    with contextlib.closing(connect_read_only(source)) as connection:
        for seed in range(1, number + 1):
            path = folder / f"{source.stem}-perturbed-{seed}.sqlite"
            with (
                contextlib.closing(perturbed(connection, seed=seed)) as copy,
                contextlib.closing(sqlite3.connect(path)) as file,
            ):
                copy.backup(file)
            yield path


@contextlib.contextmanager
def _engine() -> Iterator[_Engine]:
    named = urls_from_environment()
    with contextlib.nullcontext(named) if named else provided(home()) as urls:
        given: DocumentDatabaseUrls = urls
        with (
            DatabaseLoader(given.loader) as loader,
            contextlib.closing(DocumentsExamined(given.reader)) as examined,
            opened(given.reader, demo=named is None) as executor,
        ):
            yield _Engine(executor=executor, loader=loader, examined=examined)


@contextlib.contextmanager
def _faults_shown() -> Iterator[None]:
    try:
        yield
    except BenchmarkError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAULTY) from error

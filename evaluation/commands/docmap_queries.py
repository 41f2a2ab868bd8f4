"""`aptboard docmap queries`: SQL questions as proved queries, a line for each, or the items of a bundle."""

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.evidence import restated
from benchmark_data.items import item_line
from benchmark_data.types import Difficulty, Item, Split
from evaluation.commands.docmap_sources import (
    Loaded,
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
from evaluation.equivalence_run import SqlQuestion, optimised, prove
from evaluation.types import Limits


def queries(
    source: Source,
    questions: Questions,
    docmap: Annotated[
        Path | None, typer.Option("--docmap", help="The docmap; without it each table is a collection.", exists=True)
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="Write one JSON line for each question.")] = None,
    items: Annotated[
        Path | None, typer.Option("--items", help="Write the proved questions as the items of a bundle.")
    ] = None,
    perturbations: Perturbations = 2,
    instance: Annotated[
        list[Path] | None, typer.Option("--instance", help="Another SQLite file with the same schema.", exists=True)
    ] = None,
    seconds: Seconds = 30.0,
) -> None:
    """Compile each question's SQL and prove the MongoDB query equal, on the source and on other instances.

    Exit codes: 0 all are proved, 1 some are not (each with its reason), 2 a file cannot be used, 4 the document
    database failed.
    """
    asked = questions_of(questions)
    limits = Limits(milliseconds=int(seconds * 1000))
    with faults_shown(), tempfile.TemporaryDirectory() as name, running_engine() as engine:
        folder, design = Path(name), design_of(source, docmap)
        files = [source, *(instance or []), *perturbed_files(source, design, folder, perturbations)]
        with loaded(design, files, engine=engine, limits=limits, folder=folder) as found:
            records = [_record(question, found) for question in asked]
        db_id = design.docmap.db_id
    if output is not None:
        output.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")
    if items is not None:
        made = [_item(question, record, db_id) for question, record in zip(asked, records, strict=True)]
        items.write_text("".join(item_line(item) for item in made if item is not None), encoding="utf-8")
    _report(records, [file.stem for file in files])


def _record(question: dict[str, Any], found: Loaded) -> dict[str, Any]:
    asked = SqlQuestion(question_id=str(question["question_id"]), sql=question["SQL"])
    proof = prove(asked, bench=found.bench, schema=found.schema, layout=found.layout)
    proof = optimised(asked, proof, bench=found.bench, schema=found.schema, layout=found.layout)
    return {
        "question_id": proof.question_id,
        "gold_query": proof.compiled.text if proof.compiled else None,
        "evidence": _evidence(question, found),
        "verdicts": [verdict.value for verdict in proof.verdicts],
        "rows": list(proof.rows),
        "flags": list(proof.flags),
        "reason": proof.reason,
    }


def _evidence(question: dict[str, Any], found: Loaded) -> str:
    evidence = str(question.get("evidence") or "")
    try:
        return restated(evidence, sql=question["SQL"], schema=found.schema, layout=found.layout).text
    except UntranslatableSqlError:
        return evidence


def _item(question: dict[str, Any], record: dict[str, Any], db_id: str) -> Item | None:
    """A proved question as an item, None for another; a tie that SQL leaves open is flagged."""
    if record["reason"]:
        return None
    named = str(question.get("difficulty", ""))
    return Item(
        question_id=record["question_id"],
        db_id=db_id,
        question=str(question.get("question") or question["SQL"]),
        evidence=record["evidence"],
        difficulty=Difficulty(named) if named in set(Difficulty) else Difficulty.UNRATED,
        split=Split.PUBLIC,
        gold_query=record["gold_query"],
        sql=question["SQL"],
        flags=("gold_ambiguous",) if "tied" in record["flags"] else (),
    )


def _report(records: list[dict[str, Any]], instances: list[str]) -> None:
    proved = [each for each in records if not each["reason"]]
    tied = sum("tied" in each["flags"] for each in proved)
    typer.echo(f"Instances: {', '.join(instances)}.")
    typer.echo(f"{len(proved)} of {len(records)} proved equal, {tied} of them up to ties.")
    for each in records:
        if each["reason"]:
            typer.echo(f"{each['question_id']}: {each['reason']}", err=True)
    if len(proved) < len(records):
        raise typer.Exit(1)

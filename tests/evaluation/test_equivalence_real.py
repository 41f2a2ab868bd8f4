"""The questions of two public databases, compiled and proved on both layouts."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.layout import OneToOne
from benchmark_data.docmap.queries.scope import TableLayout
from benchmark_data.docmap.read import read_docmap
from benchmark_data.docmap.sinks import migrate_to_folder
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from benchmark_data.faults import FaultLog
from evaluation.equivalence_run import Bench, Instance, SqlQuestion, prove
from evaluation.equivalence_sqlite import perturbed, schema_of
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import Limits
from tests.realdata import REALDATA, needs_realdata

# Its databases are dropped at the end; equal content is one database on the engine that all workers of a run share.
pytestmark = [*needs_realdata, pytest.mark.engine, pytest.mark.xdist_group("bird")]

DESIGNS = Path(__file__).resolve().parents[2] / "benchmark_data" / "docmap" / "designs"


@pytest.mark.parametrize("design", ["one_to_one", "access_pattern"])
@pytest.mark.parametrize("name", ["superhero", "beer_factory"])
def test_at_least_95_percent_of_the_questions_are_proved_equal(
    name: str, design: str, tmp_path: Path, executor: MongoExecutor, loader: DatabaseLoader
) -> None:
    source = REALDATA / "bird" / name / f"{name}.sqlite"
    files = [source]
    if design == "one_to_one":
        with closing(connect_read_only(source)) as connection, closing(perturbed(connection, seed=1)) as copy:
            files.append(tmp_path / "perturbed.sqlite")
            with closing(sqlite3.connect(files[1])) as file:
                copy.backup(file)
    questions: list[dict[str, Any]] = json.loads((source.parent / "questions.json").read_text(encoding="utf-8"))
    instances, loaded = [], []
    layout: TableLayout = OneToOne()
    for number, path in enumerate(files):
        connection = connect_read_only(path)
        schema = read_schema(connection)
        text = one_to_one(schema, name) if design == "one_to_one" else (DESIGNS / name / "docmap.yaml").read_text()
        docmap = read_docmap(text, schema, FaultLog("docmap"))
        assert docmap is not None
        database = migrate_to_folder(docmap, path, tmp_path / f"documents{number}", file="docmap")
        loader.load(database)
        loaded.append(database)
        instances.append(Instance(name=path.stem, connection=connection, database=database.storage_name))
        if design == "access_pattern":
            layout = DocmapLayout(docmap)
    bench = Bench(
        instances=tuple(instances),
        executor=executor,
        collections=tuple(collection.name for collection in loaded[0].collections),
        limits=Limits(),
    )
    schema_for_sql = schema_of(instances[0].connection)
    asked = [SqlQuestion(question_id=str(each["question_id"]), sql=each["SQL"]) for each in questions]
    proofs = [prove(each, bench=bench, schema=schema_for_sql, layout=layout) for each in asked]
    for instance, database in zip(instances, loaded, strict=True):
        instance.connection.close()
        loader.drop(database.storage_name)
    unproved = {proof.question_id: proof.reason for proof in proofs if not proof.is_proved}
    assert len(unproved) <= len(proofs) * 0.05, unproved

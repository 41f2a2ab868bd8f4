"""Every placement of a docmap is read exactly, orphans and cells that could not be transformed among them."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark_data.docmap.check import checked
from benchmark_data.docmap.proof import prove as prove_docmap
from benchmark_data.docmap.queries.compile import compile_sql
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.sinks import migrate_to_folder
from benchmark_data.docmap.source import connect_read_only, quoted, read_schema
from benchmark_data.docmap.types import Docmap
from benchmark_data.faults import FaultLog
from benchmark_data.load import read_documents
from benchmark_data.types import Collection
from evaluation.equivalence_perturbed import perturbed
from evaluation.equivalence_run import Bench, Instance, Proof, SqlQuestion, optimised, prove
from evaluation.equivalence_sqlite import schema_of
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import Limits
from tests.evaluation.equivalence_designs import DOCMAP, PRECOMPUTED, QUERIES, SOURCE

pytestmark = pytest.mark.engine

Setting = tuple[Bench, DocmapLayout]


@pytest.fixture(scope="module")
def design(worker_id: str) -> str:
    """The docmap under a name of the process's own: equal content is one database on the engine that all share."""
    return DOCMAP.replace("db_id: toys", f"db_id: toys_{worker_id}")


def files(folder: Path) -> list[Path]:
    """The source, and two altered copies of it."""
    paths = [folder / f"toys{number}.sqlite" for number in range(3)]
    with closing(sqlite3.connect(paths[0])) as connection:
        connection.executescript(SOURCE)
        docmap = checked(DOCMAP, connection, FaultLog("docmap"))
        for number, path in enumerate(paths[1:], start=1):
            with (
                closing(perturbed(connection, seed=number, docmap=docmap)) as copy,
                closing(sqlite3.connect(path)) as file,
            ):
                copy.backup(file)
    return paths


def is_lossless(docmap: Docmap, source: Path, collections: Mapping[str, Collection]) -> bool:
    (findings,) = prove_docmap(docmap, source, {"written": lambda name: read_documents(collections[name])})
    return findings.is_lossless


@pytest.fixture(scope="module")
def setting(
    design: str, tmp_path_factory: pytest.TempPathFactory, executor: MongoExecutor, loader: DatabaseLoader
) -> Iterator[Setting]:
    folder = tmp_path_factory.mktemp("toys")
    instances: list[Instance] = []
    collections: dict[str, Collection] = {}
    with ExitStack() as stack:
        for path in files(folder):
            connection = stack.enter_context(closing(connect_read_only(path)))
            docmap = checked(design, connection, FaultLog("docmap"))
            database = migrate_to_folder(docmap, path, folder / path.stem, file="docmap")
            found = {collection.name: collection for collection in database.collections}
            assert is_lossless(docmap, path, found)
            loader.load(database)
            stack.callback(loader.drop, database.storage_name)
            instances.append(Instance(name=path.stem, connection=connection, database=database.storage_name))
            collections |= found
        schema = schema_of(instances[0].connection)
        limits = Limits(milliseconds=5_000)
        bench = Bench(instances=tuple(instances), executor=executor, collections=tuple(collections), limits=limits)
        yield bench, DocmapLayout(docmap, schema, collections=collections)


def proof_of(sql: str, setting: Setting) -> Proof:
    bench, layout = setting
    schema = schema_of(bench.instances[0].connection)
    question = SqlQuestion(question_id="q", sql=sql)
    exact = prove(question, bench=bench, schema=schema, layout=layout)
    assert not exact.reason, (exact.reason, exact.compiled)
    return optimised(question, exact, bench=bench, schema=schema, layout=layout)


@pytest.mark.parametrize("name", QUERIES)
def test_each_placement_is_read_exactly(name: str, setting: Setting) -> None:
    found = proof_of(QUERIES[name], setting)
    assert found.is_proved, (found.reason, found.compiled)
    assert ("precomputed" in found.flags) == (name in PRECOMPUTED), found.compiled


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ('{column: opened, type: date, on_fail: "null"}', "were replaced by null"),
        ("{column: opened, type: date, format: '%b %d', on_fail: keep}", "does not know the format"),
        ("{column: opened, type: int, stored: text, on_fail: keep}", "kept beside numbers"),
    ],
)
def test_a_column_whose_value_no_expression_restores_is_refused_with_the_reason(field: str, told: str) -> None:
    text = DOCMAP.replace("{column: opened, type: date, on_fail: keep}", field)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SOURCE)
        schema = schema_of(connection)
        layout = DocmapLayout(checked(text, connection, FaultLog("docmap")), schema)
    with pytest.raises(UntranslatableSqlError, match=told) as caught:
        compile_sql("SELECT opened FROM maker", schema=schema, layout=layout)
    assert caught.value.rule == "no_place"
    assert compile_sql("SELECT name FROM maker", schema=schema, layout=layout).collection == "makers"


def disturbed(path: Path, seed: int) -> Path:
    """The source with rows gone, cells NULL, keys that dangle or point elsewhere, values moved."""
    chance = Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(SOURCE)
        for table in read_schema(connection).tables:
            name = quoted(table.name)
            # Two prices of one year cannot be in one map.
            fixed = table.primary_key if table.name != "price" else table.column_names
            free = [each.name for each in table.columns if each.name not in fixed]
            for (row,) in connection.execute(f"SELECT rowid FROM {name}").fetchall():
                if chance.random() < 0.2:
                    connection.execute(f"DELETE FROM {name} WHERE rowid = ?", (row,))
                for column in (each for each in free if chance.random() < 0.25):
                    values = [None, *(value for (value,) in connection.execute(f"SELECT {quoted(column)} FROM {name}"))]
                    values += [1, 2, 55] if column.endswith("_id") else []
                    cell = chance.choice(values)
                    connection.execute(f"UPDATE {name} SET {quoted(column)} = ? WHERE rowid = ?", (cell, row))
    return path


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_each_placement_is_read_exactly_on_disturbed_rows(
    design: str, seed: int, tmp_path_factory: pytest.TempPathFactory, executor: MongoExecutor, loader: DatabaseLoader
) -> None:
    folder = tmp_path_factory.mktemp("disturbed")
    path = disturbed(folder / f"toys-{seed}.sqlite", seed)
    with closing(connect_read_only(path)) as connection:
        docmap = checked(design, connection, FaultLog("docmap"))
        database = migrate_to_folder(docmap, path, folder / "documents", file="docmap")
        loader.load(database)
        names = tuple(collection.name for collection in database.collections)
        instance = Instance(name=str(seed), connection=connection, database=database.storage_name)
        bench = Bench(instances=(instance,), executor=executor, collections=names, limits=Limits(milliseconds=5_000))
        schema = schema_of(connection)
        layout = DocmapLayout(docmap, schema, collections=names)
        for name, sql in QUERIES.items():
            found = prove(SqlQuestion(question_id=name, sql=sql), bench=bench, schema=schema, layout=layout)
            assert found.is_proved or found.reason.startswith("vacuous"), (name, found.reason, found.compiled)
        loader.drop(database.storage_name)

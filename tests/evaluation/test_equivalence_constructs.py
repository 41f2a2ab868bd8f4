"""Each construct of SQL gives the same rows on SQLite and, compiled, on the document database."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pymongo import MongoClient
from pymongo.database import Database

from benchmark_data.docmap.queries.layout import OneToOne
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.equivalence_run import Bench, Instance, SqlQuestion, prove
from evaluation.equivalence_sqlite import schema_of
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import Limits
from tests.evaluation.equivalence_cases import QUERIES, SCHEMA

pytestmark = pytest.mark.engine

TABLES = ("maker", "toy", "sale")
LABELS = st.sampled_from(["Ant", "ant", "Bär", "BÄR", "b_x", "100%", "", "a.b", "aXb", "b\n", None])
CODES = st.sampled_from(["12", "007", "3.5", "x9", " 4", "-2e1", "", None])
DATES = st.sampled_from(["2014-07-05", "2014-12-31", "2015-01-01 10:20:30", "2015-02-28T08:09", "junk", None])
NUMBERS = st.one_of(st.none(), st.integers(-3, 5))
PRICES = st.sampled_from([0.0, 1.5, 2.5, -2.5, 10.0, 0.125, None])
MAKERS = st.lists(st.tuples(LABELS, st.sampled_from(["DE", "FR", None]), DATES), max_size=4)
TOYS = st.lists(st.tuples(NUMBERS, LABELS, PRICES, NUMBERS, DATES, CODES), max_size=7)
SALES = st.lists(st.tuples(NUMBERS, DATES, NUMBERS), max_size=4)


@dataclass(frozen=True)
class Place:
    """The document side: a database that is filled anew for each example."""

    database: "Database[dict[str, Any]]"
    executor: MongoExecutor

    def filled(self, connection: sqlite3.Connection) -> Instance:
        """Both sides with the same rows; NULL is null in one half of the documents and missing in the other."""
        for table in TABLES:
            cursor = connection.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            documents = [dict(zip(names, row, strict=True)) for row in cursor]
            for document in documents[::2]:
                for name in [name for name, value in document.items() if value is None]:
                    del document[name]
            self.database[table].delete_many({})
            if documents:
                self.database[table].insert_many(documents)
        return Instance(name="example", connection=connection, database=self.database.name)


@pytest.fixture(scope="module")
def place(document_database: DocumentDatabaseUrls, executor: MongoExecutor, worker_id: str) -> Iterator[Place]:
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        name = f"equivalence_{worker_id}"
        yield Place(database=client[name], executor=executor)
        client.drop_database(name)


def tables(makers: list[Any], toys: list[Any], sales: list[Any]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    connection.executemany("INSERT INTO maker VALUES (?, ?, ?, ?)", [(n, *row) for n, row in enumerate(makers, 1)])
    connection.executemany("INSERT INTO toy VALUES (?, ?, ?, ?, ?, ?, ?)", [(n, *row) for n, row in enumerate(toys, 1)])
    connection.executemany("INSERT INTO sale VALUES (?, ?, ?)", sales)
    return connection


# Without shrinking: one example asks the server a hundred times.
@settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(makers=MAKERS, toys=TOYS, sales=SALES)
def test_every_construct_gives_the_rows_of_sqlite(place: Place, makers: Any, toys: Any, sales: Any) -> None:
    connection = tables(makers, toys, sales)
    try:
        instance = place.filled(connection)
        schema = schema_of(connection)
        bench = Bench(instances=(instance,), executor=place.executor, collections=TABLES, limits=Limits())
        for name, sql in QUERIES.items():
            proof = prove(SqlQuestion(question_id=name, sql=sql), bench=bench, schema=schema, layout=OneToOne())
            assert proof.is_proved or proof.reason.startswith("vacuous"), (sql, proof.reason, proof.compiled)
    finally:
        connection.close()

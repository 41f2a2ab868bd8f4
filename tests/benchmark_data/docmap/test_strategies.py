"""The mechanical baselines, with their failures."""

from contextlib import closing
from pathlib import Path

import pytest

from benchmark_data.docmap.baseline import Outcome, fk_embedding_baseline
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from tests.benchmark_data.docmap.sources import SHOP, database, docmap_of, documents, findings_of, migrated

CHAIN = (
    "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a(id));"
    "CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b(id), t TEXT);"
)
BASELINES = {
    "all rows are held": (
        CHAIN + "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1); INSERT INTO c VALUES (1, 1, '')",
        Outcome.OK,
        0,
    ),
    "children without parent vanish with all below": (
        CHAIN + "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1), (2, NULL), (3, 9);"
        "INSERT INTO c VALUES (1, 1, ''), (2, 2, ''), (3, NULL, '')",
        Outcome.PARTIAL,
        4,
    ),
    "several keys between two tables are one condition": (
        "CREATE TABLE colour (id INTEGER PRIMARY KEY);"
        "CREATE TABLE hero (id INTEGER, eyes INTEGER REFERENCES colour(id), hair INTEGER REFERENCES colour(id));"
        "INSERT INTO colour VALUES (1), (2); INSERT INTO hero VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1)",
        Outcome.PARTIAL,
        2,
    ),
    "a table that points at itself is not embedded in itself": (
        "CREATE TABLE p (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES p(id));INSERT INTO p VALUES (1, NULL), (2, 1)",
        Outcome.OK,
        0,
    ),
    "tables that point at each other": (
        "CREATE TABLE a (id INTEGER PRIMARY KEY REFERENCES b(id));"
        "CREATE TABLE b (id INTEGER PRIMARY KEY REFERENCES a);"
        "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)",
        Outcome.RECURSION,
        2,
    ),
    "a key with an apostrophe": (
        "CREATE TABLE a (name TEXT PRIMARY KEY); CREATE TABLE b (a TEXT REFERENCES a(name));"
        "INSERT INTO a VALUES ('plain'), ('Dad''s'); INSERT INTO b VALUES ('plain'), ('Dad''s')",
        Outcome.SQL_ERROR,
        4,
    ),
    "a key with two apostrophes breaks no query": (
        "CREATE TABLE a (name TEXT PRIMARY KEY); CREATE TABLE b (a TEXT REFERENCES a(name));"
        "INSERT INTO a VALUES ('x' || char(39, 39) || 'y'); INSERT INTO b SELECT name FROM a",
        Outcome.OK,
        0,
    ),
    "a key that is NULL": (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, code INTEGER UNIQUE); CREATE TABLE b (a INTEGER REFERENCES a(code));"
        "INSERT INTO a VALUES (1, 5), (2, NULL); INSERT INTO b VALUES (5)",
        Outcome.SQL_ERROR,
        3,
    ),
    "an apostrophe where no key is pasted": (
        "CREATE TABLE a (name TEXT PRIMARY KEY); CREATE TABLE b (id INTEGER); INSERT INTO a VALUES ('Dad''s')",
        Outcome.OK,
        0,
    ),
    "a document above 16 MiB": (
        CHAIN + "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 170)"
        "INSERT INTO c SELECT i, 1, hex(zeroblob(50000)) FROM n",
        Outcome.DOCUMENT_TOO_LARGE,
        172,
    ),
}


@pytest.mark.parametrize(("script", "outcome", "lost"), BASELINES.values(), ids=BASELINES)
def test_the_embedding_along_foreign_keys_ends_as_it_must(
    tmp_path: Path, script: str, outcome: Outcome, lost: int
) -> None:
    source = database(tmp_path, script)
    found = fk_embedding_baseline(source, "x")
    assert (found.outcome, found.lost) == (outcome, lost), found.message
    if outcome in {Outcome.OK, Outcome.PARTIAL}:
        docmap = docmap_of(source, found.docmap)
        proof = findings_of(docmap, source, migrated(docmap, source, tmp_path / "out"))
        assert (proof.missing, proof.extra) == (lost, 0)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_an_embedding_that_takes_too_long_is_a_timeout_and_gives_nothing(tmp_path: Path, seconds: float) -> None:
    source = database(tmp_path, CHAIN + "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1)")
    found = fk_embedding_baseline(source, "x", seconds=seconds)
    assert (found.outcome, found.lost, found.docmap) == (Outcome.TIMEOUT, 2, "")
    assert fk_embedding_baseline(source, "x").outcome is Outcome.OK


def test_the_message_names_the_key_that_breaks_the_query(tmp_path: Path) -> None:
    script, *_ = BASELINES["a key with an apostrophe"]
    found = fk_embedding_baseline(database(tmp_path, script), "x")
    assert found.message.startswith('a has the key ("Dad\'s",), with which the query for b fails: ')


def test_a_row_that_one_tree_lacks_and_another_holds_is_not_lost(tmp_path: Path) -> None:
    found = fk_embedding_baseline(database(tmp_path, SHOP), "shop")
    assert (found.outcome, found.tables["brand"].lost, found.tables["product"].lost) == (Outcome.PARTIAL, 1, 1)
    assert (found.tables["brand_tag"].lost, found.tables["brand_tag"].copies) == (0, 1)


def test_one_to_one_keeps_every_row_and_indexes_on_demand(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    with closing(connect_read_only(source)) as connection:
        schema = read_schema(connection)
    docmap = docmap_of(source, one_to_one(schema, "shop", indexed=True))
    made = migrated(docmap, source, tmp_path / "out")
    assert documents(made, "product")[3] == {"sku": 13, "brand_id": None, "kind": "Keg"}
    assert findings_of(docmap, source, made).is_lossless
    indexes = {one.name: [index.keys for index in one.indexes] for one in made.collections}
    assert indexes["product"] == [(("sku", 1),), (("brand_id", 1),)]
    assert one_to_one(schema, "shop") == one_to_one(schema, "shop")
    assert "indexes" not in one_to_one(schema, "shop")

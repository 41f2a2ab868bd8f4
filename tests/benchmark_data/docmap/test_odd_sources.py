"""Databases as they are found: odd names, mixed types, dangling keys, tables that point at each other."""

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark_data.docmap.source import SourceError, connect_read_only, read_schema
from tests.benchmark_data.docmap.sources import (
    HEAD,
    database,
    docmap_of,
    documents,
    findings_of,
    mechanical,
    migrated,
)

ODD = """
CREATE TABLE "transaction" ("order" INTEGER PRIMARY KEY, "100 % sure" TEXT, "it's ""so"" %" REAL, "$price" INT, "a.b");
CREATE TABLE "Ünï (x)" ("select" TEXT, "rowid" TEXT, "_id" INTEGER, "$" BLOB);
CREATE TABLE "system.users" (a);
CREATE TABLE pair (x TEXT, y INTEGER, z ANY, PRIMARY KEY (x, y)) WITHOUT ROWID;
CREATE TABLE child (x TEXT, y INTEGER, FOREIGN KEY (x, y) REFERENCES pair);
CREATE TABLE one (id INTEGER PRIMARY KEY REFERENCES other(id), v);
CREATE TABLE other (id INTEGER PRIMARY KEY REFERENCES one(id), v);
CREATE TABLE generated (a INTEGER, twice INTEGER GENERATED ALWAYS AS (a * 2) STORED);
CREATE TABLE empty (a, b);
INSERT INTO generated (a) VALUES (4);
"""
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "transaction": [
        (1, "it's 100%", math.inf, 2**62, b"\x00\xff"),
        (2, "", -0.0, "text", None),
        (3, None, 1e-320, -1, 1.0),
    ],
    "Ünï (x)": [("a\0b", "r", None, b""), ("a\0b", "r", None, b"")],
    "system.users": [(1,), (1.0,), ("1",), (b"1",), (-0.0,), (None,)],
    "pair": [("p", 1, "007"), ("q", 2, 7), ("P", 1, 7.5)],
    "child": [("p", 1), ("p", None), ("nobody", 9)],
    "one": [(1, "a"), (2, None)],
    "other": [(1, "b"), (2, 2.0)],
}


def test_an_odd_database_comes_back_bit_by_bit(tmp_path: Path) -> None:
    source = database(tmp_path, ODD, ROWS)
    docmap = mechanical(source)
    made = migrated(docmap, source, tmp_path / "out")
    found = findings_of(docmap, source, made)
    assert found.is_lossless, found
    assert found.tables["system.users"].rows == 6
    assert {one.name for one in made.collections} >= {"transaction", "Ünï (x)", "_system.users", "empty"}
    assert list(documents(made, "transaction")[0]) == ["order", "100 % sure", 'it\'s "so" %', "_price", "a_b"]


def test_rows_of_a_composite_key_are_embedded_and_come_back(tmp_path: Path) -> None:
    source = database(tmp_path, ODD, ROWS)
    text = HEAD + (
        "collections: {ps: {table: pair, _id: {columns: {x: x, y: y}}, fields: {z: z, cs:"
        " {embed_many: {via: 'child.(x, y)', role: home, fields: {}, orphans: {collection: strays}}}}},"
        " ones: {table: one, _id: id, fields: {v: v, other: {embed_one: {via: other.id, role: home,"
        " fields: {v: v}}}}}}\n"
        "waivers: [{table: transaction, reason: x}, {table: Ünï (x), reason: x}, {table: system.users, reason: x},"
        " {table: generated, reason: x}, {table: empty, reason: x}]"
    )
    docmap = docmap_of(source, text)
    made = migrated(docmap, source, tmp_path / "out")
    assert documents(made, "strays") == [{"x": "p", "y": None}, {"x": "nobody", "y": 9}]
    assert documents(made, "ones")[0] == {"_id": 1, "v": "a", "other": {"v": "b"}}
    assert findings_of(docmap, source, made).is_lossless


def test_a_key_of_another_type_than_its_parents_is_not_passed_over(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (n INTEGER, t TEXT REFERENCES t(id));"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES (1, '1');",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {ts: {table: t, _id: id, fields: {cs:"
        " {embed_many: {via: c.t, role: home, fields: {n: n}}}}}}",
    )
    found = findings_of(docmap, source, migrated(docmap, source, tmp_path / "out"))
    assert (found.tables["c"].missing_examples, found.tables["c"].extra_examples) == (("(1, '1')",), ("(1, 1)",))


CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=5),
    st.binary(max_size=3),
)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=8))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_of_any_cells_come_back(tmp_path: Path, rows: list[tuple[Any, Any]]) -> None:
    source = database(tmp_path, "CREATE TABLE t (a, b)", {"t": rows})
    docmap = mechanical(source)
    assert findings_of(docmap, source, migrated(docmap, source, tmp_path / "out")).is_lossless


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_text("These are my notes, and they are long enough to be looked at as a database's header.")
    with pytest.raises(SourceError, match=r"notes\.sqlite: not a SQLite database that can be read"):
        connect_read_only(path)
    with pytest.raises(SourceError, match=r"none\.sqlite: there is no such file"):
        connect_read_only(tmp_path / "none.sqlite")


def test_a_foreign_key_to_nowhere_is_noted_and_not_followed(tmp_path: Path) -> None:
    source = database(tmp_path, "CREATE TABLE c (a INTEGER REFERENCES gone(id), B INTEGER REFERENCES C(a))")
    connection = connect_read_only(source)
    (table,) = read_schema(connection).tables
    connection.close()
    assert table.broken_links == ("the foreign key c.a points at gone, which lacks it.",)
    assert [(link.parent, link.parent_columns) for link in table.links] == [("c", ("a",))]


def test_a_source_is_never_written_to(tmp_path: Path) -> None:
    source = database(tmp_path, ODD, ROWS)
    before = source.read_bytes()
    source.chmod(0o444)
    migrated(mechanical(source), source, tmp_path / "out")
    assert source.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "source.sqlite"]


FAMILY = """
CREATE TABLE p (id INTEGER PRIMARY KEY, v);
CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id), v);
CREATE TABLE g (c INTEGER REFERENCES c(id), v);
"""
FAMILY_DOCMAP = """
collections:
  ps:
    table: p
    _id: id
    fields:
      v: v
      cs:
        embed_many:
          via: c.p
          role: home
          fields:
            id: id
            v: v
            gs: {embed_many: {via: g.c, role: home, scalar: v, orphans: {collection: lost_gs}}}
          orphans: {collection: lost_cs}
"""
KEYS = st.one_of(st.none(), st.integers(1, 6))


@given(
    st.dictionaries(st.integers(1, 4), CELLS, max_size=4),
    st.dictionaries(st.integers(1, 5), st.tuples(KEYS, CELLS), max_size=5),
    st.lists(st.tuples(KEYS, CELLS), max_size=8),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_children_come_back_wherever_their_keys_point(
    tmp_path: Path,
    parents: dict[int, Any],
    children: dict[int, tuple[int | None, Any]],
    grandchildren: list[tuple[int | None, Any]],
) -> None:
    rows: dict[str, list[tuple[Any, ...]]] = {
        "p": list(parents.items()),
        "c": [(key, *rest) for key, rest in children.items()],
        "g": list(grandchildren),
    }
    source = database(tmp_path, FAMILY, rows)
    docmap = docmap_of(source, HEAD + FAMILY_DOCMAP)
    found = findings_of(docmap, source, migrated(docmap, source, tmp_path / "out"))
    assert found.is_lossless, found
    assert {name: one.rows for name, one in found.tables.items()} == {t: len(r) for t, r in rows.items() if r}


def test_a_damaged_file_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    source = database(tmp_path, "CREATE TABLE t (a)", {"t": [("x" * 3_000,) for _ in range(50)]})
    docmap = mechanical(source)
    data = bytearray(source.read_bytes())
    data[4096:20_000] = b"\xff" * (20_000 - 4096)
    source.write_bytes(bytes(data))
    with pytest.raises(SourceError, match=r"source\.sqlite: SQLite gave up: "):
        migrated(docmap, source, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["source.sqlite"]


def test_an_expression_that_fails_on_a_row_is_told(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (t INTEGER REFERENCES t(id), n INTEGER);"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES (1, 9223372036854775807), (1, 1);",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {ts: {table: t, _id: id, fields: {n: {computed: {via: c.t, op: sum, expr: n}}}},"
        " cs: {table: c, fields: {t: t, n: n}}}",
    )
    with pytest.raises(SourceError, match=r"source\.sqlite: SQLite gave up: integer overflow\."):
        migrated(docmap, source, tmp_path / "out")

"""The comparison of SQL rows with document rows: values, order, ties; and the SQL side of the harness."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.docmap.check import checked
from benchmark_data.faults import FaultLog
from evaluation.equivalence import Reference, TieGroup, Verdict, compare_rows
from evaluation.equivalence_perturbed import perturbed
from evaluation.equivalence_sqlite import SqlFailedError, reference_of, schema_of

DOCMAP = """
docmap: 1
source: {db_id: family}
collections:
  parents:
    table: parent
    _id: id
    fields:
      name: name
      children: {embed_many: {via: child.parent_id, role: home, order_by: [id], fields: {id: id, size: size}}}
"""


def reference(*groups: tuple[list[tuple[Any, ...]], int]) -> Reference:
    return Reference(groups=tuple(TieGroup(rows=tuple(rows), kept=kept) for rows, kept in groups))


@pytest.mark.parametrize(
    ("expected", "found", "verdict"),
    [
        ([(1,), (2,)], [(2,), (1,)], Verdict.EQUAL),
        ([(1,), (1,)], [(1,), (2,)], Verdict.DIFFERENT),
        ([(1,)], [(1,), (1,)], Verdict.DIFFERENT),
        ([(1,)], [(1.0,)], Verdict.EQUAL),
        ([(1,)], [("1",)], Verdict.DIFFERENT),
        ([(1,)], [(True,)], Verdict.DIFFERENT),
        ([(None,)], [(None,)], Verdict.EQUAL),
        ([(None,)], [(0,)], Verdict.DIFFERENT),
        ([(0.1 + 0.2,)], [(0.3,)], Verdict.EQUAL),
        ([(1.0001,)], [(1.0,)], Verdict.DIFFERENT),
        ([("2014-07-05",)], [(datetime(2014, 7, 5, tzinfo=UTC),)], Verdict.EQUAL),
        ([("2014-07-05 10:00:01",)], [(datetime(2014, 7, 5, 10, 0, 1),)], Verdict.EQUAL),  # noqa: DTZ001
        ([("a", 1), ("b", 2)], [("a", 2), ("b", 1)], Verdict.DIFFERENT),
        ([], [], Verdict.EQUAL),
    ],
)
def test_rows_without_an_order_are_compared_as_multisets(
    expected: list[tuple[Any, ...]], found: list[tuple[Any, ...]], verdict: Verdict
) -> None:
    assert compare_rows(reference((expected, len(expected))), found)[0] is verdict


def test_rows_with_an_order_are_compared_group_by_group() -> None:
    given_order = reference(([("a",), ("b",)], 2), ([("c",)], 1))
    assert compare_rows(given_order, [("b",), ("a",), ("c",)])[0] is Verdict.EQUAL
    assert compare_rows(given_order, [("c",), ("a",), ("b",)])[0] is Verdict.DIFFERENT


def test_any_row_of_a_tie_at_the_limit_is_right_and_flagged() -> None:
    tied = reference(([("a",)], 1), ([("b",), ("c",)], 1))
    assert compare_rows(tied, [("a",), ("c",)])[0] is Verdict.TIED
    assert compare_rows(tied, [("a",), ("d",)])[0] is Verdict.DIFFERENT


def test_a_tie_of_equal_rows_leaves_nothing_open() -> None:
    assert compare_rows(reference(([("a",), ("a",)], 1)), [("a",)])[0] is Verdict.EQUAL


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.one_of(st.none(), st.integers(-3, 3), st.floats(-3, 3), st.text(max_size=2)))), st.randoms()
)
def test_the_order_of_rows_never_counts_where_sql_has_none(rows: list[tuple[Any, ...]], random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert compare_rows(reference((rows, len(rows))), shuffled)[0] is Verdict.EQUAL


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:", isolation_level=None)
    made.executescript("""
        CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent (id), size INTEGER);
    """)
    made.executemany("INSERT INTO parent VALUES (?, ?)", [(n, f"p{n}") for n in range(1, 41)])
    made.executemany("INSERT INTO child VALUES (?, ?, ?)", [(n, n % 40 + 1, n % 3) for n in range(1, 121)])
    yield made
    made.close()


@pytest.mark.parametrize(
    ("sql", "sizes"),
    [
        ("SELECT id FROM child ORDER BY size LIMIT 2", [(40, 2)]),
        ("SELECT id FROM child ORDER BY size DESC LIMIT 50", [(40, 40), (40, 10)]),
        ("SELECT id FROM child ORDER BY size LIMIT 5 OFFSET 38", [(40, 2), (40, 3)]),
        ("SELECT id, size AS s FROM child ORDER BY s, id LIMIT 2", [(1, 1), (1, 1)]),
        ("SELECT id, size FROM child ORDER BY 2, 1 LIMIT 1", [(1, 1)]),
        ("SELECT id FROM child LIMIT 3", [(120, 3)]),
        ("SELECT COUNT(*) FROM child", [(1, 1)]),
        ("SELECT size FROM child GROUP BY size ORDER BY COUNT(*) LIMIT 1", [(3, 1)]),
    ],
)
def test_ties_are_found_by_running_the_query_without_its_limit(
    connection: sqlite3.Connection, sql: str, sizes: list[tuple[int, int]]
) -> None:
    assert [(len(group.rows), group.kept) for group in reference_of(connection, sql).groups] == sizes


def test_sql_that_fails_or_takes_too_long_says_so(connection: sqlite3.Connection) -> None:
    with pytest.raises(SqlFailedError, match="no such column"):
        reference_of(connection, "SELECT absent FROM child")
    with pytest.raises(SqlFailedError, match="interrupted"):
        reference_of(connection, "SELECT COUNT(*) FROM child a, child b, child c, child d, child e", seconds=0.01)


def test_a_perturbed_copy_is_the_same_each_time_and_lacks_rows_and_values(connection: sqlite3.Connection) -> None:
    first, again, other = (perturbed(connection, seed=seed) for seed in (1, 1, 2))
    rows = [copy.execute("SELECT * FROM child").fetchall() for copy in (first, again, other)]
    assert rows[0] == rows[1] != rows[2]
    assert 60 < len(rows[0]) < 120
    assert any(row[1] is None for row in rows[0])
    assert not any(row[0] is None for row in rows[0])
    dangling = "SELECT COUNT(*) FROM child WHERE parent_id NOT IN (SELECT id FROM parent)"
    assert first.execute(dangling).fetchone()[0] > 0
    for copy in (first, again, other):
        copy.close()


def test_a_copy_for_a_docmap_keeps_links_and_keys_that_are_never_null(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE child SET parent_id = 1 + id % 40")
    docmap = checked(DOCMAP, connection, FaultLog("docmap"))
    copy = perturbed(connection, seed=1, docmap=docmap)
    (children,) = copy.execute("SELECT COUNT(*) FROM child").fetchone()
    (dangling,) = copy.execute(
        "SELECT COUNT(*) FROM child WHERE parent_id IS NULL OR parent_id NOT IN (SELECT id FROM parent)"
    ).fetchone()
    assert 30 < children < 100
    assert dangling == 0
    assert copy.execute("SELECT COUNT(*) FROM child WHERE size IS NULL").fetchone()[0] > 0
    copy.close()


def test_the_schema_tells_what_the_cells_hold(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE child SET size = 'many' WHERE id = 1")
    child = schema_of(connection).table("CHILD")
    assert child is not None
    assert [(column.name, column.nullable, column.classes) for column in child.columns] == [
        ("id", False, frozenset({"integer"})),
        ("parent_id", True, frozenset({"integer"})),
        ("size", True, frozenset({"integer", "text"})),
    ]

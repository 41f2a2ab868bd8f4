"""Scaling: as many rows as asked for, and each copy hangs together as the source does."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.docmap.scale import scale_database
from benchmark_data.docmap.source import SourceError
from benchmark_data.docmap.types import Link
from tests.benchmark_data.docmap.sources import SHOP, database


def answer(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_each_table_has_factor_times_its_rows_and_every_key_holds(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    report = scale_database(source, tmp_path / "big.sqlite", factor=3)
    assert report.rows == {
        "brand": (3, 9),
        "brand_tag": (3, 9),
        "brewer": (2, 6),
        "product": (4, 12),
        "review": (3, 9),
        "tag": (2, 6),
    }
    assert report.violations == (0, 0)


def test_fan_outs_stay_what_they_were(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    scale_database(source, tmp_path / "big.sqlite", factor=4)
    held = "SELECT count(sku) n FROM brand LEFT JOIN product ON brand_id = brand.id GROUP BY brand.id"
    sql = f"SELECT n, count(*) FROM ({held}) GROUP BY n"
    assert answer(tmp_path / "big.sqlite", sql) == [(n, 4 * count) for n, count in answer(source, sql)]


def test_a_declared_link_that_the_database_does_not_know_is_kept(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    link = Link(name="r", child="review", child_columns=("brand_id",), parent="brand", parent_columns=("id",))
    scale_database(source, tmp_path / "with.sqlite", factor=2, links=[link])
    scale_database(source, tmp_path / "without.sqlite", factor=2)
    sql = "SELECT count(DISTINCT brand_id), count(DISTINCT day) FROM review"
    assert answer(tmp_path / "with.sqlite", sql) == [(4, 3)]
    # Without the link, the key gets fresh days for the brands that are there.
    assert answer(tmp_path / "without.sqlite", sql) == [(2, 6)]


KEYS = {
    "integers": ("id INTEGER PRIMARY KEY", [(3,), (5,)], [3, 5, 6, 8, 9, 11]),
    "codes": ("id TEXT PRIMARY KEY", [("AB001",), ("AB003",)], ["AB001", "AB003", "AB004", "AB006", "AB007", "AB009"]),
    "days": (
        "id TEXT PRIMARY KEY",
        [("2020-02-28",), ("2020-02-29",)],
        ["2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02", "2020-03-03", "2020-03-04"],
    ),
    "words": ("id TEXT PRIMARY KEY", [("one",), ("two",)], ["one", "one-1", "one-2", "two", "two-1", "two-2"]),
    "numbers whose padding differs": (
        "id TEXT PRIMARY KEY",
        [("A1",), ("A01",)],
        ["A01", "A01-1", "A01-2", "A1", "A1-1", "A1-2"],
    ),
    "a unique column that is no key": ("id TEXT UNIQUE", [("x7",), (None,)], [None, None, None, "x7", "x8", "x9"]),
}


@pytest.mark.parametrize(("column", "rows", "wanted"), KEYS.values(), ids=KEYS)
def test_fresh_keys_follow_the_pattern_of_those_that_are_there(
    tmp_path: Path, column: str, rows: list[tuple[Any]], wanted: list[Any]
) -> None:
    source = database(tmp_path, f"CREATE TABLE t ({column})", {"t": rows})
    scale_database(source, tmp_path / "big.sqlite", factor=3)
    assert [id_ for (id_,) in answer(tmp_path / "big.sqlite", "SELECT id FROM t ORDER BY id")] == wanted


def test_a_text_key_follows_the_integer_that_it_points_at(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (t TEXT REFERENCES t(id));"
        "INSERT INTO t VALUES (1), (2); INSERT INTO c VALUES ('2'), (NULL), ('99');",
    )
    report = scale_database(source, tmp_path / "big.sqlite", factor=2)
    assert report.violations == (1, 2)
    assert answer(tmp_path / "big.sqlite", "SELECT t, typeof(t) FROM c WHERE t < '99' ORDER BY 1") == [
        ("101", "text"),
        ("198", "text"),
        ("2", "text"),
    ]


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    for factor in (3, 0.5, 2.5):
        scale_database(source, tmp_path / "a.sqlite", factor=factor, seed=1)
        scale_database(source, tmp_path / "b.sqlite", factor=factor, seed=1)
        assert (tmp_path / "a.sqlite").read_bytes() == (tmp_path / "b.sqlite").read_bytes()


def test_a_part_has_all_rows_that_it_points_at(tmp_path: Path) -> None:
    rows: dict[str, list[tuple[Any, ...]]] = {
        "p": [(n,) for n in range(200)],
        "c": [(n, n * 7 % 200) for n in range(1_000)],
    }
    script = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (n INTEGER, p INTEGER REFERENCES p(id));"
    source = database(tmp_path, script, rows)
    report = scale_database(source, tmp_path / "part.sqlite", factor=0.1)
    assert 60 < report.rows["c"][1] < 140
    assert report.violations == (0, 0)
    other = scale_database(source, tmp_path / "other.sqlite", factor=0.1, seed=1)
    assert answer(tmp_path / "part.sqlite", "SELECT n FROM c") != answer(tmp_path / "other.sqlite", "SELECT n FROM c")
    assert other.rows["p"][1] <= 200


def test_triggers_stay_and_do_not_fire(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE log (n); INSERT INTO t VALUES (1);"
        "CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END;",
    )
    scale_database(source, tmp_path / "big.sqlite", factor=5)
    assert answer(tmp_path / "big.sqlite", "SELECT (SELECT count(*) FROM log), count(*) FROM sqlite_master") == [(0, 3)]


REFUSED = {
    "a constraint that copies break": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY CHECK (id < 4)); INSERT INTO t VALUES (1), (3)",
        2,
        "source.sqlite cannot be scaled: CHECK constraint failed: id < 4.",
    ),
    "a key beyond 64 bits": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (-9223372036854775807), (9223372036854775807)",
        2,
        "source.sqlite cannot be scaled: ",
    ),
    "no factor": ("CREATE TABLE t (id)", 0, "the factor must be above 0 and at most 100,000, not 0."),
}


@pytest.mark.parametrize(("script", "factor", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_scaled_is_told_and_nothing_is_written(
    tmp_path: Path, script: str, factor: float, message: str
) -> None:
    source = database(tmp_path, script)
    with pytest.raises(SourceError) as caught:
        scale_database(source, tmp_path / "big.sqlite", factor=factor)
    assert str(caught.value).startswith(message)
    assert [path.name for path in tmp_path.iterdir()] == ["source.sqlite"]

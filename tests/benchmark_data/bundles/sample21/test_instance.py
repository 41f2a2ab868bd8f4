"""An instance is written as schema and rows say, or every misfit between them is told."""

import contextlib
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark_data.bundles.sample21.instance import checked_docmap, source_digest, write_instance
from benchmark_data.docmap.source import connect_read_only
from benchmark_data.errors import FaultyBundleError
from tests.benchmark_data.bundles.sample21.bakery import DOCMAP_TEXT, bakery, tables

BAKER, LOAF = (1, "Ada", None), (1, 1, "rye", 500)

MISFITS = [
    ({"baker": [BAKER]}, ["missing_table"]),
    ({"baker": [BAKER], "loaf": []}, ["empty_table"]),
    ({"baker": [BAKER], "loaf": [LOAF], "oven": [(1,)]}, ["unknown_table"]),
    ({"baker": [BAKER[:2]], "loaf": [LOAF]}, ["wrong_width"]),
    ({"baker": [BAKER, BAKER], "loaf": [LOAF]}, ["refused_row"]),
    ({"baker": [(1, None, None)], "loaf": [LOAF]}, ["refused_row", "foreign_key"]),
    ({"baker": [BAKER], "loaf": [(1, 7, "rye", 500)]}, ["foreign_key"]),
]


@pytest.mark.parametrize(("rows", "rules"), MISFITS, ids=["-".join(rules) for _, rules in MISFITS])
def test_rows_that_do_not_fit_the_schema_are_faults(
    tmp_path: Path, rows: dict[str, list[tuple[object, ...]]], rules: list[str]
) -> None:
    sample = replace(bakery(tmp_path), tables=lambda _: rows)
    with pytest.raises(FaultyBundleError) as caught:
        write_instance(sample, tmp_path / "x.sqlite", seed=1)
    assert [fault.rule for fault in caught.value.faults] == rules
    assert {fault.file for fault in caught.value.faults} == {"bakery/rows.py"}


def test_a_schema_that_sqlite_refuses_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(FaultyBundleError, match="SQLite refuses it"):
        write_instance(bakery(tmp_path, schema="CREATE TABEL x;"), tmp_path / "x.sqlite", seed=1)


def digest(sample_folder: Path, seed: int) -> str:
    path = sample_folder / f"{seed}.sqlite"
    write_instance(bakery(sample_folder), path, seed=seed)
    with contextlib.closing(connect_read_only(path)) as connection:
        return source_digest(connection)


def test_the_same_seed_gives_the_same_rows_and_another_gives_others(tmp_path: Path) -> None:
    assert digest(tmp_path, 1) == digest(tmp_path, 1) != digest(tmp_path, 2)


CHANGES: list[tuple[str, Callable[[sqlite3.Connection], object]]] = [
    ("a cell", lambda c: c.execute("UPDATE loaf SET grams = grams + 1 WHERE id = 1")),
    ("a type", lambda c: c.execute("UPDATE baker SET village = 5 WHERE id = 1")),
    ("a row", lambda c: c.execute("DELETE FROM loaf WHERE id = 300")),
    ("a column", lambda c: c.execute("ALTER TABLE loaf RENAME COLUMN grams TO weight")),
]


@pytest.mark.parametrize(("_what", "change"), CHANGES, ids=[what for what, _ in CHANGES])
def test_the_digest_of_rows_changes_with(
    tmp_path: Path, _what: str, change: Callable[[sqlite3.Connection], object]
) -> None:
    before = digest(tmp_path, 1)
    with contextlib.closing(sqlite3.connect(tmp_path / "1.sqlite")) as connection:
        change(connection)
        connection.commit()
        assert source_digest(connection) != before


def test_a_docmap_must_bear_the_name_of_its_folder(tmp_path: Path) -> None:
    sample = bakery(tmp_path, docmap=DOCMAP_TEXT.replace("db_id: bakery", "db_id: backery"))
    write_instance(sample, tmp_path / "x.sqlite", seed=1)
    with (
        contextlib.closing(connect_read_only(tmp_path / "x.sqlite")) as connection,
        pytest.raises(FaultyBundleError, match="the name must be 'bakery'"),
    ):
        checked_docmap(sample, connection)


def test_the_bakery_of_the_tests_is_as_large_as_it_says(tmp_path: Path) -> None:
    made = tables(bakery(tmp_path).dice(1))
    assert {name: len(rows) for name, rows in made.items()} == {"baker": 10, "loaf": 300}

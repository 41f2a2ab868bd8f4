"""Gold that thinks in tables is told."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from benchmark_data.bundles.sample21.instance import checked_docmap
from benchmark_data.docmap.source import connect_read_only
from benchmark_data.docmap.types import Docmap
from evaluation.sample21.idioms import held_elsewhere, idiom_faults
from tests.benchmark_data.bundles.sample21.bakery import DOCMAP_TEXT, bakery
from tests.evaluation.sample21.conftest import read_query

VILLAGES = """
  villages:
    table: village
    _id: name
    fields: {height: height}
"""
SCHEMA = """
CREATE TABLE village (name TEXT PRIMARY KEY, height INTEGER);
CREATE TABLE baker (id INTEGER PRIMARY KEY, name TEXT NOT NULL, village TEXT REFERENCES village(name));
CREATE TABLE loaf (id INTEGER PRIMARY KEY, baker_id INTEGER NOT NULL REFERENCES baker(id), grain TEXT, grams INTEGER);
"""


@pytest.fixture
def docmap(tmp_path: Path) -> Docmap:
    """The bakery, whose bakers hold their village, which has a collection of its own as well."""
    text = DOCMAP_TEXT.replace(
        "village: {column: village, null: omit}",
        "village: {embed_one: {via: baker.village, fields: {_id: name, height: height}}}",
    ).replace("checks:", f"{VILLAGES.strip(chr(10))}\nchecks:")
    sample = bakery(tmp_path, schema=SCHEMA, docmap=text)
    path = tmp_path / "x.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
    with contextlib.closing(connect_read_only(path)) as connection:
        return checked_docmap(sample, connection)


def test_a_collection_whose_columns_are_all_embedded_is_held_elsewhere(docmap: Docmap) -> None:
    assert held_elsewhere(docmap) == {("bakers", "villages")}


CASES = [
    ("db.bakers.aggregate([{$match: {name: 'x'}}])", []),
    ("db.bakers.aggregate([{$group: {_id: '$name', all: {$push: '$$ROOT'}}}])", ["pushes_documents", "whole_document"]),
    ("db.bakers.aggregate([{$project: {all: '$$ROOT.name'}}])", ["whole_document"]),
    ("db.bakers.aggregate([{$facet: {a: [{$count: 'n'}], b: [{$count: 'm'}]}}])", ["facet_as_union"]),
]


@pytest.mark.parametrize(("text", "rules"), CASES, ids=[str(n) for n in range(len(CASES))])
def test_a_query_is_judged(docmap: Docmap, text: str, rules: list[str]) -> None:
    assert [fault.rule for fault in idiom_faults(read_query(text), docmap)] == rules


def test_a_union_by_facet_is_advice_only(docmap: Docmap) -> None:
    (fault,) = idiom_faults(read_query(CASES[3][0]), docmap)
    assert fault.is_advice

"""The tiny bundle is what its code makes, and fit for a demonstration."""

import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.objectid import ObjectId

from benchmark_data.bundles import climbing, ferry, seeds
from benchmark_data.bundles.baselines import split_list
from benchmark_data.bundles.generate import TINY, tiny_generate
from benchmark_data.load import load_bundle, read_documents
from benchmark_data.types import ArrayOrder, Database, Difficulty, Item, Split
from benchmark_data.validate import validate
from evaluation.bundle_gold import gold_problem
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.mongo import MongoExecutor
from evaluation.gold import Gold, GoldSource, gold_compute

BUNDLE = load_bundle(TINY)
DATABASES = {database.db_id: database for database in BUNDLE.databases}


def test_the_files_are_those_that_the_code_makes(tmp_path: Path) -> None:
    tiny_generate(tmp_path / "tiny")
    made = {path.relative_to(tmp_path / "tiny"): path.read_bytes() for path in (tmp_path / "tiny").rglob("*.json*")}
    kept = {path.relative_to(TINY): path.read_bytes() for path in TINY.rglob("*") if path.is_file()}
    assert made == kept


def test_it_has_no_fault_and_every_gold_query_can_be_read() -> None:
    assert validate(TINY, check_query=gold_problem) == ()


def test_it_has_items_of_every_kind() -> None:
    share = Counter(item.difficulty for item in BUNDLE.items)
    assert len(BUNDLE.items) >= 30
    assert share[Difficulty.SIMPLE] > share[Difficulty.MODERATE] > share[Difficulty.CHALLENGING] > 0
    assert set(Counter(item.db_id for item in BUNDLE.items).values()) == {12}
    assert 0.6 <= sum(bool(item.evidence) for item in BUNDLE.items) / len(BUNDLE.items) <= 0.8
    assert 0 < sum(item.split is Split.HIDDEN for item in BUNDLE.items) < len(BUNDLE.items) / 2
    assert sum(item.array_order is ArrayOrder.UNSPECIFIED for item in BUNDLE.items) == 1
    text = "\n".join(item.gold_query for item in BUNDLE.items)
    for word in ("find(", "findOne(", "aggregate(", "distinct(", "countDocuments(", "$lookup", "$unwind", "$group"):
        assert word in text


def test_its_documents_have_the_types_and_gaps_of_real_ones() -> None:
    seen: set[type] = set()

    def look(value: Any) -> None:
        seen.add(type(value))
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(part)

    for module in (climbing, ferry, seeds):
        for documents in module.collections().values():
            look(documents)
    assert {str, int, float, bool, type(None), datetime, Decimal128, ObjectId, dict, list} <= seen
    assert any("weather" not in crossing for crossing in ferry.collections()["crossings"])


@pytest.mark.parametrize("database", BUNDLE.databases, ids=lambda database: database.db_id)
def test_references_between_collections_hold(database: Database) -> None:
    documents = {c.name: list(read_documents(c)) for c in database.collections}
    ids = {name: {document["_id"] for document in found} for name, found in documents.items()}
    references = {
        "crossings": [("vessel", "vessels"), ("from", "ports"), ("to", "ports")],
        "loans": [("variety", "varieties"), ("member", "members")],
        "routes": [("setter", "setters")],
        "varieties": [("donor", "members")],
        "visits": [("climber", "climbers"), ("guest_of", "climbers")],
    }
    looked_at = 0
    for name, fields in references.items():
        for field, target in fields if name in documents else ():
            values = {document[field] for document in documents[name] if field in document}
            assert values <= ids[target]
            looked_at += len(values)
    assert looked_at > 10


def gold_of(item: Item, text: str, executor: MongoExecutor) -> Gold:
    database = DATABASES[item.db_id]
    source = GoldSource(
        question_id=item.question_id,
        db_id=item.db_id,
        storage_name=database.storage_name,
        collections=tuple(collection.name for collection in database.collections),
        gold_query=text,
        array_order=item.array_order,
    )
    return gold_compute(source, executor=executor)


@pytest.fixture(scope="module")
def loaded(loader: DatabaseLoader) -> None:
    for database in BUNDLE.databases:
        loader.load(database)


@pytest.mark.engine
@pytest.mark.usefixtures("loaded")
def test_every_gold_query_runs_and_has_an_answer(executor: MongoExecutor) -> None:
    empty = [item.question_id for item in BUNDLE.items if not gold_of(item, item.gold_query, executor).answer.rows]
    assert empty == []


@pytest.mark.engine
@pytest.mark.usefixtures("loaded")
def test_no_gold_query_cuts_a_tie_at_its_limit(executor: MongoExecutor) -> None:
    cut = re.compile(r"\.limit\(\d+\)|\{\$limit: \d+\}, ")
    limited = [item for item in BUNDLE.items if cut.search(item.gold_query)]
    assert len(limited) >= 3
    for item in limited:
        path = re.search(r"sort(?:\(|: )\{\"?([a-z_.]+)\"?: -1", item.gold_query)
        assert path is not None
        rows = gold_of(item, cut.sub("", item.gold_query), executor).answer.rows
        values = [str(_at(row, path[1])) for row in rows]
        assert len(set(values)) == len(values), item.question_id


def _at(row: Any, path: str) -> Any:
    for key in path.split("."):
        row = row[key]
    return row


def crossings() -> list[dict[str, Any]]:
    return ferry.collections()["crossings"]


def test_some_answers_are_what_plain_python_finds() -> None:
    """The figures that the answers of gold were checked against by hand."""
    routes, visits = climbing.collections()["routes"], climbing.collections()["visits"]
    assert sum(crossing["status"] == "cancelled" for crossing in crossings()) == 21
    assert sum(ascent["style"] == "flash" for route in routes for ascent in route["ascents"]) == 15 + 26 + 25 + 8
    assert sum(loan.get("returned") is None for loan in seeds.collections()["loans"]) == 38
    assert str(sum(hire["price"].to_decimal() for visit in visits for hire in visit.get("hires", []))) == "186.40"


@pytest.mark.parametrize(
    ("text", "opening", "parts"),
    [
        ("f(a, b)", 1, ["a", "b"]),
        ("f()", 1, [""]),
        ("f({a: [1, 2]}, \")\", ',').g(x)", 1, ["{a: [1, 2]}", '")"', "','"]),
        ("[{a: 1}, {b: [2]}]", 0, ["{a: 1}", "{b: [2]}"]),
    ],
)
def test_a_list_is_split_at_its_own_commas_only(text: str, opening: int, parts: list[str]) -> None:
    assert split_list(text, opening) == parts

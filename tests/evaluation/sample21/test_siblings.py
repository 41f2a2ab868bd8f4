"""A field's neighbours are of its type and in its place; each place that names a field is tried with them."""

import pytest

from evaluation.sample21.query_text import query_text
from evaluation.sample21.siblings import neighbours, other_fields, types_of
from evaluation.types import Operation, Query
from tests.evaluation.sample21.test_mutations import find, pipeline

DOCUMENTS = (
    {"_id": 1, "name": "a", "village": "x", "age": 3, "loaves": [{"kind": "rye", "grams": 4, "price": 5}]},
    {"_id": 2, "name": "b", "village": None, "age": 4.5, "loaves": [], "oven": {"heat": 1, "depth": 2, "width": 3}},
)
TYPES = types_of(DOCUMENTS)


def test_types_are_those_of_all_documents_and_of_the_elements_of_arrays() -> None:
    assert dict(TYPES) == {
        "name": "str", "village": "str", "age": "mixed", "loaves": "list of dict", "loaves.kind": "str",
        "loaves.grams": "int", "loaves.price": "int", "oven": "dict", "oven.heat": "int", "oven.depth": "int",
        "oven.width": "int",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("name", ("village",)),
        ("loaves.grams", ("price",)),
        ("loaves.kind", ()),
        ("oven.depth", ("width", "heat")),
        ("age", ()),
        ("unknown", ()),
        ("_id", ()),
    ],
)
def test_the_neighbours_that_follow_come_first(path: str, names: tuple[str, ...]) -> None:
    assert neighbours(path, TYPES) == names


CASES: list[tuple[Query, list[str]]] = [
    (find(filter={"name": "x", "loaves": {"$elemMatch": {"grams": 1}}}, projection={"_id": 0, "village": 1}), [
        'db.loaves.find({village: "x", loaves: {$elemMatch: {grams: 1}}}, {_id: 0, village: 1})',
        'db.loaves.find({name: "x", loaves: {$elemMatch: {price: 1}}}, {_id: 0, village: 1})',
        'db.loaves.find({name: "x", loaves: {$elemMatch: {grams: 1}}}, {_id: 0, name: 1})',
    ]),
    (find(filter={}, sort={"name": 1}), []),
    (find(filter={}, sort={"name": 1}, limit=1), ["db.loaves.find({}).sort({village: 1}).limit(1)"]),
    (find(filter={"name": "x", "village": "y"}), []),
    (pipeline({"$project": {"x": {"$map": {"input": "$loaves", "as": "l", "in": "$$l.grams"}}}}), [
        'db.loaves.aggregate([{$project: {x: {$map: {input: "$loaves", as: "l", in: "$$l.price"}}}}])',
    ]),
    (Query(collection="loaves", operation=Operation.DISTINCT, arguments={"key": "name"}), [
        'db.loaves.distinct("village", {})',
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "texts"), CASES, ids=range(len(CASES)))
def test_a_field_is_mistaken_wherever_it_makes_a_difference(query: Query, texts: list[str]) -> None:
    assert [query_text(made) for made in other_fields(query, TYPES)] == texts

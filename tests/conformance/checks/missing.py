"""Expressions whose value is missing: null to whoever computes with it, missing to whoever passes it on."""

from typing import Any

from bson import SON

from tests.conformance.building import aggregation, expression
from tests.conformance.expectations import MISSING, AnyOrder

GONE: dict[str, Any] = {
    "$first of an empty path": {"$first": "$e.x"},
    "$last of an empty array": {"$last": "$e"},
    "$arrayElemAt beyond the end": {"$arrayElemAt": ["$e", 2]},
    "$let of a missing field": {"$let": {"vars": {"v": "$nope"}, "in": "$$v"}},
    "a missing field of a variable": "$$ROOT.nope",
    "$getField of a missing document": {"$getField": {"field": "x", "input": {"$first": "$e"}}},
}
EMPTY = [{"_id": 1, "e": []}, {"_id": 2, "e": []}]
for name, value in GONE.items():
    aggregation(
        "missing",
        f"$group by {name}",
        EMPTY,
        [{"$group": {"_id": value, "n": {"$sum": 1}}}],
        [{"_id": None, "n": 2}],
    )
    aggregation(
        "missing",
        f"accumulators of {name}",
        EMPTY,
        [
            {
                "$group": {
                    "_id": None,
                    "first": {"$first": value},
                    "push": {"$push": value},
                    "sum": {"$sum": value},
                    "max": {"$max": value},
                }
            }
        ],
        [{"_id": None, "first": None, "push": [], "sum": 0, "max": None}],
    )
    expression(f"$type of {name}", {"$type": [value]}, "missing", doc={"e": []}, cat="missing")
    expression(f"$eq of {name} and null", {"$eq": [value, None]}, False, doc={"e": []}, cat="missing")
    expression(f"{name} as a field", value, MISSING, doc={"e": []}, cat="missing")
    expression(f"{name} in a document", {"k": value, "l": 1}, {"l": 1}, doc={"e": []}, cat="missing")
    expression(f"{name} in an array", [value, 1], [None, 1], doc={"e": []}, cat="missing")
    expression(f"$add of {name}", {"$add": [1, value]}, None, doc={"e": []}, cat="missing")
    expression(f"$ifNull of {name}", {"$ifNull": [value, 7]}, 7, doc={"e": []}, cat="missing")
COPIES = {"copies": [{"id": 1, "w": None}, {"id": 2}, {"id": 3, "w": "x"}]}


def mapped(value: Any) -> Any:
    """A value of each of the copies."""
    return {"$map": {"input": "$copies", "as": "c", "in": value}}


expression(
    "$type of a field of a variable",
    mapped({"$type": "$$c.w"}),
    ["null", "missing", "string"],
    doc=COPIES,
    cat="missing",
)
expression("a missing field in $map is null", mapped("$$c.w"), [None, None, "x"], doc=COPIES, cat="missing")
expression(
    "a missing field of a variable in a document",
    mapped({"i": "$$c.id", "w": "$$c.w"}),
    [{"i": 1, "w": None}, {"i": 2}, {"i": 3, "w": "x"}],
    doc=COPIES,
    cat="missing",
)
expression(
    "$filter by null tells missing",
    {"$size": {"$filter": {"input": "$copies", "as": "c", "cond": {"$eq": ["$$c.w", None]}}}},
    1,
    doc=COPIES,
    cat="missing",
)
aggregation(
    "missing",
    "$group by documents in the order of their fields",
    [{"k": SON(x=1, y=2)}, {"k": SON(y=2, x=1)}, {"k": []}, {"k": {}}, {"k": SON(x=1.0, y=2)}],
    [{"$group": {"_id": "$k", "n": {"$sum": 1}}}, {"$group": {"_id": "$n", "groups": {"$sum": 1}}}],
    AnyOrder([{"_id": 1, "groups": 3}, {"_id": 2, "groups": 1}]),
)

"""$lookup, $graphLookup and $unionWith."""

from typing import Any

from bson import SON, Int64

from tests.conformance.building import aggregation
from tests.conformance.expectations import AnyOrder, Refused

LK = {
    "c": [
        {"_id": 1, "item": "a"},
        {"_id": 2, "item": "b"},
        {"_id": 3},
        {"_id": 4, "item": None},
        {"_id": 5, "item": ["a", "b"]},
    ],
    "inv": [
        {"_id": 11, "sku": "a", "q": 5},
        {"_id": 12, "sku": "b", "q": 7},
        {"_id": 13, "sku": None, "q": 9},
        {"_id": 14, "q": 1},
        {"_id": 15, "sku": "a", "q": 2},
        {"_id": 16, "sku": ["b", "z"], "q": 3},
    ],
}


def ids(f: Any) -> Any:
    return {"$project": {"ids": {"$sortArray": {"input": f"${f}._id", "sortBy": 1}}}}


aggregation(
    "lookup",
    "equality: missing/null match null+missing, arrays match per element",
    LK,
    [
        {"$lookup": {"from": "inv", "localField": "item", "foreignField": "sku", "as": "m"}},
        {"$unwind": {"path": "$m", "preserveNullAndEmptyArrays": True}},
        {"$sort": SON([("_id", 1), ("m._id", 1)])},
        {"$group": {"_id": "$_id", "ids": {"$push": "$m._id"}}},
        {"$sort": {"_id": 1}},
    ],
    [
        {"_id": 1, "ids": [11, 15]},
        {"_id": 2, "ids": [12, 16]},
        {"_id": 3, "ids": [13, 14]},
        {"_id": 4, "ids": [13, 14]},
        {"_id": 5, "ids": [11, 12, 15, 16]},
    ],
)
aggregation(
    "lookup",
    "no match gives empty array, appended last",
    {"c": [{"_id": 1, "k": 9}], "inv": LK["inv"]},
    [{"$lookup": {"from": "inv", "localField": "k", "foreignField": "sku", "as": "m"}}],
    [{"_id": 1, "k": 9, "m": []}],
)
aggregation(
    "lookup",
    "missing foreign collection gives empty",
    {"c": [{"_id": 1, "k": 9}]},
    [{"$lookup": {"from": "no_such", "localField": "k", "foreignField": "sku", "as": "m"}}],
    [{"_id": 1, "k": 9, "m": []}],
)
aggregation(
    "lookup",
    "let + pipeline with $expr",
    {"c": [{"_id": 1, "item": "a", "min": 4}, {"_id": 2, "item": "b", "min": 8}], "inv": LK["inv"]},
    [
        {
            "$lookup": {
                "from": "inv",
                "let": {"it": "$item", "mn": "$min"},
                "pipeline": [
                    {"$match": {"$expr": {"$and": [{"$eq": ["$sku", "$$it"]}, {"$gte": ["$q", "$$mn"]}]}}},
                    {"$project": {"_id": 0, "q": 1}},
                ],
                "as": "m",
            }
        },
        {"$sort": {"_id": 1}},
        {"$project": {"m": 1}},
    ],
    [{"_id": 1, "m": [{"q": 5}]}, {"_id": 2, "m": []}],
)
aggregation(
    "lookup",
    "concise: localField/foreignField + pipeline",
    {"c": [{"_id": 1, "item": "a"}], "inv": LK["inv"]},
    [
        {
            "$lookup": {
                "from": "inv",
                "localField": "item",
                "foreignField": "sku",
                "pipeline": [{"$sort": {"q": 1}}, {"$limit": 1}, {"$project": {"_id": 0, "q": 1}}],
                "as": "m",
            }
        }
    ],
    [{"_id": 1, "item": "a", "m": [{"q": 2}]}],
)
aggregation(
    "lookup",
    "concise + let",
    {"c": [{"_id": 1, "item": "a", "mn": 4}], "inv": LK["inv"]},
    [
        {
            "$lookup": {
                "from": "inv",
                "localField": "item",
                "foreignField": "sku",
                "let": {"mn": "$mn"},
                "pipeline": [{"$match": {"$expr": {"$gt": ["$q", "$$mn"]}}}, {"$project": {"_id": 1}}],
                "as": "m",
            }
        }
    ],
    [{"_id": 1, "item": "a", "mn": 4, "m": [{"_id": 11}]}],
)
aggregation(
    "lookup",
    "uncorrelated pipeline",
    {"c": [{"_id": 1}], "inv": LK["inv"]},
    [{"$lookup": {"from": "inv", "pipeline": [{"$count": "n"}], "as": "m"}}],
    [{"_id": 1, "m": [{"n": 6}]}],
)
aggregation(
    "lookup",
    "nested lookup",
    {"c": [{"_id": 1, "b": 1}], "b": [{"_id": 1, "d": 7}], "d": [{"_id": 7, "v": "x"}]},
    [
        {
            "$lookup": {
                "from": "b",
                "localField": "b",
                "foreignField": "_id",
                "pipeline": [{"$lookup": {"from": "d", "localField": "d", "foreignField": "_id", "as": "ds"}}],
                "as": "bs",
            }
        }
    ],
    [{"_id": 1, "b": 1, "bs": [{"_id": 1, "d": 7, "ds": [{"_id": 7, "v": "x"}]}]}],
)
aggregation(
    "lookup",
    "dotted localField through array of docs",
    {"c": [{"_id": 1, "it": [{"p": 1}, {"p": 2}]}], "b": [{"_id": 1}, {"_id": 2}, {"_id": 3}]},
    [{"$lookup": {"from": "b", "localField": "it.p", "foreignField": "_id", "as": "m"}}, {"$project": {"m": 1}}],
    [{"_id": 1, "m": AnyOrder([{"_id": 1}, {"_id": 2}])}],
)
aggregation(
    "lookup",
    "dotted as",
    {"c": [{"_id": 1, "x": {"y": 1}}], "b": [{"_id": 1}]},
    [{"$lookup": {"from": "b", "localField": "x.y", "foreignField": "_id", "as": "x.m"}}],
    [{"_id": 1, "x": {"y": 1, "m": [{"_id": 1}]}}],
)
aggregation(
    "lookup",
    "pipeline starting with $documents",
    {"c": [{"_id": 1, "z": 1}]},
    [
        {
            "$lookup": {
                "localField": "z",
                "foreignField": "z",
                "pipeline": [{"$documents": [{"z": 1, "n": "one"}, {"z": 2}]}],
                "as": "m",
            }
        }
    ],
    [{"_id": 1, "z": 1, "m": [{"z": 1, "n": "one"}]}],
)
aggregation(
    "lookup",
    "int joins double",
    {"c": [{"_id": 1, "k": 1}], "b": [{"_id": 1.0}]},
    [
        {"$lookup": {"from": "b", "localField": "k", "foreignField": "_id", "as": "m"}},
        {"$project": {"n": {"$size": "$m"}}},
    ],
    [{"_id": 1, "n": 1}],
)
aggregation(
    "lookup",
    "missing 'as' is an error",
    LK,
    [{"$lookup": {"from": "inv", "localField": "item", "foreignField": "sku"}}],
    Refused(9, 40414),
)
EMP = [
    {"_id": 1, "name": "Dev"},
    {"_id": 2, "name": "Eliot", "reportsTo": "Dev"},
    {"_id": 3, "name": "Ron", "reportsTo": "Eliot"},
    {"_id": 4, "name": "Andrew", "reportsTo": "Eliot"},
    {"_id": 5, "name": "Asya", "reportsTo": "Ron"},
]
aggregation(
    "lookup",
    "$graphLookup with depthField (long)",
    EMP,
    [
        {"$match": {"name": "Asya"}},
        {
            "$graphLookup": {
                "from": "c",
                "startWith": "$reportsTo",
                "connectFromField": "reportsTo",
                "connectToField": "name",
                "as": "h",
                "depthField": "d",
            }
        },
        {"$project": {"_id": 0, "h.name": 1, "h.d": 1}},
    ],
    [
        {
            "h": AnyOrder(
                [{"name": "Ron", "d": Int64(0)}, {"name": "Eliot", "d": Int64(1)}, {"name": "Dev", "d": Int64(2)}]
            )
        }
    ],
)
aggregation(
    "lookup",
    "$graphLookup maxDepth + restrict",
    EMP,
    [
        {"$match": {"name": "Dev"}},
        {
            "$graphLookup": {
                "from": "c",
                "startWith": "$name",
                "connectFromField": "name",
                "connectToField": "reportsTo",
                "as": "h",
                "maxDepth": 1,
                "restrictSearchWithMatch": {"name": {"$ne": "Andrew"}},
            }
        },
        {"$project": {"_id": 0, "h": "$h.name"}},
    ],
    [{"h": AnyOrder(["Eliot", "Ron"])}],
)
aggregation(
    "lookup",
    "$unionWith + pipeline",
    {"c": [{"_id": 1}], "b": [{"_id": 5, "x": 1}, {"_id": 6, "x": 2}]},
    [{"$unionWith": {"coll": "b", "pipeline": [{"$match": {"x": 2}}]}}],
    [{"_id": 1}, {"_id": 6, "x": 2}],
)
aggregation(
    "lookup",
    "$unionWith string form, duplicates kept",
    {"c": [{"_id": 1}], "b": [{"_id": 1}]},
    [{"$unionWith": "b"}],
    [{"_id": 1}, {"_id": 1}],
)

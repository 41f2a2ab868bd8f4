"""Field paths through arrays, very common in model-written pipelines."""

from typing import Any

from bson import SON, Int64

from tests.conformance.building import add, aggregation, expression
from tests.conformance.checks.dates import DT
from tests.conformance.checks.order import S
from tests.conformance.expectations import AnyOrder, moment

AP = [
    {
        "_id": 1,
        "k": "a",
        "items": [
            {"sku": "x", "q": 2, "tags": ["t1", "t2"], "d": {"p": 1}},
            {"sku": "y", "q": 3, "tags": ["t2"], "d": {"p": 5}},
        ],
    },
    {"_id": 2, "k": "b", "items": [{"sku": "x", "q": 10}]},
    {"_id": 3, "k": "a", "items": []},
    {"_id": 4, "k": "c"},
]


def ap(n: Any, pl: Any, x: Any, **kw: Any) -> None:
    aggregation(
        "arraypath",
        n,
        {
            "c": AP,
            "sku": [{"_id": "x", "nm": "X"}, {"_id": "y", "nm": "Y"}],
            "inv": [{"_id": 1, "lines": [{"s": "x"}, {"s": "z"}]}, {"_id": 2, "lines": [{"s": "y"}]}],
        },
        pl,
        x,
        **kw,
    )


SO = {"$sort": {"_id": 1}}
ap(
    "$sum of array path",
    [SO, {"$project": {"t": {"$sum": "$items.q"}}}],
    [{"_id": 1, "t": 5}, {"_id": 2, "t": 10}, {"_id": 3, "t": 0}, {"_id": 4, "t": 0}],
)
ap(
    "$avg/$max of array path",
    [SO, {"$match": {"_id": {"$lt": 3}}}, {"$project": {"a": {"$avg": "$items.q"}, "m": {"$max": "$items.q"}}}],
    [{"_id": 1, "a": 2.5, "m": 3}, {"_id": 2, "a": 10.0, "m": 10}],
)
ap(
    "$in with array path in $expr",
    [SO, {"$match": {"$expr": {"$in": ["y", {"$ifNull": ["$items.sku", []]}]}}}, {"$project": {"_id": 1}}],
    [{"_id": 1}],
)
ap(
    "$size of array path",
    [SO, {"$match": {"items.0": {"$exists": True}}}, {"$project": {"n": {"$size": "$items.sku"}}}],
    [{"_id": 1, "n": 2}, {"_id": 2, "n": 1}],
)
ap(
    "$arrayElemAt / $first / $last of array path",
    [
        {"$match": {"_id": 1}},
        {
            "$project": {
                "a": {"$arrayElemAt": ["$items.sku", 1]},
                "f": {"$first": "$items.sku"},
                "l": {"$last": "$items.d.p"},
            }
        },
    ],
    [{"_id": 1, "a": "y", "f": "x", "l": 5}],
)
ap(
    "nested arrays give an array of arrays",
    [{"$match": {"_id": 1}}, {"$project": {"t": "$items.tags"}}],
    [{"_id": 1, "t": [["t1", "t2"], ["t2"]]}],
)
ap("path on empty array is []", [{"$match": {"_id": 3}}, {"$project": {"t": "$items.sku"}}], [{"_id": 3, "t": []}])
ap(
    "$group key is the array of values",
    [{"$match": {"_id": {"$in": [1, 2]}}}, {"$group": {"_id": "$items.sku", "n": {"$sum": 1}}}, SO],
    [{"_id": ["x"], "n": 1}, {"_id": ["x", "y"], "n": 1}],
    unordered=True,
)
ap(
    "$push/$addToSet of array path",
    [SO, {"$match": {"_id": {"$in": [1, 2]}}}, {"$group": {"_id": None, "p": {"$push": "$items.sku"}}}],
    [{"_id": None, "p": [["x", "y"], ["x"]]}],
)
ap(
    "$group $sum of $sum of array path",
    [{"$group": {"_id": "$k", "t": {"$sum": {"$sum": "$items.q"}}}}, SO],
    [{"_id": "a", "t": 5}, {"_id": "b", "t": 10}, {"_id": "c", "t": 0}],
)
ap(
    "$filter/$map over path of variable",
    [
        {"$match": {"_id": 1}},
        {
            "$project": {
                "r": {
                    "$map": {
                        "input": {"$filter": {"input": "$items", "as": "i", "cond": {"$in": ["t1", "$$i.tags"]}}},
                        "as": "i",
                        "in": "$$i.d.p",
                    }
                }
            }
        },
    ],
    [{"_id": 1, "r": [1]}],
)
ap(
    "variable path through an array ($$ROOT.items.sku)",
    [{"$match": {"_id": 1}}, {"$project": {"r": "$$ROOT.items.sku"}}],
    [{"_id": 1, "r": ["x", "y"]}],
)
ap(
    "$reduce + $concatArrays over nested path",
    [
        {"$match": {"_id": 1}},
        {
            "$project": {
                "r": {
                    "$reduce": {"input": "$items.tags", "initialValue": [], "in": {"$setUnion": ["$$value", "$$this"]}}
                }
            }
        },
    ],
    [{"_id": 1, "r": AnyOrder(["t1", "t2"])}],
)
ap(
    "$lookup localField through array, then name list",
    [
        {"$match": {"_id": 1}},
        {"$lookup": {"from": "sku", "localField": "items.sku", "foreignField": "_id", "as": "s"}},
        {"$project": {"n": "$s.nm"}},
    ],
    [{"_id": 1, "n": AnyOrder(["X", "Y"])}],
)
ap(
    "$lookup foreignField through array",
    [
        {"$match": {"_id": "y"}},
        {"$lookup": {"from": "inv", "localField": "_id", "foreignField": "lines.s", "as": "m"}},
        {"$project": {"m": "$m._id"}},
    ],
    [{"_id": "y", "m": [2]}],
    coll="sku",
)
ap(
    "$lookup then $first of joined field",
    [
        {"$match": {"_id": 2}},
        {"$lookup": {"from": "sku", "localField": "items.sku", "foreignField": "_id", "as": "s"}},
        {"$project": {"nm": {"$first": "$s.nm"}, "e": {"$eq": ["$s.nm", ["X"]]}}},
    ],
    [{"_id": 2, "nm": "X", "e": True}],
)
ap(
    "$addFields over lookup result path",
    [{"$match": {"_id": 1}}, {"$set": {"skus": "$items.sku", "n": {"$size": "$items"}}}, {"$unset": "items"}],
    [{"_id": 1, "k": "a", "skus": ["x", "y"], "n": 2}],
)
ap(
    "$unwind two levels and group",
    [
        {"$unwind": "$items"},
        {"$unwind": "$items.tags"},
        {"$group": {"_id": "$items.tags", "n": {"$sum": "$items.q"}}},
        SO,
    ],
    [{"_id": "t1", "n": 2}, {"_id": "t2", "n": 5}],
)
ap(
    "$max across $sortArray path + $indexOfArray",
    [
        {"$match": {"_id": 1}},
        {"$project": {"best": {"$arrayElemAt": ["$items.sku", {"$indexOfArray": ["$items.q", {"$max": "$items.q"}]}]}}},
    ],
    [{"_id": 1, "best": "y"}],
)
ap(
    "$zip of two array paths",
    [{"$match": {"_id": 1}}, {"$project": {"z": {"$zip": {"inputs": ["$items.sku", "$items.q"]}}}}],
    [{"_id": 1, "z": [["x", 2], ["y", 3]]}],
)
ap(
    "$setWindowFields on dotted sub document",
    [
        {"$unwind": "$items"},
        {"$match": {"items.d": {"$exists": True}}},
        {
            "$setWindowFields": {
                "sortBy": {"items.d.p": 1},
                "output": {"cum": {"$sum": "$items.d.p", "window": {"documents": ["unbounded", "current"]}}},
            }
        },
        {"$project": {"_id": 0, "cum": 1}},
    ],
    [{"cum": 1}, {"cum": 6}],
)
add("arraypath", "distinct through array of docs", AP, ("distinct", "c", "items.sku", {}), ["x", "y"], unordered=True)
add(
    "arraypath", "distinct through nested arrays", AP, ("distinct", "c", "items.tags", {}), ["t1", "t2"], unordered=True
)
add(
    "arraypath",
    "find projection expression on array path",
    AP,
    ("find", "c", {"_id": 1}, {"t": {"$sum": "$items.q"}}, {}),
    [{"_id": 1, "t": 5}],
)
add(
    "arraypath",
    "countDocuments with $expr on array path",
    AP,
    ("count", "c", {"$expr": {"$gt": [{"$sum": "$items.q"}, 5]}}, {}),
    1,
)
# ---- more everyday pieces
aggregation(
    "group",
    "group by nested sub document field",
    [{"_id": 1, "a": {"b": "x"}}, {"_id": 2, "a": {"b": "x"}}, {"_id": 3, "a": {}}],
    [{"$group": {"_id": "$a.b", "n": {"$sum": 1}}}, {"$sort": {"_id": 1}}],
    [{"_id": None, "n": 1}, {"_id": "x", "n": 2}],
)
aggregation(
    "group",
    "push $$ROOT",
    [{"_id": 1, "a": 1}],
    [{"$group": {"_id": None, "d": {"$push": "$$ROOT"}}}],
    [{"_id": None, "d": [{"_id": 1, "a": 1}]}],
)
aggregation(
    "count",
    "group null after a match without hits gives nothing",
    S,
    [{"$match": {"a": 99}}, {"$group": {"_id": None, "t": {"$sum": "$a"}}}],
    [],
)
aggregation(
    "count",
    "$facet count of nothing is []",
    S,
    [{"$match": {"a": 99}}, {"$facet": {"n": [{"$count": "n"}]}}],
    [{"n": []}],
)
aggregation(
    "lookup",
    "$count inside a $lookup pipeline without hits",
    {"c": [{"_id": 1}], "b": [{"_id": 5}]},
    [
        {
            "$lookup": {
                "from": "b",
                "let": {"x": "$_id"},
                "pipeline": [{"$match": {"$expr": {"$eq": ["$_id", "$$x"]}}}, {"$count": "n"}],
                "as": "m",
            }
        }
    ],
    [{"_id": 1, "m": []}],
)
aggregation(
    "lookup",
    "$unionWith pipeline with $count",
    {"c": [{"_id": 1}], "b": [{"_id": 5}]},
    [{"$unionWith": {"coll": "b", "pipeline": [{"$count": "n"}]}}],
    [{"_id": 1}, {"n": 1}],
)
aggregation(
    "lookup",
    "$lookup pipeline with $sort+$limit per parent",
    {
        "c": [{"_id": 1}, {"_id": 2}],
        "b": [{"_id": 10, "p": 1, "v": 3}, {"_id": 11, "p": 1, "v": 9}, {"_id": 12, "p": 2, "v": 4}],
    },
    [
        {
            "$lookup": {
                "from": "b",
                "let": {"i": "$_id"},
                "pipeline": [
                    {"$match": {"$expr": {"$eq": ["$p", "$$i"]}}},
                    {"$sort": {"v": -1}},
                    {"$limit": 1},
                    {"$project": {"_id": 0, "v": 1}},
                ],
                "as": "top",
            }
        },
        {"$unwind": "$top"},
        {"$sort": {"_id": 1}},
        {"$project": {"v": "$top.v"}},
    ],
    [{"_id": 1, "v": 9}, {"_id": 2, "v": 4}],
)
aggregation(
    "sort",
    "sort by nested field then dotted match on index path",
    [{"_id": 1, "a": [{"n": 2}]}, {"_id": 2, "a": [{"n": 1}]}],
    [{"$match": {"a.0.n": {"$gte": 1}}}, {"$sort": {"a.n": 1}}, {"$project": {"_id": 1}}],
    [{"_id": 2}, {"_id": 1}],
)
aggregation(
    "sort",
    "stable multi-key sort with missing values",
    [{"_id": 1, "a": 1}, {"_id": 2}, {"_id": 3, "a": 1, "b": 5}],
    [{"$sort": SON([("a", -1), ("b", 1), ("_id", 1)])}, {"$project": {"_id": 1}}],
    [{"_id": 1}, {"_id": 3}, {"_id": 2}],
)
expression("concat with toString of int", {"$concat": ["n=", {"$toString": "$a"}]}, "n=5", {"a": 5}, cat="string")
expression(
    "month name via array lookup", {"$arrayElemAt": [["", "Jan", "Feb"], {"$month": "$d"}]}, "Feb", DT, cat="date"
)
expression(
    "age in years via dateDiff and via division",
    [
        {"$dateDiff": {"startDate": "$b", "endDate": "$n", "unit": "year"}},
        {"$floor": {"$divide": [{"$subtract": ["$n", "$b"]}, 31536000000]}},
    ],
    [Int64(24), 23.0],
    {"b": moment(2000, 6, 1), "n": moment(2024, 1, 1)},
    cat="date",
)
expression(
    "date comparison with string is by type", {"$gt": ["$d", "2024-01-01"]}, True, {"d": moment(1970, 1, 1)}, cat="cond"
)
expression(
    "ratio rounded to two places",
    {"$round": [{"$multiply": [{"$divide": ["$a", "$b"]}, 100]}, 2]},
    33.33,
    {"a": 1, "b": 3},
    cat="arith",
)

"""find, distinct and count."""

from tests.conformance.building import add, finding
from tests.conformance.expectations import Fulfils, Number, Refused

F = [
    {"_id": 1, "n": "a", "p": 10, "q": 2, "g": [{"s": 80, "k": "x"}, {"s": 90, "k": "y"}], "v": [1, 2, 3, 4]},
    {"_id": 2, "n": "B", "p": 5, "q": 3, "g": [{"s": 70, "k": "z"}], "v": [5]},
    {"_id": 3, "n": "c", "q": 1, "v": []},
]
finding("find", "inclusion", F, {"_id": 1}, [{"_id": 1, "n": "a"}], {"n": 1})
finding("find", "exclusion", F, {"_id": 3}, [{"_id": 3, "n": "c"}], {"q": 0, "v": 0})
finding("find", "exclusion of _id only", F, {"_id": 3}, [{"n": "c", "q": 1, "v": []}], {"_id": 0})
finding(
    "find",
    "projection with expression",
    F,
    {"_id": {"$lt": 3}},
    [{"_id": 1, "t": 20}, {"_id": 2, "t": 15}],
    {"t": {"$multiply": ["$p", "$q"]}},
    {"sort": [("_id", 1)]},
)
finding(
    "find",
    "projection expression + inclusion + string path",
    F,
    {"_id": 1},
    [{"_id": 1, "n": "a", "m": 10, "k": "K"}],
    {"n": 1, "m": "$p", "k": {"$literal": "K"}},
)
finding(
    "find",
    "$slice alone keeps the other fields",
    F,
    {"_id": 2},
    [{"_id": 2, "n": "B", "p": 5, "q": 3, "g": [{"s": 70, "k": "z"}], "v": [5]}],
    {"v": {"$slice": 2}},
)
finding(
    "find",
    "$slice forms",
    F,
    {"_id": 1},
    [{"_id": 1, "v": [2, 3]}],
    {"v": {"$slice": [1, 2]}, "n": 0, "p": 0, "q": 0, "g": 0},
)
finding(
    "find",
    "$elemMatch projection",
    F,
    {"_id": {"$in": [1, 2]}},
    [{"_id": 1, "g": [{"s": 90, "k": "y"}]}, {"_id": 2}],
    {"g": {"$elemMatch": {"s": {"$gt": 85}}}},
    {"sort": [("_id", 1)]},
)
finding("find", "positional projection", F, {"g.s": {"$gt": 85}}, [{"_id": 1, "g": [{"s": 90, "k": "y"}]}], {"g.$": 1})
finding("find", "dotted inclusion in arrays", F, {"_id": 1}, [{"_id": 1, "g": [{"s": 80}, {"s": 90}]}], {"g.s": 1})
finding(
    "find", "sort missing first, desc", F, {}, [{"_id": 1}, {"_id": 2}, {"_id": 3}], {"_id": 1}, {"sort": [("p", -1)]}
)
finding("find", "sort skip limit", F, {}, [{"_id": 2}], {"_id": 1}, {"sort": [("_id", 1)], "skip": 1, "limit": 1})
finding(
    "find",
    "collation sort",
    F,
    {},
    [{"_id": 1}, {"_id": 2}, {"_id": 3}],
    {"_id": 1},
    {"sort": [("n", 1)], "collation": {"locale": "en", "strength": 2}},
)
finding("find", "mixed inclusion/exclusion is an error", F, {}, Refused(31254, 31253), {"n": 1, "p": 0})
finding(
    "find",
    "negative limit = single batch",
    F,
    {},
    [{"_id": 1}, {"_id": 2}],
    {"_id": 1},
    {"sort": [("_id", 1)], "limit": -2},
)
finding(
    "find",
    "$expr in find with let-free expression",
    F,
    {"$expr": {"$gt": [{"$size": "$v"}, 1]}},
    [{"_id": 1}],
    {"_id": 1},
)
finding(
    "find",
    "projection size of array with ifNull",
    F,
    {},
    [{"_id": 1, "n": 2}, {"_id": 2, "n": 1}, {"_id": 3, "n": 0}],
    {"n": {"$size": {"$ifNull": ["$g", []]}}},
    {"sort": [("_id", 1)]},
)
add(
    "find",
    "near on 2dsphere",
    [
        {"_id": 1, "loc": {"type": "Point", "coordinates": [0, 0]}},
        {"_id": 2, "loc": {"type": "Point", "coordinates": [1, 1]}},
    ],
    ("find", "c", {"loc": {"$near": {"$geometry": {"type": "Point", "coordinates": [1, 1]}}}}, {"_id": 1}, {}),
    [{"_id": 2}, {"_id": 1}],
    indexes=[("c", [("loc", "2dsphere")], {})],
)
add(
    "find",
    "text search with text index",
    [{"_id": 1, "t": "coffee cake"}, {"_id": 2, "t": "tea"}],
    ("find", "c", {"$text": {"$search": "coffee"}}, {"_id": 1}, {}),
    [{"_id": 1}],
    indexes=[("c", [("t", "text")], {})],
)
finding("find", "$text without index is an error", F, {"$text": {"$search": "x"}}, Refused(27))
add(
    "find",
    "hint on index",
    F,
    ("find", "c", {"p": {"$gt": 1}}, {"_id": 1}, {"hint": [("p", 1)], "sort": [("_id", 1)]}),
    [{"_id": 1}, {"_id": 2}],
    indexes=[("c", [("p", 1)], {})],
)
finding("find", "hint on absent index is an error", F, {"p": {"$gt": 1}}, Refused(2), None, {"hint": "nosuch_1"})
add("distinct", "arrays are unwound", F, ("distinct", "c", "v", {}), [1, 2, 3, 4, 5], unordered=True)
add("distinct", "dotted + filter", F, ("distinct", "c", "g.k", {"p": {"$gt": 5}}), ["x", "y"], unordered=True)
add(
    "distinct",
    "null kept, missing dropped, numeric types merged",
    [{"_id": 1, "a": 1}, {"_id": 2, "a": 1.0}, {"_id": 3, "a": None}, {"_id": 4}, {"_id": 5, "a": "1"}],
    ("distinct", "c", "a", {}),
    [Number(1), None, "1"],
    unordered=True,
)
add(
    "distinct",
    "sub documents",
    [{"_id": 1, "a": {"x": 1}}, {"_id": 2, "a": {"x": 1}}, {"_id": 3, "a": {"x": 2}}],
    ("distinct", "c", "a", {}),
    [{"x": 1}, {"x": 2}],
    unordered=True,
)
add(
    "distinct",
    "bool vs int",
    [{"_id": 1, "a": 1}, {"_id": 2, "a": True}],
    ("distinct", "c", "a", {}),
    [1, True],
    unordered=True,
)
add(
    "distinct",
    "collation",
    [{"_id": 1, "a": "x"}, {"_id": 2, "a": "X"}],
    ("distinct", "c", "a", {}, {"collation": {"locale": "en", "strength": 2}}),
    [Fulfils(lambda v: v in ("x", "X"), "x or X")],
)
add("count", "countDocuments filter", F, ("count", "c", {"q": {"$gte": 2}}, {}), 2)
add("count", "countDocuments skip/limit", F, ("count", "c", {}, {"skip": 1, "limit": 5}), 2)
add("count", "countDocuments on nothing", F, ("count", "c", {"q": 77}, {}), 0)
add("count", "countDocuments with $expr", F, ("count", "c", {"$expr": {"$eq": [{"$type": "$p"}, "missing"]}}, {}), 1)
add("count", "estimatedDocumentCount", F, ("estimated_count", "c"), 3)

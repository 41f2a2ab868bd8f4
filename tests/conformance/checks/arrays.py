"""Array and set expressions."""

from typing import Any

from tests.conformance.building import expression
from tests.conformance.expectations import MISSING, AnyOrder, Number, Refused

AR = {"v": [5, 2, 8, 1], "s": ["b", "a", "c"], "o": [{"n": "x", "k": 2}, {"n": "y", "k": 1}], "e": []}


def ar(n: Any, e: Any, x: Any, d: Any = None, **kw: Any) -> None:
    expression(n, e, x, d or AR, cat="array", **kw)


ar(
    "arrayElemAt",
    [{"$arrayElemAt": ["$v", 0]}, {"$arrayElemAt": ["$v", -1]}, {"$arrayElemAt": [None, 0]}],
    [5, 1, None],
)
ar("arrayElemAt out of range is missing", {"$arrayElemAt": ["$v", 9]}, MISSING)
ar("arrayElemAt on non-array error", {"$arrayElemAt": [5, 0]}, Refused(28689))
ar("first/last", [{"$first": "$v"}, {"$last": "$v"}], [5, 1])
ar("first of empty is missing", {"$first": "$e"}, MISSING)
ar("filter", {"$filter": {"input": "$v", "as": "x", "cond": {"$gt": ["$$x", 2]}}}, [5, 8])
ar("filter limit + this", {"$filter": {"input": "$v", "cond": {"$gt": ["$$this", 1]}, "limit": 2}}, [5, 2])
ar("filter null", {"$filter": {"input": "$nope", "cond": True}}, None)
ar("map", {"$map": {"input": "$o", "as": "i", "in": {"$concat": ["$$i.n", "!"]}}}, ["x!", "y!"])
ar("map null", {"$map": {"input": "$nope", "in": 1}}, None)
ar("map missing element value becomes null", {"$map": {"input": "$o", "in": "$$this.zz"}}, [None, None])
ar(
    "reduce",
    {
        "$reduce": {
            "input": "$v",
            "initialValue": {"s": 0, "p": 1},
            "in": {"s": {"$add": ["$$value.s", "$$this"]}, "p": {"$multiply": ["$$value.p", "$$this"]}},
        }
    },
    {"s": 16, "p": 80},
)
ar(
    "zip",
    [
        {"$zip": {"inputs": ["$v", "$s"]}},
        {"$zip": {"inputs": ["$v", "$s"], "useLongestLength": True, "defaults": [0, "-"]}},
    ],
    [[[5, "b"], [2, "a"], [8, "c"]], [[5, "b"], [2, "a"], [8, "c"], [1, "-"]]],
)
ar(
    "slice",
    [
        {"$slice": ["$v", 2]},
        {"$slice": ["$v", -2]},
        {"$slice": ["$v", 1, 2]},
        {"$slice": ["$v", -3, 2]},
        {"$slice": ["$v", 10, 1]},
    ],
    [[5, 2], [8, 1], [2, 8], [2, 8], []],
)
ar(
    "sortArray",
    [
        {"$sortArray": {"input": "$v", "sortBy": 1}},
        {"$sortArray": {"input": "$s", "sortBy": -1}},
        {"$sortArray": {"input": "$o", "sortBy": {"k": 1}}},
    ],
    [[1, 2, 5, 8], ["c", "b", "a"], [{"n": "y", "k": 1}, {"n": "x", "k": 2}]],
)
ar(
    "sortArray mixed types",
    {"$sortArray": {"input": ["b", 3, None, True, 1.5], "sortBy": 1}},
    [None, 1.5, 3, "b", True],
)
ar(
    "indexOfArray",
    [
        {"$indexOfArray": ["$v", 8]},
        {"$indexOfArray": ["$v", 99]},
        {"$indexOfArray": [None, 1]},
        {"$indexOfArray": ["$v", 5, 1]},
    ],
    [2, -1, None, -1],
)
ar("in", [{"$in": [2, "$v"]}, {"$in": ["z", "$s"]}, {"$in": [2.0, "$v"]}], [True, False, True])
ar("in on missing is an error", {"$in": [1, "$nope"]}, Refused(40081))
ar("size", [{"$size": "$v"}, {"$size": "$e"}, {"$size": "$o.k"}], [4, 0, 2])
ar("size of missing is an error", {"$size": "$nope"}, Refused(17124))
ar("concatArrays", [{"$concatArrays": ["$v", [9]]}, {"$concatArrays": ["$v", None]}], [[5, 2, 8, 1, 9], None])
ar("range", [{"$range": [0, 10, 3]}, {"$range": [5, 0, -2]}, {"$range": [0, 3]}], [[0, 3, 6, 9], [5, 3, 1], [0, 1, 2]])
ar(
    "reverseArray / isArray",
    [{"$reverseArray": "$v"}, {"$isArray": "$v"}, {"$isArray": ["$nope"]}],
    [[1, 8, 2, 5], True, False],
)
ar("setUnion dedupes", {"$setUnion": [[1, 2, 2], [2.0, 3]]}, AnyOrder([1, Number(2), 3]))
ar(
    "setIntersection/Difference",
    [{"$setIntersection": [[1, 2, 3], [2, 3, 4]]}, {"$setDifference": [[1, 2, 3], [2]]}],
    [AnyOrder([2, 3]), AnyOrder([1, 3])],
)
ar("setEquals/IsSubset", [{"$setEquals": [[1, 2, 2], [2, 1]]}, {"$setIsSubset": [[1], [1, 2]]}], [True, True])
ar(
    "any/allElementTrue",
    [
        {"$anyElementTrue": [[0, False, None]]},
        {"$anyElementTrue": [[0, ""]]},
        {"$allElementsTrue": [[1, "x"]]},
        {"$allElementsTrue": [[]]},
    ],
    [False, True, True, True],
)
ar("objectToArray", {"$objectToArray": {"a": 1, "b": "$v"}}, [{"k": "a", "v": 1}, {"k": "b", "v": [5, 2, 8, 1]}])
ar(
    "arrayToObject k/v and pairs",
    [
        {"$arrayToObject": [[{"k": "a", "v": 1}, {"k": "b", "v": 2}]]},
        {"$arrayToObject": {"$literal": [["a", 1], ["a", 2]]}},
    ],
    [{"a": 1, "b": 2}, {"a": 2}],
)
ar(
    "maxN/minN/firstN/lastN",
    [
        {"$maxN": {"input": "$v", "n": 2}},
        {"$minN": {"input": "$v", "n": 2}},
        {"$firstN": {"input": "$v", "n": 2}},
        {"$lastN": {"input": "$v", "n": 2}},
    ],
    [[8, 5], [1, 2], [5, 2], [8, 1]],
)
ar("nested array path", {"$map": {"input": "$o.k", "in": {"$multiply": ["$$this", 10]}}}, [20, 10])
ar("concatArrays on non-array error", {"$concatArrays": ["$v", 5]}, Refused(28664))
ar("filter on non-array error", {"$filter": {"input": 5, "cond": True}}, Refused(28651))

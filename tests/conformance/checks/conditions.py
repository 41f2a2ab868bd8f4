"""Conditionals, types, conversion, comparison."""

from typing import Any

from bson import SON, Binary, Decimal128, Int64, ObjectId, Regex, Timestamp

from tests.conformance.building import expression
from tests.conformance.expectations import Refused, moment


def co(n: Any, e: Any, x: Any, d: Any = None, **kw: Any) -> None:
    expression(n, e, x, d, cat="cond", **kw)


co(
    "cond both forms",
    [{"$cond": [True, 1, 2]}, {"$cond": {"if": {"$gt": ["$a", 5]}, "then": "big", "else": "small"}}],
    [1, "small"],
    {"a": 3},
)
co(
    "truthiness",
    [{"$cond": [x, 1, 0]} for x in (0, "", None, "$nope", "$e", 0.0, "$s")],
    [0, 1, 0, 0, 1, 0, 1],
    {"e": [], "s": "false"},
)
co("ifNull multi", [{"$ifNull": ["$nope", "$n", "dflt"]}, {"$ifNull": ["$z", 1]}], ["dflt", 0], {"n": None, "z": 0})
co(
    "switch",
    [
        {
            "$switch": {
                "branches": [{"case": {"$gt": ["$a", 5]}, "then": "hi"}, {"case": {"$gt": ["$a", 1]}, "then": "mid"}],
                "default": "lo",
            }
        }
    ],
    ["mid"],
    {"a": 3},
)
co("switch without match/default is an error", {"$switch": {"branches": [{"case": False, "then": 1}]}}, Refused(40066))
co(
    "and/or/not",
    [{"$and": []}, {"$or": []}, {"$and": [1, "x"]}, {"$or": [0, None]}, {"$not": [0]}, {"$not": ["$nope"]}],
    [True, False, True, False, True, True],
)
co("let", {"$let": {"vars": {"x": {"$add": ["$a", 1]}, "y": 2}, "in": {"$multiply": ["$$x", "$$y"]}}}, 8, {"a": 3})
co(
    "cmp across types",
    [
        {"$cmp": [1, "a"]},
        {"$cmp": ["$nope", None]},
        {"$cmp": [None, 0]},
        {"$cmp": ["$o", "z"]},
        {"$cmp": ["$v", "$o"]},
        {"$cmp": [True, "$v"]},
        {"$cmp": ["$d", True]},
    ],
    [-1, -1, -1, 1, 1, 1, 1],
    {"o": {"a": 1}, "v": [1], "d": moment(2020, 1, 1)},
)
co(
    "eq numeric types; not bool",
    [{"$eq": [1, 1.0]}, {"$eq": ["$l", 1]}, {"$eq": [True, 1]}, {"$ne": ["1", 1]}],
    [True, True, False, True],
    {"l": Int64(1)},
)
co("eq NaN", [{"$eq": ["$n", "$n"]}, {"$lt": ["$n", -1e300]}], [True, True], {"n": float("nan")})
co(
    "compare arrays and docs",
    [{"$lt": [[1, 2], [1, 3]]}, {"$gt": [[2], [1, 9]]}, {"$eq": ["$p", "$q"]}, {"$lt": [[], [None]]}],
    [True, True, False, True],
    {"p": SON([("a", 1), ("b", 2)]), "q": SON([("b", 2), ("a", 1)])},
)
co(
    "gt null on missing",
    [{"$gt": ["$nope", None]}, {"$gte": ["$n", None]}, {"$eq": ["$nope", None]}, {"$lte": ["$nope", None]}],
    [False, True, False, True],
    {"n": None},
)
co(
    "type",
    [
        {"$type": "$nope"},
        {"$type": "$i"},
        {"$type": "$d"},
        {"$type": "$l"},
        {"$type": "$m"},
        {"$type": "$s"},
        {"$type": "$o"},
        {"$type": "$a"},
        {"$type": "$b"},
        {"$type": "$t"},
        {"$type": "$n"},
        {"$type": "$oid"},
        {"$type": "$bin"},
        {"$type": "$re"},
        {"$type": "$ts"},
    ],
    [
        "missing",
        "int",
        "double",
        "long",
        "decimal",
        "string",
        "object",
        "array",
        "bool",
        "date",
        "null",
        "objectId",
        "binData",
        "regex",
        "timestamp",
    ],
    {
        "i": 1,
        "d": 1.5,
        "l": Int64(1),
        "m": Decimal128("1"),
        "s": "x",
        "o": {},
        "a": [],
        "b": True,
        "t": moment(2020, 1, 1),
        "n": None,
        "oid": ObjectId(),
        "bin": Binary(b"x"),
        "re": Regex("x"),
        "ts": Timestamp(1, 1),
    },
)
co(
    "isNumber",
    [{"$isNumber": "$a"}, {"$isNumber": "x"}, {"$isNumber": "$nope"}],
    [True, False, False],
    {"a": Decimal128("1")},
)
co(
    "toInt",
    [{"$toInt": "12"}, {"$toInt": 1.9}, {"$toInt": -1.9}, {"$toInt": True}, {"$toInt": None}, {"$toInt": "$nope"}],
    [12, 1, -1, 1, None, None],
)
co("toInt of '1.5' is an error", {"$toInt": "1.5"}, Refused(241))
co("toInt of 'abc' is an error", {"$toInt": "$s"}, Refused(241), {"s": "abc"})
co("toInt of padded string is an error", {"$toInt": " 12"}, Refused(241), note="unsure")
co("toInt overflow is an error", {"$toInt": "$l"}, Refused(241), {"l": Int64(2**40)})
co(
    "toLong / toDouble",
    [{"$toLong": "12"}, {"$toLong": 5.5}, {"$toDouble": "1e3"}, {"$toDouble": "-1.5"}, {"$toDouble": True}],
    [Int64(12), Int64(5), 1000.0, -1.5, 1.0],
)
co("toDouble of '1,000' is an error", {"$toDouble": "1,000"}, Refused(241))
co(
    "toBool",
    [{"$toBool": "false"}, {"$toBool": 0}, {"$toBool": 0.5}, {"$toBool": ""}, {"$toBool": None}],
    [True, False, True, True, None],
)
co("toObjectId", {"$toObjectId": "5ab9c3da31c2ab715d421285"}, ObjectId("5ab9c3da31c2ab715d421285"))
co("toObjectId bad is an error", {"$toObjectId": "xyz"}, Refused(241))
co(
    "convert onError/onNull",
    [
        {"$convert": {"input": "abc", "to": "int", "onError": -1, "onNull": 0}},
        {"$convert": {"input": None, "to": "int", "onNull": 0}},
        {"$convert": {"input": "3", "to": 16}},
    ],
    [-1, 0, 3],
)
co("convert array to int is an error", {"$convert": {"input": "$a", "to": "int"}}, Refused(241), {"a": [1]})
co("convert unknown type is an error", {"$convert": {"input": 1, "to": "nosuch"}}, Refused(2))
co("convert int to date unsupported -> onError", {"$convert": {"input": 5, "to": "date", "onError": "x"}}, "x")
co("getField", [{"$getField": "a.b"}, {"$getField": {"field": "k", "input": "$o"}}], [7, 1], {"a.b": 7, "o": {"k": 1}})
co(
    "setField/unsetField",
    [{"$setField": {"field": "x.y", "input": "$o", "value": 5}}, {"$unsetField": {"field": "k", "input": "$o"}}],
    [{"k": 1, "x.y": 5}, {}],
    {"o": {"k": 1}},
)
co(
    "mergeObjects with null",
    {"$mergeObjects": ["$o", None, "$nope", {"k": 2, "z": 1}]},
    {"k": 2, "z": 1},
    {"o": {"k": 1}},
)
co("mergeObjects non-object error", {"$mergeObjects": ["$o", 5]}, Refused(40400), {"o": {"k": 1}})
co("literal object", {"$literal": {"$add": [1, 2]}}, {"$add": [1, 2]})
co("bsonSize/binarySize", [{"$bsonSize": {"a": 1}}, {"$binarySize": "abc"}], [12, 3])
co("rand type", {"$type": {"$rand": {}}}, "double")
co("undefined variable", "$$foo", Refused(17276))
co("objects with missing sub fields", {"x": "$nope", "y": 1}, {"y": 1})

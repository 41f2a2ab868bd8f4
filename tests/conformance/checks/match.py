"""Filters of $match and find."""

import re
from typing import Any

from bson import SON, Decimal128, Int64, MaxKey, MinKey, ObjectId

from tests.conformance.building import matching
from tests.conformance.expectations import moment

V: list[tuple[int, dict[str, Any]]] = [
    (1, {"a": 5}),
    (2, {"a": 5.0}),
    (3, {"a": "5"}),
    (4, {"a": None}),
    (5, {}),
    (6, {"a": [5, 7]}),
    (7, {"a": {"b": 5}}),
    (8, {"a": True}),
    (9, {"a": Decimal128("5")}),
    (10, {"a": Int64(5)}),
    (11, {"a": moment(2024, 1, 1)}),
    (12, {"a": []}),
    (13, {"a": -3}),
]
matching("eq number across numeric types and arrays", V, {"a": 5}, [1, 2, 6, 9, 10])
matching("eq null matches null and missing", V, {"a": None}, [4, 5])
matching("ne null", V, {"a": {"$ne": None}}, [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13])
matching("gt type bracketing", V, {"a": {"$gt": 4}}, [1, 2, 6, 9, 10])
matching("lt type bracketing excludes null/missing", V, {"a": {"$lt": 6}}, [1, 2, 6, 9, 10, 13])
matching("gte null matches null+missing only", V, {"a": {"$gte": None}}, [4, 5])
matching("gt string", V, {"a": {"$gt": "4"}}, [3])
matching("date range", V, {"a": {"$gte": moment(2023, 1, 1), "$lt": moment(2025, 1, 1)}}, [11])
matching("exists true incl null", V, {"a": {"$exists": True}}, [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13])
matching("exists false", V, {"a": {"$exists": False}}, [5])
matching("type number alias", V, {"a": {"$type": "number"}}, [1, 2, 6, 9, 10, 13])
matching("type double / int / long / decimal", V, {"a": {"$type": ["double", "long"]}}, [2, 10])
matching("type array matches arrays themselves", V, {"a": {"$type": "array"}}, [6, 12])
matching("type numeric code 10 (null)", V, {"a": {"$type": 10}}, [4])
matching("type bool/object/date", V, {"a": {"$type": ["bool", "object", "date"]}}, [7, 8, 11])
matching("in with null", V, {"a": {"$in": [None, True]}}, [4, 5, 8])
matching("nin", V, {"a": {"$nin": [5, None]}}, [3, 7, 8, 11, 12, 13])
matching("in empty", V, {"a": {"$in": []}}, [])
matching(
    "in with regex",
    [(1, {"a": "foo"}), (2, {"a": "Bar"}), (3, {"a": "baz"})],
    {"a": {"$in": [re.compile("^b", re.IGNORECASE)]}},
    [2, 3],
)
matching("not gt matches missing", V, {"a": {"$not": {"$gt": 4}}}, [3, 4, 5, 7, 8, 11, 12, 13])
matching("nor", [(1, {"a": 1, "b": 1}), (2, {"a": 2}), (3, {"b": 3}), (4, {})], {"$nor": [{"a": 1}, {"b": 3}]}, [2, 4])
matching(
    "or/and nested",
    [(1, {"a": 1, "b": 1}), (2, {"a": 1, "b": 2}), (3, {"a": 2, "b": 2})],
    {"$or": [{"$and": [{"a": 1}, {"b": 2}]}, {"a": 2}]},
    [2, 3],
)
matching("size", [(1, {"a": [1, 2]}), (2, {"a": [1]}), (3, {"a": 2})], {"a": {"$size": 2}}, [1])
matching("all", [(1, {"a": [1, 2, 3]}), (2, {"a": [1]}), (3, {"a": 1})], {"a": {"$all": [1]}}, [1, 2, 3])
matching("all two", [(1, {"a": [1, 2, 3]}), (2, {"a": [1]}), (3, {"a": 1})], {"a": {"$all": [1, 2]}}, [1])
matching(
    "all elemMatch",
    [(1, {"a": [{"x": 1}, {"x": 5}]}), (2, {"a": [{"x": 1}]})],
    {"a": {"$all": [{"$elemMatch": {"x": 1}}, {"$elemMatch": {"x": {"$gt": 3}}}]}},
    [1],
)
matching("all empty matches none", [(1, {"a": [1]}), (2, {"a": []})], {"a": {"$all": []}}, [])
matching(
    "mod",
    [(1, {"a": 4}), (2, {"a": 5}), (3, {"a": 6.5}), (4, {"a": "4"}), (5, {"a": -4})],
    {"a": {"$mod": [4, 0]}},
    [1, 5],
)
matching("mod truncates doubles", [(1, {"a": 6.5}), (2, {"a": 7})], {"a": {"$mod": [4, 2]}}, [1])
matching(
    "elemMatch scalar range",
    [(1, {"a": [0, 5]}), (2, {"a": [2]}), (3, {"a": 2})],
    {"a": {"$elemMatch": {"$gt": 1, "$lt": 3}}},
    [2],
)
matching(
    "array range matched by different elements",
    [(1, {"a": [0, 5]}), (2, {"a": [2]}), (3, {"a": 2}), (4, {"a": [7]})],
    {"a": {"$gt": 1, "$lt": 3}},
    [1, 2, 3],
)
matching(
    "elemMatch docs",
    [(1, {"a": [{"p": 1, "q": 9}, {"p": 2, "q": 1}]}), (2, {"a": [{"p": 2, "q": 9}]})],
    {"a": {"$elemMatch": {"p": 2, "q": {"$gt": 5}}}},
    [2],
)
matching(
    "dotted over array of docs, different elements",
    [(1, {"a": [{"p": 1, "q": 9}, {"p": 2, "q": 1}]}), (2, {"a": [{"p": 2, "q": 1}]})],
    {"a.p": 2, "a.q": {"$gt": 5}},
    [1],
)
matching(
    "dotted numeric index",
    [(1, {"a": [{"p": 1}, {"p": 2}]}), (2, {"a": [{"p": 2}]}), (3, {"a": {"0": {"p": 1}}})],
    {"a.0.p": 1},
    [1, 3],
)
matching(
    "dotted null: missing sub field on scalar",
    [(1, {"a": {"b": None}}), (2, {"a": {}}), (3, {"a": 5}), (4, {}), (5, {"a": {"b": 1}})],
    {"a.b": None},
    [1, 2, 3, 4],
)
matching(
    "array exact equality", [(1, {"a": [1, 2]}), (2, {"a": [2, 1]}), (3, {"a": [[1, 2], 3]})], {"a": [1, 2]}, [1, 3]
)
matching(
    "subdocument equality is order sensitive",
    [(1, {"a": {"x": 1, "y": 2}}), (2, {"a": {"y": 2, "x": 1}}), (3, {"a": {"x": 1}})],
    {"a": SON([("x", 1), ("y", 2)])},
    [1],
)
matching("subdocument equality numeric types", [(1, {"a": {"x": 1.0}})], {"a": {"x": 1}}, [1])
matching(
    "regex i",
    [(1, {"a": "Apple"}), (2, {"a": "pineAPPLE"}), (3, {"a": 5})],
    {"a": {"$regex": "apple", "$options": "i"}},
    [1, 2],
)
matching(
    "regex m option",
    [(1, {"a": "x\nabc"}), (2, {"a": "abc"}), (3, {"a": "x abc"})],
    {"a": {"$regex": "^abc", "$options": "m"}},
    [1, 2],
)
matching("regex s option", [(1, {"a": "a\nb"}), (2, {"a": "axb"})], {"a": {"$regex": "a.b", "$options": "s"}}, [1, 2])
matching("regex x option", [(1, {"a": "ab"}), (2, {"a": "a b"})], {"a": {"$regex": "a b # c", "$options": "x"}}, [1])
matching("regex over array elements", [(1, {"a": ["xx", "foo"]}), (2, {"a": ["xx"]})], {"a": {"$regex": "^f"}}, [1])
matching("not regex", [(1, {"a": "foo"}), (2, {"a": "bar"}), (3, {})], {"a": {"$not": re.compile("^f")}}, [2, 3])
matching(
    "regex PCRE named group (?<n>)",
    [(1, {"a": "aa"}), (2, {"a": "ab"})],
    {"a": {"$regex": r"^(?<n>a)\k<n>$"}},
    [1],
    cat="regex",
)
matching(
    "regex POSIX class", [(1, {"a": "abc"}), (2, {"a": "12"})], {"a": {"$regex": r"^[[:alpha:]]+$"}}, [1], cat="regex"
)
matching(r"regex \p{Lu}", [(1, {"a": "Éa"}), (2, {"a": "éa"})], {"a": {"$regex": r"^\p{Lu}"}}, [1], cat="regex")
matching(r"regex \d is ASCII", [(1, {"a": "٣"}), (2, {"a": "3"})], {"a": {"$regex": r"^\d$"}}, [2], cat="regex")
matching(r"regex \w is ASCII", [(1, {"a": "é"}), (2, {"a": "e"})], {"a": {"$regex": r"^\w$"}}, [2], cat="regex")
matching(
    "regex inline flag (?i)", [(1, {"a": "FOO"}), (2, {"a": "bar"})], {"a": {"$regex": "(?i)foo"}}, [1], cat="regex"
)
matching(
    "regex mid-pattern inline flag",
    [(1, {"a": "xFOO"}), (2, {"a": "XFOO"})],
    {"a": {"$regex": "^x(?i)foo"}},
    [1],
    cat="regex",
)
matching(
    "regex possessive/atomic",
    [(1, {"a": "aaab"}), (2, {"a": "ab"})],
    {"a": {"$regex": "^(?>a+)b$"}},
    [1, 2],
    cat="regex",
)
matching(
    "regex case-insensitive non-ASCII",
    [(1, {"a": "ÉCOLE"}), (2, {"a": "école"})],
    {"a": {"$regex": "^école$", "$options": "i"}},
    [1, 2],
    cat="regex",
)
matching(
    "expr compares two fields", [(1, {"a": 5, "b": 3}), (2, {"a": 1, "b": 3})], {"$expr": {"$gt": ["$a", "$b"]}}, [1]
)
matching(
    "expr lt: missing and null sort below numbers",
    [(1, {"a": 1}), (2, {}), (3, {"a": None}), (4, {"a": 9})],
    {"$expr": {"$lt": ["$a", 5]}},
    [1, 2, 3],
)
matching(
    "expr gt: strings sort above numbers",
    [(1, {"a": 1}), (2, {"a": "x"}), (3, {"a": moment(2020, 1, 1)})],
    {"$expr": {"$gt": ["$a", 5]}},
    [2, 3],
)
matching("expr eq null does not match missing", [(1, {"a": None}), (2, {})], {"$expr": {"$eq": ["$a", None]}}, [1])
matching("expr does not traverse arrays", [(1, {"a": [5]}), (2, {"a": 5})], {"$expr": {"$eq": ["$a", 5]}}, [2])
matching("bitsAllSet", [(1, {"a": 7}), (2, {"a": 5}), (3, {"a": 2})], {"a": {"$bitsAllSet": [0, 2]}}, [1, 2])
matching("bitsAnySet mask", [(1, {"a": 4}), (2, {"a": 8})], {"a": {"$bitsAnySet": 6}}, [1])
matching(
    "jsonSchema",
    [(1, {"a": 5}), (2, {"a": "x"}), (3, {})],
    {"$jsonSchema": {"required": ["a"], "properties": {"a": {"bsonType": "int", "minimum": 3}}}},
    [1],
)
matching("comment ignored", [(1, {"a": 1})], {"a": 1, "$comment": "hello"}, [1])
matching("NaN equality", [(1, {"a": float("nan")}), (2, {"a": 1})], {"a": float("nan")}, [1])
matching("NaN is not lt number", [(1, {"a": float("nan")}), (2, {"a": 1})], {"a": {"$lt": 5}}, [2])
matching(
    "decimal compare with double",
    [(1, {"a": Decimal128("1.10")}), (2, {"a": Decimal128("1.2")})],
    {"a": {"$lt": 1.15}},
    [1],
)
matching("minKey / maxKey", [(1, {"a": MinKey()}), (2, {"a": MaxKey()}), (3, {"a": 1})], {"a": MaxKey()}, [2])
matching(
    "ObjectId equality vs string",
    [(1, {"a": ObjectId("5ab9c3da31c2ab715d421285")}), (2, {"a": "5ab9c3da31c2ab715d421285"})],
    {"a": ObjectId("5ab9c3da31c2ab715d421285")},
    [1],
)
matching(
    "geoWithin centerSphere",
    [
        (1, {"a": {"type": "Point", "coordinates": [-73.97, 40.77]}}),
        (2, {"a": {"type": "Point", "coordinates": [2.35, 48.85]}}),
    ],
    {"a": {"$geoWithin": {"$centerSphere": [[-73.9, 40.7], 50 / 6378.1]}}},
    [1],
)
matching(
    "empty array vs dotted exists",
    [(1, {"a": []}), (2, {"a": [{"b": 1}]}), (3, {"a": [{}]})],
    {"a.b": {"$exists": True}},
    [2],
)
matching(
    "ne on array means no element", [(1, {"a": [1, 2]}), (2, {"a": [2]}), (3, {"a": 2})], {"a": {"$ne": 1}}, [2, 3]
)
matching("bool is not number", [(1, {"a": True}), (2, {"a": 1})], {"a": 1}, [2])
matching("sampleRate 1.0", [(1, {"a": 1}), (2, {"a": 1})], {"$sampleRate": 1.0}, [1, 2])
ALL: list[tuple[int, dict[str, Any]]] = [
    (1, {"a": [{"b": "p"}, {"b": "q"}]}),
    (2, {"a": [{"b": "p"}, {"b": ["q", "r"]}]}),
    (3, {"a": [{"b": "p"}]}),
    (4, {"a": {"b": ["q", "p"]}}),
    (5, {"a": [{"b": "px"}, {"b": "qx"}]}),
    (6, {}),
]
matching("all through an array of documents", ALL, {"a.b": {"$all": ["p", "q"]}}, [1, 2, 4])
matching("and of values through an array", ALL, {"$and": [{"a.b": "p"}, {"a.b": "q"}]}, [1, 2, 4])
matching("all of regexes", ALL, {"a.b": {"$all": [re.compile("^p"), re.compile("^Q", re.IGNORECASE)]}}, [1, 2, 4, 5])
matching("all of a regex and a value", ALL, {"a.b": {"$all": [re.compile("x$"), "px"]}}, [5])
matching("all with null", ALL, {"a.b": {"$all": [None]}}, [6])
matching(
    "all of a whole array",
    [(1, {"a": [1, 2]}), (2, {"a": [[1, 2], 3]}), (3, {"a": [2, 1]})],
    {"a": {"$all": [[1, 2]]}},
    [1, 2],
)
matching(
    "all elemMatch through an array",
    [
        (1, {"a": [{"b": [{"x": 1}]}, {"b": [{"x": 5}]}]}),
        (2, {"a": [{"b": [{"x": 1}]}]}),
        (3, {"a": {"b": [{"x": 5}, {"x": 1}]}}),
    ],
    {"a.b": {"$all": [{"$elemMatch": {"x": 1}}, {"$elemMatch": {"x": {"$gt": 3}}}]}},
    [1, 3],
)
matching(
    "all of documents",
    [(1, {"a": [{"x": 1}, {"y": 2}]}), (2, {"a": [{"x": 1}]})],
    {"a": {"$all": [{"x": 1.0}, {"y": 2}]}},
    [1],
)

"""$unwind, $limit, $skip, $sort, $count and $sample."""

from bson import SON, Binary, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp

from tests.conformance.building import aggregation
from tests.conformance.expectations import Fulfils, Refused, moment

U = [{"_id": 1, "t": ["x", "y"]}, {"_id": 2, "t": []}, {"_id": 3}, {"_id": 4, "t": None}, {"_id": 5, "t": "z"}]
aggregation(
    "unwind", "basic", U, [{"$unwind": "$t"}], [{"_id": 1, "t": "x"}, {"_id": 1, "t": "y"}, {"_id": 5, "t": "z"}]
)
aggregation(
    "unwind",
    "preserveNullAndEmptyArrays",
    U,
    [{"$unwind": {"path": "$t", "preserveNullAndEmptyArrays": True}}],
    [{"_id": 1, "t": "x"}, {"_id": 1, "t": "y"}, {"_id": 2}, {"_id": 3}, {"_id": 4, "t": None}, {"_id": 5, "t": "z"}],
)
aggregation(
    "unwind",
    "includeArrayIndex is long, null for non-array",
    U,
    [{"$unwind": {"path": "$t", "includeArrayIndex": "i", "preserveNullAndEmptyArrays": True}}],
    [
        {"_id": 1, "t": "x", "i": Int64(0)},
        {"_id": 1, "t": "y", "i": Int64(1)},
        {"_id": 2, "i": None},
        {"_id": 3, "i": None},
        {"_id": 4, "t": None, "i": None},
        {"_id": 5, "t": "z", "i": None},
    ],
)
aggregation(
    "unwind",
    "nested path",
    [{"_id": 1, "a": {"b": [{"c": 1}, {"c": 2}]}}],
    [{"$unwind": "$a.b"}, {"$project": {"_id": 0, "v": "$a.b.c"}}],
    [{"v": 1}, {"v": 2}],
)
aggregation("unwind", "path without $ is an error", U, [{"$unwind": "t"}], Refused(28818))
S = [{"_id": 1, "a": 2, "b": "x"}, {"_id": 2, "a": 1, "b": "y"}, {"_id": 3, "a": 2, "b": "a"}]
aggregation(
    "sort",
    "two keys",
    S,
    [{"$sort": SON([("a", 1), ("b", -1)])}, {"$project": {"_id": 1}}],
    [{"_id": 2}, {"_id": 1}, {"_id": 3}],
)
BS = [
    {"_id": 1, "a": "s"},
    {"_id": 2, "a": 3},
    {"_id": 3, "a": None},
    {"_id": 4, "a": {"x": 1}},
    {"_id": 5, "a": True},
    {"_id": 6, "a": moment(2020, 1, 1)},
    {"_id": 7, "a": ObjectId("5ab9c3da31c2ab715d421285")},
    {"_id": 8, "a": Binary(b"x")},
    {"_id": 9, "a": MinKey()},
    {"_id": 10, "a": MaxKey()},
    {"_id": 11, "a": Regex("a")},
    {"_id": 12, "a": Timestamp(1, 1)},
    {"_id": 13, "a": 2.5},
]
aggregation(
    "sort",
    "BSON type order",
    BS,
    [{"$sort": {"a": 1}}, {"$project": {"_id": 1}}],
    [{"_id": i} for i in (9, 3, 13, 2, 1, 4, 8, 7, 5, 6, 12, 11, 10)],
)
AS = [{"_id": 1, "a": []}, {"_id": 2, "a": None}, {"_id": 3, "a": 1}, {"_id": 4, "a": [3, 0]}]
aggregation(
    "sort",
    "arrays ascending use the smallest element; [] before null",
    AS,
    [{"$sort": {"a": 1}}, {"$project": {"_id": 1}}],
    [{"_id": i} for i in (1, 2, 4, 3)],
)
aggregation(
    "sort",
    "arrays descending use the largest element",
    AS,
    [{"$sort": {"a": -1}}, {"$project": {"_id": 1}}],
    [{"_id": i} for i in (4, 3, 2, 1)],
)
aggregation(
    "sort",
    "strings compare binary (upper before lower)",
    [{"_id": 1, "a": "b"}, {"_id": 2, "a": "B"}, {"_id": 3, "a": "a"}, {"_id": 4, "a": "é"}, {"_id": 5, "a": "z"}],
    [{"$sort": {"a": 1}}, {"$project": {"_id": 1}}],
    [{"_id": i} for i in (2, 3, 1, 5, 4)],
)
aggregation(
    "sort",
    "collation strength 2 sort",
    [{"_id": 1, "a": "b"}, {"_id": 2, "a": "A"}, {"_id": 3, "a": "C"}, {"_id": 4, "a": "é"}, {"_id": 5, "a": "f"}],
    [{"$sort": {"a": 1}}, {"$project": {"_id": 1}}],
    [{"_id": i} for i in (2, 1, 3, 4, 5)],
    opts={"collation": {"locale": "en", "strength": 2}},
)
aggregation(
    "sort",
    "collation strength 2 match",
    [{"_id": 1, "a": "Abc"}, {"_id": 2, "a": "aBC"}, {"_id": 3, "a": "abd"}],
    [{"$match": {"a": "ABC"}}, {"$sort": {"_id": 1}}, {"$project": {"_id": 1}}],
    [{"_id": 1}, {"_id": 2}],
    opts={"collation": {"locale": "en", "strength": 2}},
)
aggregation(
    "sort",
    "collation strength 1 ignores accents",
    [{"_id": 1, "a": "resume"}, {"_id": 2, "a": "Résumé"}],
    [{"$match": {"a": "resume"}}, {"$count": "n"}],
    [{"n": 2}],
    opts={"collation": {"locale": "fr", "strength": 1}},
)
aggregation(
    "sort",
    "collation numericOrdering",
    [{"_id": 1, "a": "10"}, {"_id": 2, "a": "9"}, {"_id": 3, "a": "100"}],
    [{"$sort": {"a": 1}}, {"$project": {"_id": 1}}],
    [{"_id": 2}, {"_id": 1}, {"_id": 3}],
    opts={"collation": {"locale": "en", "numericOrdering": True}},
)
aggregation(
    "sort",
    "collation applies to $group keys",
    [{"_id": 1, "a": "x"}, {"_id": 2, "a": "X"}],
    [{"$group": {"_id": "$a", "n": {"$sum": 1}}}],
    [{"_id": Fulfils(lambda v: v in ("x", "X"), "x or X"), "n": 2}],
    opts={"collation": {"locale": "en", "strength": 2}},
)
aggregation(
    "sort",
    "sort on array of docs path",
    [{"_id": 1, "a": [{"k": 5}, {"k": 1}]}, {"_id": 2, "a": [{"k": 3}]}],
    [{"$sort": {"a.k": 1}}, {"$project": {"_id": 1}}],
    [{"_id": 1}, {"_id": 2}],
)
aggregation(
    "sort",
    "skip/limit",
    S,
    [{"$sort": {"_id": 1}}, {"$skip": 1}, {"$limit": 1}, {"$project": {"_id": 1}}],
    [{"_id": 2}],
)
aggregation("count", "$count", S, [{"$match": {"a": 2}}, {"$count": "n"}], [{"n": 2}])
aggregation("count", "$count of nothing is no document", S, [{"$match": {"a": 99}}, {"$count": "n"}], [])
aggregation("count", "$sample size", S, [{"$sample": {"size": 2}}, {"$count": "n"}], [{"n": 2}])
aggregation(
    "count",
    "$sortByCount",
    U,
    [{"$unwind": "$t"}, {"$set": {"t": {"$cond": [{"$eq": ["$t", "y"]}, "x", "$t"]}}}, {"$sortByCount": "$t"}],
    [{"_id": "x", "count": 2}, {"_id": "z", "count": 1}],
)
aggregation(
    "count",
    "$documents",
    {},
    [{"$documents": [{"x": 1}, {"x": 2}]}, {"$match": {"x": {"$gt": 1}}}],
    [{"x": 2}],
    coll=None,
)

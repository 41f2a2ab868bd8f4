"""Filters, sorts and joins on indexed fields: an index changes how fast an answer comes, never the answer."""

from typing import Any

from bson import SON, Decimal128, Int64, MinKey, Regex

from tests.conformance.building import add, aggregation, finding, matching
from tests.conformance.expectations import moment


def indexed(name: str, docs: Any, filter_: Any, ids: Any, *keys: Any, **options: Any) -> None:
    """A check of a filter with an index on each of `keys`."""
    note = options.pop("note", None)
    matching(name, docs, filter_, ids, cat="index", note=note, indexes=[("c", each, options) for each in keys])


UP, DOWN = [("a", 1)], [("a", -1)]
NAMES = [(1, {"a": "The Sea"}), (2, {"a": "the hill"}), (3, {"a": "A The"}), (4, {"a": ["x", "The"]}), (5, {})]
indexed("regex as a value", NAMES, {"a": Regex("^The")}, [1, 4], UP)
indexed("regex as a value, option i", NAMES, {"a": Regex("^the", "i")}, [1, 2, 4], DOWN)
indexed("regex as a value beside an equality", NAMES, {"a": Regex("The"), "_id": {"$in": [1, 3, 5]}}, [1, 3], UP)
indexed("regex in $in", NAMES, {"a": {"$in": [Regex("hill$"), "A The"]}}, [2, 3], UP)
indexed("regex in $nin", NAMES, {"a": {"$nin": [Regex("^The"), None]}}, [2, 3], UP)
indexed("regex in $not", NAMES, {"a": {"$not": Regex("^The")}}, [2, 3, 5], UP)
indexed("regex in $all", NAMES, {"a": {"$all": [Regex("^T"), Regex("^x")]}}, [4], UP)
indexed("regex in $elemMatch", NAMES, {"a": {"$elemMatch": {"$in": [Regex("^T")]}}}, [4], UP)
indexed("regex in $or", NAMES, {"$or": [{"a": Regex("hill")}, {"a": Regex("^A")}]}, [2, 3], UP)
indexed(
    "regex on fields of a compound index",
    [(1, {"a": "ax", "b": 1}), (2, {"a": "ay", "b": 2}), (3, {"a": "bx", "b": 1})],
    {"a": Regex("^a"), "b": 1},
    [1],
    [("b", 1), ("a", 1)],
    [("a", 1), ("b", 1)],
)
indexed("$eq of a regex is equality", [(1, {"a": "b"}), (2, {"a": Regex("b")})], {"a": {"$eq": Regex("b")}}, [2], UP)
for operation, expected in (
    (("count", "c", {"a": Regex("^a")}, {}), 1),
    (("distinct", "c", "a", {"a": Regex("B", "i")}), ["ab", "b"]),
):
    add(
        "index",
        f"{operation[0]} by a regex",
        [{"a": "ab"}, {"a": "b"}],
        operation,
        expected,
        indexes=[("c", UP, {})],
        unordered=True,
    )
TREE = [{"_id": 1, "up": 2, "n": "ax"}, {"_id": 2, "up": 3, "n": "Ay"}, {"_id": 3, "up": 4, "n": "b"}]
aggregation(
    "index",
    "regex in the pipeline of $lookup",
    TREE,
    [
        {"$match": {"_id": 1}},
        {"$lookup": {"from": "c", "as": "r", "pipeline": [{"$match": {"n": Regex("^a", "i")}}]}},
        {"$project": {"r._id": 1}},
    ],
    [{"_id": 1, "r": [{"_id": 1}, {"_id": 2}]}],
    indexes=[("c", "n", {})],
)
aggregation(
    "index",
    "regex in restrictSearchWithMatch",
    TREE,
    [
        {"$match": {"_id": 1}},
        {
            "$graphLookup": {
                "from": "c",
                "startWith": "$up",
                "connectFromField": "up",
                "connectToField": "_id",
                "as": "r",
                "restrictSearchWithMatch": {"n": Regex("^a", "i")},
            }
        },
        {"$project": {"r._id": 1}},
    ],
    [{"_id": 1, "r": [{"_id": 2}]}],
    indexes=[("c", "n", {})],
)

ABSENT = [(1, {"a": None}), (2, {}), (3, {"a": [None, 1]}), (4, {"a": []}), (5, {"a": 0}), (6, {"a": False})]
indexed("null equals missing", ABSENT, {"a": None}, [1, 2, 3], UP)
indexed("null in $in", ABSENT, {"a": {"$in": [None, 0]}}, [1, 2, 3, 5], DOWN)
indexed("$ne null", ABSENT, {"a": {"$ne": None}}, [4, 5, 6], UP)
indexed("null, sparse", ABSENT, {"a": None}, [1, 2, 3], UP, sparse=True)
indexed("$exists false, sparse", ABSENT, {"a": {"$exists": False}}, [2], UP, sparse=True)
INSIDE = [(1, {"d": [{"a": 1}, {}]}), (2, {"d": [{"a": 1}]}), (3, {"d": [{"a": None}]}), (4, {"d": 5}), (5, {"d": []})]
indexed("null equals missing in an element of an array", INSIDE, {"d.a": None}, [1, 3, 4], [("d.a", 1)])
indexed("null in $in, in an element of an array", INSIDE, {"d.a": {"$in": [None, 7]}}, [1, 3, 4], [("d.a", -1)])
indexed("null in an element, in a compound index", INSIDE, {"d.a": None, "_id": 1}, [1], [("d.a", 1), ("x", 1)])

indexed(
    "MinKey is below a missing field of an element",
    [(1, {"d": [{"a": MinKey()}, {}]}), (2, {"d": [{"a": MinKey()}]})],
    {"d.a": {"$gt": MinKey()}},
    [1],
    [("d.a", 1)],
    note="unsure",
)

SPREAD: list[tuple[int, dict[str, Any]]] = [
    (1, {"a": [0, 9]}),
    (2, {"a": [4]}),
    (3, {"a": 4}),
    (4, {"a": 9}),
    (5, {"a": [[4]]}),
]
indexed("range matched by different elements", SPREAD, {"a": {"$gt": 3, "$lt": 5}}, [1, 2, 3], UP)
indexed("range matched by different elements, descending", SPREAD, {"a": {"$gte": 3, "$lte": 5}}, [1, 2, 3], DOWN)
indexed(
    "range of a compound index matched by different elements",
    [(number, {"k": 1, **fields}) for number, fields in SPREAD],
    {"k": 1, "a": {"$gt": 3, "$lt": 5}},
    [1, 2, 3],
    [("k", 1), ("a", 1), ("b", 1)],
)
indexed("array as a whole", SPREAD, {"a": [4]}, [2, 5], UP)
indexed("array in $in", SPREAD, {"a": {"$in": [[0, 9], 9]}}, [1, 4], UP)
TEXTS = [(1, {"a": ""}), (2, {"a": "a"}), (3, {"a": "ab"}), (4, {"a": "abc"}), (5, {"a": "b"}), (6, {"a": 1})]
indexed("range of texts that begin alike, descending", TEXTS, {"a": {"$gt": "a"}}, [3, 4, 5], DOWN)
indexed("range up to a text, descending", TEXTS, {"a": {"$lt": "ab"}}, [1, 2], DOWN)
LAST = [(1, {"k": 1, "a": 5, "b": 1}), (2, {"k": 1, "a": 4}), (3, {"k": 1, "a": 6}), (4, {"k": 2, "a": 5})]
indexed("upper bound where the index goes on", LAST, {"k": 1, "a": {"$lte": 5}}, [1, 2], [("k", 1), ("a", 1), ("b", 1)])
indexed("lower bound where it goes on", LAST, {"k": 1, "a": {"$gte": 5}}, [1, 3], [("k", 1), ("a", -1), ("b", 1)])
NUMBERS = [(1, {"a": 2}), (2, {"a": 2.0}), (3, {"a": Int64(2)}), (4, {"a": Decimal128("2.0")}), (5, {"a": True})]
indexed("numbers of all types", NUMBERS, {"a": 2}, [1, 2, 3, 4], UP)
FAR = [(1, {"a": 1e-200}), (2, {"a": 1e200}), (3, {"a": 1e300}), (4, {"a": -1e200}), (5, {"a": float(2**62)})]
indexed("small and large numbers", FAR, {"a": {"$lt": 5}}, [1, 4], UP)
indexed("between large numbers", FAR, {"a": {"$gt": 1e200}}, [3], DOWN)
indexed("long equals double", FAR, {"a": Int64(2**62)}, [5], UP)
indexed(
    "NaN", [(1, {"a": float("nan")}), (2, {"a": Decimal128("NaN")}), (3, {"a": 0})], {"a": float("nan")}, [1, 2], UP
)
indexed("documents", [(1, {"a": SON(x=1, y=2)}), (2, {"a": SON(y=2, x=1)})], {"a": SON(x=1.0, y=2)}, [1], UP)
indexed("dates", [(1, {"a": moment(2024, 1, 1)}), (2, {"a": 5})], {"a": {"$gt": moment(2023, 1, 1)}}, [1], DOWN)


def sorted_values(name: str, values: Any, filter_: Any, direction: int, expected: Any, key: Any) -> None:
    """A check of the values of `a` in the order of a sort by `a`."""
    documents = [{"_id": number, "a": value} for number, value in enumerate(values)]
    finding(
        "index",
        name,
        documents,
        filter_,
        [{"a": value} for value in expected],
        proj={"_id": 0, "a": 1},
        opts={"sort": [("a", direction)]},
        indexes=[("c", key, {})],
    )


WORDS = ["ab", "a", "b", "", "abc"]
sorted_values("sort by a descending index", WORDS, {}, -1, ["b", "abc", "ab", "a", ""], DOWN)
sorted_values("sort against a descending index", WORDS, {}, 1, ["", "a", "ab", "abc", "b"], DOWN)
sorted_values("sort of what $in finds", WORDS, {"a": {"$in": ["b", "ab", "a"]}}, 1, ["a", "ab", "b"], UP)

for number, index in enumerate([(), ([("k", 1)],)]):
    aggregation(
        "index",
        f"$lookup of null, missing and arrays, {'indexed' if number else 'unindexed'}",
        {
            "c": [{"_id": 1}, {"_id": 2, "k": []}, {"_id": 3, "k": [[1], 7]}, {"_id": 4, "k": SON(x=1, y=2)}],
            "o": [{"_id": 1, "k": None}, {"_id": 2, "k": [[1], 2]}, {"_id": 3, "k": SON(y=2, x=1)}, {"_id": 4}],
        },
        [
            {"$lookup": {"from": "o", "localField": "k", "foreignField": "k", "as": "r"}},
            {"$project": {"r": {"$sortArray": {"input": "$r._id", "sortBy": 1}}}},
        ],
        [{"_id": 1, "r": [1, 4]}, {"_id": 2, "r": [1, 4]}, {"_id": 3, "r": [2]}, {"_id": 4, "r": []}],
        indexes=[("o", keys, {}) for keys in index],
    )
    aggregation(
        "index",
        f"$lookup by a field of elements, {'indexed' if number else 'unindexed'}",
        {
            "c": [{"_id": 1}, {"_id": 2, "k": 5}],
            "o": [{"_id": 1, "k": [{"v": 5}, {}]}, {"_id": 2, "k": [{"v": 6}]}, {"_id": 3, "k": []}],
        },
        [
            {"$lookup": {"from": "o", "localField": "k", "foreignField": "k.v", "as": "r"}},
            {"$project": {"r": "$r._id"}},
        ],
        [{"_id": 1, "r": [1]}, {"_id": 2, "r": [1]}],
        indexes=[("o", "k.v", {}) for _ in index],
    )

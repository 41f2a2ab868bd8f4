"""$group and its accumulators."""

from typing import Any

from bson import Decimal128, Int64

from tests.conformance.building import aggregation
from tests.conformance.expectations import AnyOrder, Fulfils, Number, Refused, moment

G = [
    {"_id": 1, "k": "a", "v": 10, "s": "p"},
    {"_id": 2, "k": "b", "v": 5, "s": "q"},
    {"_id": 3, "k": "a", "v": 20, "s": None},
    {"_id": 4, "k": "b", "v": "str"},
    {"_id": 5, "k": "c"},
    {"_id": 6, "v": 1},
    {"_id": 7, "k": None, "v": 2.5},
]


def ga(name: Any, acc: Any, exp: Any, **kw: Any) -> None:
    aggregation(
        "group", name, G, [{"$sort": {"_id": 1}}, {"$group": {"_id": "$k", "r": acc}}, {"$sort": {"_id": 1}}], exp, **kw
    )


ga(
    "sum skips non-numbers; null and missing keys merge",
    {"$sum": "$v"},
    [{"_id": None, "r": 3.5}, {"_id": "a", "r": 30}, {"_id": "b", "r": 5}, {"_id": "c", "r": 0}],
)
ga(
    "avg: double, null when no number",
    {"$avg": "$v"},
    [{"_id": None, "r": 1.75}, {"_id": "a", "r": 15.0}, {"_id": "b", "r": 5.0}, {"_id": "c", "r": None}],
)
ga(
    "min/max across BSON types",
    {"$max": "$v"},
    [{"_id": None, "r": 2.5}, {"_id": "a", "r": 20}, {"_id": "b", "r": "str"}, {"_id": "c", "r": None}],
)
ga("min", {"$min": "$v"}, [{"_id": None, "r": 1}, {"_id": "a", "r": 10}, {"_id": "b", "r": 5}, {"_id": "c", "r": None}])
ga(
    "first",
    {"$first": "$s"},
    [{"_id": None, "r": None}, {"_id": "a", "r": "p"}, {"_id": "b", "r": "q"}, {"_id": "c", "r": None}],
)
ga(
    "last: missing becomes null",
    {"$last": "$s"},
    [{"_id": None, "r": None}, {"_id": "a", "r": None}, {"_id": "b", "r": None}, {"_id": "c", "r": None}],
)
ga(
    "push keeps null, drops missing",
    {"$push": "$s"},
    [{"_id": None, "r": []}, {"_id": "a", "r": ["p", None]}, {"_id": "b", "r": ["q"]}, {"_id": "c", "r": []}],
)
ga(
    "push of objects drops missing fields",
    {"$push": {"s": "$s", "v": "$v"}},
    [
        {"_id": None, "r": [{"v": 1}, {"v": 2.5}]},
        {"_id": "a", "r": [{"s": "p", "v": 10}, {"s": None, "v": 20}]},
        {"_id": "b", "r": [{"s": "q", "v": 5}, {"v": "str"}]},
        {"_id": "c", "r": [{}]},
    ],
)
ga(
    "$count accumulator",
    {"$count": {}},
    [{"_id": None, "r": 2}, {"_id": "a", "r": 2}, {"_id": "b", "r": 2}, {"_id": "c", "r": 1}],
)
aggregation(
    "group",
    "addToSet dedupes across numeric types",
    [{"_id": 1, "v": 1}, {"_id": 2, "v": 1.0}, {"_id": 3, "v": 2}, {"_id": 4}],
    [{"$group": {"_id": None, "r": {"$addToSet": "$v"}}}],
    [{"_id": None, "r": AnyOrder([Number(1), 2])}],
)
aggregation(
    "group",
    "group null over everything",
    G,
    [{"$group": {"_id": None, "n": {"$sum": 1}, "t": {"$sum": "$v"}}}],
    [{"_id": None, "n": 7, "t": 38.5}],
)
aggregation("group", "group on empty input gives nothing", [], [{"$group": {"_id": None, "n": {"$sum": 1}}}], [])
aggregation(
    "group",
    "compound _id: missing part is dropped",
    [{"_id": 1, "a": 1}, {"_id": 2, "a": 1, "b": None}, {"_id": 3, "a": 1}],
    [{"$group": {"_id": {"a": "$a", "b": "$b"}, "n": {"$sum": 1}}}, {"$sort": {"n": 1}}],
    [{"_id": {"a": 1, "b": None}, "n": 1}, {"_id": {"a": 1}, "n": 2}],
)
aggregation(
    "group",
    "numeric keys of different types are one group",
    [{"_id": 1, "k": 1}, {"_id": 2, "k": 1.0}, {"_id": 3, "k": Int64(1)}, {"_id": 4, "k": Decimal128("1")}],
    [{"$group": {"_id": "$k", "n": {"$sum": 1}}}],
    [{"_id": Number(1), "n": 4}],
)
aggregation(
    "group",
    "bool and int keys stay apart",
    [{"_id": 1, "k": 1}, {"_id": 2, "k": True}, {"_id": 3, "k": 0}, {"_id": 4, "k": False}],
    [{"$group": {"_id": "$k", "n": {"$sum": 1}}}],
    [{"_id": 1, "n": 1}, {"_id": True, "n": 1}, {"_id": 0, "n": 1}, {"_id": False, "n": 1}],
    unordered=True,
)
aggregation(
    "group",
    "date expression key",
    [{"_id": 1, "d": moment(2024, 1, 5)}, {"_id": 2, "d": moment(2024, 1, 9)}, {"_id": 3, "d": moment(2024, 2, 1)}],
    [{"$group": {"_id": {"y": {"$year": "$d"}, "m": {"$month": "$d"}}, "n": {"$sum": 1}}}, {"$sort": {"_id": 1}}],
    [{"_id": {"y": 2024, "m": 1}, "n": 2}, {"_id": {"y": 2024, "m": 2}, "n": 1}],
)
aggregation(
    "group",
    "sum int32 overflow becomes long",
    [{"_id": 1, "v": 2147483647}, {"_id": 2, "v": 1}],
    [{"$group": {"_id": None, "r": {"$sum": "$v"}}}],
    [{"_id": None, "r": Int64(2147483648)}],
)
aggregation(
    "group",
    "sum long overflow becomes double",
    [{"_id": 1, "v": Int64(2**63 - 1)}, {"_id": 2, "v": Int64(2**63 - 1)}],
    [{"$group": {"_id": None, "r": {"$sum": "$v"}}}],
    [{"_id": None, "r": 1.8446744073709552e19}],
)
aggregation(
    "group",
    "sum decimal",
    [{"_id": 1, "v": Decimal128("0.10")}, {"_id": 2, "v": Decimal128("0.20")}, {"_id": 3, "v": 1}],
    [{"$group": {"_id": None, "r": {"$sum": "$v"}}}],
    [{"_id": None, "r": Decimal128("1.30")}],
)
aggregation(
    "group",
    "avg decimal",
    [{"_id": 1, "v": Decimal128("1")}, {"_id": 2, "v": Decimal128("2")}],
    [{"$group": {"_id": None, "r": {"$avg": "$v"}}}],
    [{"_id": None, "r": Decimal128("1.5")}],
)
aggregation(
    "group",
    "sum of an array field is 0 in $group",
    [{"_id": 1, "v": [1, 2]}],
    [{"$group": {"_id": None, "r": {"$sum": "$v"}}}],
    [{"_id": None, "r": 0}],
)
aggregation(
    "group",
    "sum of doubles 0.1 x10 is compensated",
    [{"_id": i, "v": 0.1} for i in range(10)],
    [{"$group": {"_id": None, "r": {"$sum": "$v"}}}],
    [{"_id": None, "r": Fulfils(lambda v: v == 1.0, "exactly 1.0 (compensated summation)")}],
    note="unsure",
)
SD = [{"_id": i, "v": v} for i, v in enumerate([1, 2, 3, 4])]
aggregation(
    "group",
    "stdDevPop / stdDevSamp",
    SD,
    [{"$group": {"_id": None, "p": {"$stdDevPop": "$v"}, "s": {"$stdDevSamp": "$v"}}}],
    [{"_id": None, "p": 1.118033988749895, "s": 1.2909944487358056}],
)
aggregation(
    "group",
    "stdDevSamp of one is null, Pop is 0",
    SD[:1],
    [{"$group": {"_id": None, "p": {"$stdDevPop": "$v"}, "s": {"$stdDevSamp": "$v"}}}],
    [{"_id": None, "p": 0.0, "s": None}],
)
aggregation(
    "group",
    "mergeObjects accumulator",
    [{"_id": 1, "o": {"a": 1, "b": 1}}, {"_id": 2, "o": None}, {"_id": 3, "o": {"b": 2}}],
    [{"$sort": {"_id": 1}}, {"$group": {"_id": None, "r": {"$mergeObjects": "$o"}}}],
    [{"_id": None, "r": {"a": 1, "b": 2}}],
)
PL = [
    {"_id": 1, "g": "G1", "p": "A", "s": 31},
    {"_id": 2, "g": "G1", "p": "B", "s": 33},
    {"_id": 3, "g": "G1", "p": "C", "s": 99},
    {"_id": 4, "g": "G2", "p": "D", "s": 10},
    {"_id": 5, "g": "G2", "p": "E", "s": 14},
    {"_id": 6, "g": "G2", "p": "F"},
]


def gp(name: Any, acc: Any, exp: Any, **kw: Any) -> None:
    aggregation(
        "group",
        name,
        PL,
        [{"$sort": {"_id": 1}}, {"$group": {"_id": "$g", "r": acc}}, {"$sort": {"_id": 1}}],
        exp,
        **kw,
    )


gp(
    "$top",
    {"$top": {"sortBy": {"s": -1}, "output": ["$p", "$s"]}},
    [{"_id": "G1", "r": ["C", 99]}, {"_id": "G2", "r": ["E", 14]}],
)
gp(
    "$bottom (missing sorts last descending)",
    {"$bottom": {"sortBy": {"s": -1}, "output": "$p"}},
    [{"_id": "G1", "r": "A"}, {"_id": "G2", "r": "F"}],
)
gp(
    "$topN",
    {"$topN": {"n": 2, "sortBy": {"s": -1}, "output": "$p"}},
    [{"_id": "G1", "r": ["C", "B"]}, {"_id": "G2", "r": ["E", "D"]}],
)
gp(
    "$bottomN",
    {"$bottomN": {"n": 2, "sortBy": {"s": -1}, "output": "$p"}},
    [{"_id": "G1", "r": ["B", "A"]}, {"_id": "G2", "r": ["D", "F"]}],
)
gp(
    "$firstN keeps missing as null",
    {"$firstN": {"input": "$s", "n": 3}},
    [{"_id": "G1", "r": [31, 33, 99]}, {"_id": "G2", "r": [10, 14, None]}],
)
gp("$lastN", {"$lastN": {"input": "$p", "n": 2}}, [{"_id": "G1", "r": ["B", "C"]}, {"_id": "G2", "r": ["E", "F"]}])
gp(
    "$maxN drops null/missing",
    {"$maxN": {"input": "$s", "n": 3}},
    [{"_id": "G1", "r": [99, 33, 31]}, {"_id": "G2", "r": [14, 10]}],
)
gp("$minN", {"$minN": {"input": "$s", "n": 2}}, [{"_id": "G1", "r": [31, 33]}, {"_id": "G2", "r": [10, 14]}])
gp(
    "$topN n from expression of group key",
    {"$topN": {"n": {"$cond": [{"$eq": ["$g", "G1"]}, 1, 2]}, "sortBy": {"s": -1}, "output": "$p"}},
    [{"_id": "G1", "r": ["C"]}, {"_id": "G2", "r": ["E", "D"]}],
)
TS = [
    {"_id": 1, "a": 62, "b": 81, "c": 80},
    {"_id": 2, "a": 60, "b": 83, "c": 79},
    {"_id": 3, "a": 67, "b": 82, "c": 78},
    {"_id": 4, "a": 64, "b": 72, "c": 77},
    {"_id": 5, "a": 60, "b": 53, "c": 72},
]
aggregation(
    "group",
    "$percentile (manual example)",
    TS,
    [
        {
            "$group": {
                "_id": None,
                "r": {"$percentile": {"input": "$a", "p": [0.5, 0.75, 0.9, 0.95], "method": "approximate"}},
                "s": {"$percentile": {"input": "$c", "p": [0.5, 0.75, 0.9, 0.95], "method": "approximate"}},
            }
        }
    ],
    [{"_id": None, "r": [62.0, 64.0, 67.0, 67.0], "s": [78.0, 79.0, 80.0, 80.0]}],
)
aggregation(
    "group",
    "$median (manual example)",
    TS,
    [{"$group": {"_id": None, "r": {"$median": {"input": "$a", "method": "approximate"}}}}],
    [{"_id": None, "r": 62.0}],
)
aggregation(
    "group",
    "accumulator over expression",
    G,
    [{"$group": {"_id": None, "r": {"$sum": {"$cond": [{"$eq": ["$k", "a"]}, "$v", 0]}}}}],
    [{"_id": None, "r": 30}],
)
aggregation(
    "group",
    "$first of ROOT after sort",
    G,
    [{"$sort": {"v": -1}}, {"$match": {"k": "a"}}, {"$group": {"_id": "$k", "top": {"$first": "$$ROOT"}}}],
    [{"_id": "a", "top": {"_id": 3, "k": "a", "v": 20, "s": None}}],
)
aggregation("group", "group without _id is an error", G, [{"$group": {"n": {"$sum": 1}}}], Refused(15955))
aggregation("group", "non-accumulator field is an error", G, [{"$group": {"_id": "$k", "v": "$v"}}], Refused(40234))
aggregation(
    "group", "unknown accumulator is an error", G, [{"$group": {"_id": "$k", "v": {"$nope": "$v"}}}], Refused(15952)
)

"""Window functions, $densify and $fill."""

from typing import Any

from bson import SON

from tests.conformance.building import aggregation
from tests.conformance.expectations import MISSING, Fulfils, Number, Refused, moment

W = [
    {"_id": 1, "s": "CA", "t": 1, "q": 10},
    {"_id": 2, "s": "CA", "t": 2, "q": 20},
    {"_id": 3, "s": "CA", "t": 3, "q": 20},
    {"_id": 4, "s": "WA", "t": 1, "q": 7},
    {"_id": 5, "s": "WA", "t": 4, "q": 3},
]


BY_TIME = SON([("t", 1)])


def w(name: Any, out: Any, exp: Any, sort: Any = BY_TIME, data: Any = W, part: Any = "$s", **kw: Any) -> None:
    st = {"output": {"r": out}}
    if part:
        st["partitionBy"] = part
    if sort:
        st["sortBy"] = sort
    aggregation(
        "window",
        name,
        data,
        [{"$setWindowFields": st}, {"$sort": {"_id": 1}}, {"$project": {"_id": 0, "r": 1}}],
        [{"r": e} if e is not MISSING else {} for e in exp],
        **kw,
    )


w("cumulative sum", {"$sum": "$q", "window": {"documents": ["unbounded", "current"]}}, [10, 30, 50, 7, 10])
w("whole partition by default", {"$sum": "$q"}, [50, 50, 50, 10, 10])
w("moving avg documents [-1,0]", {"$avg": "$q", "window": {"documents": [-1, 0]}}, [10.0, 15.0, 20.0, 7.0, 5.0])
w("range window on number", {"$sum": "$q", "window": {"range": [-1, 1]}}, [30, 50, 40, 7, 3])
w("$rank with ties", {"$rank": {}}, [Number(3), Number(1), Number(1), Number(1), Number(2)], sort=SON([("q", -1)]))
w("$denseRank", {"$denseRank": {}}, [Number(2), Number(1), Number(1), Number(1), Number(2)], sort=SON([("q", -1)]))
w("$documentNumber", {"$documentNumber": {}}, [Number(1), Number(2), Number(3), Number(1), Number(2)])
w("$shift with default", {"$shift": {"output": "$q", "by": -1, "default": "none"}}, ["none", 10, 20, "none", 7])
w("$shift without default is null", {"$shift": {"output": "$q", "by": 1}}, [20, 20, None, 3, None])
w("$first / $last window", {"$last": "$q", "window": {"documents": ["current", "unbounded"]}}, [20, 20, 20, 3, 3])
w("$push window", {"$push": "$q", "window": {"documents": [-1, 0]}}, [[10], [10, 20], [20, 20], [7], [7, 3]])
w("$max no partition", {"$max": "$q"}, [20, 20, 20, 20, 20], part=None)
w(
    "$expMovingAvg N=2",
    {"$expMovingAvg": {"input": "$q", "N": 2}},
    [
        Number(10.0),
        Number(10 + (20 - 10) * 2 / 3),
        Number((10 + 20 / 3) + (20 - (10 + 20 / 3)) * 2 / 3),
        Number(7.0),
        Number(7 + (3 - 7) * 2 / 3),
    ],
)
w(
    "$derivative on numbers",
    {"$derivative": {"input": "$q"}, "window": {"documents": [-1, 0]}},
    [None, Number(10.0), Number(0.0), None, Number(-4 / 3)],
)
w(
    "$integral",
    {"$integral": {"input": "$q"}, "window": {"documents": ["unbounded", "current"]}},
    [Number(0), Number(15), Number(35), Number(0), Number(15)],
)
w(
    "$covariancePop",
    {"$covariancePop": ["$t", "$q"]},
    [Number(10 / 3)] * 3 + [Number(-3.0)] * 2,
    note="pop covariance over the partition",
)
w("$stdDevPop window", {"$stdDevPop": "$q"}, [Number(4.714045207910317)] * 3 + [Number(2.0)] * 2)
WT = [
    {"_id": 1, "s": "a", "t": moment(2024, 1, 15), "q": 1},
    {"_id": 2, "s": "a", "t": moment(2024, 2, 10), "q": 2},
    {"_id": 3, "s": "a", "t": moment(2024, 3, 20), "q": 4},
]
w(
    "range window with unit month",
    {"$sum": "$q", "window": {"range": [-1, 0], "unit": "month"}},
    [1, 3, 4],
    data=WT,
    note="Feb 20 < Mar 20-1month? Feb 10 is out",
)
w("range window with unit day", {"$sum": "$q", "window": {"range": [-30, 0], "unit": "day"}}, [1, 3, 4], data=WT)
TR = [
    {"_id": 1, "s": "1", "t": moment(2020, 5, 18, 14, 10, 30), "q": 1295.1},
    {"_id": 2, "s": "1", "t": moment(2020, 5, 18, 14, 11, 0), "q": 1295.63},
    {"_id": 3, "s": "1", "t": moment(2020, 5, 18, 14, 11, 30), "q": 1296.25},
]
w(
    "$derivative with unit (manual example)",
    {"$derivative": {"input": "$q", "unit": "hour"}, "window": {"range": [-30, 0], "unit": "second"}},
    [None, Fulfils(lambda v: abs(v - 63.6) < 1e-3, "63.6"), Fulfils(lambda v: abs(v - 74.4) < 1e-3, "74.4")],
    data=TR,
)
WN = [{"_id": 1, "t": 1, "q": 10}, {"_id": 2, "t": 2, "q": None}, {"_id": 3, "t": 4, "q": 40}]
w("$linearFill", {"$linearFill": "$q"}, [Number(10), Number(20), Number(40)], data=WN, part=None)
w("$locf", {"$locf": "$q"}, [10, 10, 40], data=WN, part=None)
w("$topN window", {"$topN": {"n": 2, "sortBy": {"q": -1}, "output": "$q"}}, [[20, 20]] * 3 + [[7, 3]] * 2)
aggregation(
    "window", "$rank needs sortBy", W, [{"$setWindowFields": {"output": {"r": {"$rank": {}}}}}], Refused(5371602)
)
aggregation(
    "window",
    "output order: partition then sort key",
    W[::-1],
    [
        {"$setWindowFields": {"partitionBy": "$s", "sortBy": {"t": 1}, "output": {"n": {"$sum": 1}}}},
        {"$project": {"_id": 1}},
    ],
    [{"_id": i} for i in (1, 2, 3, 4, 5)],
    note="unsure: SecantusDB's source says it measured first-seen partition order on 8.2.11",
)
aggregation(
    "window",
    "$densify full numeric",
    [{"_id": 1, "v": 0, "k": "a"}, {"_id": 2, "v": 6, "k": "a"}],
    [{"$densify": {"field": "v", "range": {"step": 2, "bounds": "full"}}}, {"$project": {"_id": 0}}],
    [{"v": 0, "k": "a"}, {"v": Number(2)}, {"v": Number(4)}, {"v": 6, "k": "a"}],
)
aggregation(
    "window",
    "$densify partition",
    [{"_id": 1, "v": 1, "k": "a"}, {"_id": 2, "v": 3, "k": "a"}, {"_id": 3, "v": 2, "k": "b"}],
    [
        {"$densify": {"field": "v", "partitionByFields": ["k"], "range": {"step": 1, "bounds": "full"}}},
        {"$project": {"_id": 0, "v": 1, "k": 1}},
        {"$sort": SON([("k", 1), ("v", 1)])},
    ],
    [{"k": k, "v": Number(v)} for k in "ab" for v in (1, 2, 3)],
    note="field order not judged",
)
aggregation(
    "window",
    "$densify dates by hour, bounds exclusive at top",
    [{"_id": 1, "t": moment(2021, 5, 18, 0)}, {"_id": 2, "t": moment(2021, 5, 18, 4)}],
    [
        {
            "$densify": {
                "field": "t",
                "range": {"step": 2, "unit": "hour", "bounds": [moment(2021, 5, 18, 0), moment(2021, 5, 18, 8)]},
            }
        },
        {"$project": {"_id": 0}},
    ],
    [{"t": moment(2021, 5, 18, h)} for h in (0, 2, 4, 6)],
)
aggregation(
    "window",
    "$fill value",
    WN,
    [{"$fill": {"output": {"q": {"value": 0}}}}, {"$sort": {"_id": 1}}, {"$project": {"_id": 0, "q": 1}}],
    [{"q": 10}, {"q": 0}, {"q": 40}],
)
aggregation(
    "window",
    "$fill linear",
    WN,
    [{"$fill": {"sortBy": {"t": 1}, "output": {"q": {"method": "linear"}}}}, {"$project": {"_id": 0, "q": 1}}],
    [{"q": Number(10)}, {"q": Number(20)}, {"q": Number(40)}],
)
aggregation(
    "window",
    "$fill locf partition",
    [
        {"_id": 1, "k": "a", "t": 1, "q": 1},
        {"_id": 2, "k": "a", "t": 2},
        {"_id": 3, "k": "b", "t": 1},
        {"_id": 4, "k": "b", "t": 2, "q": 9},
    ],
    [
        {"$fill": {"partitionByFields": ["k"], "sortBy": {"t": 1}, "output": {"q": {"method": "locf"}}}},
        {"$sort": {"_id": 1}},
        {"$project": {"_id": 0, "q": 1}},
    ],
    [{"q": 1}, {"q": 1}, {"q": None}, {"q": 9}],
)

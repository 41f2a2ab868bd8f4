"""$bucket, $bucketAuto and $facet."""

from tests.conformance.building import aggregation
from tests.conformance.expectations import Number, Refused

B = [{"_id": i, "p": p} for i, p in enumerate([5, 10, 15, 20, 25, 99])]
aggregation(
    "bucket",
    "$bucket default + output",
    B,
    [
        {
            "$bucket": {
                "groupBy": "$p",
                "boundaries": [0, 10, 20, 30],
                "default": "other",
                "output": {"n": {"$sum": 1}, "ps": {"$push": "$p"}},
            }
        }
    ],
    [
        {"_id": 0, "n": 1, "ps": [5]},
        {"_id": 10, "n": 2, "ps": [10, 15]},
        {"_id": 20, "n": 2, "ps": [20, 25]},
        {"_id": "other", "n": 1, "ps": [99]},
    ],
)
aggregation(
    "bucket",
    "$bucket default output is count",
    B[:5],
    [{"$bucket": {"groupBy": "$p", "boundaries": [0, 10, 30]}}],
    [{"_id": 0, "count": 1}, {"_id": 10, "count": 4}],
)
aggregation(
    "bucket",
    "$bucket without default: out of range is an error",
    B,
    [{"$bucket": {"groupBy": "$p", "boundaries": [0, 10]}}],
    Refused(40066),
)
aggregation(
    "bucket",
    "$bucket boundaries must ascend",
    B,
    [{"$bucket": {"groupBy": "$p", "boundaries": [10, 0]}}],
    Refused(40194),
)
BA = [{"_id": i, "x": i} for i in range(100)]
aggregation(
    "bucket",
    "$bucketAuto (manual example)",
    BA,
    [{"$bucketAuto": {"groupBy": "$x", "buckets": 5}}],
    [
        {"_id": {"min": Number(a), "max": Number(b)}, "count": 20}
        for a, b in ((0, 20), (20, 40), (40, 60), (60, 80), (80, 99))
    ],
)
aggregation(
    "bucket",
    "$bucketAuto granularity R20 (manual)",
    BA,
    [{"$bucketAuto": {"groupBy": "$x", "buckets": 5, "granularity": "R20"}}],
    [
        {"_id": {"min": Number(a), "max": Number(b)}, "count": n}
        for a, b, n in ((0, 20, 20), (20, 40, 20), (40, 63, 23), (63, 90, 27), (90, 100, 10))
    ],
)
aggregation(
    "bucket",
    "$bucketAuto granularity 1-2-5 (manual)",
    BA,
    [{"$bucketAuto": {"groupBy": "$x", "buckets": 5, "granularity": "1-2-5"}}],
    [
        {"_id": {"min": Number(a), "max": Number(b)}, "count": n}
        for a, b, n in ((0, 20, 20), (20, 50, 30), (50, 100, 50))
    ],
)
aggregation(
    "bucket",
    "$bucketAuto keeps equal values together",
    [{"_id": i, "x": x} for i, x in enumerate([1, 1, 1, 1, 2, 3])],
    [{"$bucketAuto": {"groupBy": "$x", "buckets": 3}}],
    [{"_id": {"min": 1, "max": 2}, "count": 4}, {"_id": {"min": 2, "max": 3}, "count": 2}],
)
aggregation(
    "bucket",
    "$facet",
    B,
    [
        {
            "$facet": {
                "n": [{"$count": "c"}],
                "big": [{"$match": {"p": {"$gt": 20}}}, {"$sort": {"p": 1}}, {"$project": {"_id": 0}}],
                "none": [{"$match": {"p": -1}}],
            }
        }
    ],
    [{"n": [{"c": 6}], "big": [{"p": 25}, {"p": 99}], "none": []}],
)
aggregation("bucket", "$facet with $out inside is an error", B, [{"$facet": {"n": [{"$out": "zz"}]}}], Refused(40600))

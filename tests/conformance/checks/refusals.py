"""What mongod refuses, and with which code."""

from typing import Any

from tests.conformance.building import add, aggregation
from tests.conformance.expectations import Refused


def er(n: Any, pl: Any, *codes: Any, **kw: Any) -> None:
    aggregation("errors", n, kw.pop("data", [{"_id": 1, "a": 1, "s": "x"}]), pl, Refused(*codes), **kw)


er("unknown stage", [{"$foo": {}}], 40324)
er("unknown expression at top of $project", [{"$project": {"a": {"$foo": 1}}}], 31325, 168)
er("unknown nested expression", [{"$project": {"a": {"$add": [{"$foo": 1}, 1]}}}], 168)
er("unknown expression in $addFields", [{"$addFields": {"a": {"$foo": 1}}}], 168)
er("unknown match operator", [{"$match": {"a": {"$foo": 1}}}], 2)
er("unknown top-level match operator", [{"$match": {"$foo": 1}}], 2)
er("stage with two fields", [{"$match": {}, "$limit": 1}], 40323)
er("empty stage", [{}], 40323)
er("$limit 0", [{"$limit": 0}], 15958)
er("$limit negative", [{"$limit": -1}], 5107201, 15958)
er("$skip negative", [{"$skip": -1}], 5107200, 15956)
er("empty $project", [{"$project": {}}], 51272)
er("project mixes inclusion/exclusion", [{"$project": {"a": 1, "s": 0}}], 31254, 31253)
er("project path collision", [{"$project": {"a": 1, "a.b": 1}}], 31249, 31250)
er("bad field path '$'", [{"$project": {"x": "$"}}], 16872)
er("field path ending with dot", [{"$project": {"x": "$a."}}], 40353)
er("$sort bad direction", [{"$sort": {"a": 5}}], 15975)
er("$sort empty", [{"$sort": {}}], 15976)
er("$count empty name", [{"$count": ""}], 40157, 40156)
er("$out not last", [{"$out": "zz"}, {"$match": {}}], 40601)
er("$in needs array", [{"$match": {"a": {"$in": 5}}}], 2)
er("bad regex in match", [{"$match": {"s": {"$regex": "("}}}], 51091)
er("bad regex options", [{"$match": {"s": {"$regex": "a", "$options": "q"}}}], 51108)
er("$cond missing else", [{"$project": {"x": {"$cond": {"if": 1, "then": 2}}}}], 17082)
er("$filter missing cond", [{"$project": {"x": {"$filter": {"input": []}}}}], 28650)
er("$subtract wrong arity", [{"$project": {"x": {"$subtract": [1]}}}], 16020)
er("$sample negative", [{"$sample": {"size": -1}}], 28747)
er("$substrCP wrong type", [{"$project": {"x": {"$substrCP": ["$s", "a", 1]}}}], 34450)
er("$dateToString missing date", [{"$project": {"x": {"$dateToString": {"format": "%Y"}}}}], 18628)
er("$elemMatch needs object", [{"$match": {"a": {"$elemMatch": 5}}}], 2)
er("$size in match needs number", [{"$match": {"a": {"$size": "x"}}}], 2, 9)
er("$mod bad", [{"$match": {"a": {"$mod": [1]}}}], 2)
er("$and needs array", [{"$match": {"$and": {"a": 1}}}], 2)
er("$or empty array", [{"$match": {"$or": []}}], 2)
er(
    "$lookup unknown argument",
    [{"$lookup": {"from": "b", "localField": "a", "foreignField": "a", "as": "z", "nope": 1}}],
    9,
    40415,
)
er("$unionWith bad", [{"$unionWith": 5}], 14, 9, 40415)
er("$group _id bad expression", [{"$group": {"_id": {"$nope": 1}}}], 168)
er("$arrayToObject bad", [{"$project": {"x": {"$arrayToObject": [[5]]}}}], 40398)
er("$objectToArray bad", [{"$project": {"x": {"$objectToArray": "$a"}}}], 40390)
er("$not needs a regex or a document", [{"$match": {"a": {"$not": 5}}}], 2)
add("errors", "unknown command", [{"_id": 1}], ("command", {"nosuchcmd": 1}), Refused(59))
add("errors", "duplicate key", [{"_id": 1}], ("insert", "c", [{"_id": 1}]), Refused(11000))
add(
    "errors",
    "pipeline not an array",
    [{"_id": 1}],
    ("command", {"aggregate": "c", "pipeline": {"$match": {}}, "cursor": {}}),
    Refused(14, 2),
)
add("errors", "document over 16 MiB refused", [], ("insert_too_large", "c"), Refused(10334, 2, 17280))

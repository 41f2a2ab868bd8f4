"""Projections, and stages that change the shape of documents."""

from tests.conformance.building import aggregation
from tests.conformance.expectations import Refused

P1 = [{"_id": 1, "a": 1, "b": {"c": 2, "d": 3}, "e": [{"x": 1, "y": 2}, {"x": 3}]}]
aggregation(
    "project",
    "inclusion keeps document order",
    P1,
    [{"$project": {"e": 1, "a": 1}}],
    [{"_id": 1, "a": 1, "e": [{"x": 1, "y": 2}, {"x": 3}]}],
)
aggregation(
    "project",
    "nested inclusion through array",
    P1,
    [{"$project": {"_id": 0, "b.c": 1, "e.x": 1}}],
    [{"b": {"c": 2}, "e": [{"x": 1}, {"x": 3}]}],
)
aggregation("project", "exclusion", P1, [{"$project": {"b.c": 0, "e": 0}}], [{"_id": 1, "a": 1, "b": {"d": 3}}])
aggregation(
    "project",
    "computed appended in spec order",
    P1,
    [{"$project": {"z": "$a", "y": "$b.d", "a": 1}}],
    [{"_id": 1, "a": 1, "z": 1, "y": 3}],
)
aggregation(
    "project", "missing source leaves no field", P1, [{"$project": {"_id": 0, "q": "$nope", "a": 1}}], [{"a": 1}]
)
aggregation(
    "project",
    "array literal turns missing into null",
    P1,
    [{"$project": {"_id": 0, "q": ["$a", "$nope"]}}],
    [{"q": [1, None]}],
)
aggregation(
    "project",
    "nested object spec",
    P1,
    [{"$project": {"_id": 0, "o": {"p": "$a", "q": {"r": "$b.c"}}}}],
    [{"o": {"p": 1, "q": {"r": 2}}}],
)
aggregation(
    "project",
    "array path maps",
    P1,
    [{"$project": {"_id": 0, "xs": "$e.x", "ys": "$e.y"}}],
    [{"xs": [1, 3], "ys": [2]}],
)
aggregation(
    "project", "numeric path component does not index arrays", P1, [{"$project": {"_id": 0, "x": "$e.0"}}], [{"x": []}]
)
aggregation(
    "project",
    "literal number in expression object",
    P1,
    [{"$project": {"_id": 0, "one": {"$literal": 1}, "s": {"$literal": "$a"}}}],
    [{"one": 1, "s": "$a"}],
)
aggregation("project", "string constant", P1, [{"$project": {"_id": 0, "s": "hello"}}], [{"s": "hello"}])
aggregation("project", "_id computed", P1, [{"$project": {"_id": "$a"}}], [{"_id": 1}])
aggregation(
    "project",
    "remove conditionally",
    P1,
    [{"$project": {"_id": 0, "a": {"$cond": [{"$gt": ["$a", 5]}, "$a", "$$REMOVE"]}, "b": 1}}],
    [{"b": {"c": 2, "d": 3}}],
)
aggregation(
    "project",
    "addFields dotted into array of docs",
    P1,
    [{"$addFields": {"e.z": 9}}, {"$project": {"_id": 0, "e": 1}}],
    [{"e": [{"x": 1, "y": 2, "z": 9}, {"x": 3, "z": 9}]}],
)
aggregation(
    "project",
    "addFields dotted over scalar replaces it",
    P1,
    [{"$addFields": {"a.k": 1}}, {"$project": {"_id": 0, "a": 1}}],
    [{"a": {"k": 1}}],
)
aggregation(
    "project",
    "set overwrites in place, new at end",
    P1,
    [{"$set": {"a": "x", "n": 1}}, {"$unset": ["b", "e"]}],
    [{"_id": 1, "a": "x", "n": 1}],
)
aggregation(
    "project",
    "set object merges into existing sub document",
    P1,
    [{"$set": {"b": {"z": 1}}}, {"$project": {"_id": 0, "b": 1}}],
    [{"b": {"c": 2, "d": 3, "z": 1}}],
    note="$addFields with nested object adds to the subdocument",
)
aggregation(
    "project",
    "set missing source adds nothing",
    P1,
    [{"$set": {"n": "$nope"}}, {"$unset": ["b", "e"]}],
    [{"_id": 1, "a": 1}],
)
aggregation(
    "project",
    "unset dotted",
    P1,
    [{"$unset": ["b.c", "e.x"]}, {"$project": {"_id": 0, "b": 1, "e": 1}}],
    [{"b": {"d": 3}, "e": [{"y": 2}, {}]}],
)
aggregation("project", "replaceRoot", P1, [{"$replaceRoot": {"newRoot": "$b"}}], [{"c": 2, "d": 3}])
aggregation(
    "project",
    "replaceWith mergeObjects",
    P1,
    [{"$replaceWith": {"$mergeObjects": [{"a": 0, "zz": 1}, "$b", {"a": "$a"}]}}],
    [{"a": 1, "zz": 1, "c": 2, "d": 3}],
)
aggregation(
    "project", "replaceRoot on missing is an error", P1, [{"$replaceRoot": {"newRoot": "$nope"}}], Refused(40228)
)
aggregation(
    "project",
    "ROOT and CURRENT",
    [{"_id": 1, "a": 2}],
    [{"$project": {"_id": 0, "r": "$$ROOT", "c": "$$CURRENT.a"}}],
    [{"r": {"_id": 1, "a": 2}, "c": 2}],
)
aggregation(
    "project", "NOW is a date", [{"_id": 1}], [{"$project": {"_id": 0, "t": {"$type": "$$NOW"}}}], [{"t": "date"}]
)
aggregation("project", "project false/true booleans", P1, [{"$project": {"_id": False, "a": True}}], [{"a": 1}])
aggregation(
    "project",
    "redact",
    [{"_id": 1, "level": 1, "acct": {"level": 5, "n": 1}, "ship": [{"level": 3, "x": 1}, {"level": 0, "y": 2}]}],
    [{"$redact": {"$cond": [{"$gt": ["$level", 3]}, "$$PRUNE", "$$DESCEND"]}}],
    [{"_id": 1, "level": 1, "ship": [{"level": 3, "x": 1}, {"level": 0, "y": 2}]}],
)

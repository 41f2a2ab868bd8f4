"""Stages that write, and helper commands."""

from tests.conformance.building import add
from tests.conformance.expectations import Fulfils, Number

add(
    "write",
    "$out creates the collection",
    [{"_id": 1, "a": 1}],
    ("aggregate_then_read", "c", [{"$project": {"a": 1}}, {"$out": "outc"}], "outc"),
    [{"_id": 1, "a": 1}],
)
add(
    "write",
    "$merge",
    [{"_id": 1, "a": 1}],
    ("aggregate_then_read", "c", [{"$merge": {"into": "outc2"}}], "outc2"),
    [{"_id": 1, "a": 1}],
)
add(
    "command",
    "collStats / $collStats count",
    [{"_id": 1}, {"_id": 2}],
    ("aggregate", "c", [{"$collStats": {"count": {}}}, {"$project": {"_id": 0, "count": 1}}], {}),
    [{"count": Number(2)}],
)
add(
    "command",
    "explain aggregate answers",
    [{"_id": 1}],
    (
        "command",
        {
            "explain": {"aggregate": "c", "pipeline": [{"$match": {"_id": 1}}], "cursor": {}},
            "verbosity": "queryPlanner",
        },
    ),
    Fulfils(lambda r: r.get("ok") == 1, "ok"),
)
add(
    "command",
    "listCollections",
    [{"_id": 1}],
    ("command", {"listCollections": 1, "filter": {"name": "c"}}),
    Fulfils(lambda r: r["cursor"]["firstBatch"][0]["name"] == "c", "name c"),
)
add(
    "command",
    "buildInfo version 7+",
    [{"_id": 1}],
    ("command", {"buildInfo": 1}),
    Fulfils(lambda r: int(r["version"].split(".")[0]) >= 7, "version >= 7"),
)

"""The version of MongoDB that gold needs comes from its operators."""

from typing import Any

import pytest

from evaluation.sample21.requirements import OLDEST, requirements_of
from evaluation.types import Operation, Query

CASES: list[tuple[list[dict[str, Any]], str, tuple[str, ...]]] = [
    ([], OLDEST, ()),
    ([{"$group": {"_id": None, "n": {"$sum": 1}}}], OLDEST, ()),
    ([{"$setWindowFields": {"output": {"n": {"$rank": {}}}}}], "5.0", ("$rank", "$setWindowFields")),
    ([{"$set": {"a": {"$sortArray": {"input": "$b", "sortBy": 1}}}}], "5.2", ("$sortArray",)),
    ([{"$lookup": {"from": "x", "pipeline": [{"$densify": {}}], "as": "y"}}], "5.1", ("$densify",)),
    ([{"$group": {"_id": None, "m": {"$median": {}}, "t": {"$top": {}}}}], "7.0", ("$median", "$top")),
    ([{"$match": {"note": "$median"}}], OLDEST, ()),
]


@pytest.mark.parametrize(("pipeline", "version", "features"), CASES, ids=[str(n) for n in range(len(CASES))])
def test_the_newest_operator_decides(pipeline: list[dict[str, Any]], version: str, features: tuple[str, ...]) -> None:
    query = Query(collection="x", operation=Operation.AGGREGATE, arguments={"pipeline": pipeline})
    found = requirements_of([query])
    assert (found.mongodb, found.features) == (version, features)

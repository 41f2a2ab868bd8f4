"""The commands that are sent for queries."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.executors.request import LARGEST_BATCH, batch_size, command_of
from evaluation.types import Limits, Operation, Query

FOREIGN = {
    "maxTimeMS": 0,
    "allowDiskUse": False,
    "batchSize": 7,
    "readConcern": {},
    "let": {},
    "comment": "x",
    "$db": "admin",
}


@pytest.mark.parametrize("operation", Operation)
def test_only_known_arguments_are_sent_and_our_own_time_limit(operation: Operation) -> None:
    query = Query(collection="c", operation=operation, arguments=FOREIGN)

    command = command_of(query, limits=Limits(milliseconds=1234))

    assert next(iter(command.values())) == "c"
    assert command["maxTimeMS"] == 1234
    assert not {"readConcern", "let", "comment", "$db"} & set(command)
    assert command.get("allowDiskUse", True) is True
    assert command.get("batchSize") != 7


@pytest.mark.parametrize("milliseconds", [0, 1, 30_000])
def test_no_limit_on_time_is_never_sent(milliseconds: int) -> None:
    query = Query(collection="c", operation=Operation.FIND, arguments={})

    assert command_of(query, limits=Limits(milliseconds=milliseconds))["maxTimeMS"] == max(1, milliseconds)


def test_keys_of_a_sort_keep_their_order() -> None:
    query = Query(collection="c", operation=Operation.FIND, arguments={"sort": {"b": 1, "a": -1}})

    assert list(command_of(query, limits=Limits())["sort"]) == ["b", "a"]


@pytest.mark.parametrize("argument", ["filter", "projection", "sort", "skip", "limit", "hint", "collation"])
def test_an_argument_that_is_none_is_not_sent(argument: str) -> None:
    plain = command_of(Query(collection="c", operation=Operation.FIND, arguments={}), limits=Limits())

    assert (
        command_of(Query(collection="c", operation=Operation.FIND, arguments={argument: None}), limits=Limits())
        == plain
    )


@settings(deadline=None, max_examples=50)
@given(st.integers(min_value=0, max_value=10**9))
def test_a_batch_reaches_one_row_past_the_limit_and_is_bounded(rows: int) -> None:
    size = batch_size(Limits(rows=rows))

    assert 1 <= size <= LARGEST_BATCH
    assert size == rows + 1 or size == LARGEST_BATCH

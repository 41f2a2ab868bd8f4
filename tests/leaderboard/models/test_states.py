"""Every state has an exit, and every exit leads somewhere."""

import pytest

from leaderboard.models.states import (
    ACTIVE_RUN_STATES,
    BATCH_TRANSITIONS,
    OPEN_BATCH_STATES,
    RUN_TRANSITIONS,
    BatchState,
    RunState,
    sources,
)

RUN_ENDS = {RunState.FINISHED, RunState.FAILED, RunState.CANCELLED}


def reachable(state: RunState) -> set[RunState]:
    found, waiting = set(), [state]
    while waiting:
        for target in RUN_TRANSITIONS[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def test_the_tables_name_every_state() -> None:
    assert set(RUN_TRANSITIONS) == set(RunState)
    assert set(BATCH_TRANSITIONS) == set(BatchState)


@pytest.mark.parametrize("state", [state for state in RunState if state not in RUN_ENDS])
def test_every_state_that_is_no_end_has_an_exit_to_one(state: RunState) -> None:
    assert RUN_TRANSITIONS[state]
    assert reachable(state) & RUN_ENDS


@pytest.mark.parametrize("state", sorted(RUN_ENDS))
def test_an_end_is_an_end(state: RunState) -> None:
    assert RUN_TRANSITIONS[state] == frozenset()


@pytest.mark.parametrize("state", list(RunState))
def test_the_sources_of_a_state_are_those_that_may_enter_it(state: RunState) -> None:
    assert set(sources(state)) == {source for source in RunState if state in RUN_TRANSITIONS[source]}


@pytest.mark.parametrize("state", ACTIVE_RUN_STATES)
def test_an_active_run_can_be_failed_and_cancelled(state: RunState) -> None:
    assert {RunState.FAILED, RunState.CANCELLED} <= RUN_TRANSITIONS[state]


@pytest.mark.parametrize("state", OPEN_BATCH_STATES)
def test_an_open_batch_can_be_abandoned(state: BatchState) -> None:
    assert BatchState.ABANDONED in BATCH_TRANSITIONS[state]

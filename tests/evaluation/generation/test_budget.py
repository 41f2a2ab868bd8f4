"""Tests of budgets and pace: what is held back, given back, and never exceeded."""

import asyncio
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.generation.budget import Budget, Prices, UnknownPriceError
from evaluation.generation.errors import BudgetSpentError
from evaluation.generation.pace import Pace
from evaluation.generation.types import NO_USAGE, Usage

PRICES = Prices(prompt=Decimal("1.5"), completion=Decimal(6))


def usage(prompt: int, completion: int, *, cost: Decimal | None = None) -> Usage:
    return Usage(prompt_tokens=prompt, completion_tokens=completion, cost=cost)


def test_prices_are_for_a_million_tokens() -> None:
    assert PRICES.cost(1_000_000, 500_000) == Decimal("4.5")
    assert PRICES.cost(1, 0) == Decimal("0.0000015")


def test_a_budget_in_money_needs_prices() -> None:
    with pytest.raises(UnknownPriceError, match="state them"):
        Budget(money=Decimal(1), spent=NO_USAGE)


def test_what_was_spent_before_counts() -> None:
    budget = Budget(tokens=100, spent=usage(60, 20))
    with pytest.raises(BudgetSpentError, match="20 left"):
        asyncio.run(budget.reserve(15, 5))
    asyncio.run(budget.reserve(10, 5))


def test_a_call_that_would_not_fit_waits_for_what_calls_under_way_give_back() -> None:
    async def both() -> list[str]:
        budget, order = Budget(tokens=100, spent=NO_USAGE), []
        first = await budget.reserve(40, 40)

        async def second() -> None:
            await budget.reserve(30, 30)
            order.append("second")

        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.01)
        order.append("settled")
        budget.settle(first, usage(10, 10), estimate=40)
        await waiting
        return order

    assert asyncio.run(both()) == ["settled", "second"]


def test_a_call_that_took_nothing_gives_everything_back() -> None:
    budget = Budget(tokens=100, spent=NO_USAGE)
    for _ in range(5):
        budget.settle(asyncio.run(budget.reserve(40, 40)), None)


def test_an_endpoint_that_counts_more_tokens_than_estimated_is_believed_from_then_on() -> None:
    budget = Budget(tokens=1000, spent=NO_USAGE)
    reserved = asyncio.run(budget.reserve(100, 0))
    budget.settle(reserved, usage(200, 0), estimate=100)
    assert asyncio.run(budget.reserve(100, 0)).prompt_tokens == 201


@given(
    st.integers(50, 2_000),
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60), st.integers(0, 100)), max_size=60),
)
@settings(deadline=None, max_examples=60)
def test_whatever_is_asked_the_budget_is_never_exceeded(tokens: int, calls: list[tuple[int, int, int]]) -> None:
    async def spend() -> int:
        budget, spent = Budget(tokens=tokens, spent=NO_USAGE), 0
        for estimate, most, share in calls:
            try:
                reserved = await budget.reserve(estimate, most)
            except BudgetSpentError:
                continue
            used = usage(estimate, most * share // 100)
            budget.settle(reserved, used, estimate=estimate)
            spent += used.tokens
        return spent

    assert asyncio.run(spend()) <= tokens


def test_calls_are_spread_evenly_over_the_minute() -> None:
    async def starts() -> list[float]:
        pace, begun = Pace(concurrency=10, per_minute=1200), []

        async def call() -> None:
            async with pace:
                begun.append(asyncio.get_running_loop().time())

        await asyncio.gather(*(call() for _ in range(6)))
        return begun

    begun = asyncio.run(starts())
    assert begun[-1] - begun[0] >= 5 * 60 / 1200 * 0.99


def test_a_call_that_is_let_go_of_while_it_waits_takes_no_place() -> None:
    async def places() -> bool:
        pace = Pace(concurrency=1)
        pace.hold(60)

        async def call() -> None:
            async with pace:
                pass

        waiting = asyncio.create_task(call())
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return pace._places.locked()

    assert not asyncio.run(places())

"""Keeps a generation within its budget of money and tokens, checked before each call."""

import asyncio
from dataclasses import dataclass
from decimal import Decimal

from evaluation.generation.errors import BudgetSpentError
from evaluation.generation.types import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """US dollars for a million tokens."""

    prompt: Decimal
    completion: Decimal

    def cost(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """What these tokens cost, in US dollars."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1_000_000


class UnknownPriceError(BudgetSpentError):
    """A budget in money needs prices."""


class Budget:
    """What may be spent; calls under way hold back what they could take at worst.

    Args:
        tokens: of prompts and completions together, None for any number.
        money: in US dollars, None for any amount.
        prices: None where they are not known.
        spent: what earlier calls of the same run took.

    Raises:
        UnknownPriceError: `money` is bounded and there are no prices.
    """

    def __init__(
        self, *, tokens: int | None = None, money: Decimal | None = None, prices: Prices | None = None, spent: Usage
    ) -> None:
        if money is not None and prices is None:
            raise UnknownPriceError("The model's prices are not known: state them, or give a budget in tokens.")
        self._tokens_left = tokens
        self._money_left = money
        self._prices = prices
        # Endpoints count tokens by their own tokeniser: the largest ratio seen corrects our estimates.
        self._ratio = 1.0
        self._under_way = 0
        self._settled = asyncio.Event()
        self._take(spent.tokens, spent.cost or Decimal(0))

    async def reserve(self, prompt_tokens: int, most_completion_tokens: int) -> Usage:
        """Hold back the worst case of a call of so many estimated prompt tokens, to be given to `settle`.

        While calls under way hold something back, what they give back is waited for.

        Raises:
            BudgetSpentError: it could exceed what is left.
        """
        while True:
            try:
                return self._held(prompt_tokens, most_completion_tokens)
            except BudgetSpentError:
                if not self._under_way:
                    raise
            self._settled.clear()
            await self._settled.wait()

    def _held(self, prompt_tokens: int, most_completion_tokens: int) -> Usage:
        prompt = int(prompt_tokens * self._ratio) + 1
        cost = self._prices.cost(prompt, most_completion_tokens) if self._prices else Decimal(0)
        worst = Usage(prompt_tokens=prompt, completion_tokens=most_completion_tokens, cost=cost)
        if self._tokens_left is not None and worst.tokens > self._tokens_left:
            raise BudgetSpentError(
                f"The token budget is spent: {self._tokens_left:,} left, a call may take {worst.tokens:,}."
            )
        if self._money_left is not None and cost > self._money_left:
            raise BudgetSpentError(
                f"The money budget is spent: {self._money_left:.4f} USD left, a call may cost {cost:.4f}."
            )
        self._take(worst.tokens, cost)
        self._under_way += 1
        return worst

    def settle(self, reserved: Usage, used: Usage | None, *, estimate: int = 0) -> None:
        """Give back what was held and take what was used; None where the call took nothing.

        Args:
            reserved: of `reserve`.
            used: as the endpoint reports.
            estimate: the prompt tokens that were estimated.
        """
        self._under_way -= 1
        self._settled.set()
        self._take(-reserved.tokens, -(reserved.cost or Decimal(0)))
        if used is not None:
            self._take(used.tokens, used.cost or Decimal(0))
            if estimate and not used.estimated:
                self._ratio = max(self._ratio, used.prompt_tokens / estimate)

    def _take(self, tokens: int, money: Decimal) -> None:
        if self._tokens_left is not None:
            self._tokens_left -= tokens
        if self._money_left is not None:
            self._money_left -= money

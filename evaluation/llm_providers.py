"""Calls the models of providers through litellm; needs the extra `llm`."""

import asyncio
import logging
import os
import re
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from types import ModuleType
from typing import Any, Final

import openai

from benchmark_data.errors import AptBoardError
from evaluation.generation.budget import Prices
from evaluation.generation.errors import EndpointUnavailableError, ReplyUnusableError
from evaluation.generation.types import Completion, Reason
from evaluation.llm_compatible import usage_of
from evaluation.llm_errors import failure_of, no_completion, without_key
from evaluation.prompts.types import Message

_PREFIX: Final = re.compile(r"^(litellm\.)?(\w+Error: |\w*Exception - |\w+: (?=\w*Exception - ))+")
_REASONS: Final = {
    "ContentPolicyViolationError": Reason.CONTENT_FILTER,
    "ContextWindowExceededError": Reason.CONTEXT_EXCEEDED,
}


class ProviderModel:
    """Calls one model of a provider.

    Args:
        model: litellm's "provider/model".
        key: the API key; "" lets litellm look for the provider's variable in the environment.
        arguments: sampling, by OpenAI's names.
        prices: None for those that litellm's own map knows.
        seconds: that one call may take.
    """

    def __init__(
        self, *, model: str, key: str, arguments: Mapping[str, Any], prices: Prices | None, seconds: float
    ) -> None:
        self.prices = prices or known_prices(model)
        self._key, self._seconds = key, seconds
        self._arguments = {
            "model": model,
            "timeout": seconds,
            "num_retries": 0,
            "max_retries": 0,
            **({"api_key": key} if key else {}),
            **arguments,
        }

    async def close(self) -> None:
        """litellm keeps its connections to itself."""

    async def ask(self, messages: Sequence[Message], key: str) -> Completion:
        """One call, see `evaluation.llm.ModelClient.ask`."""
        chat = [{"role": message.role, "content": message.content} for message in messages]
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                response = await litellm().acompletion(
                    messages=chat, extra_headers={"Idempotency-Key": key}, **self._arguments
                )
        except TimeoutError:
            raise EndpointUnavailableError(f"The provider did not answer within {self._seconds:g} seconds.") from None
        except openai.OpenAIError as error:
            raise self._told(error) from None
        return self._completion(response, messages, (time.monotonic() - started) * 1000)

    def _completion(self, response: Any, messages: Sequence[Message], milliseconds: float) -> Completion:
        try:
            choice = response.choices[0]
            text = choice.message.content or ""
        except (AttributeError, IndexError, TypeError):
            raise no_completion("it holds no message.") from None
        told = getattr(response, "usage", None)
        details = getattr(told, "completion_tokens_details", None)
        usage = usage_of(
            getattr(told, "prompt_tokens", 0) or 0,
            getattr(told, "completion_tokens", 0) or 0,
            reasoning=getattr(details, "reasoning_tokens", 0) or 0,
            messages=messages,
            text=str(text),
            prices=self.prices,
        )
        return Completion(
            text=str(text),
            finish_reason=str(choice.finish_reason or ""),
            model=str(response.model or ""),
            usage=usage,
            milliseconds=milliseconds,
        )

    def _told(self, error: openai.OpenAIError) -> AptBoardError:
        """The error in our terms; the sentence is the provider's, without the key."""
        text = _PREFIX.sub("", str(getattr(error, "message", None) or error))
        sentence = without_key(text, self._key) or type(error).__name__
        if reason := _REASONS.get(type(error).__name__):
            return ReplyUnusableError(reason, sentence, may_pass=False)
        headers = getattr(getattr(error, "response", None), "headers", {})
        status = getattr(error, "status_code", None) or 503
        return failure_of(int(status), sentence, retry_after=headers.get("retry-after", ""))


@cache
def litellm() -> ModuleType:
    """The library, imported late because that takes seconds and reads the environment; it is kept from calling home."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_LOG", "ERROR")
    import litellm as library  # noqa: PLC0415

    # What they log of a call may hold a prompt or a header; what matters of it stands in replies and errors.
    for name in ("LiteLLM", "httpx2", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    library.telemetry = False
    library.suppress_debug_info = True
    library.drop_params = False
    return library


def known_prices(model: str) -> Prices | None:
    """The prices of a model in litellm's own map; None for a model that it does not know."""
    entry = litellm().model_cost.get(model) or litellm().model_cost.get(model.partition("/")[2])
    if not entry or not (entry.get("input_cost_per_token") or entry.get("output_cost_per_token")):
        return None
    million = Decimal(1_000_000)
    return Prices(
        prompt=Decimal(str(entry.get("input_cost_per_token") or 0)) * million,
        completion=Decimal(str(entry.get("output_cost_per_token") or 0)) * million,
    )

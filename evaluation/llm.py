"""The model client: one call to an OpenAI-compatible endpoint or to a provider, with failures told apart by blame."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

import httpx

from evaluation.generation.budget import Prices
from evaluation.generation.types import Completion
from evaluation.llm_compatible import CompatibleEndpoint
from evaluation.prompts.types import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Which model is asked, and where.

    Args:
        model: with `address` the name that the endpoint knows; else litellm's "provider/model".
        address: base address of an OpenAI-compatible endpoint, such as "http://127.0.0.1:8000/v1"; "" for the provider
            that `model` names.
        key: the API key; "" where the environment has it, or none is needed. It is in no repr and no error.
        prices: stated by the user; None for those that litellm knows of a provider's model.
    """

    model: str
    address: str = ""
    key: str = field(default="", repr=False)
    prices: Prices | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """What is asked of the model; None leaves a setting to the provider.

    Args:
        temperature, seed: as providers define them.
        most_completion_tokens: the reply's longest length, reasoning included.
        reasoning_effort: such as "low" or "high", for models that reason.
    """

    temperature: float | None = 0.0
    seed: int | None = 42
    most_completion_tokens: int = 4096
    reasoning_effort: str | None = None

    def as_arguments(self) -> dict[str, float | int | str]:
        """Those that are set, by their names in OpenAI's interface."""
        values = {
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.most_completion_tokens,
            "reasoning_effort": self.reasoning_effort,
        }
        return {name: value for name, value in values.items() if value is not None}


class Speaker(Protocol):
    """Something that calls a model."""

    @property
    def prices(self) -> Prices | None:
        """What tokens cost, None where it is not known."""

    async def ask(self, messages: Sequence[Message], key: str) -> Completion:
        """One call, see `ModelClient.ask`."""

    async def close(self) -> None:
        """Hang up."""


class ModelClient(AbstractAsyncContextManager["ModelClient"]):
    """Calls one model; entered for as long as calls are made.

    An endpoint with an address is called directly. A provider's model is called through litellm, which the extra `llm`
    brings.

    Args:
        endpoint, sampling: what is called, and how.
        seconds: that one call may take, from connecting to the last byte.
        transport: carries the calls to `endpoint.address`, which it may pin; None for a plain one.

    Raises:
        EndpointRefusedError: the address is none.
        ImportError: litellm is needed and not installed.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        sampling: Sampling,
        *,
        seconds: float = 120.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.sampling = sampling
        arguments = sampling.as_arguments()
        self._speaker: Speaker
        if endpoint.address:
            self._speaker = CompatibleEndpoint(
                address=endpoint.address,
                key=endpoint.key,
                arguments={"model": endpoint.model, **arguments},
                prices=endpoint.prices,
                seconds=seconds,
                transport=transport,
            )
        else:
            from evaluation.llm_providers import ProviderModel  # noqa: PLC0415 - an extra, and seconds to import

            self._speaker = ProviderModel(
                model=endpoint.model, key=endpoint.key, arguments=arguments, prices=endpoint.prices, seconds=seconds
            )

    async def __aexit__(self, *_: object) -> None:
        await self._speaker.close()

    @property
    def prices(self) -> Prices | None:
        """Those stated, else those that are known of a provider's model, else None."""
        return self._speaker.prices

    async def ask(self, messages: Sequence[Message], key: str) -> Completion:
        """One call.

        Args:
            messages: of the chat.
            key: sent as Idempotency-Key, so that an endpoint that honours it bills a repeated call once.

        Raises:
            EndpointRefusedError, EndpointUnavailableError, ReplyUnusableError: see there.
        """
        return await self._speaker.ask(messages, key)

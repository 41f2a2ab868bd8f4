"""Calls an OpenAI-compatible endpoint at a given address, over HTTP and nothing else."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import httpx

from evaluation.generation.budget import Prices
from evaluation.generation.errors import EndpointRefusedError, EndpointUnavailableError, ReplyUnusableError
from evaluation.generation.types import Completion, Reason, Usage
from evaluation.llm_errors import failure_of, no_completion, without_key
from evaluation.prompts.build import messages_tokens
from evaluation.prompts.tokens import estimated_tokens
from evaluation.prompts.types import Message

LONGEST_ANSWER: Final = 8 << 20
"""Bytes of an answer's body; a reply of 100,000 tokens has well below one million."""


class CompatibleEndpoint:
    """Posts chats to `address`/chat/completions.

    Args:
        address: the base address, such as "http://127.0.0.1:8000/v1".
        key: the API key; "" sends none.
        arguments: model and sampling, by OpenAI's names.
        prices: None where they are not known.
        seconds: that one call may take, from connecting to the last byte.
        transport: carries the calls; None for a plain one.

    Raises:
        EndpointRefusedError: the address is none.
    """

    def __init__(
        self,
        *,
        address: str,
        key: str,
        arguments: Mapping[str, Any],
        prices: Prices | None,
        seconds: float,
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        self.prices = prices
        self._key, self._arguments, self._seconds = key, arguments, seconds
        headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {key}"} if key else {})}
        try:
            self._url = httpx.URL(f"{address.rstrip('/')}/chat/completions")
            self._http = httpx.AsyncClient(
                headers=headers, transport=transport, timeout=seconds, follow_redirects=False, trust_env=False,
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
            )  # fmt: skip
        except httpx.InvalidURL as error:
            raise EndpointRefusedError(f"{address!r} is no address: {error}.") from None
        if self._url.scheme not in {"http", "https"} or not self._url.host:
            raise EndpointRefusedError(f"{address!r} is no address of a web server.")

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def ask(self, messages: Sequence[Message], key: str) -> Completion:
        """One call, see `evaluation.llm.ModelClient.ask`."""
        chat = [{"role": message.role, "content": message.content} for message in messages]
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                status, headers, body = await self._post({**self._arguments, "messages": chat}, key)
        except (TimeoutError, httpx.TimeoutException):
            raise EndpointUnavailableError(f"The endpoint did not answer within {self._seconds:g} seconds.") from None
        except httpx.HTTPError as error:
            told = without_key(str(error), self._key) or type(error).__name__
            raise EndpointUnavailableError(f"The connection to the endpoint failed: {told}") from None
        if status != HTTPStatus.OK:
            code, sentence = self._sentence(status, body)
            raise failure_of(status, sentence, code=code, retry_after=headers.get("retry-after", ""))
        return self._completion(body, messages, (time.monotonic() - started) * 1000)

    async def _post(self, content: Mapping[str, Any], key: str) -> tuple[int, httpx.Headers, bytes]:
        """Status, headers and body, read within bounds whatever the endpoint sends."""
        headers = {"Idempotency-Key": key}
        async with self._http.stream("POST", self._url, json=content, headers=headers) as response:
            if "content-encoding" in response.headers:
                # A small packed answer could unpack to any size.
                message = "The endpoint's answer is compressed although that was not asked for."
                raise ReplyUnusableError(Reason.MALFORMED, message, may_pass=False)
            parts, size = [], 0
            async for part in response.aiter_raw():
                parts.append(part)
                size += len(part)
                if size > LONGEST_ANSWER:
                    message = f"The endpoint's answer is longer than {LONGEST_ANSWER >> 20} MiB."
                    raise ReplyUnusableError(Reason.REPLY_TOO_LARGE, message, may_pass=False)
            return response.status_code, response.headers, b"".join(parts)

    def _sentence(self, status: int, body: bytes) -> tuple[str, str]:
        """The endpoint's code and sentence; where it has none, the status."""
        try:
            error = json.loads(body)["error"]
            code, told = (
                (str(error.get("code") or ""), error.get("message")) if isinstance(error, dict) else ("", error)
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            code, told = "", None
        text = told if isinstance(told, str) and told.strip() else f"The endpoint answered with status {status}."
        return code, without_key(text, self._key)

    def _completion(self, body: bytes, messages: Sequence[Message], milliseconds: float) -> Completion:
        try:
            content = json.loads(body)
            choice = content["choices"][0]
            text = choice["message"].get("content") or ""
            if not isinstance(text, str):
                raise no_completion("the reply is no text.")
            return Completion(
                text=text,
                finish_reason=str(choice.get("finish_reason") or ""),
                model=str(content.get("model") or ""),
                usage=self._usage(content.get("usage"), messages, text),
                milliseconds=milliseconds,
            )
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise no_completion(without_key(f"{type(error).__name__} {error}", self._key)) from None

    def _usage(self, told: Any, messages: Sequence[Message], text: str) -> Usage:
        counts = told if isinstance(told, dict) else {}
        details = counts.get("completion_tokens_details")
        reasoning = _count(details.get("reasoning_tokens")) if isinstance(details, dict) else 0
        return usage_of(
            _count(counts.get("prompt_tokens")),
            _count(counts.get("completion_tokens")),
            reasoning=reasoning,
            messages=messages,
            text=text,
            prices=self.prices,
        )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 31 else 0


def usage_of(
    prompt: int, completion: int, *, reasoning: int, messages: Sequence[Message], text: str, prices: Prices | None
) -> Usage:
    """What a call took, from what the endpoint counted; estimated where it counted nothing."""
    estimated = not prompt
    if estimated:
        prompt, completion = messages_tokens(messages), estimated_tokens(text)
    cost = prices.cost(prompt, completion) if prices else None
    return Usage(
        prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning, cost=cost, estimated=estimated
    )

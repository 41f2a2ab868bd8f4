"""Tells the failures of model endpoints apart: refused for good, down for now, or no use for this one item."""

import time
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from benchmark_data.errors import AptBoardError
from evaluation.generation.errors import EndpointRefusedError, EndpointUnavailableError, ReplyUnusableError
from evaluation.generation.types import Reason

LONGEST_SENTENCE: Final = 400
_ABOUT_THIS_REQUEST: Final = frozenset({400, 413, 422})
_PASSING: Final = frozenset({408, 409, 425, 429})
_SPENT: Final = ("insufficient_quota", "billing", "credit balance")
"""Parts of the sentences by which providers say, with the status of a rate limit, that there is no money left."""

_CONTEXT: Final = ("context_length_exceeded", "context window", "maximum context length")
_FILTER: Final = ("content_filter", "content policy", "content management policy")


def failure_of(status: int, sentence: str, *, code: str = "", retry_after: str = "") -> AptBoardError:
    """The error that an endpoint's answer other than 200 stands for.

    Args:
        status: of HTTP.
        sentence: the endpoint's own, for people.
        code: the endpoint's own, for machines.
        retry_after: the header.
    """
    told = f"{code} {sentence}".lower()
    if 300 <= status < 400:
        return EndpointRefusedError(f"The endpoint redirects elsewhere ({status}), and redirects are not followed.")
    if status in _ABOUT_THIS_REQUEST:
        return ReplyUnusableError(_reason(told), sentence, may_pass=False)
    if status == HTTPStatus.TOO_MANY_REQUESTS and any(part in told for part in _SPENT):
        return EndpointRefusedError(sentence)
    if 400 <= status < 500 and status not in _PASSING:
        return EndpointRefusedError(sentence)
    return EndpointUnavailableError(sentence, retry_after=seconds_of(retry_after))


def _reason(told: str) -> Reason:
    if any(part in told for part in _CONTEXT):
        return Reason.CONTEXT_EXCEEDED
    return Reason.CONTENT_FILTER if any(part in told for part in _FILTER) else Reason.REJECTED


def no_completion(sentence: str) -> ReplyUnusableError:
    """The error for an answer of status 200 that is no chat completion."""
    message = f"The endpoint's answer is no chat completion: {sentence}"
    return ReplyUnusableError(Reason.MALFORMED, message[:LONGEST_SENTENCE], may_pass=True)


def seconds_of(retry_after: str) -> float | None:
    """Seconds that a Retry-After header asks to wait, from now on; None where it cannot be read."""
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def without_key(text: str, key: str) -> str:
    """A sentence of the endpoint, shortened, and without the key that it may repeat."""
    return (text.replace(key, "[key]") if key else text).strip()[:LONGEST_SENTENCE]

"""Taking in a submission that names a model endpoint instead of a prediction file."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from decimal import Decimal
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.crypto import salted_hmac

from benchmark_data.errors import Fault, FaultyFileError, SubmissionError
from evaluation.addresses import AddressPolicy, ForbiddenAddressError, address_parts
from evaluation.prompts.templates import DEFAULT_TEMPLATE, TEMPLATES
from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.generations import GenerationState
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.descriptions import is_described
from leaderboard.services.accounts import email_require_verified
from leaderboard.services.generations import generation_create
from leaderboard.services.quota import quota_charge, quota_reserve
from leaderboard.services.secrets import encrypted, rotated
from leaderboard.services.submissions import ReleaseClosedError, submission_once, submission_require_room

ENDPOINT_FORMAT: Final = "endpoint"
"""Stands where a file's format stands."""

MOST_CONCURRENCY: Final = 64
MOST_REPAIRS: Final = 3
MOST_LINKS: Final = 5
LONGEST_LINK: Final = 300
ROOM_AT_LEAST: Final = 1000


class FaultyEndpointError(FaultyFileError, SubmissionError):
    """What was said of the endpoint cannot be used; every fault is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the submitter says of the model; shown as claimed."""

    provider: str = ""
    name: str = ""
    version: str = ""
    open_weights: bool | None = None
    parameters: str = ""
    license: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRequest:
    """What a submitter says of an endpoint; `ModelEndpoint` tells of the fields.

    Args:
        key: the API key, in no repr; it is stored encrypted, and deleted when the runs have ended.
        conditions: those to ask in.
        facts: of the model.
    """

    model: str
    address: str = ""
    key: str = field(default="", repr=False)
    template: str = DEFAULT_TEMPLATE
    context_tokens: int | None = None
    most_completion_tokens: int = 4096
    temperature: float | None = 0.0
    seed: int | None = 42
    reasoning_effort: str = ""
    concurrency: int = 8
    per_minute: float | None = None
    repairs: int = 0
    budget_usd: Decimal | None = None
    budget_tokens: int | None = None
    price_prompt: Decimal | None = None
    price_completion: Decimal | None = None
    conditions: tuple[Condition, ...] = tuple(Condition)
    facts: Facts = Facts()


_STORED: Final = tuple(one.name for one in fields(EndpointRequest) if one.name not in {"key", "conditions", "facts"})


def endpoint_submission_create(
    *,
    owner: User,
    release: Release,
    entry: str,
    request: EndpointRequest,
    description: str = "",
    idempotency_key: str = "",
) -> Submission:
    """Check what was said of an endpoint, and queue one run for each condition.

    Args:
        owner: who submits.
        release: what is submitted to; its databases must be described.
        entry: the name on the board.
        request: the endpoint.
        description: one line about the entry.
        idempotency_key: the same key with the same request gives the first submission again.

    Raises:
        FaultyEndpointError: with every fault; nothing is stored.
        EmailNotVerifiedError: the owner's e-mail address is not verified.
        IdempotencyConflictError: the key was used with another request.
        ReleaseClosedError: the release takes no submissions, or none of endpoints.
        QuotaExceededError: as much as may be sent was sent.
    """
    email_require_verified(owner)
    draft = Submission(
        owner=owner,
        release=release,
        entry=entry,
        description=description,
        idempotency_key=idempotency_key,
    )
    draft.file_format, draft.file_bytes = ENDPOINT_FORMAT, 0
    draft.request_digest = _digest(request, draft)

    def store() -> Submission:
        submission_require_room(draft)
        if not is_described(release):
            raise ReleaseClosedError(f"{release} was imported without descriptions of its databases: send predictions.")
        if faults := tuple(endpoint_faults(request)):
            raise FaultyEndpointError(faults)
        return _store(draft, request)

    return submission_once(draft, store)


@transaction.atomic
def _store(submission: Submission, request: EndpointRequest) -> Submission:
    account = quota_reserve(submission.release.name, user=submission.owner)
    submission.team = account.team
    submission.save(force_insert=True)
    quota_charge(account, submission)
    ModelEndpoint.objects.create(
        submission=submission,
        key=encrypted(request.key) if request.key else None,
        **{name: getattr(request, name) for name in _STORED},
    )
    facts = asdict(request.facts)
    ModelFacts.objects.create(submission=submission, **{**facts, "links": list(request.facts.links)})
    for condition in request.conditions:
        generation_create(submission, condition)
    return submission


def endpoint_faults(request: EndpointRequest) -> Iterator[Fault]:
    """Everything that is wrong with a request, without calling anybody."""
    yield from _target_faults(request)
    yield from _number_faults(request)
    if request.template not in TEMPLATES:
        yield _fault("template", "unknown_template", f"Choose one of {', '.join(TEMPLATES)}.")
    if not request.conditions:
        yield _fault("conditions", "missing_field", "Name at least one condition.")
    if (request.price_prompt is None) != (request.price_completion is None):
        yield _fault("price_prompt", "half_a_price", "Give the prices of prompts and of replies, or none.")
    if request.budget_usd is not None and request.address and request.price_prompt is None:
        yield _fault("budget_usd", "unknown_price", "A budget in US dollars needs the prices of this endpoint.")
    for link in request.facts.links[MOST_LINKS:]:
        yield _fault("links", "too_many", f"At most {MOST_LINKS} links are kept: leave out {link[:80]}.")
    for link in request.facts.links[:MOST_LINKS]:
        if not _is_link(link):
            yield _fault("links", "no_link", f"{link[:80]!r} is no https address.")


def _is_link(link: str) -> bool:
    """Whether it is what it looks like: "https://a\u202egro" would be shown as another address than it leads to."""
    try:
        host = urlsplit(link).hostname
    except ValueError:
        return False
    shown = link.isprintable() and not any(c.isspace() for c in link)
    return shown and link.startswith("https://") and bool(host) and len(link) <= LONGEST_LINK


def _target_faults(request: EndpointRequest) -> Iterator[Fault]:
    if not request.model.strip() or not request.model.isprintable():
        yield _fault("model", "missing_field", "Name the model.")
    if request.key and not (request.key.isascii() and request.key.isprintable() and " " not in request.key):
        yield _fault("key", "no_key", "An API key has visible ASCII characters only: was it copied with a line end?")
    if request.address:
        try:
            address_parts(request.address, policy=call_policy())
        except ForbiddenAddressError as error:
            yield _fault("address", "forbidden_address", str(error))
        return
    provider = request.model.partition("/")[0]
    if "/" not in request.model or provider not in settings.ENDPOINT_PROVIDERS:
        known = ", ".join(settings.ENDPOINT_PROVIDERS)
        yield _fault(
            "model", "unknown_provider", f"Give the endpoint's address, or a model of {known}: provider/model."
        )
    # Without a key the library would take one that the operator's environment may hold.
    if not request.key:
        yield _fault("key", "missing_field", "A provider's model needs your API key.")


def _number_faults(request: EndpointRequest) -> Iterator[Fault]:
    bounds: tuple[tuple[str, float | Decimal | None, float, float], ...] = (
        ("context_tokens", request.context_tokens, ROOM_AT_LEAST, 100_000_000),
        ("most_completion_tokens", request.most_completion_tokens, 16, 1_000_000),
        ("temperature", request.temperature, 0, 2),
        ("seed", request.seed, 0, 2**63 - 1),
        ("concurrency", request.concurrency, 1, MOST_CONCURRENCY),
        ("per_minute", request.per_minute, 0.1, 100_000),
        ("repairs", request.repairs, 0, MOST_REPAIRS),
        ("budget_usd", request.budget_usd, 0, 100_000),
        ("budget_tokens", request.budget_tokens, 1, 10**12),
        ("price_prompt", request.price_prompt, 0, 100_000),
        ("price_completion", request.price_completion, 0, 100_000),
    )
    for name, value, least, most in bounds:
        # Written so that NaN is outside.
        if value is not None and not least <= value <= most:
            yield _fault(name, "out_of_range", f"must be between {least:g} and {most:g}.")
    context = request.context_tokens
    if context is not None and context - request.most_completion_tokens < ROOM_AT_LEAST:
        message = f"leaves fewer than {ROOM_AT_LEAST:,} tokens for a prompt after the longest reply."
        yield _fault("context_tokens", "no_room", message)


def _fault(name: str, rule: str, message: str) -> Fault:
    return Fault(file=ENDPOINT_FORMAT, field=name, rule=rule, message=message)


def call_policy() -> AddressPolicy:
    """What the operator allows beyond public https."""
    return AddressPolicy(loopback=settings.CALL_LOOPBACK)


def _digest(request: EndpointRequest, draft: Submission) -> str:
    content: dict[str, Any] = asdict(request) | {
        "entry": draft.entry,
        "description": draft.description,
        "release": draft.release.digest,
    }
    # Keyed, because it outlives the API key that is part of it: nobody who reads it can try keys against it.
    return salted_hmac(
        "endpoint request", json.dumps(content, default=str, sort_keys=True), algorithm="sha256"
    ).hexdigest()


def keys_forget() -> int:
    """Delete the API keys that no generation needs any more; gives the number of them."""
    needed = Run.objects.filter(
        submission=OuterRef("submission"), state__in=(RunState.GENERATING, RunState.INCOMPLETE)
    ).exclude(generation__state=GenerationState.DONE)
    return ModelEndpoint.objects.filter(~Exists(needed), key__isnull=False).update(key=None)


@transaction.atomic
def keys_rotate() -> int:
    """Encrypt the stored API keys anew under the newest key; gives the number of them.

    Raises:
        UndecryptableError: one of them fits no key of the settings; nothing is changed.
    """
    endpoints = list(ModelEndpoint.objects.select_for_update().filter(key__isnull=False))
    for endpoint in endpoints:
        endpoint.key = rotated(bytes(endpoint.key or b""))
    ModelEndpoint.objects.bulk_update(endpoints, ["key"])
    return len(endpoints)

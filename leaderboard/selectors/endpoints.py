"""Reading of what a submission says of its model, and of how far the asking of it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet

from leaderboard.models.releases import Release, ReleaseDatabase
from leaderboard.models.runs import Run
from leaderboard.models.submissions import Submission
from leaderboard.selectors.releases import releases_open
from leaderboard.selectors.usage import NOTHING_ASKED, UsageView, runs_usage


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsView:
    """What the submitter says of the model: claimed, and checked by nobody."""

    provider: str
    name: str
    version: str
    open_weights: bool | None
    parameters: str
    license: str
    links: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether anything was said at all."""
        return self.open_weights is not None or any(
            (self.provider, self.name, self.version, self.parameters, self.license, self.links)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointView:
    """How a model is asked; `address` and the budgets are "" and None for those who do not own the submission.

    Whether a key is still kept is told to the owner; the key itself is told to nobody.
    """

    model: str
    template: str
    context_tokens: int | None
    most_completion_tokens: int
    temperature: float | None
    seed: int | None
    reasoning_effort: str
    repairs: int
    concurrency: int
    per_minute: float | None
    address: str
    has_key: bool | None
    budget_usd: Decimal | None
    budget_tokens: int | None
    price_prompt: Decimal | None
    price_completion: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingView:
    """The asking of a model for one run; `message` is "" for those who do not own the submission.

    Args:
        usage: what it took so far.
        total: items that are asked.
        prompts_digest: over the prompts of all items, "" until all replies are in.
        refused: the endpoint refused, for a reason that its owner must see to.
        message: the last sentence about the asking.
    """

    usage: UsageView
    total: int
    prompts_digest: str
    refused: bool
    message: str


def facts_view(submission: Submission) -> FactsView | None:
    """What was said of the model, if anything was."""
    if not hasattr(submission, "facts"):
        return None
    facts = submission.facts
    view = FactsView(
        provider=facts.provider,
        name=facts.name,
        version=facts.version,
        open_weights=facts.open_weights,
        parameters=facts.parameters,
        license=facts.license,
        links=tuple(facts.links),
    )
    return view if view.known else None


def endpoint_view(submission: Submission, *, owned: bool) -> EndpointView | None:
    """How the submission's model is asked; None for predictions that came in a file."""
    if not hasattr(submission, "endpoint"):
        return None
    endpoint = submission.endpoint
    return EndpointView(
        model=endpoint.model,
        template=endpoint.template,
        context_tokens=endpoint.context_tokens,
        most_completion_tokens=endpoint.most_completion_tokens,
        temperature=endpoint.temperature,
        seed=endpoint.seed,
        reasoning_effort=endpoint.reasoning_effort,
        repairs=endpoint.repairs,
        concurrency=endpoint.concurrency,
        per_minute=endpoint.per_minute,
        # An address may name a server that its owner would rather not show.
        address=endpoint.address if owned else "",
        has_key=endpoint.key is not None if owned else None,
        budget_usd=endpoint.budget_usd if owned else None,
        budget_tokens=endpoint.budget_tokens if owned else None,
        price_prompt=endpoint.price_prompt,
        price_completion=endpoint.price_completion,
    )


def asking_views(submission: Submission, runs: Sequence[Run], *, owned: bool) -> Mapping[int, AskingView]:
    """By run: how far the asking is. No query for a submission without an endpoint."""
    if not hasattr(submission, "endpoint"):
        return {}
    usages = runs_usage([run.pk for run in runs])
    total = submission.release.items.filter(set_aside="").count()
    return {run.pk: _asking(run, usages.get(run.pk, NOTHING_ASKED), total=total, owned=owned) for run in runs}


def _asking(run: Run, usage: UsageView, *, total: int, owned: bool) -> AskingView:
    generation = run.generation if hasattr(run, "generation") else None
    return AskingView(
        usage=usage,
        total=total,
        prompts_digest=generation.prompts_digest if generation else "",
        refused=generation.refused if generation else False,
        message=generation.message if generation and owned else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GainView:
    """Strict-EX with evidence minus without, paired by item, with a 95 % interval clustered by database."""

    n: int
    value: float
    low: float | None
    high: float | None
    with_only: int
    without_only: int
    p_value: float


def gain_view(submission: Submission) -> GainView | None:
    """What evidence adds, once both conditions have been scored."""
    if not hasattr(submission, "evidence_gain"):
        return None
    gain = submission.evidence_gain
    return GainView(
        n=gain.n,
        value=gain.value,
        low=gain.low,
        high=gain.high,
        with_only=gain.with_only,
        without_only=gain.without_only,
        p_value=gain.p_value,
    )


def releases_askable() -> QuerySet[Release]:
    """The releases that take submissions and whose databases are all described, the newest first."""
    blank = ReleaseDatabase.objects.filter(release=OuterRef("pk"), items__isnull=False, description=None)
    return releases_open().filter(~Exists(blank))

"""`aptboard generate`: asks a model for a query to every item and writes a prediction file; it can go on later."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmark_data.errors import BenchmarkError
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from evaluation.commands.faults import FAULTY, PLATFORM, faults_shown
from evaluation.commands.generate_report import print_report, progress
from evaluation.commands.generate_tasks import Plan, planned
from evaluation.commands.prompt import TemplateName
from evaluation.generation.budget import Budget, Prices
from evaluation.generation.errors import BudgetSpentError, EndpointRefusedError
from evaluation.generation.generate import generate as generated
from evaluation.generation.journal import Journal, JournalError, write_predictions
from evaluation.generation.limits import GenerationLimits
from evaluation.generation.tally import total_usage
from evaluation.generation.trial import query_error
from evaluation.generation.types import Check, Ending, GenerationReport, Task
from evaluation.llm import Endpoint, ModelClient, Sampling
from evaluation.prompts.templates import DEFAULT_TEMPLATE, TEMPLATES
from evaluation.types import Condition

KEY_VARIABLE = "APTBOARD_MODEL_KEY"
_CODES = {Ending.DONE: 0, Ending.UNANSWERED: PLATFORM, Ending.UNAVAILABLE: PLATFORM, Ending.STOPPED: 130}


def generate(
    model: Annotated[str, typer.Option(help='"provider/model" as litellm names it, or with --endpoint its own name.')],
    bundle: Annotated[Path, typer.Option(help="The benchmark bundle's folder.")],
    out: Annotated[Path, typer.Option(help="The prediction file to write; replies are kept in OUT.replies.")],
    endpoint: Annotated[str, typer.Option(help="Base address of an OpenAI-compatible endpoint.")] = "",
    condition: Annotated[Condition | None, typer.Option(help="Only this condition; both where not given.")] = None,
    template: Annotated[TemplateName, typer.Option(help="Name and version of the prompt.")] = TemplateName(  # noqa: B008
        DEFAULT_TEMPLATE
    ),
    context: Annotated[int | None, typer.Option(min=1, help="Tokens of the model's context.")] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Most tokens of a reply, reasoning included.")] = 4096,
    temperature: Annotated[float, typer.Option(help="Below 0: left to the provider.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Below 0: left to the provider.")] = 42,
    reasoning_effort: Annotated[str, typer.Option(help='Such as "low" or "high".')] = "",
    concurrency: Annotated[int, typer.Option(min=1, help="Calls under way at once.")] = 8,
    per_minute: Annotated[float | None, typer.Option(min=0.1, help="Most calls started in a minute.")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="That one call may take.")] = 120.0,
    attempts: Annotated[int, typer.Option(min=1, help="Calls for a reply while failures may pass.")] = 5,
    repairs: Annotated[int, typer.Option(min=0, max=3, help="Times that a failing query may be corrected.")] = 0,
    budget_usd: Annotated[str, typer.Option(help="Most US dollars, such as 2.50.")] = "",
    budget_tokens: Annotated[int | None, typer.Option(min=1, help="Most tokens, prompts and replies.")] = None,
    price_prompt: Annotated[str, typer.Option(help="US dollars for a million prompt tokens.")] = "",
    price_completion: Annotated[str, typer.Option(help="US dollars for a million reply tokens.")] = "",
) -> None:
    """Ask a model for every item, without and with evidence, and write a prediction file to submit or score.

    Each reply is kept as it arrives: run the same command again to go on after an interruption. The API key is read
    from APTBOARD_MODEL_KEY, or by litellm from the provider's own variable. With --repairs, a query that the reader or
    the engine refuses is sent back with the error; nothing of gold or of answers is.

    Exit codes: 0 every item has a reply or a named reason, 1 refused by the endpoint or the budget is spent,
    2 faults in what was given, 4 the endpoint (or the document database) is down: run again later.
    """
    console = Console(stderr=True)
    limits = GenerationLimits(
        concurrency=concurrency,
        per_minute=per_minute,
        seconds=seconds,
        attempts=attempts,
        most_completion_tokens=max_tokens,
        repairs=repairs,
    )
    with faults_shown(), _refusals_shown():
        loaded = load_bundle(bundle)
        client = _client(
            model,
            endpoint,
            prices=_prices(price_prompt, price_completion),
            seconds=seconds,
            sampling={
                "temperature": None if temperature < 0 else temperature,
                "seed": None if seed < 0 else seed,
                "most_completion_tokens": max_tokens,
                "reasoning_effort": reasoning_effort or None,
            },
        )
        settings = {
            "bundle": loaded.digest,
            "model": model,
            "endpoint": endpoint,
            "template": template.value,
            "context": context,
            "repairs": repairs,
            "sampling": asdict(client.sampling),
        }
        plan = Plan(
            bundle=loaded,
            template=TEMPLATES[template.value],
            room=None if context is None else context - max_tokens,
            conditions=tuple(Condition) if condition is None else (condition,),
        )
        report = _run(
            plan, client, limits, journal_path=out.with_name(f"{out.name}.replies"), settings=settings,
            budget=(_money(budget_usd, "--budget-usd"), budget_tokens), out=out, console=console,
        )  # fmt: skip
    if report.message:
        console.print(report.message, markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(_CODES.get(report.ending, 1))


def _run(
    plan: Plan,
    client: ModelClient,
    limits: GenerationLimits,
    *,
    journal_path: Path,
    settings: dict[str, Any],
    budget: tuple[Decimal | None, int | None],
    out: Path,
    console: Console,
) -> GenerationReport:
    journal = Journal.opened(journal_path, settings)
    try:
        tasks, unaskable = planned(plan, journal)
        spent = total_usage(reply.usage for reply in journal.replies)
        limit = Budget(money=budget[0], tokens=budget[1], prices=client.prices, spent=spent)
        with (
            _check(plan.bundle, limits.repairs) as check,
            progress(console, journal, plan, len(tasks) + len(unaskable)) as store,
        ):

            async def whole() -> GenerationReport:
                for reply in unaskable:
                    await store(reply)
                async with client:
                    return await generated(
                        tasks,
                        ask=client.ask,
                        store=store,
                        limits=limits,
                        budget=limit,
                        session=journal.session,
                        check=check,
                    )

            try:
                report = asyncio.run(whole())
            except KeyboardInterrupt:
                report = GenerationReport(
                    ending=Ending.STOPPED, message="Stopped; the same command goes on.", replies=0, unanswered=0
                )
    finally:
        journal.close()
    db_ids = {item.question_id: item.db_id for item in plan.bundle.items}
    if write_predictions(out, journal.replies, db_ids):
        print_report(journal.replies, out)
    return report


@contextlib.contextmanager
def _check(bundle: Bundle, repairs: int) -> Iterator[Check | None]:
    """Tries queries on the document database, with the bundle loaded; None where nothing is repaired."""
    if not repairs:
        yield None
        return
    from evaluation.commands.engine import bundle_loaded, engine  # noqa: PLC0415 - only here the engine is needed

    databases = {database.db_id: database for database in bundle.databases}
    db_ids = {item.question_id: item.db_id for item in bundle.items}
    with engine() as (executor, loader):
        bundle_loaded(bundle, loader)

        async def check(task: Task, text: str) -> str | None:
            database = databases[db_ids[task.question_id]]
            names = [collection.name for collection in database.collections]
            return await asyncio.to_thread(
                query_error,
                text,
                db_id=database.db_id,
                collections=names,
                storage_name=database.storage_name,
                executor=executor,
            )

        yield check


def _client(
    model: str, endpoint: str, *, prices: Prices | None, seconds: float, sampling: dict[str, Any]
) -> ModelClient:
    target = Endpoint(model=model, address=endpoint, key=os.environ.get(KEY_VARIABLE, ""), prices=prices)
    try:
        return ModelClient(target, Sampling(**sampling), seconds=seconds)
    except ImportError as error:
        typer.echo('Asking a provider\'s model needs litellm: pip install "aptboard[llm]".', err=True)
        raise typer.Exit(FAULTY) from error


def _prices(prompt: str, completion: str) -> Prices | None:
    first, second = _money(prompt, "--price-prompt"), _money(completion, "--price-completion")
    if (first is None) != (second is None):
        raise typer.BadParameter("give both prices or none", param_hint="--price-prompt, --price-completion")
    return None if first is None or second is None else Prices(prompt=first, completion=second)


def _money(text: str, option: str) -> Decimal | None:
    if not text:
        return None
    try:
        amount = Decimal(text)
    except ArithmeticError as error:
        raise typer.BadParameter(f"{text!r} is no amount of US dollars", param_hint=option) from error
    if not amount.is_finite() or amount < 0:
        raise typer.BadParameter("must be 0 or more", param_hint=option)
    return amount


@contextlib.contextmanager
def _refusals_shown() -> Iterator[None]:
    try:
        yield
    except (JournalError, BenchmarkError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAULTY) from error
    except (EndpointRefusedError, BudgetSpentError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error

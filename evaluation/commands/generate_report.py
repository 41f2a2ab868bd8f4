"""How `aptboard generate` shows what it is doing and what came of it."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from evaluation.commands.generate_tasks import Plan
from evaluation.generation.journal import Journal
from evaluation.generation.tally import tally
from evaluation.generation.types import Reply, Store
from evaluation.types import Condition


@contextlib.contextmanager
def progress(console: Console, journal: Journal, plan: Plan, left: int) -> Iterator[Store]:
    """A progress bar that moves with each item; gives the function that keeps a reply."""
    columns = (TextColumn("{task.description:<20}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        shown = bar.add_task("Asking", total=plan.total, completed=plan.total - left)

        async def store(reply: Reply) -> None:
            await journal.add(reply)
            if reply.is_final:
                bar.advance(shown)

        yield store


def print_report(replies: Sequence[Reply], out: Path) -> None:
    """A table of what each condition took."""
    table = Table(title=f"Replies in {out}")
    table.add_column("Condition")
    for head in ("Items", "Usable", "Calls", "Prompt tokens", "Reply tokens", "Cost (USD)", "Median s", "p95 s"):
        table.add_column(head, justify="right")
    for condition in Condition:
        mine = [reply for reply in replies if reply.condition is condition]
        if mine:
            table.add_row(condition, *_cells(mine))
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    reasons = tally(replies).reasons
    if reasons:
        console.print("Without a usable reply: " + ", ".join(f"{name} {count}" for name, count in reasons.items()))


def _cells(replies: Sequence[Reply]) -> tuple[str, ...]:
    found = tally(replies)
    cost = "unknown" if found.usage.cost is None else f"{found.usage.cost:.4f}"
    seconds = ("–" if ms is None else f"{ms / 1000:.2f}" for ms in (found.median_milliseconds, found.p95_milliseconds))
    counts = (found.items, found.usable, found.calls, found.usage.prompt_tokens, found.usage.completion_tokens)
    return (*map(str, counts), cost, *seconds)

"""`aptboard bundle convert`: makes a bundle from files of a foreign format."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmark_data.convert import tend
from benchmark_data.convert.report import ConversionReport
from benchmark_data.types import Bundle
from benchmark_data.write import Step
from evaluation.bundle_gold import gold_problem
from evaluation.commands.bundle_faults import faults_shown


class ForeignFormat(StrEnum):
    """The formats that can be converted into a bundle."""

    TEND = "tend"


CONVERSIONS: dict[ForeignFormat, Callable[..., ConversionReport]] = {ForeignFormat.TEND: tend.convert}


def convert(
    form: Annotated[ForeignFormat, typer.Argument(metavar="FORMAT", help="The format of the source: tend.")],
    source: Annotated[Path, typer.Argument(metavar="SRC", help="The source's folder.", exists=True)],
    destination: Annotated[Path, typer.Argument(metavar="DST", help="The folder that becomes the bundle.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a bundle that is there.")] = False,
) -> None:
    """Make a bundle from files of a foreign format; with any fault, nothing is written.

    Gold queries that cannot be scored are named; they are kept, and their items stay unscored.
    Exit codes: 0 converted, 2 the source has faults, or the destination is in use.
    """
    with faults_shown(), _progress() as progress:
        report = CONVERSIONS[form](source, destination, overwrite=overwrite, progress=progress)
    made = report.bundle
    typer.echo(
        f"{destination}: {len(made.databases)} databases, {report.documents:,} documents, {len(made.items):,} items, "
        f"digest {made.digest}."
    )
    for note in report.notes:
        typer.echo(note, err=True)
    for fault in _gold_faults(made):
        typer.echo(f"Unscored: {fault}", err=True)


def _gold_faults(made: Bundle) -> Iterator[str]:
    names = {database.db_id: [collection.name for collection in database.collections] for database in made.databases}
    for item in made.items:
        problem = gold_problem(item, names[item.db_id])
        if problem is not None:
            yield problem


@contextmanager
def _progress() -> Iterator[Callable[[Step], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Converting", total=None)

        def advance(step: Step) -> None:
            bar.update(task, advance=1, total=step.total, description=escape(step.db_id))

        yield advance

"""`aptboard bundle convert`: makes a bundle from files of a foreign format."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

from benchmark_data.convert import bird, generic, mongodump, mongoexport, tend
from benchmark_data.convert.bytestream import BytesRead
from benchmark_data.convert.options import ConversionOptions
from benchmark_data.convert.report import ConversionReport
from benchmark_data.types import Bundle
from benchmark_data.write import Step
from evaluation.bundle_gold import gold_problem
from evaluation.commands.faults import faults_shown


class ForeignFormat(StrEnum):
    """The formats that can be converted into a bundle."""

    TEND = "tend"
    MONGODUMP = "mongodump"
    MONGOEXPORT = "mongoexport"
    BIRD = "bird"
    GENERIC = "generic"


CONVERSIONS: dict[ForeignFormat, Callable[..., ConversionReport]] = {
    ForeignFormat.TEND: tend.convert,
    ForeignFormat.MONGODUMP: mongodump.convert,
    ForeignFormat.MONGOEXPORT: mongoexport.convert,
    ForeignFormat.BIRD: bird.convert,
    ForeignFormat.GENERIC: generic.convert,
}

_Stated = Annotated[str | None, typer.Option(help="What the bundle says of itself, before what the source says.")]


def convert(
    form: Annotated[
        ForeignFormat, typer.Argument(metavar="FORMAT", help="tend, mongodump, mongoexport, bird or generic.")
    ],
    source: Annotated[Path, typer.Argument(metavar="SRC", help="The source's folder or file.", exists=True)],
    destination: Annotated[Path, typer.Argument(metavar="DST", help="The folder that becomes the bundle.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a bundle that is there.")] = False,
    name: _Stated = None,
    version: _Stated = None,
    title: _Stated = None,
    license_: Annotated[str | None, typer.Option("--license", help="SPDX identifier or a sentence.")] = None,
    citation: _Stated = None,
    items: Annotated[Path | None, typer.Option(help="mongodump, mongoexport: the file with the items.")] = None,
    mapping: Annotated[Path | None, typer.Option(help="generic: the mapping; SRC/mapping.toml if not given.")] = None,
    databases: Annotated[Path | None, typer.Option(help="bird: bundle, dump or export with the databases.")] = None,
    gold: Annotated[Path | None, typer.Option(help="bird: file with gold queries.")] = None,
    strict_gold: Annotated[bool, typer.Option("--strict-gold", help="Gold that cannot be scored is a fault.")] = False,
) -> None:
    """Make a bundle from files of a foreign format; with any fault, nothing is written.

    Gold queries that cannot be scored are named; they are kept, and their items stay unscored.
    Exit codes: 0 converted, 2 the source has faults, or the destination is in use.
    """
    with faults_shown(), _progress() as (progress, advance):
        options = ConversionOptions(
            name=name,
            version=version,
            title=title,
            license=license_,
            citation=citation,
            items=items,
            mapping=mapping,
            databases=databases,
            gold=gold,
            check_query=gold_problem if strict_gold else None,
            advance=advance,
        )
        report = CONVERSIONS[form](source, destination, overwrite=overwrite, progress=progress, options=options)
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
def _progress() -> Iterator[tuple[Callable[[Step], None], Callable[[BytesRead], None]]]:
    """A bar over the bytes of the source, where the format counts them, with the databases written so far."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[databases]}"),
        DownloadColumn(binary_units=True),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("Converting", total=None, databases="")
        written = 0

        def step(done: Step) -> None:
            nonlocal written
            written += 1
            shown = f"{written}/{done.total}" if done.total is not None else str(written)
            bar.update(task, description=escape(done.db_id), databases=f"{shown} databases")

        def advance(read: BytesRead) -> None:
            bar.update(task, completed=read.done, total=read.total)

        yield step, advance

"""`aptboard bundle`: looks at benchmark bundles, and makes them from foreign formats."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmark_data.convert import tend
from benchmark_data.convert.report import ConversionReport
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.types import Bundle, Database, Item
from benchmark_data.validate import validate
from benchmark_data.write import Step
from evaluation.gold import GoldSource, UnusableGoldError, gold_query

FAULTY = 2

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The bundle's folder.", exists=True, file_okay=False)]

bundle = typer.Typer(help="Check, show and make benchmark bundles.", no_args_is_help=True)


class ForeignFormat(StrEnum):
    """The formats that can be converted into a bundle."""

    TEND = "tend"


@bundle.command("validate")
def check(directory: Directory) -> None:
    """Find everything that is wrong with a bundle: records, documents, names, counts, digests, gold, stray files.

    Each fault is one line: file, line, field, message. Exit codes: 0 no fault, 2 faults.
    """
    faults = validate(directory, check_query=gold_problem)
    for fault in faults:
        typer.echo(str(fault))
    if faults:
        _echo_count(len(faults))
        raise typer.Exit(FAULTY)
    found = load_bundle(directory, check_digests=False)
    documents = sum(collection.documents for database in found.databases for collection in database.collections)
    typer.echo(
        f"{found.name} {found.version} has no fault: {len(found.databases)} databases, {documents:,} documents, "
        f"{len(found.items):,} items, digest {found.digest}."
    )


@bundle.command()
def digest(
    directory: Directory,
    write: Annotated[bool, typer.Option("--write", help="Write counts and digests into the manifest.")] = False,
) -> None:
    """Print the digest that scores on this bundle belong to, computed from its files.

    After a change by hand, `--write` seals the bundle anew: the digest changes, and old scores do not belong to it.
    Exit codes: 0 it is what the manifest states (or was written), 2 it is not, or the bundle has faults.
    """
    with _faults_shown():
        typer.echo((reseal(directory) if write else load_bundle(directory)).digest)


@bundle.command()
def show(directory: Directory) -> None:
    """Show what a bundle has in it. Exit codes: 0 shown, 2 the bundle has faults."""
    with _faults_shown():
        found = load_bundle(directory)
    console = Console()
    console.print(f"[bold]{escape(found.title)}[/] ({escape(found.name)} {escape(found.version)})")
    console.print(f"Licence: {escape(found.license)}", highlight=False)
    if found.citation:
        console.print(f"Citation: {escape(found.citation)}", highlight=False)
    console.print(f"Digest: {found.digest}", highlight=False, soft_wrap=True)
    console.print(_databases_table(found))
    console.print(_items_table(found))


@bundle.command()
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
    with _faults_shown(), _progress() as progress:
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


CONVERSIONS: dict[ForeignFormat, Callable[..., ConversionReport]] = {ForeignFormat.TEND: tend.convert}


def gold_problem(item: Item, collections: Sequence[str]) -> str | None:
    """Why an item's gold query cannot be scored, before it is run, or None."""
    source = GoldSource(
        question_id=item.question_id,
        db_id=item.db_id,
        storage_name="",
        collections=tuple(collections),
        gold_query=item.gold_query,
        array_order=item.array_order,
    )
    try:
        gold_query(source)
    except UnusableGoldError as error:
        return str(error)
    return None


def _gold_faults(made: Bundle) -> Iterator[str]:
    names = {database.db_id: [collection.name for collection in database.collections] for database in made.databases}
    for item in made.items:
        problem = gold_problem(item, names[item.db_id])
        if problem is not None:
            yield problem


def _echo_count(faults: int) -> None:
    typer.echo("1 fault." if faults == 1 else f"{faults:,} faults.", err=True)


@contextmanager
def _faults_shown() -> Iterator[None]:
    """End the command with exit code 2 and one line a fault where a bundle is faulty or a file cannot be used."""
    try:
        yield
    except FaultyBundleError as error:
        for fault in error.faults:
            typer.echo(str(fault), err=True)
        _echo_count(error.total)
        raise typer.Exit(FAULTY) from error
    except OSError as error:
        message = error.strerror or str(error)
        typer.echo(str(Fault(file=str(error.filename), rule="unusable_file", message=message)), err=True)
        raise typer.Exit(FAULTY) from error


@contextmanager
def _progress() -> Iterator[Callable[[Step], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Converting", total=None)

        def advance(step: Step) -> None:
            bar.update(task, advance=1, total=step.total, description=escape(step.db_id))

        yield advance


def _databases_table(found: Bundle) -> Table:
    table = Table("Database", "Collections", title="Databases")
    for name in ("Documents", "Items"):
        table.add_column(name, justify="right")
    items = Counter(item.db_id for item in found.items)
    for database in found.databases:
        documents = sum(collection.documents for collection in database.collections)
        table.add_row(database.db_id, _collections_text(database), f"{documents:,}", f"{items[database.db_id]:,}")
    return table


def _collections_text(database: Database) -> str:
    return escape(", ".join(collection.name for collection in database.collections))


def _items_table(found: Bundle) -> Table:
    table = Table("Difficulty", title="Items")
    for name in ("Items", "With evidence", "Hidden gold"):
        table.add_column(name, justify="right")
    for difficulty in dict.fromkeys(item.difficulty for item in found.items):
        items = [item for item in found.items if item.difficulty is difficulty]
        evidence = sum(bool(item.evidence) for item in items)
        hidden = sum(item.split.value == "hidden" for item in items)
        table.add_row(difficulty.value, f"{len(items):,}", f"{evidence:,}", f"{hidden:,}")
    return table

"""`aptboard bundle`: looks at benchmark bundles, and makes them from foreign formats."""

from collections import Counter
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.types import NO_REQUIREMENTS, Bundle, Database
from benchmark_data.validate import validate
from evaluation.bundle_gold import gold_problem
from evaluation.commands.bundle_answers import gold
from evaluation.commands.bundle_build import build
from evaluation.commands.bundle_cards import card
from evaluation.commands.bundle_compare import diff
from evaluation.commands.bundle_convert import convert
from evaluation.commands.bundle_export import export
from evaluation.commands.bundle_load import load, loaded, retire
from evaluation.commands.faults import FAULTY, Directory, echo_count, faults_shown

bundle = typer.Typer(help="Check, show, make, load and compare benchmark bundles.", no_args_is_help=True)


@bundle.command("validate")
def check(directory: Directory) -> None:
    """Find everything that is wrong with a bundle: records, documents, names, counts, digests, gold, stray files.

    Each fault is one line: file, line, field, message. Exit codes: 0 no fault, 2 faults.
    """
    faults = validate(directory, check_query=gold_problem)
    for fault in faults:
        typer.echo(str(fault))
    if faults:
        echo_count(sum(fault.count for fault in faults))
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
    with faults_shown():
        typer.echo((reseal(directory) if write else load_bundle(directory)).digest)


@bundle.command()
def show(directory: Directory) -> None:
    """Show what a bundle has in it. Exit codes: 0 shown, 2 the bundle has faults."""
    with faults_shown():
        found = load_bundle(directory)
    console = Console()
    console.print(f"[bold]{escape(found.title)}[/] ({escape(found.name)} {escape(found.version)})")
    console.print(f"Licence: {escape(found.license)}", highlight=False)
    if found.citation:
        console.print(f"Citation: {escape(found.citation)}", highlight=False)
    if found.engine != NO_REQUIREMENTS:
        needs = [f"MongoDB {found.engine.mongodb}"] if found.engine.mongodb else []
        console.print(f"Needs: {escape(', '.join([*needs, *found.engine.features]))}", highlight=False)
    cards, gold_lines = found.cards, found.gold
    stored = f"{cards.count if cards else 0:,} cards, {gold_lines.count if gold_lines else 0:,} gold answers"
    console.print(f"Stored: {stored}{'; private' if found.private else ''}", highlight=False)
    console.print(f"Digest: {found.digest}", highlight=False, soft_wrap=True)
    console.print(_databases_table(found))
    console.print(_items_table(found))


for name, command in (
    ("build", build),
    ("card", card),
    ("convert", convert),
    ("diff", diff),
    ("export", export),
    ("gold", gold),
    ("load", load),
    ("loaded", loaded),
    ("retire", retire),
):
    bundle.command(name)(command)


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

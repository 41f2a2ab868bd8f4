"""`aptboard bundle diff`: which items' scores a change of a bundle can move."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmark_data.diff import BundleDiff, Effect, compare_bundles
from benchmark_data.load import load_bundle
from evaluation.commands.faults import faults_shown

MOVED = 1
_SENTENCES = {
    Effect.SCORE: "can get another score",
    Effect.BREAKDOWN: "stand elsewhere in the breakdown, with the same score",
    Effect.TIMING: "can take another time, with the same score",
    Effect.NONE: "have changes that move nothing",
}


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The old bundle.", exists=True, file_okay=False)],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new bundle.", exists=True, file_okay=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the difference as JSON.")] = False,
) -> None:
    """Say which items' scores the change from OLD to NEW can move, and why.

    Exit codes: 0 no score can move, 1 some can, 2 a bundle has faults.
    """
    with faults_shown():
        found = compare_bundles(load_bundle(old), load_bundle(new))
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=1))
    else:
        _show(found)
    if found.counts[Effect.SCORE]:
        raise typer.Exit(MOVED)


def _show(found: BundleDiff) -> None:
    console = Console(width=None if Console().is_terminal else 120)
    if found.databases:
        table = Table("Database", "Change", "Collections", title="Databases")
        for database in found.databases:
            table.add_row(escape(database.db_id), database.change, escape(", ".join(database.collections)))
        console.print(table)
    if found.items:
        table = Table("Item", "Database", "Effect", "Changes", title="Items")
        for item in found.items:
            changes = ", ".join(reason.change for reason in item.reasons)
            table.add_row(escape(item.question_id), escape(item.db_id), item.effect.value, changes)
        console.print(table)
    for effect, count in found.counts.items():
        if count:
            console.print(f"{count:,} items {_SENTENCES[effect]}.", highlight=False)
    if found.texts:
        console.print(f"Changed, and moving nothing: {', '.join(found.texts)}.", highlight=False)
    same = found.old == found.new
    console.print("The digest is the same." if same else f"The digest is another: {found.new}.", soft_wrap=True)

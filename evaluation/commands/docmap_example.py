"""`aptboard docmap example`: a database of the sample benchmark to try the other commands on."""

from pathlib import Path
from typing import Annotated

import typer

from benchmark_data.bundles.sample21.databases import database_ids
from benchmark_data.bundles.sample21.example import write_example
from evaluation.commands.faults import faults_shown


def example(
    db_id: Annotated[str, typer.Argument(metavar="DATABASE", help=f"One of {', '.join(database_ids())}.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; it must not exist.")],
) -> None:
    """Write a sample database as SQLite, its docmap and design, and its questions with SQL, as BIRD has them.

    Exit codes: 0 written, 2 there is no such database, or DIR is in use.
    """
    with faults_shown():
        for name in write_example(db_id, folder):
            typer.echo(folder / name)

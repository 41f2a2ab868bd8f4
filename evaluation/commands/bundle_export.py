"""`aptboard bundle export`: writes a bundle's databases in a foreign format."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmark_data.convert.mongodump_write import write_dump
from benchmark_data.load import load_bundle
from evaluation.commands.faults import Directory, faults_shown, progress_shown


class ExportFormat(StrEnum):
    """The formats that a bundle can be written in."""

    MONGODUMP = "mongodump"


def export(
    form: Annotated[ExportFormat, typer.Argument(metavar="FORMAT", help="mongodump.")],
    directory: Directory,
    destination: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write; it must not exist.")],
    packed: Annotated[bool, typer.Option("--gzip", help="Pack the files, as mongodump --gzip does.")] = False,
) -> None:
    """Write the databases as a dump that mongorestore takes, with the items beside them.

    `convert mongodump OUT` makes a bundle of the same digest of it. Exit codes: 0 written, 2 the bundle has faults, or
    OUT is in use.
    """
    with faults_shown():
        bundle = load_bundle(directory)
        with progress_shown(form.value.capitalize(), total=len(bundle.databases)) as advance:
            write_dump(bundle, destination, packed=packed, progress=lambda step: advance(1, step.db_id))
    documents = sum(collection.documents for database in bundle.databases for collection in database.collections)
    typer.echo(
        f"{destination}: {len(bundle.databases)} databases, {documents:,} documents, {len(bundle.items):,} items."
    )

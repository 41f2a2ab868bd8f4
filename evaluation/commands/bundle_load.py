"""`aptboard bundle load|loaded|retire`: which databases of which bundles a document database holds."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmark_data.errors import BenchmarkError
from benchmark_data.load import load_bundle
from evaluation.commands.bundle_database import Reader, Url, database_urls, documents_of, load_databases
from evaluation.commands.faults import Directory, faults_shown, progress_shown
from evaluation.executors.engine import engine_problem
from evaluation.executors.grants import check_read_only
from evaluation.executors.loading import DatabaseLoader


def load(
    directory: Directory,
    url: Url = None,
    reader_url: Reader = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare every stored document with the bundle, also where it was loaded.")
    ] = False,
) -> None:
    """Load a bundle's databases into a document database; what is there, complete, is not loaded again.

    A load that was broken off goes on after the last complete collection. Every document is read back and compared.
    Other versions stay beside this one until they are retired.
    Exit codes: 0 loaded, 2 the bundle has faults or does not fit the server, 4 the document database failed.
    """
    with faults_shown(), database_urls(url, reader_url) as urls, DatabaseLoader(urls.loader) as loader:
        bundle = load_bundle(directory)
        if problem := engine_problem(urls.loader, bundle.engine):
            typer.echo(f"Warning: {problem}", err=True)
        if urls.reader == urls.loader:
            typer.echo("Whether queries can write was not checked: name their user with --reader-url.", err=True)
        elif allowed := check_read_only(urls.reader):
            raise BenchmarkError(f"The user that queries run as may write ({', '.join(allowed)}); nothing was loaded.")
        with progress_shown("Loading", total=documents_of(bundle)) as advance:
            results = list(load_databases(bundle, loader, advance))
        for db_id, result in results:
            kept = f", {result.resumed} collections from an earlier attempt" if result.resumed else ""
            state = f"loaded{kept}" if result.loaded else "was there"
            typer.echo(f"{db_id}: {result.documents:,} documents in {result.storage_name}, {state}.")
        if verify:
            problems = [f"{d.db_id}: {one}" for d in bundle.databases for one in loader.verify(d)]
            if problems:
                raise BenchmarkError("\n".join(problems))
            typer.echo("Every document and index is as in the bundle.")


def loaded(url: Url = None) -> None:
    """List the databases that were loaded, and which bundles use them.

    Exit codes: 0 listed, 4 the document database failed.
    """
    with faults_shown(), database_urls(url, None) as urls, DatabaseLoader(urls.loader) as loader:
        entries = loader.catalog()
    table = Table("Storage", "Database", title="Loaded databases")
    table.add_column("Documents", justify="right")
    table.add_column("State")
    table.add_column("Used by")
    for entry in entries:
        state = "complete" if entry.complete else "broken off"
        row = (entry.storage_name, entry.db_id, f"{entry.documents:,}", state, ", ".join(entry.bundles) or "–")
        table.add_row(*row)
    Console(width=None if Console().is_terminal else 160).print(table)


def retire(
    name: Annotated[str, typer.Argument(metavar="NAME", help='A bundle such as "tiny@1", or a storage name.')],
    url: Url = None,
) -> None:
    """Drop what is needed no longer: a bundle's databases that no other bundle uses, or one storage that none uses.

    Exit codes: 0 done, 2 it is in use or not there, 4 the document database failed.
    """
    with faults_shown(), database_urls(url, None) as urls, DatabaseLoader(urls.loader) as loader:
        free = loader.forget(name) if "@" in name else (name,)
        dropped = [storage for storage in free if loader.retire(storage)]
        if not dropped:
            raise BenchmarkError(f"Nothing was dropped: no database is loaded for {name} alone.")
        for storage in dropped:
            typer.echo(f"Dropped {storage}.")

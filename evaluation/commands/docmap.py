"""`aptboard docmap`: designs, checks, migrates, proves and scales conversions of SQLite databases."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmark_data.digest import file_digest
from benchmark_data.docmap.baseline import Outcome, fk_embedding_baseline
from benchmark_data.docmap.certificate import CheckResult, Proved, certificate_text, table_rows
from benchmark_data.docmap.check import read_checked
from benchmark_data.docmap.proof import Documents, Findings, prove
from benchmark_data.docmap.proposals import proposal_comment, proposed_links
from benchmark_data.docmap.scale import scale_database
from benchmark_data.docmap.sinks import migrate_to_bundle, migrate_to_folder, read_migrated
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from benchmark_data.docmap.types import Docmap
from benchmark_data.errors import Fault, FaultyFileError
from benchmark_data.faults import FaultLog
from benchmark_data.items import read_items
from benchmark_data.load import raise_faults, read_documents
from benchmark_data.types import Database
from benchmark_data.write import Header
from evaluation.commands.faults import faults_shown
from evaluation.embedded.document_database import DocumentDatabaseUrls, provided, urls_from_environment
from evaluation.embedded.home import home
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.migrated import StoredDocuments

LOSSY = 1

Source = Annotated[Path, typer.Argument(metavar="SQLITE", help="The source database's file.")]
Map = Annotated[Path, typer.Argument(metavar="DOCMAP", help="The docmap's YAML file.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what an earlier run wrote there.")]

docmap = typer.Typer(help="Convert relational databases to documents, and prove it.", no_args_is_help=True)


class Strategy(StrEnum):
    """The mechanical conversions."""

    ONE_TO_ONE = "one_to_one"
    FK_EMBEDDING = "fk_embedding"


@docmap.command()
def init(
    source: Source,
    destination: Annotated[Path, typer.Argument(metavar="DOCMAP", help="The file to write.")],
    strategy: Annotated[
        Strategy, typer.Option(help="Which mechanical conversion to write down.")
    ] = Strategy.ONE_TO_ONE,
    db_id: Annotated[str, typer.Option(help="The database's name; the file's by default.")] = "",
    indexed: Annotated[bool, typer.Option("--indexed", help="one_to_one: index the keys that joins use.")] = False,
    seconds: Annotated[float, typer.Option(help="fk_embedding: time after which the trial is a timeout.")] = 600.0,
    overwrite: Overwrite = False,
) -> None:
    """Write a mechanical conversion as a docmap, to be edited or measured against.

    fk_embedding is tried out and its outcome named: recursion, sql_error, document_too_large, timeout, partial or ok.
    Exit codes: 0 written, 1 fk_embedding fails or loses rows, 2 the source or the destination cannot be used.
    """
    with faults_shown():
        if destination.exists() and not overwrite:
            _refuse(destination.name, "the file exists; ask for overwriting to replace it.")
        name = db_id or source.stem
        if strategy is Strategy.ONE_TO_ONE:
            with closing(connect_read_only(source)) as connection:
                schema = read_schema(connection)
                proposed = proposed_links(connection, schema)
            text = proposal_comment(proposed) + one_to_one(schema, name, indexed=indexed)
            destination.write_text(text, encoding="utf-8")
            for link in proposed:
                typer.echo(f"Undeclared: {'.'.join(link.child)} may point at {'.'.join(link.parent)}.")
            return
        baseline = fk_embedding_baseline(source, name, seconds=seconds)
        if baseline.docmap:
            destination.write_text(baseline.docmap, encoding="utf-8")
        typer.echo(f"{baseline.outcome}: {baseline.message}")
        for table, loss in baseline.tables.items():
            typer.echo(f"  {table}: {loss.rows:,} rows, {loss.lost:,} lost, {loss.copies} further copies")
        if baseline.outcome is not Outcome.OK:
            raise typer.Exit(LOSSY)


@docmap.command()
def check(source: Source, path: Map) -> None:
    """Find everything that is wrong with a docmap before any data is moved.

    Each fault is one line: file, line, field, message. Exit codes: 0 no fault, 2 faults.
    """
    with faults_shown():
        found = read_checked(path, source)
    typer.echo(f"{path.name} has no fault: {len(found.collections)} collections for {found.db_id}.")


@docmap.command()
def migrate(
    source: Source,
    path: Map,
    destination: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
    items: Annotated[
        Path | None, typer.Option(help="Write a bundle with these items (a bundle's items.jsonl).", exists=True)
    ] = None,
    license_: Annotated[str, typer.Option("--license", help="The bundle's licence.")] = "unknown",
    overwrite: Overwrite = False,
) -> None:
    """Migrate a database as its docmap tells: all of it, or with any fault nothing.

    Exit codes: 0 migrated, 2 faults, or the destination is in use.
    """
    with faults_shown():
        found = read_checked(path, source)
        if items is not None:
            log = FaultLog(items.name)
            listed = read_items(items, log, db_ids={found.db_id})
            raise_faults([log])
            written = migrate_to_bundle(
                found,
                source,
                destination,
                file=path.name,
                header=Header(name=_bundle_name(found.db_id), version="1", title=found.db_id, license=license_),
                items=listed,
                overwrite=overwrite,
            )
        else:
            written = migrate_to_folder(
                found,
                source,
                destination,
                file=path.name,
                overwrite=overwrite,
                warn=lambda message: typer.echo(f"Warning: {message}", err=True),
            )
    documents = sum(collection.documents for collection in written.collections)
    typer.echo(
        f"{destination}: {len(written.collections)} collections, {documents:,} documents, digest {written.digest}."
    )


@docmap.command("prove")
def prove_command(
    source: Source,
    path: Map,
    migrated: Annotated[Path, typer.Argument(metavar="DIR", help="What `migrate` wrote.", exists=True)],
    certificate: Annotated[Path | None, typer.Option(help="Write the certificate to this file.")] = None,
    files_only: Annotated[bool, typer.Option("--files-only", help="Do not load the documents into a server.")] = False,
) -> None:
    """Prove that nothing was lost: read the source back out of the documents, as written and as loaded in the server.

    The server is the one that MONGO_URL names, or the embedded engine; the docmap's own checks are run there.
    Exit codes: 0 lossless, 1 lossy, 2 faults, 4 the document database failed.
    """
    with faults_shown():
        found, database = read_checked(path, source), read_migrated(migrated)
        proved = _proved(found, source, path, database, files_only=files_only)
    for findings in proved.findings:
        _print(findings)
    for name in proved.failed_checks:
        typer.echo(f"the check {name!r} failed: SQL and pipeline differ.")
    if certificate is not None:
        certificate.write_text(certificate_text(proved), encoding="utf-8")
    typer.echo(f"Verdict: {'lossless' if proved.is_lossless else 'lossy'}.")
    if not proved.is_lossless:
        raise typer.Exit(LOSSY)


@docmap.command()
def scale(
    source: Source,
    destination: Annotated[Path, typer.Argument(metavar="SQLITE", help="The file to write.")],
    factor: Annotated[float, typer.Option(help="How many times as many rows; below 1 a subset closed under keys.")],
    seed: Annotated[int, typer.Option(help="Chooses the subset.")] = 0,
    design: Annotated[
        Path | None, typer.Option("--docmap", help="A docmap whose relationships the copies keep as well.", exists=True)
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a larger or smaller database of the same shape: keys, fan-outs, links and distributions are kept.

    Exit codes: 0 written, 2 the source cannot be scaled, or the destination is in use.
    """
    with faults_shown():
        if destination.exists() and not overwrite:
            _refuse(destination.name, "the file exists; ask for overwriting to replace it.")
        links = () if design is None else tuple(read_checked(design, source).links.values())
        report = scale_database(source, destination, factor=factor, seed=seed, links=links)
    for table, (before, after) in report.rows.items():
        typer.echo(f"{table}: {before:,} → {after:,} rows")


def _proved(found: Docmap, source: Path, path: Path, database: Database, *, files_only: bool) -> Proved:
    collections = {collection.name: collection for collection in database.collections}
    checks: tuple[CheckResult, ...] = ()
    places: dict[str, Documents] = {
        "written": lambda name: read_documents(collections[name]) if name in collections else ()
    }
    if files_only:
        findings = prove(found, source, places)
    else:
        with _stored(database) as stored:
            findings = prove(found, source, {**places, "loaded": stored.read})
            checks = stored.compared(found.checks, source)
    connection = connect_read_only(source)
    schema = read_schema(connection)
    connection.close()
    return Proved(
        docmap=found,
        schema=schema,
        docmap_sha256=file_digest(path),
        source_sha256=file_digest(source),
        database=database,
        findings=findings,
        checks=checks,
    )


@contextmanager
def _stored(database: Database) -> Iterator[StoredDocuments]:
    named = urls_from_environment()
    with provided(home()) if named is None else _given(named) as urls:
        with DatabaseLoader(urls.loader) as loader:
            loader.load(database)
        with StoredDocuments(urls.reader, database.storage_name) as stored:
            yield stored


@contextmanager
def _given(value: DocumentDatabaseUrls) -> Iterator[DocumentDatabaseUrls]:
    yield value


def _print(findings: Findings) -> None:
    table = Table("Table", title=f"Read back from the documents as {findings.place}")
    for name in ("Rows", "Read back", "Missing", "Extra"):
        table.add_column(name, justify="right")
    for name, one in table_rows(findings).items():
        table.add_row(escape(name), *(f"{n:,}" for n in (one.rows, one.reconstructed, one.missing, one.extra)))
    Console().print(table)
    for name, one in table_rows(findings).items():
        for words, examples in (("missing", one.missing_examples), ("extra", one.extra_examples)):
            for example in examples:
                typer.echo(f"{name}: {words}: {example}")
    for collection in findings.collections:
        if not collection.is_recomputed or collection.unreadable:
            typer.echo(
                f"{collection.name}: {collection.documents:,} documents, {collection.expected:,} expected; "
                f"{collection.unreadable:,} unreadable places; not what the migration makes of the source."
            )


def _bundle_name(db_id: str) -> str:
    plain = "".join(character if character.isascii() and character.isalnum() else "-" for character in db_id.lower())
    return plain.strip("-")[:63] or "database"


def _refuse(file: str, message: str) -> None:
    raise FaultyFileError((Fault(file=file, rule="in_use", message=message),))

"""Which document database the commands on bundles use, and the loading of a bundle into it."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from benchmark_data.types import Bundle
from evaluation.embedded.document_database import DocumentDatabaseUrls, provided, urls_from_environment
from evaluation.embedded.home import home
from evaluation.executors.loading import DatabaseLoader, LoadResult

Url = Annotated[
    str | None,
    typer.Option(
        "--url", help="Server and user that loads; else MONGO_LOADER_URL or MONGO_URL, else the embedded one."
    ),
]
Reader = Annotated[
    str | None, typer.Option("--reader-url", help="Server and user that queries run as, when --url names the loader.")
]


@contextlib.contextmanager
def database_urls(url: str | None, reader: str | None) -> Iterator[DocumentDatabaseUrls]:
    """The document database that the options, or else the environment, name; else the embedded one."""
    named = urls_from_environment() if url is None else DocumentDatabaseUrls(reader=reader or url, loader=url)
    with contextlib.nullcontext(named) if named else provided(home()) as urls:
        yield urls


def used_by(bundle: Bundle) -> str:
    """The mark of a bundle in the catalog of loaded databases."""
    return f"{bundle.name}@{bundle.version}"


def load_databases(
    bundle: Bundle, loader: DatabaseLoader, advance: Callable[[int, str], None]
) -> Iterator[tuple[str, LoadResult]]:
    """Load each database of a bundle that is not there yet."""
    for database in bundle.databases:
        name = database.db_id
        yield (
            name,
            loader.load(
                database,
                used_by=used_by(bundle),
                progress=lambda count, name=name: advance(count, name),  # type: ignore[misc]
            ),
        )


def documents_of(bundle: Bundle) -> int:
    """How many documents a bundle has."""
    return sum(collection.documents for database in bundle.databases for collection in database.collections)

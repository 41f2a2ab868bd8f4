"""The document database of a command: the one that MONGO_URL names, or the embedded engine, with a bundle loaded."""

import contextlib
import os
from collections.abc import Callable, Iterator

from benchmark_data.types import Bundle
from evaluation.embedded.document_database import provided, urls_from_environment
from evaluation.embedded.home import home
from evaluation.executors.connect import opened
from evaluation.executors.loading import DatabaseLoader
from evaluation.types import Executor


@contextlib.contextmanager
def engine() -> Iterator[tuple[Executor, DatabaseLoader]]:
    """An executor and a loader of one server.

    Raises:
        InfrastructureError: it is not to be reached, or does not start.
    """
    named = urls_from_environment()
    with contextlib.nullcontext(named) if named else provided(home()) as urls:
        demo = named is None or os.environ.get("APTBOARD_DEMO_ENGINE") == "1"
        with opened(urls.reader, demo=demo) as executor, DatabaseLoader(urls.loader) as loader:
            yield executor, loader


def bundle_loaded(bundle: Bundle, loader: DatabaseLoader, progress: Callable[[int], None] = lambda _: None) -> None:
    """Load all databases of a bundle that are not there yet; `progress` is told how many documents came."""
    for database in bundle.databases:
        loader.load(database, progress=progress)

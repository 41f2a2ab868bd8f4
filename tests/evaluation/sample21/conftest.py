"""The bakery on both sides, loaded once for all tests that look at it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmark_data.bundles.sample21.databases import SampleDatabase
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.executors.loading import DatabaseLoader
from evaluation.gold import reading_context
from evaluation.parse.read import read
from evaluation.sample21.instances import Engine, SampleInstance, loaded_instances
from evaluation.types import Executor, Query
from tests.benchmark_data.bundles.sample21.bakery import bakery


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The bakery's sources and its three loaded instances."""

    sample: SampleDatabase
    instances: tuple[SampleInstance, ...]

    @property
    def base(self) -> SampleInstance:
        """The instance of the first seed."""
        return self.instances[0]


def read_query(text: str) -> Query:
    """A query on the bakery."""
    return read(text, context=reading_context(db_id="bakery", collections=("bakers",))).query


@pytest.fixture(scope="session")
def engine(executor: Executor, loader: DatabaseLoader, document_database: DocumentDatabaseUrls) -> Engine:
    """The document database of this test run."""
    return Engine(executor=executor, loader=loader, urls=document_database)


@pytest.fixture(scope="session")
def loaded(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    """The bakery, loaded under names of this process."""
    folder: Path = tmp_path_factory.mktemp("bakery")
    sources = folder / "sources"
    sources.mkdir()
    sample = bakery(sources)
    with loaded_instances(sample, engine, folder) as instances:
        yield Loaded(sample=sample, instances=instances)

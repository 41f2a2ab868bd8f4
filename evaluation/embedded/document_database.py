"""The embedded document database: SecantusDB behind a keeper, with a find-only user and a loader."""

import contextlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.embedded.credentials import provided_credentials
from evaluation.embedded.engine_keeper import LOG
from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.home import private_folder
from evaluation.embedded.process import (
    free_port,
    is_running,
    log_tail,
    port_is_free,
    start_detached,
    stop,
    wait_until,
)
from evaluation.embedded.shared_part import RunningPart, joined
from evaluation.embedded.wire_ping import answers_ping

HOST = "127.0.0.1"
START_SECONDS = 75.0
RECOVERY_SECONDS = 30.0
STOP_SECONDS = 20.0
PORTS_TRIED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDatabaseUrls:
    """Connection strings: workers know the reader's only; imports use the loader's."""

    reader: str
    loader: str


def urls_from_environment() -> DocumentDatabaseUrls | None:
    """The database that `MONGO_URL` (find-only user) and `MONGO_LOADER_URL` (by default the same) name, if any."""
    reader = os.environ.get("MONGO_URL")
    if not reader:
        return None
    return DocumentDatabaseUrls(reader=reader, loader=os.environ.get("MONGO_LOADER_URL") or reader)


@contextlib.contextmanager
def provided(home: Path, *, patience_seconds: float = 10.0) -> Iterator[DocumentDatabaseUrls]:
    """Use the document database whose data lie under `home`, starting it if it does not run.

    Args:
        home: folder of the embedded parts, made if it does not exist.
        patience_seconds: how long a started engine may leave pings unanswered before it is killed and restarted.

    Raises:
        EmbeddedPartError: it is not installed or does not start.
    """
    folder = part_folder(home)
    with joined(DocumentDatabasePart(folder, patience_seconds=patience_seconds), folder) as running:
        users = provided_credentials(folder / "users.json")
        yield DocumentDatabaseUrls(
            reader=users.reader.url(host=running.host, port=running.port),
            loader=users.loader.url(host=running.host, port=running.port),
        )


def part_folder(home: Path) -> Path:
    """Where the document database of a home lies."""
    return home.absolute() / "mongo"


class DocumentDatabasePart:
    """Starts, judges and stops the keeper, which does the same for the engine."""

    def __init__(self, folder: Path, *, patience_seconds: float = 10.0) -> None:
        self.folder = folder
        self.patience_seconds = patience_seconds
        self.log = folder / LOG

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        """See `evaluation.embedded.shared_part.Part.start`."""
        version = _installed_version()
        private_folder(self.folder / "data")
        provided_credentials(self.folder / "users.json")
        preferred = previous.port if previous else 0
        for _ in range(PORTS_TRIED):
            port = free_port(preferred=preferred)
            if self._started(port, version, announce):
                return
            if port_is_free(port):
                break
            # Somebody took the port between our look and the engine's.
            preferred = 0
        raise EmbeddedPartError(f"the document database did not start; {self.log} ends:\n{log_tail(self.log)}")

    def _started(self, port: int, version: str, announce: Callable[[RunningPart], None]) -> bool:
        noted = self.folder / "engine.json"
        noted.unlink(missing_ok=True)
        self.log.unlink(missing_ok=True)
        keeper = start_detached(self._command(port), log=self.log, environment=_environment())
        announce(RunningPart(process=keeper, host=HOST, port=port, version=version))
        # The keeper notes its engine once that answers; a stranger on the port would answer a ping too.
        wait_until(lambda: noted.exists() or not is_running(keeper), seconds=START_SECONDS)
        if noted.exists() and is_running(keeper):
            return True
        stop(keeper, grace_seconds=STOP_SECONDS)
        return False

    def _command(self, port: int) -> list[str]:
        keeper = [sys.executable, "-P", "-m", "evaluation.embedded.engine_keeper", "--folder", str(self.folder)]
        return [*keeper, "--port", str(port), "--patience", str(self.patience_seconds)]

    def is_healthy(self, running: RunningPart) -> bool:
        """Whether the engine answers; waits while its keeper, which is alive, may be restarting it."""
        return wait_until(
            lambda: answers_ping(host=running.host, port=running.port, seconds=2.0), seconds=RECOVERY_SECONDS
        )

    def stop(self, running: RunningPart) -> None:
        """See `evaluation.embedded.shared_part.Part.stop`."""
        stop(running.process, grace_seconds=STOP_SECONDS)


def _installed_version() -> str:
    try:
        importlib.metadata.version("regex")
        return importlib.metadata.version("secantusdb")
    except importlib.metadata.PackageNotFoundError as error:
        raise EmbeddedPartError(
            "the embedded document database is not installed: run pip install 'aptboard[embedded]', or set MONGO_URL"
        ) from error


def _environment() -> dict[str, str]:
    """Our environment, with this very copy of the project importable from any working folder."""
    project = str(Path(__file__).resolve().parents[2])
    paths = [project, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

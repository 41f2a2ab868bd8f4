"""A lock that many hold side by side or one holds alone, across all threads and processes of this machine and user."""

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmark_data.errors import InfrastructureError


class Turnstile:
    """Lets queries pass side by side, or one alone, over all threads and processes that use the same file.

    Args:
        path: a file that is made if it does not exist; its neighbour with ".gate" added is used too.
    """

    def __init__(self, path: Path) -> None:
        self._inside = path
        self._gate = path.with_name(f"{path.name}.gate")

    @contextlib.contextmanager
    def passed(self, *, alone: bool = False) -> Iterator[None]:
        """Be inside, with others or alone; waits for the others to leave in the latter case."""
        with _opened(self._inside) as inside, _opened(self._gate) as gate:
            # Whoever waits to be alone holds the gate, so that newcomers cannot keep it waiting for ever.
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            fcntl.flock(gate, fcntl.LOCK_UN)
            yield


def turnstile_for(url: str) -> Turnstile:
    """The turnstile of this machine and user for one connection string."""
    folder = Path(tempfile.gettempdir()) / f"aptboard-turnstiles-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise InfrastructureError(f"{folder} belongs to somebody else")
    return Turnstile(folder / hashlib.sha256(url.encode()).hexdigest()[:32])


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)

"""The executor that scoring uses: patient with an engine that is restarted, on one connection string."""

import contextlib
from collections.abc import Iterator

from evaluation.executors.mongo import MongoExecutor
from evaluation.executors.patient import PatientExecutor
from evaluation.executors.turnstile import turnstile_for


def connected(url: str, *, demo: bool) -> PatientExecutor:
    """An executor on the server that `url` names; connects when first used."""
    return PatientExecutor(MongoExecutor(url, demo=demo), turnstile=turnstile_for(url))


@contextlib.contextmanager
def opened(url: str, *, demo: bool) -> Iterator[PatientExecutor]:
    """An executor as `connected` makes it, whose connections are closed at the end."""
    with contextlib.closing(MongoExecutor(url, demo=demo)) as executor:
        yield PatientExecutor(executor, turnstile=turnstile_for(url))

"""The document database, for commands: what is wrong with it is told in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings
from django.core.management.base import CommandError

from benchmark_data.errors import InfrastructureError
from evaluation.executors.connect import opened
from evaluation.executors.failures import shortened
from evaluation.types import Executor

PLATFORM_FAULT: Final = 4
"""Exit code, as that of the laptop commands."""


@contextmanager
def faults_told() -> Iterator[None]:
    """End the command where a server is away; what was kept before stays, and is not done again.

    Raises:
        CommandError: for an InfrastructureError.
    """
    try:
        yield
    except InfrastructureError as error:
        raise CommandError(f"{shortened(str(error))} Try again later.", returncode=PLATFORM_FAULT) from error


@contextmanager
def site_engine() -> Iterator[Executor]:
    """The document database that workers ask, as the user that can only find; its faults are told."""
    with faults_told(), opened(settings.MONGO_URL, demo=settings.DEMO_ENGINE) as executor:
        yield executor


def engine_label(executor: Executor) -> str:
    """Name and version, as scores name it."""
    return f"{executor.identity.name} {executor.identity.version}"

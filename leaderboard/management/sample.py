"""The sample benchmark of a demonstration: built once from its sources, where this site keeps its data."""

from pathlib import Path

from django.core.management.base import CommandError

from benchmark_data.bundles.sample21.build import sample21_build
from benchmark_data.bundles.sample21.release import read_release
from benchmark_data.errors import BenchmarkError
from benchmark_data.manifest import MANIFEST
from evaluation.embedded.home import home


def sample_bundle() -> Path:
    """The folder of AptBoard Sample 21 as it is pinned; it is built where it is not there yet.

    Raises:
        CommandError: the sources are not those that were pinned, or the disk refused.
    """
    try:
        # Named by its digest, so that other sources make another folder.
        folder = home() / "bundles" / f"sample21-{read_release().digest[:12]}"
        if not (folder / MANIFEST).is_file():
            sample21_build(folder)
    except (BenchmarkError, OSError) as error:
        raise CommandError(f"The sample benchmark cannot be built: {error}", returncode=1) from error
    return folder

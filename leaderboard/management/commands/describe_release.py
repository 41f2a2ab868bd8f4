"""`manage.py describe_release NAME@VERSION DIR`: lets models be asked about a release imported before."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import load_bundle
from leaderboard.selectors.releases import release_named
from leaderboard.services.descriptions import descriptions_store


class Command(BaseCommand):
    """Idempotent: databases that are described stay as they are, because prompts were made of them."""

    help = "Keep what prompts say of a release's databases; import_bundle does this by itself."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("release", metavar="NAME@VERSION", help="a live release")
        parser.add_argument("bundle", type=Path, help="the folder of the bundle that it was imported from")

    def handle(self, *, release: str, bundle: Path, **_: Any) -> None:
        """Describe what is not described yet."""
        found = release_named(release)
        if found is None:
            raise CommandError(f"There is no live release {release}.", returncode=2)
        try:
            checked = load_bundle(bundle)
            if checked.digest != found.digest:
                raise CommandError(f"{bundle} is not the bundle that {release} was imported from.", returncode=2)
            count = descriptions_store(found, checked)
        except FaultyBundleError as error:
            raise CommandError(f"{bundle} cannot be read, {error.total} faults:\n{error}", returncode=2) from error
        self.stdout.write(self.style.SUCCESS(f"{release}: {count} databases were described anew."))

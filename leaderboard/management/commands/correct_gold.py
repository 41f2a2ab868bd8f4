"""`manage.py correct_gold`: makes a corrected version of a bundle that is live, proves it, and opens it."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from benchmark_data.corrections import UnusableFolderError, corrected_bundle, read_corrections
from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle, Item
from evaluation.bundle_gold import gold_problem
from leaderboard.models.releases import Release
from leaderboard.selectors.releases import corrected_label, release_named


class Command(BaseCommand):
    """Each line of the corrections names an item, its new gold or evidence, and why; the old release stays readable."""

    help = "Replace gold or evidence of items in a new version of a release, and score all its submissions again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("bundle", type=Path, help="the folder of the live release's bundle")
        parser.add_argument("corrections", type=Path, help="JSON lines: question_id, gold_query or evidence, reason")
        parser.add_argument(
            "--to", dest="new_version", metavar="VERSION", required=True, help="of the corrected release"
        )
        parser.add_argument("--out", type=Path, required=True, help="a new folder for the corrected bundle")
        parser.add_argument("--set-aside-broken-gold", action="store_true", help="as for import_bundle")

    def handle(
        self, *, bundle: Path, corrections: Path, new_version: str, out: Path, set_aside_broken_gold: bool, **_: Any
    ) -> None:
        """Write the bundle, then import it as a correction."""
        try:
            old = load_bundle(bundle)
            if faults := release_faults(old, new_version=new_version):
                raise CommandError("\n".join(["Nothing was corrected:", *faults]), returncode=2)
            found = {
                correction.question_id: correction
                for correction in read_corrections(corrections, old, check_query=QueryCheck(old))
            }
            corrected_bundle(old, found, version=new_version, folder=out)
        except FaultyBundleError as error:
            raise CommandError(f"Nothing was corrected, {error.total} faults:\n{error}", returncode=2) from error
        except UnusableFolderError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"{out}: {old.name} {new_version} with {len(found)} corrected items.")
        call_command(
            "import_bundle",
            str(out),
            corrects=f"{old.name}@{old.version}",
            reasons={question_id: correction.reason for question_id, correction in found.items()},
            set_aside_broken_gold=set_aside_broken_gold,
            stdout=self.stdout,
        )


def release_faults(bundle: Bundle, *, new_version: str) -> list[str]:
    """Why a bundle cannot be corrected here, all reasons at once; [] where it can."""
    label = f"{bundle.name}@{bundle.version}"
    release = release_named(label)
    faults = []
    if release is None:
        faults.append(f"There is no live release {label} to correct.")
    elif release.digest != bundle.digest:
        # Else whatever else was changed in the folder would be opened as part of the correction.
        faults.append(
            f"This bundle is not the content of {label}: its digest is {bundle.digest[:12]}…, that of the "
            f"release {release.digest[:12]}…."
        )
    elif (corrected_by := corrected_label(release)) is not None:
        faults.append(f"{label} is corrected by {corrected_by} already; correct that one.")
    if Release.objects.filter(name=bundle.name, version=new_version).exists():
        faults.append(f"There is a release {bundle.name}@{new_version} already: name another version.")
    return faults


class QueryCheck:
    """Says why a corrected item's gold could not be scored, or None."""

    def __init__(self, bundle: Bundle) -> None:
        self._collections = {
            database.db_id: tuple(collection.name for collection in database.collections)
            for database in bundle.databases
        }

    def __call__(self, item: Item) -> str | None:
        """Read the gold and ask the guard, without running it."""
        return gold_problem(item, self._collections[item.db_id])

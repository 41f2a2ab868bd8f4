"""`manage.py rejudge`: judges finished runs again that another scorer or engine has judged."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.identity import scorer_identity
from leaderboard.management.engine import engine_label, site_engine
from leaderboard.selectors.releases import release_named
from leaderboard.services.rejudging import run_rejudge, runs_outdated


class Command(BaseCommand):
    """Workers do so by themselves for a new scorer; a new engine is the operator's decision."""

    help = "Judge the finished runs again whose scorer or engine is another one; their scores stay until it is done."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("release", nargs="?", help="name@version; all that were not corrected if not given")
        parser.add_argument("--list", action="store_true", help="name them, and do nothing")

    def handle(self, *, release: str | None, **options: Any) -> None:
        """Queue them."""
        found = release_named(release) if release else None
        if release and found is None:
            raise CommandError(f"There is no live release {release}.", returncode=2)
        with site_engine() as executor:
            engine = engine_label(executor)
        self.stdout.write(f"Now: {scorer_identity()}, {engine}.")
        runs = list(runs_outdated(scorer=scorer_identity(), engine=engine, release=found).select_related("submission"))
        for run in runs:
            self.stdout.write(f"  {run.submission}, {run.condition}: {run.scorer}, {run.engine}")
        if options["list"]:
            self.stdout.write(f"{len(runs)} runs were judged by something else.")
            return
        queued = sum(run_rejudge(run.pk) is not None for run in runs)
        self.stdout.write(self.style.SUCCESS(f"{queued} runs are judged again in the background."))

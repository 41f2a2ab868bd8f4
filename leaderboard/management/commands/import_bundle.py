"""`manage.py import_bundle DIR`: checks a bundle, loads its documents, proves its gold and opens the release."""

import argparse
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmark_data.errors import BenchmarkError, FaultyBundleError
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from evaluation.executors.connect import connected
from evaluation.executors.grants import check_read_only
from evaluation.executors.loading import DatabaseLoader
from evaluation.gold import UnusableGoldError, gold_compute
from leaderboard.models.releases import Release
from leaderboard.selectors.gold import gold_answer_kept, gold_source
from leaderboard.services.releases import gold_store, release_open, release_register


class Command(BaseCommand):
    """Idempotent: the same bundle twice changes nothing, an interrupted import goes on where it stopped."""

    help = "Check a benchmark bundle, load its documents, prove its gold, and open the release for submissions."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("bundle", type=Path, help="the bundle's folder")
        parser.add_argument(
            "--set-aside-broken-gold",
            action="store_true",
            help="go live although some gold fails on this engine: those items are named, unscored, and count nowhere",
        )

    def handle(self, *, bundle: Path, set_aside_broken_gold: bool, **_: Any) -> None:
        """Run the import."""
        try:
            checked = load_bundle(bundle)
        except FaultyBundleError as error:
            raise CommandError(f"{bundle} cannot be imported, {error.total} faults:\n{error}", returncode=2) from error
        allowed = check_read_only(settings.MONGO_URL)
        if allowed:
            raise CommandError(
                f"The user of MONGO_URL may write ({', '.join(allowed)}). Queries of submitters run as this user: give "
                "it the right to read only, and name the loading user in MONGO_LOADER_URL.",
                returncode=1,
            )
        self.stdout.write(
            f"{checked.name} {checked.version}: {len(checked.databases)} databases, {len(checked.items)} items, "
            f"digest {checked.digest[:12]}…"
        )
        with progress_bar() as bar:
            load_documents(checked, bar)
            try:
                release = release_register(checked)
            except BenchmarkError as error:
                raise CommandError(str(error), returncode=2) from error
            failures = prove_gold(release, bar)
        self.conclude(release, failures, set_aside=set_aside_broken_gold)

    def conclude(self, release: Release, failures: dict[str, str], *, set_aside: bool) -> None:
        """Open the release, or say what keeps it closed."""
        for question_id, reason in failures.items():
            self.stdout.write(self.style.WARNING(f"  item {question_id}: {reason}"))
        count = release.items.count()
        if failures and not set_aside:
            raise CommandError(
                f"The gold of {len(failures)} of {count} items fails on this engine; {release} stays closed. Correct "
                "them, or let it go live without them: --set-aside-broken-gold.",
                returncode=1,
            )
        release_open(release, set_aside=failures)
        told = f", {len(failures)} set aside" if failures else ""
        self.stdout.write(self.style.SUCCESS(f"{release} is live: {count - len(failures)} items count{told}."))


def progress_bar() -> Progress:
    """A progress bar that shows what is done, how much, and since when."""
    return Progress(
        TextColumn("{task.description:<28}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        refresh_per_second=4,
    )


def load_documents(bundle: Bundle, bar: Progress) -> None:
    """Load every database of a bundle that is not there yet."""
    loader = DatabaseLoader(settings.MONGO_LOADER_URL)
    total = sum(collection.documents for database in bundle.databases for collection in database.collections)
    task = bar.add_task("Loading documents", total=total)
    for database in bundle.databases:
        loader.load(database, progress=lambda count: bar.advance(task, count))
    bar.update(task, completed=total)


def prove_gold(release: Release, bar: Progress) -> dict[str, str]:
    """Compute and keep the gold of every item; returns question_id → reason of those that fail."""
    executor = connected(settings.MONGO_URL, demo=settings.DEMO_ENGINE)
    label = f"{executor.identity.name} {executor.identity.version}"
    failures = {}
    items = release.items.select_related("database").order_by("position")
    for item in bar.track(items, total=items.count(), description="Computing gold answers"):
        known = gold_answer_kept(item.pk, engine=label)
        if known is not None:
            continue
        try:
            gold_store(
                item_id=item.pk, engine=label, gold=gold_compute(gold_source(item, item.database), executor=executor)
            )
        except UnusableGoldError as error:
            gold_store(item_id=item.pk, engine=label, gold=error)
            failures[item.question_id] = str(error)
    return failures

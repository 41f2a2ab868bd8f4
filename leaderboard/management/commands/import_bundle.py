"""`manage.py import_bundle DIR`: checks a bundle, loads its documents, proves its gold and opens the release."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.progress import Progress

from benchmark_data.errors import BenchmarkError, FaultyBundleError
from benchmark_data.gold_answers import read_gold
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from evaluation.bundle_gold import gold_difference
from evaluation.executors.engine import engine_problem
from evaluation.executors.grants import check_read_only
from evaluation.executors.loading import DatabaseLoader, StorageInUseError
from evaluation.gold import Gold, UnusableGoldError, gold_compute
from evaluation.gold_check import FindingKind, GoldCheckResult
from evaluation.runner import gold_source as bundled_source
from evaluation.types import Executor
from leaderboard.management.commands.verify_gold import release_check, share_text, told
from leaderboard.management.engine import engine_label, faults_told, site_engine
from leaderboard.management.progress import progress_bar
from leaderboard.models.releases import Release
from leaderboard.selectors.gold import gold_answer_kept, gold_source
from leaderboard.selectors.gold_checks import gold_checked
from leaderboard.selectors.releases import release_named
from leaderboard.services.corrections import NotACorrectionError, bundle_faults, correction_open
from leaderboard.services.descriptions import descriptions_store
from leaderboard.services.releases import TrackInUseError, gold_store, release_open, release_register, storages_in_use

SITE_MARK = "site "
"""Begins the marks with which a site notes in the document database's catalog what its releases use."""


class Command(BaseCommand):
    """Idempotent: the same bundle twice changes nothing, an interrupted import goes on where it stopped."""

    help = "Check a benchmark bundle, load its documents, prove its gold, and open the release for submissions."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("bundle", type=Path, nargs="?", help="the bundle's folder")
        parser.add_argument(
            "--retire",
            metavar="STORAGE_NAME",
            help="instead of an import: drop a database of the document database that no release and no bundle uses",
        )
        parser.add_argument(
            "--set-aside-broken-gold",
            action="store_true",
            help="go live although some gold fails on this engine: those items are named, unscored, and count nowhere",
        )
        parser.add_argument(
            "--corrects",
            metavar="NAME@VERSION",
            help="this release replaces gold or evidence of a live one: that one takes no submissions any more, and "
            "all of its submissions are scored again under this one",
        )
        parser.add_argument("--why", default="", help="with --corrects: why, for everybody to read")

    # correct_gold gives a reason for each item.
    stealth_options = ("reasons",)

    def handle(self, *, bundle: Path | None, retire: str | None, **options: Any) -> None:
        """Run the import, or retire a database."""
        if (bundle is None) == (retire is None):
            raise CommandError("Name a bundle's folder, or a database to --retire.", returncode=2)
        if retire is not None:
            with faults_told():
                self.retire(retire)
        elif bundle is not None:
            with faults_told():
                self.run_import(bundle, opening=self.opening(**options))

    def opening(
        self,
        *,
        set_aside_broken_gold: bool,
        corrects: str | None,
        why: str,
        reasons: Mapping[str, str] | None = None,
        **_: Any,
    ) -> "Opening":
        """What was asked for, once a release is proved."""
        old = release_named(corrects) if corrects else None
        faults = []
        if corrects and old is None:
            faults.append(f"There is no live release {corrects} to correct.")
        if corrects and not why and not reasons:
            faults.append("Say why it is corrected: --why, shown to everybody.")
        if faults:
            raise CommandError("\n".join(faults), returncode=2)
        return Opening(set_aside=set_aside_broken_gold, corrects=old, why=why, reasons=reasons or {})

    def retire(self, storage_name: str) -> None:
        """Drop a database that nobody uses."""
        used = storages_in_use([storage_name])
        if used:
            raise CommandError(f"{storage_name} is used by the release {used[storage_name]}.", returncode=1)
        with DatabaseLoader(settings.MONGO_LOADER_URL) as loader:
            try:
                found = loader.retire(storage_name, released_by=SITE_MARK)
            except StorageInUseError as error:
                raise CommandError(str(error), returncode=1) from error
        if not found:
            raise CommandError(f"No database named {storage_name} was loaded.", returncode=1)
        self.stdout.write(self.style.SUCCESS(f"{storage_name} is dropped."))

    def run_import(self, bundle: Path, *, opening: "Opening") -> None:
        """Check, load, prove, open."""
        try:
            checked = load_bundle(bundle)
        except FaultyBundleError as error:
            raise CommandError(f"{bundle} cannot be imported, {error.total} faults:\n{error}", returncode=2) from error
        if opening.corrects is not None and (faults := bundle_faults(checked, corrects=opening.corrects)):
            raise CommandError("\n".join([f"{bundle} is no correction:", *faults]), returncode=2)
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
        if problem := engine_problem(settings.MONGO_URL, checked.engine):
            self.stdout.write(self.style.WARNING(f"  {problem}"))
        with site_engine() as executor:
            with progress_bar() as bar:
                load_documents(checked, bar)
                try:
                    release = release_register(checked)
                    descriptions_store(release, checked)
                except BenchmarkError as error:
                    raise CommandError(str(error), returncode=2) from error
                failures = prove_gold(release, executor, bar)
                # Where broken gold keeps the release closed anyway, the check waits for the import that can open it.
                result = None if failures and not opening.set_aside else check_gold(release, executor, bar)
            if result is not None:
                self.tell_check(result)
                failures |= unequal_gold(result)
            self.tell_differences(stored_differences(checked, release, executor, failures))
        self.conclude(release, failures, opening=opening)

    def tell_check(self, result: GoldCheckResult) -> None:
        """Say what the check of the gold found, finding by finding."""
        for line in told(result):
            self.stdout.write(self.style.WARNING(line))
        self.stdout.write(f"Gold against gold: {share_text(result)}.")

    def tell_differences(self, compared: Iterator[str | None]) -> None:
        """Name the items whose gold answers otherwise here than on the engine of the bundle's makers."""
        found: list[str | None] = []
        try:
            found.extend(compared)
        except FaultyBundleError as error:
            self.stdout.write(self.style.WARNING(f"  The stored gold answers cannot be used:\n{error}"))
            return
        differences = [difference for difference in found if difference]
        for difference in differences:
            self.stdout.write(self.style.WARNING(f"  differs: {difference}"))
        if found:
            self.stdout.write(f"{len(differences)} of {len(found)} stored gold answers differ on this engine.")

    def conclude(self, release: Release, failures: dict[str, str], *, opening: "Opening") -> None:
        """Open the release, or say what keeps it closed."""
        for question_id, reason in failures.items():
            self.stdout.write(self.style.WARNING(f"  item {question_id}: {reason}"))
        count = release.items.count()
        if failures and not opening.set_aside:
            raise CommandError(
                f"The gold of {len(failures)} of {count} items cannot score 1 on this engine; {release} stays "
                f"{'closed' if release.live_at is None else 'as it is'}. "
                "Correct them, or let it go live without them: --set-aside-broken-gold.",
                returncode=1,
            )
        try:
            if opening.corrects is None:
                release_open(release, set_aside=failures)
            else:
                self.correct(opening.corrects, release, failures, opening=opening)
        except (NotACorrectionError, TrackInUseError) as error:
            raise CommandError(str(error), returncode=1) from error
        counted = release.items.filter(set_aside="").count()
        aside = f", {count - counted} set aside" if counted < count else ""
        self.stdout.write(self.style.SUCCESS(f"{release} is live: {counted} items count{aside}."))

    def correct(self, old: Release, new: Release, failures: dict[str, str], *, opening: "Opening") -> None:
        """Open a release as the correction of another one."""
        correction = correction_open(
            old, new, set_aside=failures, reasons=opening.reasons, reason=opening.why or "Corrected."
        )
        self.stdout.write(
            f"It corrects {correction.items.count()} items of {old}, whose submissions are scored again in the "
            "background."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How a proved release is to go live.

    Args:
        set_aside: go live without the items whose gold fails.
        corrects: the release that it corrects.
        why: the reason of corrections that have none of their own.
        reasons: question_id → reason.
    """

    set_aside: bool
    corrects: Release | None
    why: str
    reasons: Mapping[str, str]


def check_gold(release: Release, executor: Executor, bar: Progress) -> GoldCheckResult | None:
    """Check the gold of a release, unless it is live and was found whole on this engine before."""
    label = engine_label(executor)
    if release.live_at is not None and gold_checked(release, engine=label):
        return None
    return release_check(release, executor, bar)


def unequal_gold(result: GoldCheckResult) -> dict[str, str]:
    """question_id → reason of the items whose gold does not score 1 against itself."""
    return {
        finding.question_id: f"its gold does not equal itself: {finding.detail}"
        for finding in result.findings
        if finding.kind is FindingKind.UNEQUAL
    }


def load_documents(bundle: Bundle, bar: Progress) -> None:
    """Load every database of a bundle that is not there yet."""
    total = sum(collection.documents for database in bundle.databases for collection in database.collections)
    task = bar.add_task("Loading documents", total=total)
    mark = f"{SITE_MARK}{bundle.name}@{bundle.version}"
    with DatabaseLoader(settings.MONGO_LOADER_URL) as loader:
        for database in bundle.databases:
            loader.load(database, used_by=mark, progress=lambda count: bar.advance(task, count))
    bar.update(task, completed=total)


def prove_gold(release: Release, executor: Executor, bar: Progress) -> dict[str, str]:
    """Compute and keep the gold of every item of the track; returns question_id → reason of those that fail."""
    label = engine_label(executor)
    failures = {}
    items = release.items.filter(set_aside="").select_related("database").order_by("position")
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


def stored_differences(
    bundle: Bundle, release: Release, executor: Executor, failures: Mapping[str, str]
) -> Iterator[str | None]:
    """For each gold answer that lies in the bundle: how it differs from the one kept for this engine, or None.

    Args:
        bundle: may have stored answers.
        release: its gold was computed.
        executor: on this engine.
        failures: question_id → reason of the items whose gold fails here.

    Raises:
        FaultyBundleError: after the last answer, with the faults of the file.
    """
    label = engine_label(executor)
    items = {item.question_id: item for item in bundle.items}
    keys = dict(release.items.values_list("question_id", "pk"))
    for record in read_gold(bundle):
        item = items.get(record.question_id)
        if item is None:
            continue
        known = gold_answer_kept(keys[item.question_id], engine=label)
        found: Gold | UnusableGoldError = UnusableGoldError(failures.get(item.question_id, "it failed"))
        if known is not None:
            database = next(one for one in bundle.databases if one.db_id == item.db_id)
            found = gold_compute(bundled_source(item, database), executor=executor, known=known)
        difference = gold_difference(record, item, found)
        yield None if difference is None else f"{item.question_id}: {difference}"

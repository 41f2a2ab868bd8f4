"""`manage.py verify_gold`: proves the gold of a release that is on the site, and names what its order decides."""

import argparse
import time
from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.progress import Progress

from benchmark_data.types import Split
from evaluation.gold import gold_compute
from evaluation.gold_check import CheckedItem, FindingKind, GoldCheckResult, gold_check
from evaluation.types import Executor, Limits
from leaderboard.management.engine import engine_label, site_engine
from leaderboard.management.progress import progress_bar
from leaderboard.models.releases import Release
from leaderboard.selectors.gold import gold_answer_kept, gold_source
from leaderboard.selectors.releases import release_current, release_named
from leaderboard.services.gold_checks import gold_check_store


class Command(BaseCommand):
    """Runs every gold twice, the second time shuffled, and once in each other order; keeps what it finds."""

    help = "Score the gold of a release against itself, find ambiguous and slow gold, and keep the findings."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("release", nargs="?", help="name@version; the current release if not given")
        parser.add_argument("--seed", type=int, default=0, help="of the shuffling (default 0)")

    def handle(self, *, release: str | None, seed: int, **_: Any) -> None:
        """Check, tell, and end with 1 where gold does not score 1.0000."""
        found = release_named(release) if release else release_current()
        if found is None:
            raise CommandError(f"There is no live release {release or ''}.".replace(" .", "."), returncode=2)
        with site_engine() as executor, progress_bar() as bar:
            result = release_check(found, executor, bar, seed=seed)
        for line in told(result):
            self.stdout.write(line)
        missing = found.items.filter(set_aside="").count() - result.items
        if missing:
            self.stdout.write(self.style.WARNING(f"  {missing} items have no gold answer on this engine."))
        share = f"{found}: gold against gold {share_text(result, missing=missing)}"
        if missing or result.equal < result.items:
            raise CommandError(share, returncode=1)
        self.stdout.write(self.style.SUCCESS(share))


def release_check(release: Release, executor: Executor, bar: Progress, *, seed: int = 0) -> GoldCheckResult:
    """Check the items of the track whose gold was computed on this engine, and keep the findings."""
    label, started = engine_label(executor), time.monotonic()
    rows = release.items.filter(set_aside="", gold_answers__engine=label, gold_answers__failure="")
    items = {item.question_id: item for item in rows.select_related("database").order_by("position")}

    def load(question_id: str) -> CheckedItem:
        item = items[question_id]
        source, known = gold_source(item, item.database), gold_answer_kept(item.pk, engine=label)
        return CheckedItem(
            source=source, split=Split(item.split), gold=gold_compute(source, executor=executor, known=known)
        )

    task = bar.add_task("Checking gold", total=2 * len(items))
    result = gold_check(
        list(items),
        load,
        executor=executor,
        limits=Limits(milliseconds=settings.QUERY_MILLISECONDS),
        seed=seed,
        progress=lambda: bar.advance(task),
    )
    gold_check_store(release, engine=label, result=result, seconds=time.monotonic() - started)
    return result


def told(result: GoldCheckResult) -> list[str]:
    """A line for each finding, then one with the counts."""
    lines = [f"  {finding.kind}: item {finding.question_id}: {finding.detail}" for finding in result.findings]
    counts = Counter(finding.kind for finding in result.findings)
    if counts:
        lines.append("  " + ", ".join(f"{kind}: {counts[kind]}" for kind in FindingKind if kind in counts))
    return lines


def share_text(result: GoldCheckResult, *, missing: int = 0) -> str:
    """`1.0000 (89 of 89 items, twice)`."""
    items = result.items + missing
    share = result.equal / items if items else 0.0
    return f"{share:.4f} ({result.equal} of {items} items, twice)"

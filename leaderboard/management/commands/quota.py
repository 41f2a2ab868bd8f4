"""`manage.py quota BENCHMARK`: says how many submissions a team may send to a benchmark."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard.services.quota import quota_rule_set


class Command(BaseCommand):
    """Holds for all releases of the benchmark, from the next submission on."""

    help = "Set how many submissions a team may send to a benchmark in a rolling window."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("benchmark", help="the name of the benchmark, without a version")
        parser.add_argument("--submissions", type=int, required=True, help="in one window; 0: no limit")
        parser.add_argument("--hours", type=float, default=24, help="length of the window (default 24)")

    def handle(self, *, benchmark: str, submissions: int, hours: float, **_: Any) -> None:
        """Keep the rule."""
        rule = quota_rule_set(benchmark, submissions=submissions, seconds=round(hours * 3600))
        limit = f"{rule.submissions} submissions" if rule.submissions else "no limit"
        self.stdout.write(f"{benchmark}: {limit} in {hours:g} hours.")

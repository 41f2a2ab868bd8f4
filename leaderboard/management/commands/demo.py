"""`manage.py demo`: the main job from end to end, then the site for a look around."""

import argparse
import json
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from benchmark_data.manifest import MANIFEST
from benchmark_data.validate import PREDICTIONS
from evaluation.client import BoardClient
from evaluation.commands.submit import submit
from evaluation.embedded.home import home
from evaluation.embedded.process import free_port
from leaderboard.management.commands.up import wait_for_interrupt
from leaderboard.management.sample import sample_bundle
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.tokens import token_create
from leaderboard.serving import running, wait_until_answering, web_process, worker_process

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "rule-based-keywords": "Baseline without a model: rules over words of the question, the evidence and the cards",
    "gold-as-whole-documents": "No system: gold that returns whole documents, right by Soft-EX and wrong by Strict-EX",
    "gold-damaged-10-percent": "No system: gold with one mistake in about 10 % of the items",
    "gold-damaged-30-percent": "No system: gold with one mistake in about 30 % of the items",
    "gold-damaged-60-percent": "No system: gold with one mistake in about 60 % of the items",
}
"""What the sample's prediction files are; docs/organiser/sample21.md tells how they are made."""

DEMO_USER: Final = "demo"
STEPS: Final = 4


class Command(BaseCommand):
    """A second run finds its submissions evaluated and only shows them."""

    help = "Import the sample benchmark, submit the sample predictions over the REST API, and show the board."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("--bundle", type=Path, help="a bundle's folder; AptBoard Sample 21 if not given")
        parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1; another is chosen if taken")
        parser.add_argument("--no-serve", action="store_true", help="stop everything after the board is shown")

    def handle(self, *, bundle: Path | None, port: int, no_serve: bool, **_: Any) -> None:
        """Run the demonstration."""
        self.step(1, "Preparing the site's database")
        call_command("migrate", verbosity=0)
        self.step(2, "Building the sample benchmark, importing it and proving its gold")
        bundle = bundle or sample_bundle()
        call_command("import_bundle", str(bundle))
        release = release_label(bundle)
        port, logs = free_port(preferred=port), home() / "log"
        site = f"http://127.0.0.1:{port}"
        os.environ.setdefault("APTBOARD_SITE_URL", site)
        serve = sys.stdout.isatty() and not no_serve
        with running(web_process(port=port, logs=logs), worker_process(logs=logs)):
            wait_until_answering(f"{site}/healthz")
            self.step(3, "Submitting the sample predictions over the REST API; a worker evaluates them")
            token, password = demo_account()
            self.submit_all(bundle, release, site=site, token=token)
            self.step(4, "The board")
            show_board(BoardClient(site=site, token=token).board(release=release))
            if serve:
                self.stdout.write(f"The site is at {site}/ — log in as {DEMO_USER} with the password {password}")
                self.stdout.write(f"Logs are in {logs}. Stop everything with Ctrl-C.")
                wait_for_interrupt()
        self.stdout.write("The site is stopped. `make up` serves it until Ctrl-C.")

    def step(self, number: int, what: str) -> None:
        """Say what is being done."""
        self.stdout.write(self.style.MIGRATE_HEADING(f"[{number}/{STEPS}] {what}"))

    def submit_all(self, bundle: Path, release: str, *, site: str, token: str) -> None:
        """Submit each sample file that has not been evaluated yet."""
        for path in sorted((bundle / PREDICTIONS).glob("*.jsonl")):
            if evaluated(path.stem, release):
                self.stdout.write(f"{path.name}: evaluated before")
                continue
            self.stdout.write(path.name)
            description = DESCRIPTIONS.get(path.stem, "Sample predictions of the demonstration")
            submit(path, entry=path.stem, token=token, site=site, description=description, release=release)


def release_label(bundle: Path) -> str:
    """`name@version` of a bundle."""
    header = json.loads((bundle / MANIFEST).read_text(encoding="utf-8"))
    return f"{header['name']}@{header['version']}"


def evaluated(entry: str, release: str) -> bool:
    """Whether the demonstration's user has a fully evaluated submission of this name to the release."""
    name, _, version = release.partition("@")
    done = Submission.objects.filter(
        owner__username=DEMO_USER,
        entry=entry,
        release__name=name,
        release__version=version,
        runs__state=RunState.FINISHED,
    ).first()
    return done is not None and not Run.objects.filter(submission=done).exclude(state=RunState.FINISHED).exists()


def demo_account() -> tuple[str, str]:
    """A token and a new password of the demonstration's user; only ever on one's own machine."""
    if not settings.LOCAL:
        raise CommandError("The demonstration makes an account: it runs on a local site only (APTBOARD_LOCAL=1).")
    user, _ = User.objects.get_or_create(username=DEMO_USER)
    password = secrets.token_urlsafe(9)
    user.set_password(password)
    user.save(update_fields=["password"])
    return token_create(user, name="demonstration", days=1)[1], password


def show_board(board: Mapping[str, Any]) -> None:
    """Print the board of every condition, with what it was measured on."""
    console = Console(width=None if sys.stdout.isatty() else 110)
    for condition in board["conditions"]:
        entries = condition["entries"]
        table = Table(
            title=f"{board['release']}, {condition['condition'].replace('_', ' ')} (percent, 95 % interval)",
            caption=measured_on(entries),
        )
        table.add_column("Rank", justify="right")
        table.add_column("Tie group", justify="right")
        table.add_column("Entry")
        for head in ("Strict-EX", "Soft-EX", "Exec-Rate", "Coverage", "n"):
            table.add_column(head, justify="right")
        for entry in entries:
            metrics = [interval_text(entry, name) for name in ("strict_ex", "soft_ex", "exec_rate")]
            coverage = f"{100 * entry['coverage']:.2f}"
            table.add_row(
                str(entry["rank"]), str(entry["tie_group"]), entry["entry"], *metrics, coverage, str(entry["n"])
            )
        console.print(table)


def interval_text(entry: Mapping[str, Any], metric: str) -> str:
    """A metric in percent, its interval below it."""
    low, high = entry["intervals"][metric]["low"], entry["intervals"][metric]["high"]
    value = f"{100 * entry[metric]:.2f}"
    return value if low is None or high is None else f"{value}\n{100 * low:.1f} – {100 * high:.1f}"


def measured_on(entries: Sequence[Mapping[str, Any]]) -> str:
    """Scorer, engine and date of the entries."""
    engines = {f"{entry['engine']}{' (demo engine)' if entry['demo_engine'] else ''}" for entry in entries}
    return ", ".join(
        sorted({entry["scorer"] for entry in entries} | engines | {entry["date"][:10] for entry in entries})
    )

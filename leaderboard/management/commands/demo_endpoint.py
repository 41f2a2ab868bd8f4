"""`manage.py demo_endpoint`: asks a practice model for every item through faults and a kill, and checks the bill."""

import argparse
import os
import signal
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from evaluation.client import BoardClient
from evaluation.embedded.home import home
from evaluation.embedded.process import free_port
from evaluation.generation.budget import Prices
from evaluation.practice.behaviours import Behaviour, FaultPlan
from evaluation.practice.server import KEY, Practice, PracticeServer, serving
from leaderboard.management.commands.demo import demo_account, release_label, show_board
from leaderboard.management.endpoint_check import endpoint_checks
from leaderboard.management.progress import progress_bar
from leaderboard.management.sample import sample_bundle
from leaderboard.serving import SiteProcess, running, wait_until_answering, web_process, worker_process

PRICES: Final = Prices(prompt=Decimal("0.15"), completion=Decimal("0.60"))
FACTS: Final[Mapping[str, Any]] = {"provider": "AptBoard", "name": "Keyword baseline", "parameters": "none"}
ENVIRONMENT: Final[Mapping[str, str]] = {
    # The practice endpoint is on this machine.
    "APTBOARD_CALL_LOOPBACK": "1",
    # A worker that was killed is noticed soon.
    "APTBOARD_BATCH_LEASE_SECONDS": "6",
    "APTBOARD_SWEEP_SECONDS": "2",
    "APTBOARD_RESUME_SECONDS": "5",
}
STEPS: Final = 5
POLL_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 0.02
PATIENCE_SECONDS: Final = 3600


class Command(BaseCommand):
    """Each run asks anew, with an endpoint of its own that counts what it is asked."""

    help = "Evaluate a practice model endpoint in both conditions, kill the worker in the middle, and check the bill."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("--bundle", type=Path, help="a bundle's folder; the sample benchmark if not given")
        parser.add_argument("--faults", type=float, default=0.05, help="share of calls that go wrong in a passing way")
        parser.add_argument("--seed", type=int, default=1, help="another seed, other calls go wrong")
        parser.add_argument("--milliseconds", type=float, default=50, help="that each answer takes")
        parser.add_argument("--concurrency", type=int, default=8, help="calls under way at once")
        parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1; another is chosen if taken")
        parser.add_argument("--no-kill", action="store_true", help="leave the worker alone")

    def handle(self, *, bundle: Path | None, port: int, **options: Any) -> None:
        """Run the demonstration; code 1 where a check fails."""
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        self.step(1, "Preparing the site's database")
        call_command("migrate", verbosity=0)
        self.step(2, "Importing the benchmark, proving its gold, describing its databases")
        bundle = bundle or sample_bundle()
        call_command("import_bundle", str(bundle))
        port, logs = free_port(preferred=port), home() / "log"
        site, worker = f"http://127.0.0.1:{port}", worker_process(logs=logs)
        plan = FaultPlan(share=options["faults"], seed=options["seed"])
        practice = Practice(seconds=options["milliseconds"] / 1000, retry_after=0.5, faults=plan)
        with serving(practice) as server, running(web_process(port=port, logs=logs), worker):
            wait_until_answering(f"{site}/healthz")
            client = BoardClient(site=site, token=demo_account()[0])
            self.step(3, f"Naming the endpoint {server.url}; {options['faults']:.0%} of its calls go wrong")
            submitted = client.submit_endpoint(request(server, release_label(bundle), options["concurrency"]))
            self.step(4, "A worker asks for every item in both conditions")
            if not options["no_kill"]:
                self.kill_in_the_middle(worker, practice, total_of(submitted))
            ended = self.follow(client, submitted["id"])
            self.step(5, "The bill")
            self.tell(ended, practice.ledger.as_json())
            show_board(client.board(release=release_label(bundle)))

    def step(self, number: int, what: str) -> None:
        """Say what is being done."""
        self.stdout.write(self.style.MIGRATE_HEADING(f"[{number}/{STEPS}] {what}"))

    def kill_in_the_middle(self, worker: SiteProcess, practice: Practice, total: int) -> None:
        """End every process of the worker at once when a quarter of the answers were given; it is started again."""
        wait_for(lambda: practice.ledger.answered >= max(1, total // 4), every=LOOK_SECONDS)
        if worker.process is None:
            raise CommandError("The worker is not running.")
        os.killpg(worker.process.pid, signal.SIGKILL)
        told = f"killed with SIGKILL after {practice.ledger.answered:,} of {total:,} answers"
        self.stdout.write(f"      The worker was {told}; a new one takes up what is missing.")

    def follow(self, client: BoardClient, submission_id: str) -> dict[str, Any]:
        """Show progress until the submission is scored."""
        seen: dict[str, Any] = {}
        with progress_bar() as bar:
            asked, judged = bar.add_task("Replies"), bar.add_task("Verdicts")

            def scored() -> bool:
                seen.update(client.submission(submission_id))
                runs = seen["runs"]
                bar.update(asked, completed=sum(r["generation"]["replies"] for r in runs), total=total_of(seen))
                done, total = (sum(run["progress"][name] for run in runs) for name in ("done", "total"))
                bar.update(judged, completed=done, total=total)
                failed = [run["reason"] for run in runs if run["state"] in {"failed", "cancelled"}]
                if failed:
                    raise CommandError(f"The run failed: {failed[0]}", returncode=1)
                return bool(seen["status"] == "scored")

            wait_for(scored, every=POLL_SECONDS)
        return seen

    def tell(self, submission: Mapping[str, Any], counted: Mapping[str, int]) -> None:
        """Compare the site's figures with the endpoint's own, and fail where they differ."""
        for run in submission["runs"]:
            usage = run["generation"]["usage"]
            median, most = usage["median_milliseconds"] or 0, usage["p95_milliseconds"] or 0
            self.stdout.write(
                f"      {run['condition']}: {usage['calls']:,} calls, median {median:.0f} ms, 95 % within {most:.0f} ms"
            )
            for reason, count in usage["reasons"].items():
                self.stdout.write(f"        no reply to {count:,} items: {reason}")
        checks = list(endpoint_checks(submission, counted, PRICES))
        for check in checks:
            style = self.style.SUCCESS if check.holds else self.style.ERROR
            self.stdout.write(style(f"  {'✓' if check.holds else '✗'} {check.words}"))
        if not all(check.holds for check in checks):
            raise CommandError("The site and the endpoint do not agree.", returncode=1)


def request(server: PracticeServer, release: str, concurrency: int) -> dict[str, Any]:
    """What is said of the practice endpoint."""
    return {
        "entry": "practice",
        "description": "The practice endpoint of the demonstration: a rule-based baseline behind faults",
        "release": release,
        "model": Behaviour.ANSWER.value,
        "address": server.url,
        "key": KEY,
        "concurrency": concurrency,
        "price_prompt": str(PRICES.prompt),
        "price_completion": str(PRICES.completion),
        "facts": FACTS,
    }


def total_of(submission: Mapping[str, Any]) -> int:
    """Items that are asked for in all conditions together."""
    return sum(run["generation"]["total"] for run in submission["runs"])


def wait_for(reached: Callable[[], bool], *, every: float) -> None:
    """Return when the answer is yes.

    Raises:
        CommandError: it is not, for a very long time.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        if time.monotonic() > until:
            raise CommandError(f"Nothing for {PATIENCE_SECONDS} seconds; look into {home() / 'log'}.", returncode=1)
        time.sleep(every)

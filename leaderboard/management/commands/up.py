"""`manage.py up`: the whole site on one machine, until Ctrl-C."""

import argparse
import os
import signal
import threading
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from evaluation.embedded.home import home
from evaluation.embedded.process import free_port
from leaderboard.serving import running, wait_until_answering, web_process, worker_process


class Command(BaseCommand):
    """Migrates, then runs the web server and one worker; both are restarted when they die."""

    help = "Run the whole site for development: database, queue, document database, web server and worker."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1; another is chosen if taken")

    def handle(self, *, port: int, **_: Any) -> None:
        """Run until Ctrl-C or SIGTERM."""
        call_command("migrate", verbosity=0)
        port, logs = free_port(preferred=port), home() / "log"
        # Links in e-mails lead to this very site.
        os.environ.setdefault("APTBOARD_SITE_URL", f"http://127.0.0.1:{port}")
        with running(web_process(port=port, logs=logs), worker_process(logs=logs)):
            wait_until_answering(f"http://127.0.0.1:{port}/healthz")
            self.stdout.write(f"The site is at http://127.0.0.1:{port}/ — logs in {logs} — stop it with Ctrl-C.")
            wait_for_interrupt()
        self.stdout.write("Stopped.")


def wait_for_interrupt() -> None:
    """Return when the process is asked to end by Ctrl-C or SIGTERM."""
    asked = threading.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, lambda *_: asked.set())
    asked.wait()

#!/usr/bin/env python
"""Runs Django's commands, with the embedded parts standing in for servers that no environment variable names."""

import os
import signal
import sys

OFFLINE_COMMANDS = frozenset({"check", "makemigrations", "collectstatic", "spectacular", "help", "--help", "--version"})


def main() -> None:
    """Start what the command needs, then hand over to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    if "DATABASE_URL" not in os.environ:
        # No site database is named: this is a site on one's own machine.
        os.environ.setdefault("APTBOARD_LOCAL", "1")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (after the settings are named)

    if len(sys.argv) < 2 or sys.argv[1] in OFFLINE_COMMANDS:
        execute_from_command_line(sys.argv)
        return
    from leaderboard.embedded import environment  # noqa: PLC0415 (only commands that need servers pay for them)

    # A command that is asked to end leaves the embedded parts as it found them.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with environment.provided():
            execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()

"""Measures, inside a site of its own, ranking and pages of a long board."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client

from evaluation.types import Condition
from leaderboard.clock import database_now
from leaderboard.models.runs import Run
from leaderboard.models.standings import Standing
from leaderboard.selectors.schedule import due_runs
from leaderboard.services.standings import boards_catch_up, standings_refresh
from leaderboard.services.sweeps import sweep
from tests.bench.full_site import FullSite, filled, queued
from tests.bench.measurement import Measurement
from tests.bench.site import tell

WITH, WITHOUT = Condition.WITH_EVIDENCE, Condition.WITHOUT_EVIDENCE
REQUESTS: Final = 40
RANKED_WITHIN: Final = 5.0
ANSWERED_WITHIN: Final = 0.2


def main(entries: str, items: str) -> None:
    """Measure and tell."""
    call_command("migrate", verbosity=0)
    site = filled(int(entries), int(items))
    tell([*ranking(site), *pages(site), *scheduling(), *queue(site)])


def ranking(site: FullSite) -> list[Measurement]:
    """The first ranking of all, and that of a run that finishes among them."""
    before = _resident()
    _forget_peak()
    whole = _seconds(lambda: standings_refresh(site.release, WITH))
    grown = (_peak() - before) / 1024**2
    count = Standing.objects.filter(release=site.release, condition=WITH).count()
    standings_refresh(site.release, WITHOUT)
    ones = [_seconds(partial(_one_more, run)) for run in _spread(Run.objects.filter(condition=WITH))]
    return [
        _within(f"ranking of {count:,} entries", whole, RANKED_WITHIN),
        _within(f"ranking after one more run among {count:,}, slowest of {len(ones)}", max(ones), RANKED_WITHIN),
        Measurement(name="memory that ranking takes", value=grown, unit="MB", target="≤ 200", met=grown <= 200),
    ]


def _one_more(run: Run) -> None:
    """Rank a run as if it had finished just now."""
    Standing.objects.filter(run=run).delete()
    Run.objects.filter(pk=run.pk).update(unranked=True)
    boards_catch_up(run.pk)


def _spread(runs: QuerySet[Run]) -> list[Run]:
    """A few of them, from the first place to the last."""
    ranked = runs.order_by("standing__position")
    count = ranked.count()
    return [ranked[place] for place in range(0, count, count // 5)]


def pages(site: FullSite) -> list[Measurement]:
    """The slowest but one in twenty of each page, as its visitor asks for it."""
    visitor, owner = Client(), Client()
    owner.force_login(site.owner)
    addresses: Mapping[str, tuple[Client, str]] = {
        "board": (visitor, "/"),
        "board, last page": (visitor, "/?page=9999"),
        "board by Soft-EX": (visitor, "/?sort=-soft_ex"),
        "board by date": (visitor, "/?sort=-date"),
        "board by gain": (visitor, "/?sort=-gain"),
        "board by cost": (visitor, "/?sort=-cost"),
        "API: board": (visitor, "/api/v1/board"),
        "list of 2,500 submissions": (owner, "/submissions/"),
        "list, last page": (owner, "/submissions/?page=9999"),
        "submission": (visitor, f"/submissions/{site.shown.pk}/"),
        "submission, with items": (owner, f"/submissions/{site.shown.pk}/"),
        "API: submission": (visitor, f"/api/v1/submissions/{site.shown.pk}"),
        "API: items": (owner, f"/api/v1/submissions/{site.shown.pk}/items"),
        "status": (visitor, "/status/"),
        "healthz": (visitor, "/healthz"),
        "release": (visitor, "/releases/long@1/"),
    }
    return [_answered(name, client, address) for name, (client, address) in addresses.items()]


def scheduling(beside: str = "runs that have ended") -> list[Measurement]:
    """What each worker asks again and again."""
    return [
        _within(f"sweep beside {beside}", _seconds(sweep), ANSWERED_WITHIN),
        _within(f"whose turn it is beside {beside}", _seconds(lambda: due_runs(database_now())), ANSWERED_WITHIN),
    ]


def queue(site: FullSite) -> list[Measurement]:
    """The same, and what a waiting submitter looks at, in a queue of 2,000 runs."""
    last = queued(site, 2_000)
    addresses = {
        "page of the last waiting run": f"/submissions/{last.submission_id}/",
        "status with 2,000 waiting runs": "/status/",
        "healthz with 2,000 waiting runs": "/healthz",
    }
    looked = [_answered(name, Client(), address) for name, address in addresses.items()]
    return [*looked, *scheduling("2,000 that wait")]


def _answered(name: str, client: Client, address: str) -> Measurement:
    """The slowest but one in twenty of the requests to one address, with the usual one in its name."""

    def asked() -> None:
        response = client.get(address, HTTP_HOST="localhost")
        if response.status_code != 200:
            raise RuntimeError(f"{address}: {response.status_code}")

    asked()
    seconds = sorted(_seconds(asked) for _ in range(REQUESTS))
    usual = f"95th percentile (median {median(seconds):.3f})"
    return _within(f"{name}, {usual}", seconds[int(REQUESTS * 0.95)], ANSWERED_WITHIN)


def _within(name: str, seconds: float, limit: float) -> Measurement:
    return Measurement(name=name, value=seconds, unit="s", target=f"≤ {limit:g}", met=seconds <= limit)


def _seconds(what: Callable[[], object]) -> float:
    started = time.perf_counter()
    what()
    return time.perf_counter() - started


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    return _status("VmHWM")


def _resident() -> int:
    return _status("VmRSS")


def _status(name: str) -> int:
    """A figure of this process's memory, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))

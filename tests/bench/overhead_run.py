"""Measures, inside a site of its own, scoring of every gold text against bare execution of the same queries."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from pymongo import MongoClient

from evaluation.executors.request import command_of
from evaluation.gold import gold_query
from evaluation.types import Limits
from leaderboard.models.releases import Release
from leaderboard.selectors.gold import gold_source
from tests.bench.measurement import Measurement
from tests.bench.scored_site import forget, imported, scored, submitted
from tests.bench.site import in_turns, tell

ROUNDS = 5
CURSORS = ("aggregate", "find")


def commands(release: Release) -> list[tuple[str, dict[str, Any]]]:
    """The database and command of each gold query that can be used; what is read and guarded here is not measured."""
    items = release.items.filter(set_aside="").select_related("database")
    sources = [gold_source(item, item.database) for item in items]
    return [(source.storage_name, command_of(gold_query(source)[0], limits=Limits())) for source in sources]


def executed(client: MongoClient[dict[str, Any]], asked: Sequence[tuple[str, dict[str, Any]]]) -> float:
    """Seconds in which a bare loop sends the commands and drains their cursors."""
    started = time.perf_counter()
    for name, command in asked:
        database = client[name]
        if next(iter(command)) in CURSORS:
            for _ in database.cursor_command(command):
                pass
        else:
            database.command(command)
    return time.perf_counter() - started


def main(name: str, bundle: str, limit: str) -> None:
    """Measure and tell."""
    release = imported(Path(bundle))
    texts = dict(release.items.values_list("question_id", "gold_query"))
    asked = commands(release)
    with MongoClient[dict[str, Any]](settings.MONGO_URL) as client:

        def whole_path() -> float:
            forget()
            run = submitted(release, texts)
            seconds = scored(run)
            if run.reused_verdicts or run.executed_queries < len({str(one) for one in asked}):
                raise RuntimeError("a first run has found what it should have executed")
            return seconds

        executed(client, asked)
        whole_path()
        whole, bare = in_turns(whole_path, lambda: executed(client, asked), rounds=ROUNDS)
    ratio = min(whole) / min(bare)
    milliseconds = 1000 / len(asked)
    tell(
        [
            Measurement(name=f"{name}: items", value=len(asked), unit="items"),
            Measurement(name=f"{name}: bare execution", value=min(bare) * milliseconds, unit="ms an item"),
            Measurement(name=f"{name}: parse … aggregate", value=min(whole) * milliseconds, unit="ms an item"),
            Measurement(
                name=f"{name}: scoring against bare execution",
                value=ratio,
                unit="×",
                target=f"≤ {limit}",
                met=ratio <= float(limit),
            ),
        ]
    )

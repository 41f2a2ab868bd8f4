"""A worker is killed in the middle of a run: the run still finishes, each item scored exactly once."""

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.types import Difficulty, Item, Split
from benchmark_data.write import CollectionSource, DatabaseSource, Header, write_bundle
from tests.end_to_end.site import Site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

ITEMS = 60


def slow(number: int) -> str:
    """A cross join: a few hundredths of a second; another query for each item, or it would be executed once for all."""
    return f"""db.slow_things.aggregate([
        {{$lookup: {{from: "slow_things", pipeline: [], as: "all"}}}}, {{$unwind: "$all"}},
        {{$match: {{n: 1, "all.n": 2, nothing{number}: null}}}}
    ])"""


def slow_bundle(folder: Path) -> Path:
    """A benchmark of one database whose every query is slow."""
    documents = [{"_id": number, "n": number % 7} for number in range(120)]
    items = [
        Item(
            question_id=f"s{number}",
            db_id="slow",
            question="Which pairs?",
            evidence="",
            difficulty=Difficulty.SIMPLE,
            split=Split.PUBLIC,
            gold_query=slow(number),
        )
        for number in range(ITEMS)
    ]
    collection = CollectionSource(name="slow_things", documents=documents)
    write_bundle(
        folder,
        header=Header(name="slow", version="1", title="Slow", license="MIT"),
        databases=[DatabaseSource(db_id="slow", collections=[collection])],
        items=items,
    )
    return folder


def test_a_run_survives_the_death_of_its_worker(site: Site, tmp_path: Path) -> None:
    site.manage("import_bundle", slow_bundle(tmp_path / "slow"))
    token = site.token()
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps({f"s{number}": slow(number) for number in range(ITEMS)}))
    sent = site.aptboard(
        "submit", file, "--entry", "Slow", "--token", token, "--condition", "with_evidence", "--release", "slow@1",
        "--no-wait",
    )  # fmt: skip
    found = re.search(r"/submissions/([0-9a-f-]{36})", sent.stderr)
    assert found
    path = f"/api/v1/submissions/{found.group(1)}"

    def run() -> dict[str, Any]:
        return dict(site.get(path, token=token)["runs"][0])

    wait_for(lambda: run()["progress"]["done"] >= 5 or None)
    before = site.items(found.group(1), "with_evidence", token=token)
    killed = site.workers()
    for worker in killed:
        worker.send_signal(signal.SIGKILL)
    assert killed
    assert run()["state"] == "scoring", "the run ended before the worker was killed: make its queries slower"
    wait_for(lambda: run()["state"] == "finished" or None, seconds=90)
    after = site.items(found.group(1), "with_evidence", token=token)
    assert len(after) == ITEMS
    assert {item["strict"] for item in after.values()} == {True}
    judged = {question_id: item for question_id, item in before.items() if item["outcome"]}
    assert len(judged) >= 5
    for question_id, item in judged.items():
        assert after[question_id]["scored_at"] == item["scored_at"], "scored a second time"

"""A worker is killed in the middle of a run: the run still finishes, each item scored exactly once."""

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.site import Site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

SLOW = 'db.slow_things.aggregate([{"$lookup": {"from": "slow_things", "pipeline": [], "as": "all"}}, {"$unwind": "$all"}, {"$match": {"n": 1, "all.n": 2}}])'
ITEMS = 60


def slow_bundle(folder: Path) -> Path:
    """A benchmark of one database whose queries take a few hundredths of a second each."""
    database = folder / "databases" / "slow"
    database.mkdir(parents=True)
    rows = [{"_id": {"$numberInt": str(n)}, "n": {"$numberInt": str(n % 7)}} for n in range(120)]
    (database / "slow_things.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    items = [
        {
            "question_id": f"s{n}",
            "db_id": "slow",
            "question": "Which pairs?",
            "evidence": "",
            "difficulty": "simple",
            "split": "public",
            "gold_query": SLOW,
        }
        for n in range(ITEMS)
    ]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    return folder


def write_manifest(folder: Path) -> None:
    """Let the project's own writer make the manifest."""
    from tests.benchmark_data.manifest import write_manifest_for

    write_manifest_for(folder, name="slow", version="1")


def test_a_run_survives_the_death_of_its_worker(site: Site, tmp_path: Path) -> None:
    bundle = slow_bundle(tmp_path / "slow")
    write_manifest(bundle)
    site.manage("import_bundle", bundle)
    token = site.token()
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps({f"s{n}": SLOW for n in range(ITEMS)}))
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
    for worker in site.workers():
        worker.send_signal(signal.SIGKILL)
    assert run()["state"] == "scoring", "the run ended before the worker was killed: make its queries slower"
    wait_for(lambda: run()["state"] == "finished" or None, seconds=90)
    after = site.items(found.group(1), "with_evidence", token=token)
    assert len(after) == ITEMS
    assert {item["strict"] for item in after.values()} == {True}
    for question_id, item in before.items():
        if item["outcome"] is not None:
            assert after[question_id]["scored_at"] == item["scored_at"], "scored a second time"

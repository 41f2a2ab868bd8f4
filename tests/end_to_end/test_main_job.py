"""Token → API → worker → standing in the HTML table, with every part real."""

import json
import re
from pathlib import Path

import pytest

from benchmark_data.load import load_bundle
from tests.end_to_end.conftest import TINY, TINY_RELEASE
from tests.end_to_end.site import Site

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]


def gold_predictions(path: Path, *, leave_out: int = 0) -> Path:
    """The gold queries of the tiny bundle as a prediction file for both conditions."""
    items = load_bundle(TINY).items[leave_out:]
    lines = [
        json.dumps({"question_id": item.question_id, "condition": condition, "query": item.gold_query})
        for condition in ("with_evidence", "without_evidence")
        for item in items
    ]
    path.write_text("\n".join(lines))
    return path


def submission_id(output: str) -> str:
    found = re.search(r"/submissions/([0-9a-f-]{36})", output)
    assert found, output
    return found.group(1)


def test_gold_as_prediction_scores_one_in_both_conditions_and_stands_on_the_board(site: Site, tmp_path: Path) -> None:
    token = site.token()
    done = site.aptboard(
        "submit", gold_predictions(tmp_path / "gold.jsonl"), "--entry", "Gold itself", "--token", token,
        "--release", TINY_RELEASE, "--min-strict-ex", "1",
    )  # fmt: skip
    status = site.get(f"/api/v1/submissions/{submission_id(done.stderr)}", token=token)
    for run in status["runs"]:
        report = run["report"]
        assert (run["state"], report["unscored"], report["coverage"]) == ("finished", 0, 1.0)
        assert {report[m]["value"] for m in ("exec_rate", "soft_ex", "strict_ex")} == {1.0}
    board = site.page(f"/?release={TINY_RELEASE}")
    row = re.search(r"<tr[^>]*>(?:(?!</tr>).)*Gold itself.*?</tr>", board, re.DOTALL)
    assert row, board
    assert "100.00" in row.group(0)


def test_the_laptop_gives_the_same_verdicts_as_the_site_item_by_item(site: Site, tmp_path: Path) -> None:
    token = site.token()
    for file in sorted((TINY / "predictions").glob("*.jsonl")):
        done = site.aptboard("submit", file, "--entry", file.stem, "--token", token, "--release", TINY_RELEASE)
        site.aptboard("score", "--bundle", TINY, "--predictions", file, "--json", tmp_path / "scores.json")
        laptop = json.loads((tmp_path / "scores.json").read_text())
        for condition, scored in laptop["conditions"].items():
            online = site.items(submission_id(done.stderr), condition, token=token)
            assert len(scored["items"]) == len(online) > 0
            for verdict in scored["items"]:
                told = online[verdict["question_id"]]
                for field in ("outcome", "executed", "soft", "strict", "reason", "message"):
                    assert told[field] == verdict[field], (file.name, condition, verdict["question_id"], field)


def test_a_missing_prediction_scores_zero_and_lowers_coverage(site: Site, tmp_path: Path) -> None:
    token = site.token()
    file = gold_predictions(tmp_path / "most.jsonl", leave_out=3)
    done = site.aptboard("submit", file, "--entry", "All but three", "--token", token, "--release", TINY_RELEASE)
    n = len(load_bundle(TINY).items)
    for run in site.get(f"/api/v1/submissions/{submission_id(done.stderr)}", token=token)["runs"]:
        assert run["report"]["n"] == n
        assert run["report"]["coverage"] == pytest.approx((n - 3) / n)
        assert run["report"]["strict_ex"]["value"] == pytest.approx((n - 3) / n)


def test_a_second_import_of_the_same_bundle_changes_nothing(site: Site) -> None:
    before = site.get("/api/v1/releases")
    site.manage("import_bundle", TINY)
    assert site.get("/api/v1/releases") == before


def test_the_worker_is_another_process_that_knows_only_the_reader(site: Site) -> None:
    workers = site.workers()
    assert workers
    for worker in workers:
        assert "MONGO_URL" in worker.environ()
        assert "MONGO_LOADER_URL" not in worker.environ()

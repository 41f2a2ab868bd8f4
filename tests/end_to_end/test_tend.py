"""TEND from its files to the board: 74 databases, 1,495 items, and the same numbers on a laptop."""

import json
import re
from pathlib import Path

import pytest

from benchmark_data.load import load_bundle
from tests.end_to_end.site import Site
from tests.realdata import REALDATA, needs_realdata

pytestmark = [*needs_realdata, pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

SOURCE = REALDATA / "tend"
CONDITION = "with_evidence"
VERDICT = ("outcome", "executed", "soft", "strict", "reason", "message")


@pytest.fixture(scope="module")
def bundle(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TEND as a bundle, imported; items whose gold cannot be used are set aside."""
    folder = tmp_path_factory.mktemp("tend") / "bundle"
    site.aptboard("bundle", "convert", "tend", SOURCE, folder)
    refused = site.manage("import_bundle", folder, code=1)
    done = site.manage("import_bundle", folder, "--set-aside-broken-gold")
    named = set(re.findall(r"^  item (\S+):", done.stdout, re.MULTILINE))
    assert named == set(re.findall(r"^  item (\S+):", refused.stdout, re.MULTILINE)) != set()
    assert f"{1495 - len(named)} items count, {len(named)} set aside" in done.stdout
    return folder


def submit(site: Site, file: Path, entry: str, token: str) -> str:
    done = site.aptboard(
        "submit", file, "--entry", entry, "--token", token, "--condition", CONDITION, "--release", "tend@1"
    )
    found = re.search(r"/submissions/([0-9a-f-]{36})", done.stderr)
    assert found, done.stderr
    return found.group(1)


def test_tend_converts_whole(bundle: Path) -> None:
    loaded = load_bundle(bundle)
    assert (len(loaded.databases), len(loaded.items)) == (74, 1495)


def test_gold_scores_one_on_every_item_whose_gold_runs_and_names_the_others(
    site: Site, bundle: Path, tmp_path: Path
) -> None:
    token = site.token()
    file = tmp_path / "gold.json"
    file.write_text(json.dumps({item.question_id: item.gold_query for item in load_bundle(bundle).items}))
    submission = submit(site, file, "TEND gold", token)
    run = site.get(f"/api/v1/submissions/{submission}", token=token)["runs"][0]
    items = site.items(submission, CONDITION, token=token)
    unscored = {question_id for question_id, item in items.items() if item["outcome"] == "unscored"}
    assert len(items) == 1495
    assert run["state"] == "finished"
    assert run["report"]["n"] == 1495 - len(unscored)
    assert run["report"]["strict_ex"]["value"] == 1.0
    assert {item["strict"] for question_id, item in items.items() if question_id not in unscored} == {True}
    assert all(items[question_id]["reason"] == "gold_failed" for question_id in unscored)


@pytest.mark.parametrize("name", ["predictions_a", "predictions_b"])
def test_real_predictions_get_the_same_verdicts_from_worker_and_laptop(
    site: Site, bundle: Path, tmp_path: Path, name: str
) -> None:
    token = site.token()
    file = SOURCE / f"{name}.json"
    submission = submit(site, file, name, token)
    scores = tmp_path / "scores.json"
    site.aptboard("score", "--bundle", bundle, "--predictions", file, "--condition", CONDITION, "--json", scores)
    online = site.items(submission, CONDITION, token=token)
    laptop = {item["question_id"]: item for item in json.loads(scores.read_text())["conditions"][CONDITION]["items"]}
    assert online.keys() == laptop.keys()
    for question_id, verdict in laptop.items():
        if verdict["outcome"] == "unscored":
            assert online[question_id]["outcome"] == "unscored"
        else:
            assert {name: online[question_id][name] for name in VERDICT} == {name: verdict[name] for name in VERDICT}

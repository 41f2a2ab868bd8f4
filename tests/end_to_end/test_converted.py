"""Two relational databases from SQLite file and SQL questions to the board, by the documented commands alone."""

import json
import re
from pathlib import Path

import pytest

import benchmark_data.docmap
from benchmark_data.load import load_bundle
from tests.end_to_end.site import Site
from tests.realdata import REALDATA, needs_realdata

pytestmark = [*needs_realdata, pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

DESIGNS = Path(next(iter(benchmark_data.docmap.__path__))) / "designs"
ITEMS = {"superhero": 129, "beer_factory": 16}
CONDITIONS = ("with_evidence", "without_evidence")
METRICS = ("exec_rate", "soft_ex", "strict_ex")


def converted(site: Site, name: str, folder: Path) -> Path:
    """The bundle of a database under its access-pattern design, with every question that is proved."""
    source, design = REALDATA / "bird" / name / f"{name}.sqlite", DESIGNS / name / "docmap.yaml"
    items, bundle = folder / "items.jsonl", folder / "bundle"
    site.aptboard(
        "docmap", "queries", source, source.parent / "questions.json", "--docmap", design, "--items", items,
        "--perturbations", "0",
    )  # fmt: skip
    site.aptboard("docmap", "migrate", source, design, bundle, "--items", items, "--license", "CC-BY-SA-4.0")
    return bundle


def gold_predictions(bundle: Path, path: Path) -> Path:
    items = load_bundle(bundle).items
    lines = [
        json.dumps({"question_id": item.question_id, "condition": condition, "query": item.gold_query})
        for condition in CONDITIONS
        for item in items
    ]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("name", ITEMS)
def test_gold_of_a_converted_database_scores_one_on_the_site_and_on_the_laptop(
    site: Site, name: str, tmp_path: Path
) -> None:
    bundle = converted(site, name, tmp_path)
    items = load_bundle(bundle).items
    assert len(items) == ITEMS[name]
    assert any(item.evidence for item in items)
    assert f"is live: {ITEMS[name]} items count." in site.manage("import_bundle", bundle).stdout
    file, token = gold_predictions(bundle, tmp_path / "gold.jsonl"), site.token()
    release = f"{name.replace('_', '-')}@1"
    done = site.aptboard("submit", file, "--entry", f"{name} gold", "--token", token, "--release", release)
    found = re.search(r"/submissions/([0-9a-f-]{36})", done.stderr)
    assert found, done.stderr
    runs = site.get(f"/api/v1/submissions/{found.group(1)}", token=token)["runs"]
    assert sorted(run["condition"] for run in runs) == sorted(CONDITIONS)
    for run in runs:
        report = run["report"]
        assert (run["state"], report["n"], report["unscored"]) == ("finished", ITEMS[name], 0)
        assert [report[metric]["value"] for metric in METRICS] == [1.0, 1.0, 1.0]
    scores = tmp_path / "scores.json"
    site.aptboard("score", "--bundle", bundle, "--predictions", file, "--json", scores)
    laptop = json.loads(scores.read_text())["conditions"]
    assert sorted(laptop) == sorted(CONDITIONS)
    for scored in laptop.values():
        assert {(item["executed"], item["soft"], item["strict"]) for item in scored["items"]} == {(True, True, True)}

"""`aptboard docmap` on the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benchmark_data.items import item_line
from evaluation.commands.docmap import docmap
from evaluation.embedded.document_database import DocumentDatabaseUrls
from tests.benchmark_data.building import item
from tests.benchmark_data.docmap.sources import HEAD, SHOP, SHOP_DOCMAP, database


def run(*words: object) -> Result:
    return CliRunner().invoke(docmap, [str(word) for word in words])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return database(tmp_path, SHOP)


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP_DOCMAP)
    return path


def test_a_database_is_initialised_checked_migrated_and_proved(tmp_path: Path, source: Path) -> None:
    made = tmp_path / "one.yaml"
    assert run("init", source, made, "--db-id", "shop").exit_code == 0
    assert run("check", source, made).stdout == "one.yaml has no fault: 6 collections for shop.\n"
    assert run("migrate", source, made, tmp_path / "out").exit_code == 0
    done = run("prove", source, made, tmp_path / "out", "--files-only", "--certificate", tmp_path / "certificate.json")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Verdict: lossless.")
    certificate = json.loads((tmp_path / "certificate.json").read_text())
    assert (certificate["verdict"], certificate["places"]["written"]["missing"]) == ("lossless", 0)


def test_a_certificate_is_the_same_each_time(tmp_path: Path, source: Path, design: Path) -> None:
    run("migrate", source, design, tmp_path / "out")
    for name in ("a.json", "b.json"):
        run("prove", source, design, tmp_path / "out", "--files-only", "--certificate", tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    columns = json.loads((tmp_path / "a.json").read_text())["columns"]
    assert columns["brand"]["Sugar"] == "brands.flags.sugar (decoded)"
    assert columns["brand"]["brewer_id"] == "brands.brewer._id"
    assert columns["product"]["brand_id"] == "position in brands.products[]: id of the row around it"
    assert columns["review"]["day"] == "reviews._id.day"


def test_a_loss_is_shown_and_ends_with_its_own_code(tmp_path: Path, source: Path, design: Path) -> None:
    run("migrate", source, design, tmp_path / "out")
    path = tmp_path / "out" / "reviews.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    done = run("prove", source, design, tmp_path / "out", "--files-only")
    assert done.exit_code == 1
    assert "review: missing: (1, 2, '2014-01-01')" in done.stdout
    assert done.stdout.splitlines()[-1] == "Verdict: lossy."


@pytest.mark.engine
def test_the_proof_runs_on_the_server_too(
    tmp_path: Path,
    source: Path,
    design: Path,
    document_database: DocumentDatabaseUrls,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MONGO_URL", document_database.reader)
    monkeypatch.setenv("MONGO_LOADER_URL", document_database.loader)
    good = "\nchecks:\n  - {name: stars, sql: 'SELECT brand_id, avg(stars) FROM review GROUP BY 1', pipeline:"
    design.write_text(
        SHOP_DOCMAP.rstrip() + good + " [reviews, [{$group: {_id: $brand._id, n: {$avg: $stars}}}]]}\n"
        "  - {name: wrong, sql: SELECT 1, pipeline: [reviews, [{$count: n}]]}\n"
    )
    run("migrate", source, design, tmp_path / "out")
    done = run("prove", source, design, tmp_path / "out", "--certificate", tmp_path / "certificate.json")
    assert done.exit_code == 1
    assert "the check 'wrong' failed" in done.stdout
    certificate = json.loads((tmp_path / "certificate.json").read_text())
    assert certificate["places"]["loaded"]["lossless"] is True
    assert [check["equal"] for check in certificate["checks"]] == [True, False]


def test_a_bundle_is_written_with_items(tmp_path: Path, source: Path, design: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text(item_line(item(db_id="shop")))
    done = run("migrate", source, design, tmp_path / "bundle", "--items", items, "--license", "MIT")
    assert done.exit_code == 0, done.output
    assert run("prove", source, design, tmp_path / "bundle", "--files-only").exit_code == 0


def test_faults_are_listed_one_a_line(tmp_path: Path, source: Path) -> None:
    design = tmp_path / "bad.yaml"
    design.write_text(f"{HEAD}collections: {{x: {{table: nope, fields: {{}}}}}}\n")
    done = run("migrate", source, design, tmp_path / "out")
    assert done.exit_code == 2
    assert "bad.yaml:3: collections.x.table: no table 'nope'" in done.stderr
    assert done.stderr.splitlines()[-1] == "7 faults."
    assert not (tmp_path / "out").exists()


def test_a_baselines_failure_has_a_name(tmp_path: Path, source: Path) -> None:
    done = run("init", source, tmp_path / "fk.yaml", "--strategy", "fk_embedding")
    assert done.exit_code == 1
    assert done.stdout.startswith("partial: 2 of 17 rows are in no document")
    assert run("check", source, tmp_path / "fk.yaml").exit_code == 0


def test_scaling_tells_the_rows(tmp_path: Path, source: Path, design: Path) -> None:
    big = tmp_path / "linked.sqlite"
    assert run("scale", source, big, "--factor", "3", "--docmap", design).exit_code == 0
    assert run("migrate", big, design, tmp_path / "out").exit_code == 0
    assert run("prove", big, design, tmp_path / "out", "--files-only").exit_code == 0
    done = run("scale", source, tmp_path / "big.sqlite", "--factor", "2")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "brand: 3 → 6 rows")
    assert run("scale", source, tmp_path / "big.sqlite", "--factor", "2").exit_code == 2


def test_a_trial_of_the_embedding_is_broken_off_after_the_seconds_given(tmp_path: Path, source: Path) -> None:
    made = tmp_path / "made.yaml"
    done = run("init", source, made, "--strategy", "fk_embedding", "--seconds", "-1")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (1, "timeout: not done within -1 seconds.")
    assert not made.exists()

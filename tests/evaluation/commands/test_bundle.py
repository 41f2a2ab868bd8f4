"""`aptboard bundle` answers in lines that a person and a script can read, and by its exit code."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benchmark_data.bundles.generate import TINY
from benchmark_data.load import load_bundle
from evaluation.commands.bundle import bundle
from tests.benchmark_data.building import edit_item, small_bundle


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(bundle, [str(argument) for argument in arguments])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    small_bundle(tmp_path / "b")
    return tmp_path / "b"


def test_a_valid_bundle_is_said_to_be_one() -> None:
    result = run("validate", TINY)
    assert result.exit_code == 0
    assert result.stdout.startswith("tiny 1 has no fault: 3 databases, 590 documents, 36 items")


def test_every_fault_is_one_line_with_file_line_and_field(root: Path) -> None:
    edit_item(root, 1, lambda record: record.pop("evidence"))
    edit_item(root, 2, lambda record: record.update(gold_query="db.boats.find("))
    edit_item(root, 3, lambda record: record.update(gold_query="db.birds.deleteMany({})"))
    result = run("validate", root)
    assert result.exit_code == 2
    shown = result.stdout.splitlines()
    assert [line.split(": ")[:2] for line in shown[:3]] == [
        ["items.jsonl:1", "evidence"],
        ["items.jsonl:2", "gold_query"],
        ["items.jsonl:3", "gold_query"],
    ]
    assert shown[3].startswith("items.jsonl: the manifest states ")
    assert len(shown) == 4
    assert "4 faults." in result.stderr


def test_gold_that_names_a_collection_of_another_database_is_a_fault(root: Path) -> None:
    edit_item(root, 1, lambda record: record.update(gold_query="db.birds.find()"))
    assert "items.jsonl:1: gold_query:" in run("validate", root).stdout


def test_the_digest_is_printed_and_can_be_written(root: Path) -> None:
    before = run("digest", root)
    assert (before.exit_code, before.stdout.strip()) == (0, load_bundle(root).digest)
    edit_item(root, 1, lambda record: record.update(question="Why?"))
    assert run("digest", root).exit_code == 2
    written = run("digest", root, "--write")
    assert written.exit_code == 0
    assert written.stdout.strip() == load_bundle(root).digest != before.stdout.strip()
    assert run("validate", root).exit_code == 0


def test_show_counts_databases_and_items(root: Path) -> None:
    result = run("show", root)
    assert result.exit_code == 0
    for part in ("Small (small 1)", "Licence: MIT", load_bundle(root).digest, "boats, crews", "simple"):
        assert part in result.stdout


def test_show_does_not_read_markup_in_a_bundle(tmp_path: Path) -> None:
    root = tmp_path / "b"
    small_bundle(root)
    path = root / "manifest.json"
    path.write_text(path.read_text().replace('"Small"', '"[red]Small[/red] [/]"'))
    assert "[red]Small[/red] [/]" in run("show", root).stdout


def tend(folder: Path) -> Path:
    (folder / "databases").mkdir(parents=True)
    (folder / "databases" / "zoo.json").write_text('{"keepers": [{"name": "Ann"}]}')
    texts = ["db.keepers.find()", "db.nowhere.find()"]
    questions = [{"question_id": n, "db_id": "zoo", "question": "Who?", "MQL": text} for n, text in enumerate(texts)]
    (folder / "questions.json").write_text(json.dumps(questions))
    return folder


def test_a_conversion_names_gold_that_cannot_be_scored_and_keeps_it(tmp_path: Path) -> None:
    result = run("convert", "tend", tend(tmp_path / "tend"), tmp_path / "b")
    assert result.exit_code == 0
    assert "1 databases, 1 documents, 2 items" in result.stdout
    assert "Unscored: gold of 1 cannot be used" in result.stderr
    assert len(load_bundle(tmp_path / "b").items) == 2


def test_a_conversion_does_not_replace_unless_asked(tmp_path: Path) -> None:
    source = tend(tmp_path / "tend")
    assert run("convert", "tend", source, tmp_path / "b").exit_code == 0
    again = run("convert", "tend", source, tmp_path / "b")
    assert again.exit_code == 2
    assert "ask for overwriting" in again.stderr
    assert run("convert", "tend", source, tmp_path / "b", "--overwrite").exit_code == 0


def test_a_faulty_source_lists_its_faults_and_writes_nothing(tmp_path: Path) -> None:
    source = tend(tmp_path / "tend")
    (source / "databases" / "zoo.json").write_text('{"keepers": [5, {"$a": 1}]}')
    result = run("convert", "tend", source, tmp_path / "b")
    assert result.exit_code == 2
    assert [line.split(": ")[:2] for line in result.stderr.splitlines()[:2]] == [
        ["databases/zoo.json", "keepers[0]"],
        ["databases/zoo.json", "keepers[1].$a"],
    ]
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("arguments", [("convert", "bird", ".", "x"), ("validate", "nowhere"), ("show", "nowhere")])
def test_a_wrong_call_ends_with_code_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_cards_are_measured_stored_and_shown(root: Path) -> None:
    measured = run("card", root, "lake")
    assert measured.exit_code == 0
    assert "lake.boats: 2 documents" in measured.stdout
    assert "birds" not in measured.stdout
    assert not (root / "cards.jsonl").exists()
    digest = load_bundle(root).digest
    assert run("card", root, "--write").exit_code == 0
    assert load_bundle(root).digest == digest
    assert run("validate", root).exit_code == 0
    assert "3 cards" in run("show", root).stdout
    lines = [json.loads(line) for line in run("card", root, "--json").stdout.splitlines()]
    assert [(line["db_id"], line["collection"], line["card"]["documents"]) for line in lines] == [
        ("lake", "boats", 2),
        ("lake", "crews", 1),
        ("wood", "birds", 2),
    ]
    assert run("card", root, "pond").exit_code == 2


def test_a_difference_is_shown_and_moves_the_exit_code(root: Path, tmp_path: Path) -> None:
    small_bundle(tmp_path / "new")
    same = run("diff", root, tmp_path / "new")
    assert (same.exit_code, same.stdout.strip()) == (0, "The digest is the same.")
    edit_item(tmp_path / "new", 1, lambda record: record.update(gold_query="db.boats.find()"))
    edit_item(tmp_path / "new", 2, lambda record: record.update(difficulty="moderate"))
    assert run("diff", root, tmp_path / "new").exit_code == 2
    run("digest", tmp_path / "new", "--write")
    moved = run("diff", root, tmp_path / "new")
    assert moved.exit_code == 1
    assert "1 items can get another score." in moved.stdout
    assert "gold_query" in moved.stdout
    found = json.loads(run("diff", root, tmp_path / "new", "--json").stdout)
    assert found["items_by_effect"] == {"score": 1, "breakdown": 1, "timing": 0, "none": 0}


@pytest.mark.parametrize("packed", [(), ("--gzip",)])
def test_an_exported_dump_becomes_a_bundle_of_the_same_digest(tmp_path: Path, packed: tuple[str, ...]) -> None:
    exported = run("export", "mongodump", TINY, tmp_path / "dump", *packed)
    assert exported.stdout.strip().endswith("dump: 3 databases, 590 documents, 36 items.")
    assert run("convert", "mongodump", tmp_path / "dump", tmp_path / "again").exit_code == 0
    assert run("digest", tmp_path / "again").stdout == run("digest", TINY).stdout


def test_an_export_leaves_a_folder_alone_that_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert run("export", "mongodump", TINY, tmp_path).exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

"""`aptboard bundle load|loaded|retire|gold` on a real document database."""

import json
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from typer.testing import CliRunner, Result

from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from benchmark_data.validate import validate
from evaluation.commands.bundle import bundle
from evaluation.embedded.document_database import DocumentDatabaseUrls
from tests.benchmark_data.building import edit_item, edit_line, edit_manifest, small_bundle

pytestmark = pytest.mark.engine


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(bundle, [str(argument) for argument in arguments])


@pytest.fixture
def made(tmp_path: Path) -> Bundle:
    """A bundle that no other test has: its name is the folder's."""
    small_bundle(tmp_path / "b")
    with (tmp_path / "b" / "databases" / "lake" / "crews.jsonl").open("a") as file:
        file.write(json.dumps({"_id": str(tmp_path)}) + "\n")
    name = "".join(one for one in tmp_path.name.lower() if one.isalnum())[:40]
    edit_manifest(tmp_path / "b", lambda m: m.update(name=f"b{name}"))
    assert run("digest", tmp_path / "b", "--write").exit_code == 0
    return load_bundle(tmp_path / "b")


@pytest.fixture
def urls(document_database: DocumentDatabaseUrls) -> tuple[str, ...]:
    return ("--url", document_database.loader, "--reader-url", document_database.reader)


def test_a_bundle_is_loaded_once_verified_listed_and_retired(
    made: Bundle, urls: tuple[str, ...], document_database: DocumentDatabaseUrls
) -> None:
    first = run("load", made.root, *urls, "--verify")
    assert first.exit_code == 0, first.output
    storages = [database.storage_name for database in made.databases]
    assert f"lake: 4 documents in {storages[0]}, loaded." in first.stdout
    assert "Every document and index is as in the bundle." in first.stdout
    assert f"lake: 4 documents in {storages[0]}, was there." in run("load", made.root, *urls).stdout
    mark = f"{made.name}@1"
    listed = run("loaded", *urls[:2]).stdout
    assert mark in listed
    assert storages[0] in listed

    in_use = run("retire", storages[0], *urls[:2])
    assert (in_use.exit_code, mark in in_use.stderr) == (2, True)
    retired = run("retire", mark, *urls[:2])
    assert retired.exit_code == 0
    assert f"Dropped {storages[0]}." in retired.stdout
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        assert client[storages[0]].list_collection_names() == []
    assert run("retire", mark, *urls[:2]).exit_code == 2


def test_a_stored_document_that_differs_is_found(
    made: Bundle, urls: tuple[str, ...], document_database: DocumentDatabaseUrls
) -> None:
    run("load", made.root, *urls)
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        client[made.databases[0].storage_name].crews.update_one({"_id": 1}, {"$set": {"more": 1}})
    result = run("load", made.root, *urls, "--verify")
    assert result.exit_code == 2
    assert "lake: crews: the documents are not those of the bundle" in result.stderr
    run("retire", f"{made.name}@1", *urls[:2])


def test_a_faulty_bundle_is_not_loaded(made: Bundle, urls: tuple[str, ...]) -> None:
    edit_item(made.root, 1, lambda record: record.update(db_id="pond"))
    with (made.root / "databases" / "wood" / "birds.jsonl").open("a") as file:
        file.write("{}\n")
    result = run("load", made.root, *urls)
    assert result.exit_code == 2
    assert "items.jsonl:1: db_id:" in result.stderr
    assert "databases/wood/birds.jsonl:" in result.stderr
    assert made.name not in run("loaded", *urls[:2]).stdout


def test_nothing_is_loaded_for_queries_that_could_write(made: Bundle, document_database: DocumentDatabaseUrls) -> None:
    writer = document_database.loader
    result = run("load", made.root, "--url", writer, "--reader-url", f"{writer}&appName=reader")
    assert result.exit_code == 2
    assert "may write (insert" in result.stderr
    assert made.name not in run("loaded", "--url", writer).stdout


def test_a_server_that_is_not_there_ends_with_code_4(made: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.executors.loading.CONNECT_MILLISECONDS", 200)
    result = run("load", made.root, "--url", "mongodb://127.0.0.1:1/?directConnection=true")
    assert result.exit_code == 4
    assert "The document database failed" in result.stderr


def test_needs_that_the_engine_may_not_meet_are_a_warning(made: Bundle, urls: tuple[str, ...]) -> None:
    edit_manifest(made.root, lambda m: m.update(engine={"mongodb": "999.0"}))
    result = run("load", made.root, *urls)
    assert result.exit_code == 0
    assert "Warning: the bundle needs MongoDB 999.0" in result.stderr
    run("retire", f"{made.name}@1", *urls[:2])


def test_gold_is_stored_and_checked(made: Bundle, urls: tuple[str, ...]) -> None:
    edit_item(made.root, 3, lambda record: record.update(split="hidden"))
    run("digest", made.root, "--write")
    result = run("gold", made.root, *urls)
    assert result.exit_code == 0, result.output
    assert "2 gold answers of " in result.stdout
    assert "1 hidden ones left out, the bundle is not private" in result.stdout
    assert validate(made.root) == ()
    assert load_bundle(made.root).digest == made.digest
    same = run("gold", made.root, *urls, "--check")
    assert (same.exit_code, "0 of 2 stored gold answers differ" in same.stdout) == (0, True)

    edit_line(made.root / "gold.jsonl", 1, lambda record: record.update(rows=[9]))
    run("digest", made.root, "--write")
    other = run("gold", made.root, *urls, "--check")
    assert other.exit_code == 1
    assert "item 1: another answer than on " in other.stdout
    edit_manifest(made.root, lambda m: m.update(private=True))
    assert "3 gold answers of " in run("gold", made.root, *urls).stdout
    run("retire", f"{made.name}@1", *urls[:2])

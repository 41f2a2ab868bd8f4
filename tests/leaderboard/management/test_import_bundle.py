"""`manage.py import_bundle` loads, proves, compares with stored gold answers, and retires."""

import io
import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from benchmark_data.gold_answers import GoldKind, write_gold
from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.types import Bundle
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.executors.loading import DatabaseLoader
from leaderboard.models.releases import Release
from tests.benchmark_data.building import edit_manifest, gold_answer, small_bundle

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _urls(document_database: DocumentDatabaseUrls) -> Iterator[None]:
    urls = {"MONGO_URL": document_database.reader, "MONGO_LOADER_URL": document_database.loader}
    with override_settings(**urls, DEMO_ENGINE=True):
        yield


def imported(*arguments: str | Path) -> str:
    out = io.StringIO()
    call_command("import_bundle", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """A bundle of content that no other test has: equal content is one database on the engine that all tests share."""
    small_bundle(tmp_path / "b")
    with (tmp_path / "b" / "databases" / "lake" / "crews.jsonl").open("a") as file:
        file.write(json.dumps({"_id": uuid.uuid4().hex}) + "\n")
    reseal(tmp_path / "b")
    return load_bundle(tmp_path / "b")


def test_stored_gold_answers_that_differ_are_named_and_keep_nothing_closed(bundle: Bundle) -> None:
    first, second, third = bundle.items
    rows = ({"name": "owl", "seen": None}, {"name": "tern"})
    answers = [
        gold_answer(bundle, first, rows=(2,)),
        gold_answer(bundle, second, rows=(9,)),
        gold_answer(bundle, third, kind=GoldKind.DOCUMENTS, rows=rows),
    ]
    write_gold(bundle, answers[:2])
    told = imported(bundle.root)
    assert "differs: 2: another answer than on MongoDB 7.0.14" in told
    assert "differs: 1:" not in told
    assert "1 of 2 stored gold answers differ on this engine." in told
    assert "small@1 is live: 3 items count." in told
    write_gold(bundle, [replace(answers[1], rows=(2,)), replace(answers[0], kind=None, rows=(), failure="slow")])
    again = imported(bundle.root)
    assert "differs: 1: it failed on MongoDB 7.0.14, and gives an answer here" in again
    assert Release.objects.count() == 1


def test_an_engine_that_may_be_too_old_is_told(bundle: Bundle) -> None:
    edit_manifest(bundle.root, lambda m: m.update(engine={"mongodb": "999.0"}))
    assert "the bundle needs MongoDB 999.0" in imported(bundle.root)


def test_what_a_release_uses_is_not_retired_and_what_none_uses_is(
    bundle: Bundle, document_database: DocumentDatabaseUrls
) -> None:
    imported(bundle.root)
    name = bundle.databases[0].storage_name
    with pytest.raises(CommandError, match=f"{name} is used by the release small@1"):
        imported("--retire", name)
    Release.objects.all().delete()
    with DatabaseLoader(document_database.loader) as loader:
        loader.load(bundle.databases[0], used_by="laptop@1")
        with pytest.raises(CommandError, match="is used by laptop@1"):
            imported("--retire", name)
        loader.forget("laptop@1")
        assert f"{name} is dropped." in imported("--retire", name)
        assert name not in {entry.storage_name for entry in loader.catalog()}
    with pytest.raises(CommandError, match="No database named"):
        imported("--retire", name)


@pytest.mark.parametrize("arguments", [(), ("folder", "--retire", "x")], ids=["nothing", "both"])
def test_either_a_bundle_or_a_database_is_named(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="Name a bundle's folder, or a database"):
        imported(*arguments)

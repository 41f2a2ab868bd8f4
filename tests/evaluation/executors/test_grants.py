"""The check that a user cannot write."""

from typing import Any

import pytest
from pymongo import MongoClient

from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.errors import EngineUnavailableError
from evaluation.executors.grants import SCRATCH, check_read_only

pytestmark = pytest.mark.engine


def test_the_reader_is_refused_every_way_to_write(document_database: DocumentDatabaseUrls) -> None:
    assert check_read_only(document_database.reader) == ()


def test_a_user_who_can_write_is_told_by_which_ways(document_database: DocumentDatabaseUrls) -> None:
    allowed = check_read_only(document_database.loader)

    assert {"insert", "update", "delete", "$out", "$merge", "createIndexes", "drop", "dropDatabase"} <= set(allowed)


def test_the_check_leaves_nothing_behind(document_database: DocumentDatabaseUrls) -> None:
    check_read_only(document_database.loader)

    with MongoClient[dict[str, Any]](document_database.loader) as client:
        left = [client[name].list_collection_names() for name in (SCRATCH, f"{SCRATCH}_other")]
    assert left == [[], []]


def test_a_server_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.executors.grants.CONNECT_MILLISECONDS", 200)
    with pytest.raises(EngineUnavailableError):
        check_read_only("mongodb://127.0.0.1:1/?directConnection=true")

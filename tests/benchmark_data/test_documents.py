"""The check of documents finds what MongoDB would refuse to store."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.regex import Regex

from benchmark_data.documents import DocumentCheck, check_documents
from benchmark_data.faults import FaultLog


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("document", "field", "rule"),
    [
        ({"a": {"$b": 1}}, "a.$b", "field_name"),
        ({"a\0": 1}, "a\0", "field_name"),
        ({"a": [{"\ud800": 1}]}, "a.0.\ud800", "field_name"),
        ({5: 1}, "5", "field_name"),
        ({"a": [{"b": "\udfff"}]}, "a.0.b", "bad_text"),
        ({"a": 2**63}, "a", "bad_value"),
        ({"a": object}, "", "bad_value"),
        (nested(101), ".".join(["a"] * 101), "nested_too_deep"),
        ({"a": "x" * 17_000_000}, "", "too_large"),
        ({"_id": [1]}, "_id", "bad_id"),
        ({"_id": Regex("x")}, "_id", "bad_id"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_document_that_cannot_be_stored_has_a_problem(document: Mapping[Any, Any], field: str, rule: str) -> None:
    found = DocumentCheck().problems(document, place=1)
    assert [(problem.field, problem.rule) for problem in found] == [(field, rule)]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"": 1},
        {"a.b": 1},
        {"a$": 1},
        nested(99),
        {"a": 2**63 - 1},
        {"a": "x" * 16_000_000},
        {"_id": None},
        {"_id": {"a": [1]}},
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_document_that_can_be_stored_has_no_problem(document: Mapping[str, Any]) -> None:
    assert DocumentCheck().problems(document, place=1) == []


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1, 1.0, True),
        (1, Int64(1), True),
        (1, Decimal128("1.0"), True),
        (float("nan"), Decimal128("NaN"), True),
        (0.5, Decimal128("0.5"), True),
        ({"a": 1}, {"a": 1.0}, True),
        (None, None, True),
        (1, True, False),
        (0, False, False),
        (1, "1", False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        (b"a", "a", False),
        (2**53, float(2**53 + 2), False),
    ],
)
def test_two_ids_are_the_same_where_the_server_says_so(first: object, second: object, same: bool) -> None:
    check = DocumentCheck()
    assert check.problems({"_id": first}, place=4) == []
    found = check.problems({"_id": second}, place=9)
    assert [problem.rule for problem in found] == (["duplicate_id"] if same else [])
    assert not same or "at 4" in found[0].message


def test_a_file_is_counted_and_hashed_although_it_has_faults(tmp_path: Path) -> None:
    content = b'{"_id": 1}\n\nno json\n{"_id": 1.0}\n{"a": "\xe9"}\n[1]\n{"_id": 2}'
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    log = FaultLog("a.jsonl")
    found = check_documents(path, log)
    assert found.sha256 == hashlib.sha256(content).hexdigest()
    assert found.documents == 6
    assert [(fault.line, fault.rule) for fault in log.faults] == [
        (2, "blank_line"),
        (3, "bad_json"),
        (4, "duplicate_id"),
        (5, "not_utf8"),
        (6, "not_an_object"),
    ]


def test_a_line_longer_than_any_document_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmark_data.documents.LINE_BYTES", 64)
    content = b'{"a": "' + b"x" * 1000 + b'"}\n{"a": 1}\nno\n'
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    log = FaultLog("a.jsonl")
    found = check_documents(path, log)
    assert [(fault.line, fault.rule) for fault in log.faults] == [(1, "too_large"), (3, "bad_json")]
    assert found.sha256 == hashlib.sha256(content).hexdigest()

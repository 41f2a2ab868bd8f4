"""Gold answers are stored with what they belong to, BSON types kept, hidden ones in private bundles only."""

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bson
import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark_data.errors import FaultyBundleError
from benchmark_data.gold_answers import GoldKind, may_be_stored, read_gold, write_gold
from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.types import Bundle, Split
from benchmark_data.validate import validate
from tests.benchmark_data.building import (
    described_bundle,
    edit_item,
    edit_line,
    edit_manifest,
    gold_answer,
    small_bundle,
)

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**31), 2**31 - 1),
        st.integers(-(2**63), 2**63 - 1).map(Int64),
        st.floats(allow_nan=False) | st.just(float("nan")),  # Extended JSON does not keep the sign of NaN
        st.decimals(allow_nan=False, places=3, min_value=-1_000, max_value=1_000).map(Decimal128),
        st.text(max_size=6),
        st.binary(max_size=5),
        st.binary(min_size=12, max_size=12).map(ObjectId),
        st.datetimes(min_value=datetime(1, 1, 2), timezones=st.just(UTC)).map(  # noqa: DTZ001 hypothesis wants it so
            lambda date: date.replace(microsecond=date.microsecond // 1_000 * 1_000)
        ),
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(st.characters(codec="utf-8", exclude_characters="$\0"), max_size=4), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return small_bundle(tmp_path_factory.mktemp("gold") / "b")


@given(rows=st.lists(VALUES, max_size=5))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_come_back_type_by_type(bundle: Bundle, rows: list[Any]) -> None:
    answers = [gold_answer(bundle, bundle.items[0], kind=GoldKind.VALUES, rows=tuple(rows))]
    (read,) = read_gold(write_gold(bundle, answers))
    assert bson.encode({"": list(read.rows)}) == bson.encode({"": rows})


def test_answers_and_failures_are_read_as_they_were_written_and_move_no_digest(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    first, second, third = bundle.items
    answers = [
        gold_answer(bundle, first),
        gold_answer(bundle, second, kind=None, rows=(), failure="$oops is unknown"),
        gold_answer(bundle, third, kind=GoldKind.DOCUMENTS, rows=({"a": math.inf}, {})),
    ]
    written = write_gold(bundle, answers)
    assert list(read_gold(written)) == answers
    assert load_bundle(tmp_path / "b") == written
    assert written.digest == bundle.digest
    assert validate(tmp_path / "b") == ()


def test_what_breaks_while_answers_are_computed_leaves_the_old_file(tmp_path: Path) -> None:
    bundle = described_bundle(tmp_path / "b")
    before = {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir() if path.is_file()}

    def broken() -> Any:
        yield gold_answer(bundle, bundle.items[0])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_gold(bundle, broken())
    assert {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir() if path.is_file()} == before


def test_hidden_gold_lies_in_private_bundles_only(tmp_path: Path) -> None:
    described_bundle(tmp_path / "b")
    edit_item(tmp_path / "b", 2, lambda record: record.update(split="hidden"))
    public = reseal(tmp_path / "b")
    assert [(fault.file, fault.line, fault.rule) for fault in validate(tmp_path / "b")] == [
        ("gold.jsonl", 2, "hidden_gold")
    ]
    edit_manifest(tmp_path / "b", lambda m: m.update(private=True))
    assert validate(tmp_path / "b") == ()
    hidden = public.items[1]
    assert hidden.split is Split.HIDDEN
    assert not may_be_stored(public, hidden)
    assert may_be_stored(replace(public, private=True), hidden)
    assert may_be_stored(public, public.items[0])


CASES: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda g: g.update(question_id="77"), "question_id", "unknown_question_id"),
    (lambda g: g.update(question_id="2"), "question_id", "duplicate_question_id"),
    (lambda g: g.update(database="0" * 64), "database", "stale_gold"),
    (lambda g: g.update(gold_query="0" * 64), "gold_query", "stale_gold"),
    (lambda g: g.update(rows=[{"$numberInt": "x"}]), "rows", "bad_value"),
    (lambda g: g.update(rows=[{"$nothing": 1}]), "rows", "field_name"),
    (lambda g: g.update(kind="table"), "kind", "bad_kind"),
    (lambda g: g.update(failure="slow"), "failure", "two_answers"),
    (lambda g: g.update(secret=1), "secret", "unknown_field"),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_faulty_answer_is_named_by_line_and_field(tmp_path: Path, number: int) -> None:
    change, field, rule = CASES[number]
    bundle = described_bundle(tmp_path / "b")
    edit_line(tmp_path / "b" / "gold.jsonl", 1, change)
    with pytest.raises(FaultyBundleError) as caught:
        list(read_gold(bundle))
    assert (field, rule) in [(fault.field, fault.rule) for fault in caught.value.faults]
    assert (field, rule) in [(fault.field, fault.rule) for fault in validate(tmp_path / "b")]


@pytest.mark.parametrize(
    ("content", "rule"),
    [(b"\n", "bad_json"), (b"[]\n", "not_an_object"), (b"\xff\n", "not_utf8"), (b'{"a": 1, "a": 2}\n', "repeated_key")],
    ids=["blank", "array", "not text", "repeated"],
)
def test_lines_that_are_no_objects_are_faults(tmp_path: Path, content: bytes, rule: str) -> None:
    bundle = described_bundle(tmp_path / "b")
    (tmp_path / "b" / "gold.jsonl").write_bytes(content)
    with pytest.raises(FaultyBundleError) as caught:
        list(read_gold(bundle))
    assert caught.value.faults[0].rule == rule
    assert caught.value.faults[0].line == 1

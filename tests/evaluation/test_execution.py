"""The keys of executions and judgements, and results as bytes."""

from dataclasses import replace

import pytest
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.types import ArrayOrder, Split
from evaluation.execution import execution_key, may_be_kept, result_pack, result_unpack
from evaluation.gold import GoldSource
from evaluation.judgement import Circumstances, item_digest, judgement_key, may_be_reused
from evaluation.score import missing_verdict, unscored_verdict
from evaluation.types import (
    Answer,
    AnswerKind,
    ExecutionFailure,
    FailureKind,
    Limits,
    Operation,
    Outcome,
    Query,
)

QUERY = Query(collection="c", operation=Operation.FIND, arguments={"filter": {"a": 1, "b": 2}})
SOURCE = GoldSource(
    question_id="q",
    db_id="d",
    storage_name="s",
    collections=("c",),
    gold_query="db.c.find()",
    array_order=ArrayOrder.ORDERED,
)
CIRCUMSTANCES = Circumstances(engine="MongoDB 8.0", limits=Limits())


def key(query: Query = QUERY, *, digest: str = "d", limits: Limits | None = None, engine: str = "MongoDB 8.0") -> str:
    return execution_key(query, database_digest=digest, limits=limits or Limits(), engine=engine)


def test_the_same_query_on_the_same_data_has_the_same_key() -> None:
    assert key() == key(replace(QUERY, arguments={"filter": {"a": 1, "b": 2}}))
    arguments = {"filter": {}, "sort": {"a": 1}}
    turned = dict(reversed(arguments.items()))
    assert key(replace(QUERY, arguments=arguments)) == key(replace(QUERY, arguments=turned))


OTHER_KEYS = {
    "collection": key(replace(QUERY, collection="e")),
    "operation": key(replace(QUERY, operation=Operation.FIND_ONE)),
    "value": key(replace(QUERY, arguments={"filter": {"a": 1, "b": 3}})),
    "type of a value": key(replace(QUERY, arguments={"filter": {"a": 1.0, "b": 2}})),
    "width of an integer": key(replace(QUERY, arguments={"filter": {"a": Int64(1), "b": 2}})),
    "order of keys": key(replace(QUERY, arguments={"filter": {"b": 2, "a": 1}})),
    "length only": key(replace(QUERY, length_only=True)),
    "index": key(replace(QUERY, index=0)),
    "path": key(replace(QUERY, path=("a",))),
    "data": key(digest="e"),
    "engine": key(engine="MongoDB 8.1"),
    "rows": key(limits=Limits(rows=3)),
    "time": key(limits=Limits(milliseconds=3)),
    "bytes": key(limits=Limits(answer_bytes=3)),
}


@pytest.mark.parametrize("what", OTHER_KEYS)
def test_whatever_an_answer_depends_on_is_in_the_key(what: str) -> None:
    assert OTHER_KEYS[what] != key()
    assert list(OTHER_KEYS.values()).count(OTHER_KEYS[what]) == 1


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**31), 2**31 - 1)
    | st.integers(-(2**63), 2**63 - 1).map(Int64)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    | st.integers(-(10**14), 10**14).map(DatetimeMS)
    | st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-999, max_value=999).map(Decimal128)
    | st.binary(min_size=12, max_size=12).map(ObjectId),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)


@given(rows=st.lists(VALUES, max_size=4), complete=st.booleans(), kind=st.sampled_from(list(AnswerKind)))
@settings(max_examples=60, deadline=None)
def test_an_answer_comes_back_value_for_value(rows: list[object], complete: bool, kind: AnswerKind) -> None:
    answer = Answer(kind=kind, rows=tuple(rows), complete=complete, milliseconds=1.5)
    found = result_unpack(result_pack(answer))
    assert found == answer
    assert isinstance(found, Answer)
    assert [type(row) for row in found.rows] == [type(row) for row in rows]


@pytest.mark.parametrize("kind", FailureKind)
def test_a_failure_comes_back_and_a_time_out_is_never_kept(kind: FailureKind) -> None:
    failure = ExecutionFailure(kind=kind, code=2, message="no", milliseconds=3.0)
    assert result_unpack(result_pack(failure)) == failure
    assert may_be_kept(failure) is (kind is not FailureKind.TIMED_OUT)
    assert may_be_kept(Answer(kind=AnswerKind.SCALAR, rows=(1,)))


def judged(
    text: str | None = "db.c.find()",
    *,
    source: GoldSource = SOURCE,
    digest: str = "d",
    split: Split = Split.PUBLIC,
    circumstances: Circumstances = CIRCUMSTANCES,
) -> str:
    item = item_digest(source, database_digest=digest, split=split)
    return judgement_key(text, item=item, circumstances=circumstances)


OTHER_JUDGEMENTS = {
    "text": judged("db.c.find({})"),
    "nothing written": judged(None),
    "blank": judged(""),
    "gold": judged(source=replace(SOURCE, gold_query="db.c.find({})")),
    "order of arrays": judged(source=replace(SOURCE, array_order=ArrayOrder.UNSPECIFIED)),
    "collections": judged(source=replace(SOURCE, collections=("c", "e"))),
    "name of the database": judged(source=replace(SOURCE, db_id="e")),
    "data": judged(digest="e"),
    "split": judged(split=Split.HIDDEN),
    "engine": judged(circumstances=replace(CIRCUMSTANCES, engine="MongoDB 8.1")),
    "time": judged(circumstances=replace(CIRCUMSTANCES, limits=Limits(milliseconds=1))),
}


@pytest.mark.parametrize("what", OTHER_JUDGEMENTS)
def test_whatever_a_verdict_depends_on_is_in_the_key(what: str) -> None:
    assert OTHER_JUDGEMENTS[what] != judged()
    assert list(OTHER_JUDGEMENTS.values()).count(OTHER_JUDGEMENTS[what]) == 1


def test_the_scorer_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = judged()
    monkeypatch.setattr("evaluation.judgement.scorer_digest", lambda: "another scorer")
    assert judged() != before


def test_the_items_name_and_the_servers_name_are_not() -> None:
    assert judged(source=replace(SOURCE, question_id="other", storage_name="other")) == judged()


def test_what_another_try_may_change_is_not_reused() -> None:
    missing = missing_verdict("q")
    assert may_be_reused(missing)
    assert not may_be_reused(replace(missing, outcome=Outcome.TIMED_OUT))
    assert not may_be_reused(unscored_verdict("q", reason="scorer_fault", message=""))

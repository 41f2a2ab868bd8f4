"""Cards say what documents look like, in bounded memory, and keep personal data to themselves."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.card import CardError, CollectionCard, FieldCard, Span
from benchmark_data.cards import measure
from benchmark_data.profile import PATHS_KEPT

DAY = datetime(2024, 2, 29, 13, 30, tzinfo=UTC)


def fields_of(*documents: dict[str, Any]) -> dict[str, FieldCard]:
    return {field.path: field for field in measure(documents).fields}


def types_of(field: FieldCard) -> dict[str, int]:
    return {one.name: one.count for one in field.types}


def test_a_card_says_types_shares_ranges_and_lengths() -> None:
    card = fields_of(
        {"a": 5, "b": {"c": "xy"}, "d": [{"e": 1.5}, {"e": Decimal128("2.5")}, {}]},
        {"a": Int64(7), "b": {"c": None}, "d": []},
        {"a": "five", "d": None},
    )
    assert list(card) == ["a", "b", "b.c", "d", "d.[]", "d.[].e"]
    assert types_of(card["a"]) == {"int": 1, "long": 1, "string": 1}
    assert (card["a"].documents, card["a"].share, card["a"].optional) == (3, 1.0, False)
    assert (card["b"].documents, card["b"].share, card["b"].optional) == (2, 0.6667, True)
    assert (card["b.c"].optional, types_of(card["b.c"])) == (False, {"null": 1, "string": 1})
    assert card["b.c"].characters == Span(smallest=2, largest=2)
    assert card["d"].lengths == Span(smallest=0, largest=3)
    assert (card["d.[]"].documents, types_of(card["d.[]"])) == (1, {"object": 3})
    assert card["d.[].e"].numbers == Span(smallest=1.5, largest=2.5)
    assert card["d.[].e"].optional
    assert card["a"].numbers == Span(smallest=5, largest=7)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1, "int"), (2**31, "long"), (Int64(1), "long"), (1.0, "double"), (Decimal128("1"), "decimal"),
        ("x", "string"), (True, "bool"), (None, "null"), (DAY, "date"), (DatetimeMS(-(10**14)), "date"),
        (ObjectId("65a000000000000000000001"), "objectId"), (b"x", "binData"), (Binary(b"x", 128), "binData"),
        (Regex("a"), "regex"), (Timestamp(1, 2), "timestamp"), (MinKey(), "minKey"), (MaxKey(), "maxKey"),
        (Code("x"), "javascript"), ({}, "object"), ([], "array"), (float("nan"), "double"),
        (Decimal128("Infinity"), "decimal"),
    ],
    ids=range(22),
)  # fmt: skip
def test_every_bson_type_has_its_name(value: Any, name: str) -> None:
    assert types_of(fields_of({"a": value}, {"a": value})["a"]) == {name: 2}


def test_dates_are_written_as_short_as_they_are() -> None:
    card = fields_of({"on": datetime(2024, 2, 29, tzinfo=UTC)}, {"on": DAY}, {"on": DatetimeMS(10**15)})
    assert card["on"].dates == Span(smallest="2024-02-29", largest=f"{10**15} ms")
    naive = fields_of({"on": datetime(2024, 2, 29, 13, 30)})  # noqa: DTZ001 BSON reads it as UTC
    assert naive["on"].dates == Span(smallest="2024-02-29T13:30:00Z", largest="2024-02-29T13:30:00Z")


def test_examples_are_frequent_values_the_most_frequent_first() -> None:
    values = ["red"] * 3 + ["blue"] * 5 + ["green"] * 2 + ["once"]
    card = fields_of(*({"colour": value, "count": len(value), "sold": value == "red"} for value in values))
    assert card["colour"].examples == ("blue", "red", "green")
    assert card["count"].examples[0] == 4
    assert card["sold"].examples == (False, True)


def test_unique_and_personal_values_are_no_examples() -> None:
    documents = [
        {
            "_id": number,
            "email": "same@example.org",
            "phone": 1234,
            "code": f"code {number}",
            "birth_date": DAY,
            "doctor": "berg",
            "patient_number": 10**9 + number,
            "mixed": "x" if number % 3 else f"only {number}",
        }
        for number in range(12)
    ]
    card = fields_of(*documents)
    for path in ("_id", "email", "phone", "code", "birth_date", "doctor", "patient_number"):
        assert card[path].examples == (), path
    assert card["mixed"].examples == ("x",)
    assert card["birth_date"].dates is card["phone"].numbers is card["patient_number"].numbers is None
    assert card["_id"].numbers == Span(smallest=0, largest=11)


def test_keys_that_are_data_are_put_together() -> None:
    documents = [
        {"_id": n, "days": {f"2026-01-{1 + (n + d) % 28:02}": {"sold": d} for d in range(3)}} for n in range(9)
    ]
    card = fields_of(*documents)
    assert list(card) == ["_id", "days", "days.*", "days.*.sold"]
    assert card["days.*.sold"].numbers == Span(smallest=0, largest=2)
    assert (card["days.*"].documents, card["days.*"].distinct_keys) == (9, 11)
    assert types_of(card["days.*.sold"]) == {"int": 27}


def test_many_sparse_keys_of_one_type_are_put_together_and_few_are_not() -> None:
    many = fields_of(*({"stock": {f"item{'abcdefgh'[n % 8]}{n // 8}x": n, "total": n}} for n in range(80)))
    assert set(many) == {"stock", "stock.total", "stock.*"}
    assert many["stock.*"].distinct_keys == 80
    few = fields_of(*({"options": {"abcdefgh"[n % 8]: n}} for n in range(80)))
    assert "options.*" not in few
    assert few["options.a"].optional


def test_addresses_as_keys_are_put_together_and_not_shown() -> None:
    card = fields_of(*({"votes": {f"v{n % 5}@example.org": 1}} for n in range(10)))
    assert card["votes.*"].keys == ()
    assert "@" not in json.dumps(measure([{"votes": {f"v{n}@example.org": 1 for n in range(5)}}]).as_json())


@pytest.mark.parametrize("shape", ["flat", "deep", "arrays"])
def test_memory_stays_bounded_whatever_the_documents_are(shape: str) -> None:
    def document(number: int) -> dict[str, Any]:
        if shape == "flat":
            return {f"k{number}x{index}y": index for index in range(20)}
        made: dict[str, Any] = {"leaf": number}
        for level in range(20):
            made = {f"n{(number >> (level % 10)) % 7}z{level}": [made] if shape == "arrays" else made}
        return made

    card = measure(document(number) for number in range(1_500))
    assert card.documents == 1_500
    assert len(card.fields) <= 2 * PATHS_KEPT
    assert any("*" in field.path for field in card.fields)


def test_frequent_keys_survive_among_very_many_rare_ones() -> None:
    card = fields_of(*({"_id": n, "kind": "a", f"r{n}x": n} for n in range(700)))
    assert {"_id", "kind", "*"} <= set(card)
    assert card["kind"].documents == card["*"].documents == 700
    assert card["*"].distinct_keys > 500


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=8),
        st.binary(max_size=4), st.datetimes(timezones=st.just(UTC)),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=5), max_size=8))
@settings(deadline=None, max_examples=80)
def test_any_documents_give_the_same_card_twice_and_it_survives_json(documents: list[dict[str, Any]]) -> None:
    card = measure(documents)
    assert card == measure(documents)
    assert CollectionCard.from_json(json.loads(json.dumps(card.as_json(), allow_nan=False))) == card
    for field in card.fields:
        assert 0 <= field.share <= 1
        assert field.documents <= card.documents == len(documents)


CARD = measure([{"a": 1, "on": DAY}, {"a": 1}]).as_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"documents": -1}, '"documents" of the card'),
        ({"documents": True}, '"documents" of the card'),
        ({"fields": None}, '"fields" of the card'),
        ({"more": 1}, "unknown member 'more'"),
        ({"fields": [5]}, "must be an object"),
        ({"fields": [{**CARD["fields"][0], "share": 2}]}, "\"share\" of the field 'a'"),
        ({"fields": [{**CARD["fields"][0], "numbers": [1]}]}, '"numbers" of the field'),
        ({"fields": [{**CARD["fields"][0], "dates": [1, 2]}]}, '"dates" of the field'),
        ({"fields": [{**CARD["fields"][0], "types": {"int": "x"}}]}, '"int" of "types" of the field'),
        ({"fields": [{**CARD["fields"][0], "examples": [[]]}]}, '"examples" of the field'),
        ({"relations": [{"path": "a"}]}, '"collection" of a relation'),
    ],
    ids=range(11),
)
def test_what_is_no_card_is_refused_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CardError) as caught:
        CollectionCard.from_json(CARD | change)
    assert message in str(caught.value)

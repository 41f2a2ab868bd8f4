"""A prediction file is read in every accepted form, or all its faults are named at once."""

import gzip
import hashlib
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.errors import LISTED_FAULTS, Fault, FaultyPredictionsError, SubmissionError
from evaluation.predictions.read import read_predictions
from evaluation.predictions.types import PredictionFormat, PredictionLimits, PredictionSet
from evaluation.types import Condition

ITEMS = {"1471": "lake", "1472": "lake", "1480": "wood", "q-7": "wood"}
WITH, WITHOUT = Condition.WITH_EVIDENCE, Condition.WITHOUT_EVIDENCE


def read(content: bytes | str, default: Condition | None = WITH, **options: Any) -> PredictionSet:
    data = content.encode() if isinstance(content, str) else content
    options = {"name": "p.jsonl", "items": ITEMS} | options
    return read_predictions(io.BytesIO(data), default_condition=default, **options)


def faults_of(content: bytes | str, default: Condition | None = WITH, **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(FaultyPredictionsError) as caught:
        read(content, default, **options)
    assert caught.value.total == len(caught.value.faults)
    return caught.value.faults


def places(faults: tuple[Fault, ...]) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.field, fault.rule) for fault in faults]


def lines(*records: Any) -> str:
    return "".join(record if isinstance(record, str) else json.dumps(record) + "\n" for record in records)


JSON_LINES, JSON_LIST = PredictionFormat.JSON_LINES, PredictionFormat.JSON_LIST
DICTIONARY, CONDITIONS = PredictionFormat.DICTIONARY, PredictionFormat.CONDITION_DICTIONARY
TWO = [
    {"question_id": 1471, "condition": "with_evidence", "query": "a"},
    {"question_id": 1471, "condition": "without_evidence", "query": "b"},
]
BOTH = {"with_evidence": {"1471": "a"}, "without_evidence": {"1471": "b"}}
BIRD = {"1480": "a\t----- bird -----\twood", "1471": 0}
FORMS: list[tuple[str, PredictionFormat, str, Condition | None]] = [
    ("lines", JSON_LINES, lines({"question_id": 1471, "query": "a"}, {"question_id": "q-7", "query": "b"}), WITH),
    ("one line", JSON_LINES, '{"question_id": "1471", "query": "a"}', WITH),
    ("lines with conditions", JSON_LINES, lines(*TWO), None),
    ("list", JSON_LIST, json.dumps([{"question_id": 1471, "query": "a", "db_id": "lake"}]), WITH),
    ("pretty list", JSON_LIST, json.dumps(TWO, indent=2), None),
    ("dictionary", DICTIONARY, '{"1471": "a", "q-7": "b"}', WITH),
    ("pretty dictionary", DICTIONARY, json.dumps({"1480": "a", "1471": "b"}, indent=4), WITH),
    ("bird", PredictionFormat.BIRD_DICTIONARY, json.dumps(BIRD, indent=4), WITH),
    ("conditions", CONDITIONS, json.dumps(BOTH), None),
    ("pretty conditions", CONDITIONS, json.dumps(BOTH, indent=1), None),
]


@pytest.mark.parametrize(("form", "content", "default"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS])
def test_the_form_is_found_from_the_content(form: PredictionFormat, content: str, default: Condition | None) -> None:
    found = read(content, default)
    assert found.format is form
    for variant in (f"\ufeff{content}", f"\n \r\n{content}\n\n", content.replace("\n", "\r\n")):
        again = read(variant, default)
        assert (again.format, again.texts) == (form, found.texts)


RECORDS = st.dictionaries(
    st.sampled_from(sorted(ITEMS)),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
)


@given(RECORDS, RECORDS)
@settings(deadline=None, max_examples=60)
def test_all_forms_of_the_same_predictions_read_alike(with_: dict[str, str], without: dict[str, str]) -> None:
    chosen = {c: {k: v for k, v in texts.items() if v.strip()} for c, texts in ((WITH, with_), (WITHOUT, without))}
    expected = {condition: texts for condition, texts in chosen.items() if texts}
    records = [
        {"question_id": k, "query": v, "condition": c.value} for c, texts in chosen.items() for k, v in texts.items()
    ]
    if not records:
        return
    assert read(lines(*records), None).texts == expected
    assert read(json.dumps(records), None).texts == expected
    assert read(json.dumps(records, indent=1, ensure_ascii=False), None).texts == expected
    assert read(json.dumps({c.value: texts for c, texts in chosen.items()}), None).texts == expected
    assert read(gzip.compress(lines(*records).encode()), None).texts == expected
    for condition, texts in expected.items():
        assert read(json.dumps(texts), condition).texts == {condition: texts}
        bird = {k: f"{v}\t----- bird -----\t{ITEMS[k]}" for k, v in texts.items()}
        assert read(json.dumps(bird), condition).texts == {condition: texts}


@given(st.binary(max_size=60) | st.text(st.sampled_from('{}[]":,0123\\"qu eryn\n\tid_'), max_size=60).map(str.encode))
@settings(deadline=None, max_examples=200)
def test_no_content_crashes_the_reader(content: bytes) -> None:
    for default in (WITH, None):
        try:
            found: object = read(content, default)
        except FaultyPredictionsError as error:
            found = error.faults
        assert found


def test_the_set_tells_what_it_was_read_from() -> None:
    content = lines({"question_id": 1471, "query": "a"})
    found = read(content)
    assert found.conditions == (WITH,)
    assert found.size == len(content)
    assert found.sha256 == hashlib.sha256(content.encode()).hexdigest()
    packed = gzip.compress(content.encode())
    assert (read(packed).size, read(packed).texts) == (len(packed), found.texts)
    assert "The file was unpacked with gzip." in read(packed).notes


def test_a_condition_without_any_prediction_is_absent_and_items_without_one_are_noted() -> None:
    found = read(lines({"question_id": 1471, "query": "a", "model": "m"}, {"question_id": 1472, "query": " "}))
    assert found.conditions == (WITH,)
    assert found.notes == (
        "3 of 4 items have no prediction for with_evidence; they score 0.",
        "1 predictions have no text and count as missing.",
        "The field 'model' was not read (1 records have it).",
    )


@pytest.mark.parametrize("value", [0, None, "", " \n", "\t----- bird -----\tlake"], ids=repr)
def test_what_files_write_for_no_answer_counts_as_missing(value: object) -> None:
    found = read(json.dumps({"1471": value, "1472": "a"}))
    assert found.texts == {WITH: {"1472": "a"}}
    assert read(lines({"question_id": 1471, "query": value}, {"question_id": 1472, "query": "a"})).texts == found.texts


def test_the_last_separator_ends_the_query_and_a_missing_one_is_no_fault() -> None:
    content = {"1471": "a\t----- bird -----\tx\t----- bird -----\tlake", "1472": "b"}
    assert read(json.dumps(content)).texts[WITH] == {"1471": "a\t----- bird -----\tx", "1472": "b"}


def test_a_huge_query_is_no_fault_of_the_file() -> None:
    assert len(read(json.dumps({"1471": "a" * 1_000_000})).texts[WITH]["1471"]) == 1_000_000


def test_characters_that_no_database_stores_are_replaced_and_noted() -> None:
    found = read('{"1471": "a\\ud83d", "1472": "b\\u0000", "1480": "\\ud83d\\ude00"}')
    assert found.texts[WITH] == {"1471": "a\ufffd", "1472": "b\ufffd", "1480": "😀"}
    assert any("2 texts" in note for note in found.notes)


LINE_FAULTS: list[tuple[str, Any, str, str, str]] = [
    ("bad json", "oops\n", "", "bad_json", "at column 1"),
    ("cut off", '{"question_id": "1472", "query": "db.\n', "", "bad_json", "at column 34"),
    ("not a number", '{"question_id": NaN, "query": "a"}\n', "", "bad_json", "NaN"),
    ("infinite", '{"question_id": "1472", "query": -Infinity}\n', "", "bad_json", "-Infinity"),
    ("deep", "[" * 100_000 + "\n", "", "bad_json", "nested too deeply"),
    ("deep record", '{"question_id": ' * 50_000 + "\n", "", "bad_json", "nested too deeply"),
    ("list", "[1]\n", "", "not_an_object", "an array"),
    ("repeated", '{"question_id": "1472", "query": "a", "query": "b"}\n', "query", "repeated_key", "more than once"),
    ("no id", {"query": "a"}, "question_id", "missing_field", "missing"),
    ("no query", {"question_id": 1472}, "query", "missing_field", "missing"),
    ("misspelt", {"question_id": 1472, "query": "a", "conditon": "with_evidence"},
     "conditon", "unknown_field", '"condition"'),
    ("bool id", {"question_id": True, "query": "a"}, "question_id", "wrong_type", "True"),
    ("float id", {"question_id": 1472.0, "query": "a"}, "question_id", "wrong_type", "1472.0"),
    ("null id", {"question_id": None, "query": "a"}, "question_id", "wrong_type", "null"),
    ("object query", {"question_id": 1472, "query": {"find": "a"}}, "query", "wrong_type", "JSON string"),
    ("number query", {"question_id": 1472, "query": 7}, "query", "wrong_type", "a whole number"),
    ("false query", {"question_id": 1472, "query": False}, "query", "wrong_type", "true or false"),
    ("unknown", {"question_id": "1473x", "query": "a"}, "question_id", "unknown_question_id", "Did you mean '147"),
    ("padded", {"question_id": "001472", "query": "a"}, "question_id", "unknown_question_id", "Did you mean '1472'"),
    ("case", {"question_id": "Q-7", "query": "a"}, "question_id", "unknown_question_id", "Did you mean 'q-7'"),
    ("condition", {"question_id": 1472, "query": "a", "condition": "evidence"},
     "condition", "bad_condition", "without_evidence"),
    ("database", {"question_id": 1472, "query": "a", "db_id": "wood"}, "db_id", "wrong_db_id", "'lake', not 'wood'"),
    ("bird database", {"question_id": 1472, "query": "a\t----- bird -----\twood"},
     "db_id", "wrong_db_id", "'lake', not 'wood'"),
    ("duplicate", {"question_id": "1471", "query": "b"}, "question_id", "duplicate_prediction", "in line 1"),
    ("blank duplicate", {"question_id": "1471", "query": ""}, "question_id", "duplicate_prediction", "in line 1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "field", "rule", "part"), [case[1:] for case in LINE_FAULTS], ids=[case[0] for case in LINE_FAULTS]
)
def test_a_faulty_line_is_named_with_its_field(record: Any, field: str, rule: str, part: str) -> None:
    found = faults_of(lines({"question_id": "1471", "query": "a"}, "\n", record, {"question_id": 1480, "query": "c"}))
    assert places(found) == [(3, field, rule)]
    assert part in found[0].message


def test_all_faults_are_named_at_once_and_in_order() -> None:
    records = [case[1] for case in LINE_FAULTS]
    found = faults_of(lines({"question_id": "1471", "query": "a"}, *records))
    assert [fault.line for fault in found] == sorted(fault.line or 0 for fault in found)
    assert {fault.rule for fault in found} >= {case[3] for case in LINE_FAULTS}


def test_a_faulty_first_line_does_not_hide_the_form() -> None:
    good = {"question_id": "1472", "query": "b"}
    for first in ("oops\n", '{"question_id": "1471"\n', '{"question_id": "1471", "query": "db.a\n', "5\n", '"x"\n'):
        assert [line for line, *_ in places(faults_of(lines(first, good, good)))] == [1, 3]


def test_the_same_item_in_both_conditions_is_no_duplicate() -> None:
    records = [{"question_id": 1471, "query": "a", "condition": condition.value} for condition in Condition]
    assert read(lines(*records)).conditions == (WITH, WITHOUT)


def test_a_record_without_condition_is_a_fault_only_where_there_is_no_default() -> None:
    content = lines({"question_id": 1471, "query": "a"}, {"question_id": 1472, "query": "a", "condition": None})
    assert places(faults_of(content, None)) == [
        (1, "condition", "missing_condition"),
        (2, "condition", "missing_condition"),
    ]
    assert read(content, WITHOUT).conditions == (WITHOUT,)


@pytest.mark.parametrize("content", ['{"1471": "a"}', '{\n "1471": "a",\n "1472": "b"\n}'])
def test_a_dictionary_without_condition_has_one_fault_and_not_one_an_item(content: str) -> None:
    assert places(faults_of(content, None)) == [(None, "", "missing_condition")]


def test_a_list_names_element_and_line() -> None:
    content = '[\n {"question_id": 1471, "query": "a"},\n {"question_id": 9},\n\n 7, {"query": "a", "query": "b"}\n]'
    assert places(faults_of(content)) == [
        (3, "[1].query", "missing_field"),
        (5, "[2]", "not_an_object"),
        (5, "[3].query", "repeated_key"),
        (5, "[3].question_id", "missing_field"),
    ]


def test_a_broken_list_tells_what_came_before_the_break() -> None:
    found = faults_of('[{"question_id": 9, "query": "a"},\n{"question_id": 1471 "query": "a"}]')
    assert places(found) == [(1, "[0].question_id", "unknown_question_id"), (2, "", "bad_json")]
    assert "column" in found[1].message


def test_a_dictionary_names_keys_and_lines() -> None:
    content = '{\n"1471": "a\\t----- bird -----\\twood",\n"1471": "b",\n"9": "c",\n"1472": []\n}'
    assert places(faults_of(content)) == [
        (2, "1471", "wrong_db_id"),
        (3, "1471", "duplicate_prediction"),
        (4, "9", "unknown_question_id"),
        (5, "1472", "wrong_type"),
    ]


def test_a_dictionary_of_conditions_names_its_faults() -> None:
    content = (
        '{\n"with_evidence": {\n"1471": "a",\n"9": "b"},\n"1472": "c",\n"without_evidence": 5,\n'
        '"with_evidence": {"1471": "d"}}'
    )
    assert places(faults_of(content, None)) == [
        (4, "with_evidence.9", "unknown_question_id"),
        (5, "1472", "unknown_condition"),
        (6, "without_evidence", "wrong_type"),
        (7, "with_evidence.1471", "duplicate_prediction"),
    ]


@pytest.mark.parametrize("wrap", [lambda d: d, lambda d: {"with_evidence": d}], ids=["plain", "nested"])
def test_positions_as_keys_are_told_from_question_ids(wrap: Any) -> None:
    items = {str(1400 + number * 7): "lake" for number in range(500)}
    for keys in (range(500), [key for key in range(500) if key % 9]):
        content = json.dumps(wrap({str(key): "a" for key in keys}), indent=1)
        (fault,) = faults_of(content, items=items)
        assert fault.rule == "positions_as_keys"
        assert "'1400'" in fault.message


def test_positions_that_hit_ids_by_chance_are_told_as_well() -> None:
    items = {str(number): "lake" for number in range(1, 37)}
    (fault,) = faults_of(json.dumps({str(number): "a" for number in range(36)}), items=items)
    assert fault.rule == "positions_as_keys"
    assert (
        read(json.dumps({str(number): "a" for number in range(1, 37)}), items=items).format
        is PredictionFormat.DICTIONARY
    )


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)], ids=repr)
def test_an_empty_file_says_what_is_accepted(content: bytes) -> None:
    (fault,) = faults_of(content)
    assert fault.rule == "empty_file"
    assert "JSON lines" in fault.message


@pytest.mark.parametrize("content", ["[]", "{}", '{"1471": 0}', '[{"question_id": 1471, "query": ""}]'])
def test_a_file_without_any_text_has_no_predictions(content: str) -> None:
    assert places(faults_of(content)) == [(None, "", "no_predictions")]


@pytest.mark.parametrize("content", ["db.boats.find()", "SELECT 1\nFROM x", "5", '"a"', "question_id,query\n1,a\n"])
def test_a_file_in_no_known_form_says_what_is_accepted(content: str) -> None:
    (fault,) = faults_of(content)
    assert fault.rule == "unknown_format"
    assert "dictionary" in fault.message


@pytest.mark.parametrize(
    "content", ['{"1471": "a"', '{"1471": "a"}}', '{"1471" "a"}', '{\n"1471": "a",\n}', "[", '[{"question_id":']
)
def test_a_broken_document_is_a_fault(content: str) -> None:
    assert faults_of(content)[-1].rule == "bad_json"


def test_bytes_that_are_not_utf8_are_named_by_their_offset() -> None:
    good = b'{"question_id": 1471, "query": "\xc3\xa9"}\n'
    bad = b'{"question_id": 1472, "query": "\xe9"}\n'
    found = faults_of(b"\xef\xbb\xbf" + good + bad + bad)
    assert places(found) == [(2, "", "not_utf8"), (3, "", "not_utf8")]
    assert f"offset {3 + len(good) + 32} is 0xe9" in found[0].message
    assert places(faults_of(b'{\n"1471": "\xe9",\n\n"1472": "\xff"\n}')) == [(2, "", "not_utf8"), (4, "", "not_utf8")]
    assert "UTF-16" in faults_of('{"1471": "a"}'.encode("utf-16"))[0].message


def test_many_faults_are_listed_in_part_and_counted_in_full() -> None:
    with pytest.raises(FaultyPredictionsError) as caught:
        read("".join('{"question_id": "x", "query": "a"}\n' for _ in range(1000)))
    assert isinstance(caught.value, SubmissionError)
    assert len(caught.value.faults) == LISTED_FAULTS
    assert caught.value.total == 1999  # each id is unknown, and all but the first are duplicates


def test_far_more_records_than_items_stop_the_reading() -> None:
    for content in ("[" + "0," * 150_000 + "0]", "{" + '"a":0,' * 150_000 + '"a":0}', "0\n{\n" + "0\n" * 150_000):
        with pytest.raises(FaultyPredictionsError) as caught:
            read(content)
        assert caught.value.total <= 300_010


def test_a_file_over_the_cap_is_not_read_to_its_end() -> None:
    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1, /) -> bytes:
            self.given += size
            return b"x" * size

    source = Endless()
    with pytest.raises(FaultyPredictionsError, match=r"larger than the 0\.1 MB") as caught:
        read_predictions(
            source,  # type: ignore[arg-type]
            name="p",
            items=ITEMS,
            default_condition=WITH,
            limits=PredictionLimits(file_bytes=100_000),
        )
    assert [fault.rule for fault in caught.value.faults] == ["too_large"]
    assert source.given < 300_000


def test_what_unpacks_too_far_is_refused() -> None:
    limits = PredictionLimits(file_bytes=3_000_000, ratio=50)
    bomb = gzip.compress(b" " * 2_000_000)
    assert places(faults_of(bomb, limits=limits)) == [(None, "", "packed_too_tightly")]
    large = gzip.compress(bytes(range(32, 127)) * 40_000, compresslevel=0)
    assert places(faults_of(large, limits=limits)) == [(None, "", "too_large")]


def test_a_file_of_nothing_but_line_ends_is_refused() -> None:
    assert places(faults_of(b"\n" * 2_100_000)) == [(None, "", "too_many_lines")]


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-4], lambda b: b[:20], lambda b: b[:12] + b"\0\0\0" + b[15:], lambda b: b[:3]]
)
def test_broken_gzip_is_a_fault(damage: Any) -> None:
    packed = gzip.compress(lines({"question_id": 1471, "query": "a" * 50}).encode())
    assert faults_of(damage(packed))[0].rule == "bad_gzip"


def test_why_the_reading_broke_off_is_told_before_the_faults_of_single_lines() -> None:
    content = "oops\n{}\n" * 10_000
    with pytest.raises(FaultyPredictionsError) as caught:
        read(content, limits=PredictionLimits(file_bytes=10_000))
    assert [fault.rule for fault in caught.value.faults[:2]] == ["too_large", "bad_json"]

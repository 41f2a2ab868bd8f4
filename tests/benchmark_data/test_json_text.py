"""Strict JSON reading gives each member its line, and never crashes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.json_text import JsonText, JsonTextError, repeated_keys

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=4), parts, max_size=3),
    max_leaves=8,
)


@given(JSON, st.sampled_from([None, 1]))
@settings(deadline=None, max_examples=80)
def test_a_text_that_json_wrote_reads_as_what_was_written(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert JsonText(text).value() == value
    if isinstance(value, list):
        assert [member.value for member in JsonText(text).elements()] == value
    if isinstance(value, dict):
        assert [(member.key, member.value) for member in JsonText(text).members()] == list(value.items())


@given(st.text(st.sampled_from('[]{}:,"0aétrue \n\\u-.'), max_size=30))
@settings(deadline=None, max_examples=200)
def test_walking_and_decoding_agree_on_what_is_json(text: str) -> None:
    try:
        whole = JsonText(text).value()
    except JsonTextError:
        whole = None
    walk = JsonText(text).elements if text.strip().startswith("[") else JsonText(text).members
    try:
        walked, line = list(walk()), 1
    except JsonTextError as error:
        walked, line = None, error.line
    assert (walked is not None) == isinstance(whole, list | dict)
    assert walked is None or len({member.key for member in walked}) == len(whole)
    assert 1 <= line <= text.count("\n") + 1


def test_members_know_their_lines_and_their_place() -> None:
    text = '\n{"a": 1,\n\n "b":\n[2],\n "a": {}}'
    members = list(JsonText(text, first_line=10).members())
    assert [(member.key, member.line) for member in members] == [("a", 11), ("b", 13), ("a", 15)]
    assert [text[member.start : member.end] for member in members] == ["1", "[2]", "{}"]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "ends here"),
        ("[1, 2", 1, "',' or ']' expected at column 6 (the text ends here)"),
        ("[1,\n2,]", 2, "at column 3"),
        ("[1]\n]", 2, "after the end"),
        ("[NaN]", 1, "NaN is no JSON value at column 2"),
        ("[" * 100_000, 1, "nested too deeply"),
        ("[" + "9" * 5000 + "]", 1, "at column 2"),
        ('["a\tb"]', 1, "Invalid control character at column 4"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_syntax_error_names_line_and_column(text: str, line: int, part: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        list(JsonText(text).elements())
    assert caught.value.line == line
    assert part in caught.value.message


def test_a_key_that_is_no_text_is_an_error() -> None:
    with pytest.raises(JsonTextError, match="double quotes"):
        list(JsonText("{1: 2}").members())


def test_repeated_keys_are_found_at_any_depth() -> None:
    value = JsonText('[{"a": [{"b": 1, "b": 2}]}, {"c": 1, "d": 2, "c": 3}]').value()
    assert sorted(repeated_keys(value)) == ["b", "c"]
    assert repeated_keys(JsonText('{"a": {"a": 1}}').value()) == ()

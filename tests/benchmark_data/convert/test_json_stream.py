"""Values come out of a stream of JSON one by one, whatever the blocks."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.convert.json_stream import JsonStream, JsonStreamError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def stream(text: str | bytes, block: int = 3) -> JsonStream:
    data = text.encode() if isinstance(text, str) else text
    return JsonStream(io.BufferedReader(io.BytesIO(data)), block=block)


def read_all(reader: JsonStream) -> None:
    for _ in reader.elements():
        pass
    reader.finish()


@given(
    values=st.lists(VALUES, max_size=6),
    block=st.integers(1, 40),
    escaped=st.booleans(),
    indent=st.sampled_from([None, 0, 2]),
)
@settings(max_examples=80, deadline=None)
def test_the_elements_of_an_array_are_those_that_json_reads(
    values: list[Any], block: int, escaped: bool, indent: int | None
) -> None:
    text = json.dumps(values, ensure_ascii=escaped, indent=indent)
    reader = stream(text.encode("utf-8", "surrogatepass") if escaped else text, block)
    assert [json.loads(part.text) for part in reader.elements()] == values
    reader.finish()


@given(content=st.dictionaries(st.text(), VALUES, max_size=5), block=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_the_members_of_an_object_are_those_that_json_reads(content: dict[str, Any], block: int) -> None:
    reader = stream(json.dumps(content, indent=1), block)
    assert {key: json.loads(reader.value().text) for key in reader.members()} == content


def test_each_value_has_its_line() -> None:
    assert [part.line for part in stream('\ufeff\n[\n{"a":\n1},\n\n{"b": 2}, 3]').elements()] == [3, 6, 6]


def test_a_long_value_is_read_whole() -> None:
    text = "x" * 1_000_000
    (part,) = stream(json.dumps([text]), 100).elements()
    assert json.loads(part.text) == text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[1,\n2", 2, "but the file ends here"),
        ('[1,\n"ab', 2, "Unterminated string"),
        ("[1\n2]", 2, "',' or ']' expected, not '2'"),
        ('[{"a": 1,\n"b" 2}, {}' + " " * 100 + "]", 2, "delimiter"),
        ("{}", 1, "'[' expected, not '{'"),
        ("[1] 2", 1, "text after the end"),
        ("[1, ]", 1, "Expecting value"),
        ("[" * 100_000, 1, "nested too deeply"),
        ('["\n', 1, "control character"),
        ("[" + "1" * 5000 + "]", 1, "can be read"),
        (b'[1,\n"\xff"]', 2, "not UTF-8: 0xff"),
    ],
    ids=lambda value: None if isinstance(value, str | bytes) and len(value) > 200 else repr(value),
)
def test_what_is_no_json_is_named_with_its_line(text: str | bytes, line: int, words: str) -> None:
    reader = stream(text)
    with pytest.raises(JsonStreamError) as caught:
        read_all(reader)
    assert (caught.value.line, words in caught.value.message) == (line, True), caught.value.message

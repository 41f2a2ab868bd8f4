"""Reading of bodies: predictions in JSON keep their characters and lines."""

import io
from typing import Any

import pytest
from django.test import RequestFactory
from pytest_django import Settings
from rest_framework.exceptions import ParseError

from leaderboard.api.exceptions import LengthRequiredError
from leaderboard.api.parsers import PredictionsParser, require_content_length
from leaderboard.api.pointers import BODY_FILE
from leaderboard.web.upload import FORM_BYTES, UploadTooLargeError


def parse(body: bytes) -> dict[str, Any]:
    request = RequestFactory().post("/", body, content_type="application/json")
    return PredictionsParser().parse(io.BytesIO(body), "application/json", {"request": request})


def test_predictions_become_a_file_of_the_very_characters_on_the_very_lines() -> None:
    fields = parse(b'{"entry": "x",\n\n "predictions": {"1": "a",\n "1": "b"}}')
    assert fields["entry"] == "x"
    assert fields["file"].name == BODY_FILE
    assert fields["file"].read() == b'\n\n{"1": "a",\n "1": "b"}'


def test_without_predictions_there_is_no_file() -> None:
    assert parse(b'{"entry": "x"}') == {"entry": "x"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "line 1"),
        (b"[1]", "not a JSON object"),
        (b'{"entry": NaN}', "NaN"),
        (b'{"entry": "x"\n"y": 1}', "line 2"),
        (b'{"entry": "\xff"}', "not UTF-8: byte 11"),
        (b'{"entry": "x", "entry": "y"}', "more than once: entry"),
        (b'{"predictions": [], "predictions": []}', "more than once: predictions"),
        (b'{"a": ' + b"[" * 100_000, "too deeply"),
    ],
)
def test_what_is_no_json_object_is_refused_with_its_place(body: bytes, said: str) -> None:
    with pytest.raises(ParseError, match=said):
        parse(body)


def test_a_body_over_the_cap_is_refused_before_it_is_read(settings: Settings) -> None:
    settings.SUBMISSION_BYTES = 10
    body = b" " * (10 + FORM_BYTES + 1)
    with pytest.raises(UploadTooLargeError):
        parse(body)
    with pytest.raises(ParseError):
        parse(body[1:])


@pytest.mark.parametrize("value", ["chunked", "gzip, Chunked"])
def test_a_chunked_body_is_refused(value: str) -> None:
    with pytest.raises(LengthRequiredError):
        require_content_length({"Transfer-Encoding": value})
    require_content_length({})

"""The cap on uploads: by the announced length, and by what arrives."""

import io
from typing import Any

import pytest
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http.multipartparser import MultiPartParser
from django.test import RequestFactory
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from pytest_django import Settings

from leaderboard.web.upload import (
    DRAINED_BYTES,
    FORM_BYTES,
    CappedUploadHandler,
    UploadTooLargeError,
    drain,
    require_length,
)


class CountingStream(io.BytesIO):
    """A body that counts what was read of it."""

    most_at_once = 0

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        self.most_at_once = max(self.most_at_once, len(chunk))
        return chunk


def parse(content: bytes, *, length: int | None = None, files: int = 1) -> tuple[Any, CountingStream]:
    """Parse a form with files of this content, as Django does."""
    named = {f"file{number}": io.BytesIO(content) for number in range(files)}
    for name, file in named.items():
        file.name = name
    body = encode_multipart(BOUNDARY, named)
    request = RequestFactory().generic("POST", "/", body, content_type=MULTIPART_CONTENT)
    stream = CountingStream(body)
    meta = request.META | {"CONTENT_LENGTH": str(len(body) if length is None else length)}
    handlers = [CappedUploadHandler(request), TemporaryFileUploadHandler(request)]
    try:
        return MultiPartParser(meta, stream, handlers).parse()[1], stream
    finally:
        assert stream.read() == b"", "a client that is still sending would not read the answer"


@pytest.fixture(autouse=True)
def cap(settings: Settings) -> None:
    """A small cap."""
    settings.SUBMISSION_BYTES = 1000


def test_a_file_up_to_the_cap_arrives_whole() -> None:
    files, _ = parse(b"x" * 1000)
    with files["file0"] as file:
        assert file.read() == b"x" * 1000


def test_each_file_has_the_cap_for_itself() -> None:
    files, _ = parse(b"x" * 600, files=2)
    for file in files.values():
        assert file.size == 600
        file.close()


@pytest.mark.parametrize("size", [1001, 100_000])
def test_a_file_that_grows_beyond_the_cap_is_refused_with_the_cap(size: int) -> None:
    with pytest.raises(UploadTooLargeError, match=r"1,000 bytes") as refusal:
        parse(b"x" * size)
    assert refusal.value.cap == 1000


def test_a_body_that_announces_too_much_is_refused_and_read_off_in_pieces() -> None:
    with pytest.raises(UploadTooLargeError):
        parse(b"x" * (1000 + FORM_BYTES))


def test_a_refused_body_is_never_held_in_memory() -> None:
    stream = CountingStream(b"x" * 3_000_000)
    with pytest.raises(UploadTooLargeError):
        require_length(3_000_000, stream)
    assert stream.most_at_once < 1_000_000
    assert stream.read() == b""


def test_a_client_that_never_ends_is_not_listened_to_for_ever() -> None:
    class Endless:
        total = 0

        def read(self, size: int = 0, /) -> bytes:
            self.total += size
            return bytes(size)

    stream = Endless()
    drain(stream)
    assert stream.total == DRAINED_BYTES

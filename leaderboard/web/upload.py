"""The cap on uploads: a body that is too large is refused before it fills memory or disk."""

from typing import Any, Final, Protocol

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http.multipartparser import MultiPartParserError

from leaderboard.web.names import file_size

FORM_BYTES: Final = 256 * 1024
"""What the other fields and the multipart borders may add to the file."""

DRAINED_BYTES: Final = 512 * 1024 * 1024
"""A refused body is read off up to here: a client that is still sending would see a reset instead of the answer."""

CHUNK_BYTES: Final = 256 * 1024


class UploadTooLargeError(MultiPartParserError):
    """The body or a file in it is larger than the cap.

    Django hands a MultiPartParserError to `handler400` in development and production alike, and never parses the body
    a second time; the handler answers this one with 413.
    """

    def __init__(self, cap: int) -> None:
        self.cap = cap
        super().__init__(f"The file is larger than the cap of {file_size(cap)} ({cap:,} bytes).")


class Stream(Protocol):
    """The body of a request."""

    def read(self, size: int = ..., /) -> bytes:
        """Read up to `size` bytes; b"" at the end."""
        ...


class CappedUploadHandler(FileUploadHandler):
    """The first upload handler: refuses by the announced length, and by what arrives in one file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._received = 0
        self._refused = False

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 (Django's name)
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        """Refuse a body whose announced length cannot fit.

        Raises:
            UploadTooLargeError: it is larger than the cap and the form around the file.
        """
        require_length(content_length, input_data)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Count each file anew."""
        super().new_file(*args, **kwargs)
        self._received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass a chunk on while the file is below the cap.

        Raises:
            StopUpload: the file has grown beyond it. Django's parser then closes the files and reads the body off.
        """
        self._received += len(raw_data)
        if self._received > settings.SUBMISSION_BYTES:
            self._refused = True
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the handlers after this one."""

    def upload_complete(self) -> None:
        """Refuse a form with a file that was stopped.

        Raises:
            UploadTooLargeError: there was one.
        """
        if self._refused:
            raise UploadTooLargeError(settings.SUBMISSION_BYTES)


def require_length(content_length: int, body: Stream) -> None:
    """Check the announced length of a body.

    Raises:
        UploadTooLargeError: it is larger than the cap and the form around the file.
    """
    if content_length > settings.SUBMISSION_BYTES + FORM_BYTES:
        drain(body)
        raise UploadTooLargeError(settings.SUBMISSION_BYTES)


def drain(body: Stream) -> None:
    """Read and throw away what a client is still sending, so that it gets to read the answer."""
    drained = 0
    while drained < DRAINED_BYTES and (chunk := body.read(CHUNK_BYTES)):
        drained += len(chunk)

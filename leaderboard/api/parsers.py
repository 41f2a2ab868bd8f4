"""Reading of request bodies: capped, and with the predictions of a JSON body kept as they were written."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from django.core.files.base import ContentFile
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, MultiPartParser

from benchmark_data.json_text import JsonText, JsonTextError, Member
from leaderboard.api.exceptions import LengthRequiredError
from leaderboard.api.pointers import BODY_FILE
from leaderboard.web.upload import UploadTooLargeError, require_length

PREDICTIONS: Final = "predictions"


class CappedMultiPartParser(MultiPartParser):
    """A multipart form with a file; a file over the cap is refused as such, not as a form that cannot be read."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The fields and files of the form.

        Raises:
            UploadTooLargeError: the file is larger than the cap.
            ParseError: the form is broken.
        """
        try:
            return super().parse(stream, media_type, parser_context)
        except ParseError as error:
            if isinstance(error.__context__, UploadTooLargeError):
                raise error.__context__ from None
            raise


class PredictionsParser(BaseParser):
    """A JSON object whose member `predictions` becomes `file`: the very characters, to be read like an uploaded file.

    Decoded and written anew, a repeated key would vanish and every line number would be wrong.
    """

    media_type = "application/json"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The members of the object.

        Raises:
            UploadTooLargeError: the body is larger than the cap.
            ParseError: it is not a JSON object in UTF-8.
        """
        require_length(_content_length(parser_context or {}), stream)
        try:
            text = stream.read().decode("utf-8")
            members = tuple(JsonText(text).members())
        except UnicodeDecodeError as error:
            raise ParseError(f"The body is not UTF-8: byte {error.start:,} cannot be read.") from error
        except JsonTextError as error:
            raise ParseError(f"The body is not a JSON object: line {error.line}: {error.message}.") from error
        repeated = [key for key, times in Counter(member.key for member in members).items() if times > 1]
        if repeated:
            raise ParseError(f"The body has these members more than once: {', '.join(sorted(repeated))}.")
        return dict(_field(text, member) for member in members)


def _field(text: str, member: Member) -> tuple[str, Any]:
    if member.key != PREDICTIONS:
        return member.key, member.value
    # Empty lines before it keep the line numbers of the body.
    raw = "\n" * (text.count("\n", 0, member.start)) + text[member.start : member.end]
    return "file", ContentFile(raw.encode("utf-8", "surrogatepass"), name=BODY_FILE)


def _content_length(context: Mapping[str, Any]) -> int:
    return int(context["request"].META.get("CONTENT_LENGTH") or 0)


def require_content_length(headers: Mapping[str, str]) -> None:
    """Refuse a chunked body, which WSGI servers hand on without its length, so that it would look empty.

    Raises:
        LengthRequiredError: the body is chunked.
    """
    if "chunked" in headers.get("Transfer-Encoding", "").lower():
        raise LengthRequiredError

"""The blame for errors of the document database."""

import pytest
from pymongo.errors import OperationFailure

from evaluation.executors.failures import MESSAGE_LENGTH, failure_of, is_servers_fault, shortened
from evaluation.types import FailureKind


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (50, FailureKind.TIMED_OUT),
        (262, FailureKind.TIMED_OUT),
        (146, FailureKind.TOO_LARGE),
        (292, FailureKind.TOO_LARGE),
        (10334, FailureKind.TOO_LARGE),
        (17217, FailureKind.TOO_LARGE),
        (2, FailureKind.INVALID),
        (40324, FailureKind.INVALID),
        (None, FailureKind.INVALID),
    ],
)
def test_a_code_tells_the_kind_of_failure(code: int | None, kind: FailureKind) -> None:
    error = OperationFailure("no", code, {"errmsg": "the server's sentence", "ok": 0})

    failure = failure_of(error, milliseconds=12.0)

    assert (failure.kind, failure.code, failure.message) == (kind, code, "the server's sentence")
    assert not is_servers_fault(error)


@pytest.mark.parametrize("code", [11600, 91, 189, 10107, 13436, 18, 43, 9001])
def test_a_server_that_gives_up_for_its_own_reasons_is_not_the_querys_fault(code: int) -> None:
    assert is_servers_fault(OperationFailure("no", code))


def test_a_message_is_one_short_line() -> None:
    assert shortened("a\n  b\tc") == "a b c"
    assert len(shortened("x" * 1000)) == MESSAGE_LENGTH

"""What a process holds as a secret is in nothing that it logs."""

import contextlib
import io
import logging

import pytest

from leaderboard.redaction import HIDDEN, RedactingFormatter, redacted, withheld

SECRET = "sk-live-4f81aa"


def logged(message: str, *arguments: object, exception: bool = False) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(RedactingFormatter("{levelname} {message}", style="{"))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    try:
        int(f"bad key {SECRET}")
    except ValueError as error:
        logger.warning(message, *arguments, exc_info=error if exception else None)
    return stream.getvalue()


@pytest.mark.parametrize("exception", [False, True])
def test_messages_arguments_and_tracebacks_are_free_of_it(exception: bool) -> None:
    with withheld(SECRET):
        text = logged("calling with %s", SECRET, exception=exception)
    assert SECRET not in text
    assert HIDDEN in text


def test_it_is_withheld_as_long_as_anybody_holds_it() -> None:
    with withheld(SECRET):
        with withheld(SECRET):
            pass
        assert redacted(SECRET) == HIDDEN
    assert redacted(SECRET) == SECRET


def test_what_is_too_short_to_be_a_secret_leaves_words_alone() -> None:
    with withheld("key"), withheld(""):
        assert redacted("a monkey") == "a monkey"


def test_a_secret_that_is_part_of_another_leaves_no_rest_of_it() -> None:
    with withheld("sk-live"), withheld(SECRET):
        assert redacted(f"<{SECRET}>") == f"<{HIDDEN}>"
    with withheld(SECRET), withheld("sk-live"):
        assert redacted(f"<{SECRET}>") == f"<{HIDDEN}>"


def test_a_secret_that_another_thread_takes_up_meanwhile_breaks_no_line() -> None:
    class Busy(str):
        def replace(self, *_: object) -> str:
            stack.enter_context(withheld("another-secret"))
            return "done"

    with contextlib.ExitStack() as stack:
        stack.enter_context(withheld(SECRET))
        assert redacted(Busy(SECRET)) == "done"

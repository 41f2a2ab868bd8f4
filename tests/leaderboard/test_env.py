"""Environment variables are typed, blank ones count as not set, and complaints name the variable."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured

from leaderboard import env


@pytest.mark.parametrize("value", [None, "", "  "])
@pytest.mark.parametrize(
    ("read", "default"),
    [
        (lambda: env.text("APTBOARD_TRIED", default="here"), "here"),
        (lambda: env.flag("APTBOARD_TRIED", default=True), True),
        (lambda: env.flag("APTBOARD_TRIED"), False),
        (lambda: env.number("APTBOARD_TRIED", default=7), 7),
        (lambda: env.words("APTBOARD_TRIED", default="a,b"), ["a", "b"]),
    ],
    ids=["text", "yes", "no", "number", "words"],
)
def test_a_variable_that_is_not_set_or_blank_has_its_default(
    monkeypatch: pytest.MonkeyPatch, value: str | None, read: Callable[[], object], default: object
) -> None:
    if value is None:
        monkeypatch.delenv("APTBOARD_TRIED", raising=False)
    else:
        monkeypatch.setenv("APTBOARD_TRIED", value)
    assert read() == default


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (lambda: env.text("APTBOARD_TRIED"), " a ", " a "),
        (lambda: env.flag("APTBOARD_TRIED"), "Yes", True),
        (lambda: env.flag("APTBOARD_TRIED", default=True), "0", False),
        (lambda: env.number("APTBOARD_TRIED", default=7), "0", 0),
        (lambda: env.words("APTBOARD_TRIED"), " a, ,b", ["a", "b"]),
    ],
    ids=["text", "yes", "no", "number", "words"],
)
def test_a_variable_that_is_set_is_read_as_its_type(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], value: str, expected: object
) -> None:
    monkeypatch.setenv("APTBOARD_TRIED", value)
    assert read() == expected


@pytest.mark.parametrize("read", [lambda: env.flag("APTBOARD_TRIED"), lambda: env.number("APTBOARD_TRIED", default=1)])
def test_a_variable_of_another_type_is_named(monkeypatch: pytest.MonkeyPatch, read: Callable[[], object]) -> None:
    monkeypatch.setenv("APTBOARD_TRIED", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="APTBOARD_TRIED='perhaps' is n"):
        read()

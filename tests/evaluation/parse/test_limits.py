"""Texts that are too long, too deep or too large are refused before they cost anything."""

import pytest

from evaluation.errors import UnparsableTextError
from evaluation.parse.limits import DEPTH, check_nesting, check_size
from tests.evaluation.parse.reading import outcome, refusal

LAUGHS = "const a = [1, 2, 3, 4, 5, 6, 7, 8, 9];\n" + "".join(
    f"const a{n + 1} = [{', '.join(['a' + str(n or '')] * 9)}];\n" for n in range(12)
)
DOUBLED = "const a = [1, 2];\n" + "".join(f"const a{n + 1} = [...a{n or ''}, ...a{n or ''}];\n" for n in range(60))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" " * 5_000_000, "too_long"),
        ('db.t.find({ a: "' + "x" * 5_000_000 + '" })', "too_long"),
        ("é" * 110_000, "too_long"),
        ("db.t.find(" + "{a:" * 20_000 + "1" + "}" * 20_000 + ")", "too_complex"),
        ("[" * 20_000, "too_complex"),
        ("(" * 20_000, "too_complex"),
        ("db.t.find({ a: [" + "1," * 60_000 + "] })", "too_complex"),
        ("db" + ".b" * 90_000, "too_complex"),
        ("db.t.find()" + ".limit(1)" * 20_000, "too_complex"),
        ("db.t.find({ a: " + "1+" * 90_000 + "1 })", "too_complex"),
        ("db.t.find(`" + "${" * 90_000, "unsupported_syntax"),
        ("db.t.find(" + "/[" * 90_000, "too_complex"),
        ("not " * 40_000 + "1", "too_complex"),
        (LAUGHS + "db.t.find({ x: a12 })", "too_complex"),
        (DOUBLED + "db.t.find({ x: a59 })", "too_complex"),
        ('var a = "aaaaaaaaaa";\n' + "a = a + a;\n" * 60 + "db.t.find({ x: a })", "too_complex"),
        ("x = [1, 2]\n" + "x = [*x, *x]\n" * 60 + "db.t.find_one({'a': x})", "too_complex"),
        ("x = 'aaaaaaaa'\n" + "x = x + x\n" * 60 + "db.t.find_one({'a': x}) #", "too_complex"),
        ("const a = [" + "1," * 9_000 + "];\ndb.t.aggregate(" + "...a," * 9_000 + ")", "too_complex"),
    ],
)
def test_a_text_that_breaks_a_limit_is_refused(text: str, reason: str) -> None:
    assert refusal(text) == reason


def test_values_may_nest_as_deep_as_the_limit() -> None:
    inside = DEPTH - 2
    text = "db.t.find(" + "{a:" * inside + "1" + "}" * inside + ")"
    assert outcome(text)["operation"] == "find"


def test_a_long_list_of_numbers_within_the_limit_is_read() -> None:
    assert outcome("db.t.find({ a: { $in: [" + "1," * 20_000 + "] } })")["operation"] == "find"


def test_brackets_inside_strings_and_comments_do_not_nest() -> None:
    check_nesting('"' + "(" * 1_000 + '" /* ' + "[" * 1_000 + " */ // " + "{" * 1_000)


def test_size_counts_shared_parts_each_time_they_are_named() -> None:
    shared = [0] * 1_000
    check_size({"a": [shared] * 10})
    with pytest.raises(UnparsableTextError, match="parts"):
        check_size({"a": [shared] * 60})

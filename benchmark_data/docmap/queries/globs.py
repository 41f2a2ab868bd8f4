"""GLOB: SQLite's patterns with *, ? and [classes], in which case counts."""

import re
from typing import Any, Final

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_text
from benchmark_data.docmap.queries.dispatch import test_rule, value
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.predicates import all_of
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import is_not_null

_NOTHING: Final = "(?!)"
"""An expression that no text has."""


@test_rule(exp.Glob)
def _glob(node: exp.Glob, scope: Scope, wanted: bool) -> Any:
    pattern, options = glob_pattern(node, scope)
    operand = as_text(value(node.this, scope))
    matches = {"$regexMatch": {"input": operand.mql, "regex": pattern, **({"options": options} if options else {})}}
    if wanted:
        return matches
    return all_of([*([is_not_null(operand.mql)] if operand.nullable else []), {"$not": [matches]}])


def glob_pattern(node: exp.Glob, scope: Scope) -> tuple[str, str]:
    """The regular expression for a GLOB, and its options."""
    pattern = value(node.expression, scope)
    if not pattern.is_constant or not isinstance(pattern.constant, str):
        raise UntranslatableSqlError("glob", "GLOB has a pattern that is not written in the query.")
    return glob_expression(pattern.constant)


def glob_expression(text: str) -> tuple[str, str]:
    """A GLOB's pattern as a regular expression, and its options.

    As SQLite's `patternCompare` reads it: a class that is not closed matches nothing, `]` is a letter at the beginning
    of a class, `^` there inverts it, and `-` is a range between two letters.
    """
    parts: list[str] = []
    at = 0
    while at < len(text):
        letter = text[at]
        at += 1
        if letter == "[":
            found = _class(text, at)
            if found is None:
                return _NOTHING, ""
            part, at = found
            parts.append(part)
        else:
            parts.append({"*": ".*", "?": "."}.get(letter) or re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", letter))
    while parts[1:] and parts[0] == ".*" == parts[1]:
        del parts[0]
    head = parts[:1] != [".*"]
    tail = not (parts and parts[-1] == ".*")
    inside = parts[0 if head else 1 :] if tail or not parts else parts[0 if head else 1 : -1]
    found_text = ("^" if head else "") + "".join(inside) + ("$(?!\\n)" if tail else "")
    return found_text, "s" if any(part in {".", ".*"} for part in inside) else ""


def _class(text: str, at: int) -> tuple[str, int] | None:
    """The class that begins behind `[`, and where it ends; None where it does not."""
    inverted = text[at : at + 1] == "^"
    at += inverted
    end = text.find("]", at + 1)
    if end < 0:
        return None
    members, before = "", ""
    letters = iter(range(at, end))
    for place in letters:
        letter = text[place]
        if letter == "-" and before and place + 1 < end:
            last = text[next(letters)]
            members += f"-{_escaped(last)}" if before <= last else ""
            before = ""
        else:
            members += _escaped(letter)
            before = letter
    return f"[{'^' if inverted else ''}{members}]", end + 1


def _escaped(letter: str) -> str:
    return f"\\{letter}" if letter in "\\[]^-" else letter

"""Every value of a query is looked at, at any depth: operators, system variables, types, sizes."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.lists import OPERATORS, REFUSED_OPERATORS, REFUSED_VARIABLES, STAGES, VARIABLES
from evaluation.guard.rules import DEPTH, NODES, REGEX, TEXT, too_complex

_SYSTEM_VARIABLE: Final = re.compile(r"\$\$([A-Z]\w*)(?:\.|\Z)", re.ASCII)
_PLAIN: Final = (
    bool,
    float,
    Decimal128,
    ObjectId,
    datetime,
    DatetimeMS,
    Binary,
    bytes,
    Timestamp,
    MinKey,
    MaxKey,
    type(None),
)
_RANDOM: Final = frozenset({"$rand", "$sampleRate", "$sample"})
_PATTERNS: Final = frozenset({"$regex", "regex", "pattern"})


@dataclass(slots=True, kw_only=True, eq=False)
class Judgement:
    """What is known while one query is judged.

    Args:
        collections: the item's collections, None where they are not known.
        flags: flags of the query so far.
        nodes, text, stages: what was counted so far.
    """

    collections: Collection[str] | None
    flags: set[str] = field(default_factory=set)
    nodes: int = 0
    text: int = 0
    stages: int = 0


def check_value(value: Any, judgement: Judgement, depth: int = 0, *, constant: bool = False) -> None:
    """Look at a value and all that is inside it.

    Args:
        constant: the value stands under `$literal`, where the server reads neither operators nor variables.

    Raises:
        ForbiddenQueryError: an operator, a system variable or a type is on no list, or a size rule is broken.
    """
    judgement.nodes += 1
    if depth > DEPTH or judgement.nodes > NODES:
        raise too_complex("The query is too deep or has too many parts.")
    if isinstance(value, str) and not isinstance(value, Code):
        _check_text(value, judgement, constant=constant)
    elif isinstance(value, dict):
        for key, inside in value.items():
            _check_key(key, inside, judgement, constant=constant)
            check_value(inside, judgement, depth + 1, constant=constant or key == "$literal")
    elif isinstance(value, list):
        for inside in value:
            check_value(inside, judgement, depth + 1, constant=constant)
    else:
        _check_scalar(value)


def _check_text(value: str, judgement: Judgement, *, constant: bool) -> None:
    judgement.text += len(value)
    if judgement.text > TEXT:
        raise too_complex(f"The query holds more than {TEXT} characters of text.")
    if constant or not value.startswith("$$"):
        return
    found = _SYSTEM_VARIABLE.match(value)
    if found is None:
        return
    name = found[1]
    if name not in VARIABLES:
        refusal = REFUSED_VARIABLES.get(name)
        why = refusal.why if refusal else "is not on the list of system variables"
        raise ForbiddenQueryError("unknown_variable", f"$${name} {why}.")
    if name == "NOW":
        judgement.flags.add("uses_now")


def _check_key(key: Any, inside: Any, judgement: Judgement, *, constant: bool) -> None:
    if not isinstance(key, str) or "\0" in key:
        raise ForbiddenQueryError("bad_key", "A key must be text without NUL characters.")
    if key == "__proto__":
        raise ForbiddenQueryError("unsupported_syntax", "The key __proto__ is not allowed.")
    judgement.text += len(key)
    if key[:1] == "$" and not constant:
        check_operator(key, judgement)
    if key in _PATTERNS and isinstance(inside, str) and len(inside) > REGEX:
        raise too_complex(f"A regular expression is longer than {REGEX} characters.")


def check_operator(name: str, judgement: Judgement) -> None:
    """Refuse an operator that is on no list; names are compared exactly, never folded or normalised (attack X009).

    Raises:
        ForbiddenQueryError: "write_stage", "server_side_js" or "unknown_operator".
    """
    refusal = REFUSED_OPERATORS.get(name)
    if refusal is not None:
        raise ForbiddenQueryError(refusal.reason, f"{name} {refusal.why}.")
    if name not in OPERATORS:
        what = "is a stage, not an operator" if name in STAGES else "is not on the list of operators"
        raise ForbiddenQueryError("unknown_operator", f"{name[:60]} {what}.")
    if name in _RANDOM:
        judgement.flags.add("nondeterministic")


def _check_scalar(value: Any) -> None:
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ForbiddenQueryError("bad_value", "A number is outside int64.")
    elif isinstance(value, Regex):
        if len(value.pattern) > REGEX:
            raise too_complex(f"A regular expression is longer than {REGEX} characters.")
    elif isinstance(value, Code):
        raise ForbiddenQueryError("server_side_js", "JavaScript code values are not allowed.")
    elif not isinstance(value, _PLAIN):
        raise ForbiddenQueryError("bad_value", f"A {type(value).__name__} cannot be sent.")

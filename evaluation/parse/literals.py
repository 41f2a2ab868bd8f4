"""JavaScript literals: strings, numbers, regular expressions, arrays, objects."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tree_sitter import Node

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.lists import REFUSED_OPERATORS
from evaluation.parse.documents import document_build, regex_build
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.limits import DEPTH, too_deep
from evaluation.parse.numbers import number_from_literal, number_text
from evaluation.parse.places import Place
from evaluation.parse.script import Handler, Script, inner

_ESCAPE: Final = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,8})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|.))", re.DOTALL
)
_SINGLE: Final = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\n": "",
    "\r": "",
    "\r\n": "",
    "\u2028": "",
    "\u2029": "",
}
_KEPT_FLAGS: Final = frozenset("ims")
_DROPPED_FLAGS: Final = frozenset("gyudv")


def unescape(text: str) -> str:
    """The value of the inside of a JavaScript string; a lone surrogate becomes U+FFFD, as js-bson sends it.

    Raises:
        ValueError: an escape names no character.
    """
    if "\\" not in text:
        return text
    return join_surrogates(_ESCAPE.sub(_unescaped, text))


def _unescaped(found: "re.Match[str]") -> str:
    code, unit, byte, octal, single = found.groups()
    if single is not None:
        return _SINGLE.get(single, single)
    if octal is not None:
        return chr(int(octal, 8))
    return chr(int(code or unit or byte, 16))


def join_surrogates(text: str) -> str:
    """Text whose surrogate pairs are joined and whose lone surrogates are U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def string_value(node: Node, script: Script) -> str:
    """The value of a string node."""
    try:
        return unescape(script.source[node.start_byte + 1 : node.end_byte - 1].decode())
    except (ValueError, OverflowError) as error:
        raise UnparsableTextError(
            "syntax_error", "The string has an invalid escape.", position=script.position(node)
        ) from error


def _string(node: Node, script: Script, depth: int) -> str:
    return string_value(node, script)


def _template(node: Node, script: Script, depth: int) -> str:
    if any(child.type == "template_substitution" for child in node.named_children):
        raise script.unsupported(node, "A template string with ${…} is not a literal.")
    return string_value(node, script).replace("\r\n", "\n")


def _number(node: Node, script: Script, depth: int) -> Any:
    value = number_from_literal(script.text(node))
    if value is None:
        raise script.unsupported(node, f"{script.text(node)[:40]} is not a number that can be sent.")
    return value


def _regex(node: Node, script: Script, depth: int) -> Any:
    pattern, _, options = script.text(node)[1:].rpartition("/")
    return regex_value(node, script, pattern, options)


def regex_value(node: Node, script: Script, pattern: str, options: str) -> Any:
    """A regular expression; BSON has no `g`, so it is dropped with a flag (case T068)."""
    if set(options) - _KEPT_FLAGS - _DROPPED_FLAGS or len(set(options)) != len(options):
        raise UnparsableTextError(
            "syntax_error", f"{options!r} are no flags of a regular expression.", position=script.position(node)
        )
    if set(options) & _DROPPED_FLAGS:
        script.flags.add("regex_flag_dropped")
    try:
        return regex_build(pattern, "".join(sorted(set(options) & _KEPT_FLAGS)))
    except ValueError as error:
        raise script.unsupported(node, "The regular expression holds a NUL character.") from error


def literal(node: Node, script: Script, depth: int) -> Any:
    """The value of an expression that must be a BSON value.

    Raises:
        UnparsableTextError: "multi_query_script" where the value is itself the answer of a query (case T089).
    """
    if depth > DEPTH:
        raise too_deep(script.position(node))
    handler = script.handlers.get(node.type)
    value = handler(node, script, depth) if handler is not None else script.evaluate(node, depth)
    if isinstance(value, Draft):
        raise UnparsableTextError(
            "multi_query_script", "One query uses the answer of another.", position=script.position(node)
        )
    if isinstance(value, Place):
        raise script.unsupported(node, "A collection is not a value.")
    return value


def _array(node: Node, script: Script, depth: int) -> list[Any]:
    values: list[Any] = []
    hole = True
    for child in node.children:
        kind = child.type
        if kind == ",":
            if hole:
                values.append(None)
            hole = True
        elif kind == "spread_element":
            values += spread(child, script, depth, list)
            hole = False
        elif kind not in {"[", "]", "comment"}:
            values.append(literal(child, script, depth + 1))
            hole = False
    return values


def spread(node: Node, script: Script, depth: int, kind: type[list[Any]] | type[dict[str, Any]]) -> Any:
    """The array or object that `...x` adds."""
    value = literal(inner(node)[0], script, depth + 1)
    if not isinstance(value, kind):
        raise script.unsupported(node, "Only literals can be spread.")
    script.grown(len(value))
    return value


def _object(node: Node, script: Script, depth: int) -> Any:
    pairs: list[tuple[str, Any]] = []
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            key_node, *_, value_node = inner(child)
            key = _key(key_node, script, depth)
            pairs.append((key, literal(value_node, script, depth + 1)))
        elif kind == "shorthand_property_identifier":
            key = _checked_key(script.text(child), child, script)
            pairs.append((key, literal(child, script, depth + 1)))
        elif kind == "spread_element":
            pairs += spread(child, script, depth, dict).items()
        elif kind != "comment":
            raise _method_in_object(child, script)
    try:
        return document_build(pairs, flags=script.flags)
    except RejectedValueError as error:
        raise script.rejected(node, error) from error


def _method_in_object(node: Node, script: Script) -> Exception:
    name = node.child_by_field_name("name")
    if name is not None:
        _checked_key(script.text(name).strip("'\""), node, script)
    return script.unsupported(node, "Functions are not supported in a document.")


def _key(node: Node, script: Script, depth: int) -> str:
    kind = node.type
    if kind == "property_identifier":
        key = script.text(node)
        key = unescape(key) if "\\" in key else key
    elif kind == "string":
        key = string_value(node, script)
    else:
        value = (
            literal(inner(node)[0], script, depth + 1)
            if kind == "computed_property_name"
            else literal(node, script, depth)
        )
        key = _key_text(value, node, script)
    return _checked_key(key, node, script)


def _key_text(value: Any, node: Node, script: Script) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    raise script.unsupported(node, "A key must be text.")


def _checked_key(key: str, node: Node, script: Script) -> str:
    """Refuse keys that must not be read past, before their value is looked at (attacks X014, X026)."""
    if key == "__proto__":
        raise script.unsupported(node, "The key __proto__ is not allowed.")
    refusal = REFUSED_OPERATORS.get(key)
    if refusal is not None and refusal.reason == "server_side_js":
        raise ForbiddenQueryError(refusal.reason, f"{key} {refusal.why}.", position=script.position(node))
    return key


_NAMES: Final[Mapping[str, Any]] = {"undefined": None, "NaN": float("nan"), "Infinity": float("inf")}
_PYTHON_NAMES: Final[Mapping[str, Any]] = {"None": None, "True": True, "False": False}


def _identifier(node: Node, script: Script, depth: int) -> Any:
    name = script.text(node)
    if name in script.variables:
        return script.variables[name]
    if name in _NAMES:
        return _NAMES[name]
    if name in _PYTHON_NAMES:
        script.flags.add("python_literals")
        return _PYTHON_NAMES[name]
    return script.handlers["bare name"](node, script, depth)


def _parenthesized(node: Node, script: Script, depth: int) -> Any:
    children = inner(node)
    if len(children) != 1:
        raise script.unsupported(node, "This is not one value.")
    return script.evaluate(children[0], depth + 1)


LITERALS: Final[Mapping[str, Handler]] = {
    "string": _string,
    "template_string": _template,
    "number": _number,
    "regex": _regex,
    "array": _array,
    "object": _object,
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "undefined": lambda node, script, depth: None,
    "null": lambda node, script, depth: None,
    "true": lambda node, script, depth: True,
    "false": lambda node, script, depth: False,
    "parenthesized_expression": _parenthesized,
}

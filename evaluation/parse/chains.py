"""Chains of members and calls: `db.t.find({}).sort({a: 1})`, `ObjectId("…")`, `date.getTime()`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bson.datetime_ms import DatetimeMS
from tree_sitter import Node

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.parse.clock import CLOCK_NAMES, clock_call, date_method
from evaluation.parse.constructors import CONSTRUCTORS, construct
from evaluation.parse.cursors import chained_call, take_element, take_index, take_length, take_path
from evaluation.parse.database import collection_call, database_call
from evaluation.parse.draft import Draft, Held, RejectedValueError
from evaluation.parse.functions import PRINTERS, field_path, prints_whole
from evaluation.parse.literals import literal, regex_value, spread
from evaluation.parse.places import Place
from evaluation.parse.script import Handler, Script, inner

FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_CHAIN: Final = frozenset({"call_expression", "member_expression", "subscript_expression", "new_expression"})
_SHOWING: Final = PRINTERS | {"Array.from"}
DATABASE_NAMES: Final = frozenset({"db"})


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a chain: `.name`, `[index]` or `(arguments)`."""

    node: Node
    name: str | None = None
    index: Node | None = None
    arguments: Node | None = None


def _chain(node: Node, script: Script, depth: int) -> Any:
    root, steps = _unrolled(node, script)
    if root.type == "new_expression":
        value: Any = _constructed(root, script, depth)
    elif root.type == "identifier":
        value, steps = _named(root, steps, script, depth)
    elif root.type in FUNCTIONS:
        raise script.unsupported(root, "Functions cannot be called.")
    else:
        value = script.evaluate(root, depth + 1)
    origin = script.text(root) if root.type == "identifier" else ""
    while steps:
        value, steps, origin = _fold(value, steps, script, depth, origin)
    return value


def _unrolled(node: Node, script: Script) -> tuple[Node, list[Step]]:
    """The innermost object of a chain and its links in order, without recursion."""
    steps: list[Step] = []
    while node.type in _CHAIN and node.type != "new_expression":
        kind = node.type
        if kind == "call_expression":
            head, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if arguments is None or arguments.type != "arguments":
                raise script.unsupported(node, "Tagged template strings are not supported.")
            steps.append(Step(arguments, arguments=arguments))
        elif kind == "member_expression":
            head, member = node.child_by_field_name("object"), node.child_by_field_name("property")
            steps.append(Step(member or node, name=script.text(member) if member else ""))
        else:
            head = node.child_by_field_name("object")
            index = node.child_by_field_name("index")
            steps.append(Step(index or node, index=index))
        if head is None or node.child_by_field_name("optional_chain") is not None:
            raise script.unsupported(node, "Optional chains are not supported.")
        node = head
    return node, steps[::-1]


def arguments_of(node: Node, script: Script, depth: int) -> list[Any]:
    """The values of the arguments of a call."""
    values: list[Any] = []
    for child in inner(node):
        if child.type == "spread_element":
            values += spread(child, script, depth, list)
        elif child.type in FUNCTIONS:
            raise script.unsupported(child, "Functions are not supported here.")
        else:
            values.append(literal(child, script, depth + 1))
    return values


def _constructed(node: Node, script: Script, depth: int) -> Any:
    constructor, arguments = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
    name = script.text(constructor) if constructor is not None else ""
    if name == "Date":
        name = "new Date"
    values_node = arguments if arguments is not None and arguments.type == "arguments" else None
    return _call_by_name(name, node, values_node, script, depth)


def _call_by_name(name: str, node: Node, arguments: Node | None, script: Script, depth: int) -> Any:
    """The value of a call of one of the shell's own functions; any other name is refused (attacks X022, X027, X028)."""
    if name in _SHOWING:
        shown = inner(arguments) if arguments is not None else []
        if not shown:
            raise script.unsupported(node, f"{name}() shows nothing.")
        return script.evaluate(shown[0], depth + 1)
    if name not in CONSTRUCTORS and name not in CLOCK_NAMES and name not in {"RegExp", "BSONRegExp", "BSON.RegExp"}:
        raise script.unsupported(node, f"{name[:60]}() is not known here.")
    values = arguments_of(arguments, script, depth) if arguments is not None else []
    try:
        if name.endswith("RegExp"):
            return _regular_expression(node, values, script)
        return clock_call(name, values, script) if name in CLOCK_NAMES else construct(name, values)
    except RejectedValueError as error:
        raise script.rejected(node, error) from error
    except ForbiddenQueryError as error:
        raise ForbiddenQueryError(error.reason, error.message, position=script.position(node)) from error


def _regular_expression(node: Node, values: list[Any], script: Script) -> Any:
    if not 1 <= len(values) <= 2 or not all(isinstance(value, str) for value in values):
        raise RejectedValueError("bad_value", "RegExp() takes a pattern and flags.")
    return regex_value(node, script, values[0], values[1] if len(values) == 2 else "")


def _named(root: Node, steps: list[Step], script: Script, depth: int) -> tuple[Any, list[Step]]:
    """The value that a chain starts from, and the links that are left."""
    name = script.text(root)
    if name in script.variables or name in DATABASE_NAMES:
        return script.variables.get(name, Place()), steps
    if steps and steps[0].arguments is not None:
        return _call_by_name(name, root, steps[0].arguments, script, depth), steps[1:]
    if len(steps) > 1 and steps[0].name is not None and steps[1].arguments is not None:
        return _call_by_name(f"{name}.{steps[0].name}", root, steps[1].arguments, script, depth), steps[2:]
    if steps:
        raise script.unsupported(root, f"The name {name[:60]} is not known here.")
    return script.handlers["identifier"](root, script, depth), steps


def bare_name(node: Node, script: Script, depth: int) -> Any:
    """An identifier that is no variable: the database, a bare constructor, or refused."""
    name = script.text(node)
    if name in DATABASE_NAMES:
        return Place()
    if name in {"MinKey", "MaxKey"}:
        return construct(name, [])
    raise script.unsupported(node, f"The name {name[:60]} is not known here.")


def _fold(value: Any, steps: list[Step], script: Script, depth: int, origin: str) -> tuple[Any, list[Step], str]:
    """Apply the next link, or a method and its call together."""
    step = steps[0]
    try:
        if isinstance(value, Place):
            return _in_place(value, step, script, depth), steps[1:], ""
        if isinstance(value, Draft):
            return (*_on_draft(value, steps, script, depth), "")
        if isinstance(value, datetime | DatetimeMS) and len(steps) > 1 and step.name and steps[1].arguments is not None:
            result, after = date_method(value, step.name, arguments_of(steps[1].arguments, script, depth))
            if origin in script.variables:
                script.variables[origin] = after
            return result, steps[2:], ""
    except RejectedValueError as error:
        raise script.rejected(step.node, error) from error
    raise script.unsupported(step.node, "Members and methods of this value are not supported.")


def _in_place(place: Place, step: Step, script: Script, depth: int) -> Any:
    if step.name is not None:
        return place.child(step.name)
    if step.index is not None:
        name = literal(step.index, script, depth + 1)
        if not isinstance(name, str):
            raise script.unsupported(step.node, "A collection must be named by a string.")
        return place.child(name)
    if not place.names or step.arguments is None:
        raise script.unsupported(step.node, "A database or collection cannot be called.")
    call = collection_call if len(place.names) > 1 or place.collection is not None else database_call
    position = script.position(step.node)
    result = call(place, step.arguments, script, depth, position)
    return script.asked(result) if isinstance(result, Draft) else result


def _on_draft(draft: Draft, steps: list[Step], script: Script, depth: int) -> tuple[Any, list[Step]]:
    step = steps[0]
    if step.index is not None:
        place = literal(step.index, script, depth + 1)
        if isinstance(place, int) and not isinstance(place, bool):
            inside = draft.held is Held.DOCUMENT and draft.path
            return take_element(draft, place) if inside else take_index(draft, place), steps[1:]
        return _member(draft, str(place), step, script), steps[1:]
    if step.name is None:
        raise script.unsupported(step.node, "The result of a query cannot be called.")
    if len(steps) > 1 and steps[1].arguments is not None:
        return _method(draft, step.name, steps[1].arguments, script, depth), steps[2:]
    return _member(draft, step.name, step, script), steps[1:]


def _member(draft: Draft, name: str, step: Step, script: Script) -> Draft:
    if name == "length" and draft.held is Held.ARRAY:
        return take_length(draft)
    if draft.held is Held.DOCUMENT:
        return take_path(draft, (name,))
    known = draft.held is Held.CURSOR
    reason = "no_call" if known else "unsupported_syntax"
    raise UnparsableTextError(reason, f"The member {name[:60]} is not called.", position=script.position(step.node))


def _method(draft: Draft, name: str, arguments: Node, script: Script, depth: int) -> Draft:
    special = _WITH_FUNCTION.get(name)
    if special is not None and draft.held in {Held.CURSOR, Held.ARRAY}:
        return special(draft, arguments, script)
    try:
        return chained_call(draft, name, arguments_of(arguments, script, depth))
    except ForbiddenQueryError as error:
        raise ForbiddenQueryError(error.reason, error.message, position=script.position(arguments)) from error


def _only_argument(arguments: Node, script: Script) -> Node:
    given = inner(arguments)
    if len(given) != 1:
        raise script.unsupported(arguments, "One function is expected here.")
    return given[0]


def _map(draft: Draft, arguments: Node, script: Script) -> Draft:
    """`.map(d => d.x.y)` takes one field (case T086); any other function is not plain."""
    function = _only_argument(arguments, script)
    path = field_path(function, script)
    if path is None:
        raise script.unsupported(function, "Only a function that gives one field, such as d => d.x, can be mapped.")
    return take_path(draft, path) if path else draft


def _for_each(draft: Draft, arguments: Node, script: Script) -> Draft:
    """`.forEach(printjson)` shows each document; a function that prints one field takes that field."""
    function = _only_argument(arguments, script)
    path = prints_whole(function, script)
    if path is None:
        raise script.unsupported(function, "Only a function that prints the document or one field is supported.")
    return take_path(draft, path) if path else draft


_WITH_FUNCTION: Final[Mapping[str, Callable[[Draft, Node, Script], Draft]]] = {"map": _map, "forEach": _for_each}
CHAINS: Final[Mapping[str, Handler]] = {**dict.fromkeys(_CHAIN, _chain), "bare name": bare_name}

"""The statements of a JavaScript text: variables that hold literals, and the one query."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tree_sitter import Node

from evaluation.errors import UnparsableTextError
from evaluation.guard.canonical import canonical
from evaluation.parse.cursors import take_path
from evaluation.parse.draft import Draft, Held
from evaluation.parse.functions import only_expression, printed_path
from evaluation.parse.limits import check_size
from evaluation.parse.places import Place
from evaluation.parse.script import Handler, Script, inner

NOTHING: Final = object()
"""The value of a statement that has none."""


def run_statements(root: Node, script: Script) -> Any:
    """Read all statements; the value of the last one that has a value.

    A declaration's value is the result only where no later statement has one (cases T030, T032).
    """
    result: Any = NOTHING
    for statement in inner(root):
        value = _statement(statement, script)
        if value is not NOTHING:
            result = value
    return result


def _statement(node: Node, script: Script) -> Any:
    handler = _STATEMENTS.get(node.type)
    if handler is None:
        raise script.unsupported(node, f"{node.type.replace('_', ' ').capitalize()} is not supported.")
    return handler(node, script)


def _expression(node: Node, script: Script) -> Any:
    children = inner(node)
    if not children:
        return NOTHING
    if children[0].type == "identifier" and _is_stray_word(script.text(children[0]), script):
        return NOTHING
    if children[0].type == "assignment_expression":
        return _assignment(children[0], script)
    value = script.evaluate(children[0], 0)
    return NOTHING if children[0].type == "string" and len(children) == 1 and _is_directive(value) else value


def _is_stray_word(name: str, script: Script) -> bool:
    """Whether a lone name is a word of prose, such as the `javascript` of a lost code fence."""
    return name not in script.variables and name != "db"


def _labeled(node: Node, script: Script) -> Any:
    """`Answer: db.t.find({})`, which JavaScript takes for a label."""
    body = node.child_by_field_name("body")
    return NOTHING if body is None else _statement(body, script)


def _is_directive(value: Any) -> bool:
    return isinstance(value, str) and value == "use strict"


def _declaration(node: Node, script: Script) -> Any:
    value: Any = NOTHING
    for declarator in inner(node):
        name, given = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if declarator.type != "variable_declarator" or name is None or name.type != "identifier":
            raise script.unsupported(declarator, "Only plain variables are supported.")
        value = _bind(name, given, script)
    return value


def _assignment(node: Node, script: Script) -> Any:
    """`x = …` as a statement; inside an expression (`f(x=1)`) it is not the shell's but Python's."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "identifier":
        raise script.unsupported(node, "Only plain variables can be assigned.")
    return _bind(left, right, script)


def _bind(name: Node, given: Node | None, script: Script) -> Any:
    value = script.evaluate(given, 0) if given is not None else None
    script.variables[script.text(name)] = value
    return value if isinstance(value, Draft) else NOTHING


def _await(node: Node, script: Script, depth: int) -> Any:
    return script.evaluate(inner(node)[0], depth + 1)


def _for_in(node: Node, script: Script) -> Any:
    """`for (const d of cursor) printjson(d)` shows each document."""
    name, cursor, body = (node.child_by_field_name(field) for field in ("left", "right", "body"))
    expression = only_expression(body) if body is not None else None
    if name is None or cursor is None or expression is None or name.type != "identifier":
        raise script.unsupported(node, "Only a loop that prints each document is supported.")
    draft = script.evaluate(cursor, 0)
    path = printed_path(expression, script.text(name), script)
    if not isinstance(draft, Draft) or path is None or draft.held not in {Held.CURSOR, Held.ARRAY}:
        raise script.unsupported(node, "Only a loop that prints each document is supported.")
    return take_path(draft, path) if path else draft


def _return(node: Node, script: Script) -> Any:
    children = inner(node)
    return script.evaluate(children[0], 0) if children else NOTHING


def _all_the_same(drafts: list[Draft]) -> bool:
    for draft in drafts:
        check_size(draft.arguments)
    return len({canonical(draft.query()) for draft in drafts}) == 1


def the_query(result: Any, script: Script) -> Draft:
    """The one query of the script.

    Raises:
        UnparsableTextError: "multi_query_script", "no_call" or "not_mql".
    """
    if len(script.drafts) > 1 and not _all_the_same(script.drafts):
        raise UnparsableTextError("multi_query_script", "The text holds more than one query.", position=script.offset)
    if isinstance(result, Draft):
        return result
    if script.drafts:
        return script.drafts[0]
    if isinstance(result, Place):
        raise UnparsableTextError(
            "no_call", "A collection is named but nothing is asked of it.", position=script.offset
        )
    raise UnparsableTextError("not_mql", "The text holds no query.", position=script.offset)


_STATEMENTS: Final[Mapping[str, Callable[[Node, Script], Any]]] = {
    "expression_statement": _expression,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "return_statement": _return,
    "for_in_statement": _for_in,
    "labeled_statement": _labeled,
    "empty_statement": lambda node, script: NOTHING,
}
STATEMENT_EXPRESSIONS: Final[Mapping[str, Handler]] = {
    "await_expression": _await,
}

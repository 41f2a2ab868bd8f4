"""The few functions whose meaning is plain: one field of a document, or printing it."""

from typing import Final

from tree_sitter import Node

from evaluation.parse.script import Script, inner

PRINTERS: Final = frozenset(
    [
        "printjson",
        "print",
        "printjsononeline",
        "tojson",
        "console.log",
        "JSON.stringify",
        "EJSON.stringify",
        "console.dir",
    ]
)


def field_path(function: Node, script: Script) -> tuple[str, ...] | None:
    """The path of `d => d.x.y` or `function (d) { return d.x.y }`: () for the document itself, None for any other."""
    parts = _parts(function, script)
    if parts is None:
        return None
    parameter, body = parts
    return _path(body, parameter, script)


def prints_whole(function: Node, script: Script) -> tuple[str, ...] | None:
    """The path that a function prints: () for the whole document, None where the function does anything else."""
    if script.text(function) in PRINTERS:
        return ()
    parts = _parts(function, script)
    if parts is None:
        return None
    parameter, body = parts
    return printed_path(body, parameter, script)


def printed_path(call: Node, parameter: str, script: Script) -> tuple[str, ...] | None:
    """The path of `print(d.x)`, `printjson(d)`, also where the calls are nested; None for anything else."""
    while call.type == "call_expression":
        name, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        shown = inner(arguments) if arguments is not None and arguments.type == "arguments" else []
        if name is None or script.text(name) not in PRINTERS or not shown:
            return None
        call = shown[0]
    return _path(call, parameter, script)


def _parts(function: Node, script: Script) -> tuple[str, Node] | None:
    """The parameter and the one expression of a function."""
    if function.type not in {"arrow_function", "function_expression"}:
        return None
    body, parameter = function.child_by_field_name("body"), function.child_by_field_name("parameter")
    if parameter is None:
        several = function.child_by_field_name("parameters")
        names = inner(several) if several is not None else []
        parameter = names[0] if len(names) == 1 else None
    if body is None or parameter is None or parameter.type != "identifier":
        return None
    expression = only_expression(body)
    return (script.text(parameter), expression) if expression is not None else None


def only_expression(body: Node) -> Node | None:
    """The one expression of a function's body."""
    while body.type in {"statement_block", "return_statement", "expression_statement", "parenthesized_expression"}:
        children = [child for child in inner(body) if child.type != "empty_statement"]
        if len(children) != 1:
            return None
        body = children[0]
    return body


def _path(node: Node, parameter: str, script: Script) -> tuple[str, ...] | None:
    names: list[str] = []
    while node.type in {"member_expression", "subscript_expression"}:
        if node.type == "member_expression":
            member = node.child_by_field_name("property")
            names.append(script.text(member) if member is not None else "")
        else:
            index = node.child_by_field_name("index")
            if index is None or index.type not in {"string", "number"}:
                return None
            names.append(script.text(index).strip("'\""))
        head = node.child_by_field_name("object")
        if head is None:
            return None
        node = head
    return tuple(reversed(names)) if node.type == "identifier" and script.text(node) == parameter else None

"""The statements of a pymongo program: variables that hold literals, and the one query."""

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from evaluation.errors import UnparsableTextError
from evaluation.parse.cursors import take_path
from evaluation.parse.draft import Draft, Held, RejectedValueError
from evaluation.parse.places import Place
from evaluation.parse.python import Program, evaluate, parse_program
from evaluation.parse.python_chains import chain_value, comprehension_value, element_path
from evaluation.types import ReadingContext

_MODULES: Final = frozenset(["pymongo", "bson", "datetime", "re", "json", "pprint", "collections", "typing", "uuid"])
_HANDLERS: Final[Mapping[type[ast.expr], Any]] = MappingProxyType(
    {
        ast.Call: chain_value,
        ast.Attribute: chain_value,
        ast.Subscript: chain_value,
        ast.ListComp: comprehension_value,
        ast.GeneratorExp: comprehension_value,
    }
)


def read_program(code: str, *, offset: int, context: ReadingContext) -> tuple[Draft, set[str]]:
    """Read a pymongo program that asks one query.

    Raises:
        UnparsableTextError, ForbiddenQueryError: see `evaluation.parse.read.read`.
    """
    tree = parse_program(code, offset=offset)
    program = Program(code=code, offset=offset, context=context, handlers=_HANDLERS)
    result: Any = None
    for statement in tree.body:
        try:
            value = _statement(statement, program)
        except RejectedValueError as error:
            raise program.rejected(statement, error) from error
        result = value if value is not None else result
    return _the_query(result, program), program.flags


def _statement(node: ast.stmt, program: Program) -> Any:
    match node:
        case ast.Expr():
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                return None
            return evaluate(node.value, program, 0)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return _bind(name, node.value, program)
        case ast.Return(value=ast.expr() as value):
            return evaluate(value, program, 0)
        case ast.For():
            return _loop(node, program)
        case ast.Import() | ast.ImportFrom():
            return _import(node, program)
    raise program.unsupported(node, f"{type(node).__name__} is not supported.")


def _bind(name: str, given: ast.expr | None, program: Program) -> Any:
    value = evaluate(given, program, 0) if given is not None else None
    program.variables[name] = value
    return value if isinstance(value, Draft) else None


def _import(node: ast.Import | ast.ImportFrom, program: Program) -> None:
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    if any(module.split(".")[0] not in _MODULES for module in modules) or any(alias.asname for alias in node.names):
        raise program.unsupported(node, "Only the modules of a plain pymongo program can be imported.")


def _loop(node: ast.For, program: Program) -> Any:
    """`for d in cursor: print(d)` shows each document (case T131)."""
    draft = evaluate(node.iter, program, 0)
    path = _printed(node)
    if not isinstance(draft, Draft) or draft.held not in {Held.CURSOR, Held.ARRAY} or path is None or node.orelse:
        raise program.unsupported(node, "Only a loop that prints each document or one field is supported.")
    return take_path(draft, path) if path else draft


def _printed(node: ast.For) -> tuple[str, ...] | None:
    [statement, *others] = node.body
    call = statement.value if isinstance(statement, ast.Expr) else None
    if (
        others
        or not isinstance(call, ast.Call)
        or len(call.args) != 1
        or not isinstance(call.func, ast.Name | ast.Attribute)
    ):
        return None
    name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
    return element_path(call.args[0], node.target) if name in {"print", "pprint"} else None


def _the_query(result: Any, program: Program) -> Draft:
    if len(program.drafts) > 1:
        raise UnparsableTextError("multi_query_script", "The text holds more than one query.", position=program.offset)
    if program.drafts:
        return result if isinstance(result, Draft) else program.drafts[0]
    if isinstance(result, Place):
        raise UnparsableTextError("no_call", "A collection is named but nothing is asked.", position=program.offset)
    raise UnparsableTextError("not_mql", "The text holds no query.", position=program.offset)

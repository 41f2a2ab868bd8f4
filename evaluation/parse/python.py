"""pymongo text: `ast` parses it, a whitelist reads the tree, nothing is evaluated."""

import ast
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bson.int64 import Int64

from evaluation.errors import UnparsableTextError
from evaluation.parse.documents import document_build
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.limits import DEPTH, NODES, check_nesting, too_deep, too_many_nodes
from evaluation.parse.places import Place
from evaluation.parse.python_values import constant_value, difference, known_name
from evaluation.types import ReadingContext

CLIENT: Final = object()
"""The value of `MongoClient(…)`: it leads to the item's own database only."""


@dataclass(slots=True, kw_only=True, eq=False)
class Program:
    """The state of reading one Python text; the fields are those of `evaluation.parse.script.Script`."""

    code: str
    offset: int
    context: ReadingContext
    handlers: "Mapping[type[ast.expr], Callable[[Any, Program, int], Any]]"
    flags: set[str] = field(default_factory=lambda: {"python"})
    variables: dict[str, Any] = field(default_factory=lambda: {"client": CLIENT, "db": Place()})
    drafts: list[Draft] = field(default_factory=list)

    copied: int = 0

    def grown(self, values: int) -> None:
        """Count values that a spread or a sum of texts copied.

        Raises:
            UnparsableTextError: reason "too_complex".
        """
        self.copied += values
        if self.copied > NODES:
            raise too_many_nodes()

    def position(self, node: ast.AST) -> int:
        """Where a node starts in the submitted text, in characters."""
        lines = self.code.splitlines(keepends=True)
        row = getattr(node, "lineno", 1) - 1
        start = sum(len(line) for line in lines[:row])
        column = (
            len(lines[row].encode()[: getattr(node, "col_offset", 0)].decode(errors="replace"))
            if row < len(lines)
            else 0
        )
        return self.offset + start + column

    def unsupported(self, node: ast.AST, what: str) -> UnparsableTextError:
        """The refusal of syntax that has no plain meaning here."""
        return UnparsableTextError("unsupported_syntax", what, position=self.position(node))

    def rejected(self, node: ast.AST, error: RejectedValueError) -> UnparsableTextError:
        """The refusal of a value, with its place."""
        return UnparsableTextError(error.reason, error.message, position=self.position(node))


def parse_program(code: str, *, offset: int) -> ast.Module:
    """The syntax tree of Python text.

    Raises:
        UnparsableTextError: reason "syntax_error" or "too_complex".
    """
    check_nesting(code)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError) as error:
        raise UnparsableTextError("syntax_error", "Syntax error: this is not Python.", position=offset) from error
    except (RecursionError, MemoryError) as error:
        raise too_deep(offset) from error
    _check_size(tree)
    return tree


def _check_size(tree: ast.Module) -> None:
    count = 0
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        count += len(level)
        depth += 1
        if count > NODES:
            raise too_many_nodes()
        if depth > 3 * DEPTH:
            raise too_deep()
        level = [child for node in level for child in ast.iter_child_nodes(node)]


def evaluate(node: ast.expr, program: Program, depth: int) -> Any:
    """The value of an expression: a BSON value, a draft, or a place in the database.

    Raises:
        UnparsableTextError: the expression is not plain, or deeper than `DEPTH`.
        ForbiddenQueryError: the expression asks for something that is not a read.
    """
    if depth > DEPTH:
        raise too_deep(program.position(node))
    try:
        return _value(node, program, depth)
    except RejectedValueError as error:
        raise program.rejected(node, error) from error


def _value(node: ast.expr, program: Program, depth: int) -> Any:
    match node:
        case ast.Constant():
            return constant_value(node.value)
        case ast.Dict():
            return document_build(_items(node, program, depth), flags=program.flags, javascript=False)
        case ast.List() | ast.Tuple():
            return _elements(node, program, depth)
        case ast.Name():
            return _name(node, program)
        case ast.UnaryOp() | ast.BinOp():
            return _calculated(node, program, depth)
    handler = program.handlers.get(type(node))
    if handler is not None:
        return handler(node, program, depth)
    raise program.unsupported(node, f"{type(node).__name__} is not supported in a query.")


def plain(node: ast.expr, program: Program, depth: int) -> Any:
    """The value of an expression that must be a BSON value."""
    value = evaluate(node, program, depth)
    if isinstance(value, Draft):
        raise UnparsableTextError(
            "multi_query_script", "One query uses the answer of another.", position=program.position(node)
        )
    if isinstance(value, Place) or value is CLIENT:
        raise program.unsupported(node, "A collection is not a value.")
    return value


def _items(node: ast.Dict, program: Program, depth: int) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            spread = plain(value_node, program, depth + 1)
            if not isinstance(spread, dict):
                raise program.unsupported(value_node, "Only a document can be spread.")
            program.grown(len(spread))
            pairs += spread.items()
            continue
        key = plain(key_node, program, depth + 1)
        if not isinstance(key, str):
            raise program.unsupported(key_node, "A key must be text.")
        pairs.append((key, plain(value_node, program, depth + 1)))
    return pairs


def _elements(node: ast.List | ast.Tuple, program: Program, depth: int) -> list[Any]:
    values: list[Any] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            spread = plain(element.value, program, depth + 1)
            if not isinstance(spread, list):
                raise program.unsupported(element, "Only a list can be spread.")
            program.grown(len(spread))
            values += spread
        else:
            values.append(plain(element, program, depth + 1))
    return values


def _name(node: ast.Name, program: Program) -> Any:
    if node.id in program.variables:
        return program.variables[node.id]
    try:
        return known_name(node.id)
    except KeyError:
        raise program.unsupported(node, f"The name {node.id[:60]} is not known here.") from None


def _calculated(node: ast.UnaryOp | ast.BinOp, program: Program, depth: int) -> Any:
    if isinstance(node, ast.BinOp):
        left = plain(node.left, program, depth + 1)
        value = difference(node.op, left, plain(node.right, program, depth + 1))
        program.grown(len(value) // 8 if isinstance(value, str) else 1)
        return value
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value == 2**63:
        return Int64(-(2**63))
    value = plain(node.operand, program, depth + 1)
    if isinstance(node.op, ast.Not):
        return not value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise program.unsupported(node, "The operator is not supported before this value.")
    return constant_value(-value) if isinstance(node.op, ast.USub) else value

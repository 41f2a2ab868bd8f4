"""mongosh text: tree-sitter parses it, a whitelist reads the tree, nothing is evaluated."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from tree_sitter import Node

from evaluation.errors import UnparsableTextError
from evaluation.guard.namespaces import check_database
from evaluation.parse.arithmetic import ARITHMETIC
from evaluation.parse.chains import CHAINS
from evaluation.parse.draft import Draft
from evaluation.parse.grammar import parse_javascript
from evaluation.parse.literals import LITERALS
from evaluation.parse.script import Handler, Script, inner
from evaluation.parse.statements import STATEMENT_EXPRESSIONS, run_statements, the_query
from evaluation.types import ReadingContext

_HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {**LITERALS, **ARITHMETIC, **CHAINS, **STATEMENT_EXPRESSIONS}
)
_USE: Final = re.compile(
    r"\A(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*(?P<use>use)[ \t]+"
    r"(?P<quote>['\"]?)(?P<name>[^\s;'\"]+)(?P=quote)[ \t]*(?:;|(?=\n)|\Z)"
)


def read_script(code: str, *, offset: int, context: ReadingContext) -> tuple[Draft, set[str]]:
    """Read a script that asks one query.

    Args:
        code: the script.
        offset: where it starts in the submitted text, in characters.

    Returns:
        The query and the flags of the reading.

    Raises:
        UnparsableTextError, ForbiddenQueryError: see `evaluation.parse.read.read`.
    """
    root, script = _parsed(_without_use(code, context=context, offset=offset), offset=offset, context=context)
    return the_query(run_statements(root, script), script), script.flags


def read_value(code: str, *, offset: int, context: ReadingContext) -> tuple[Any, set[str]]:
    """Read one expression, such as a document in braces, that is a BSON value."""
    root, script = _parsed(f"({code}\n)", offset=offset - 1, context=context)
    statements = inner(root)
    if len(statements) != 1 or statements[0].type != "expression_statement":
        raise UnparsableTextError("not_mql", "The text is not one document.", position=offset)
    return script.evaluate(inner(statements[0])[0], 0), script.flags


def _parsed(code: str, *, offset: int, context: ReadingContext) -> tuple[Node, Script]:
    root, source = parse_javascript(code, offset=offset)
    return root, Script(source=source, offset=offset, context=context, handlers=_HANDLERS)


def _without_use(code: str, *, context: ReadingContext, offset: int) -> str:
    """Blank out a leading `use name` of the item's own database (cases T050, T051); places stay the same."""
    found = _USE.match(code)
    if found is None:
        return code
    check_database(found["name"], db_id=context.db_id, position=offset + found.start("name"))
    start = found.start("use")
    return code[:start] + " " * (found.end() - start) + code[found.end() :]

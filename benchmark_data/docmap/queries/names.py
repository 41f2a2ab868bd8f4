"""The names in a SELECT: stars, aliases, positions, and the fields of the answer."""

import re

from sqlglot import exp

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.grouping import AGGREGATES
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.sources import HOISTED


def with_aliases(select: exp.Select, scope: Scope) -> exp.Select:
    """Note the aliases of SELECT."""
    scope.aliases = {each.alias: each.this for each in select.expressions if isinstance(each, exp.Alias)}
    return select


def expanded(select: exp.Select, scope: Scope) -> list[tuple[str, exp.Expr]]:
    """The columns of the answer: name and expression, stars written out."""
    found: list[tuple[str, exp.Expr]] = []
    for node in select.expressions:
        for each in _star(node, scope):
            found.append((_unused(output_name(each), [name for name, _ in found]), each.unalias()))
    return found


def _star(node: exp.Expr, scope: Scope) -> list[exp.Expr]:
    alone = isinstance(node, exp.Star)
    if not alone and not (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
        return [node]
    wanted = node.table.lower() if isinstance(node, exp.Column) else ""
    if wanted and wanted not in scope.sources:
        raise UntranslatableSqlError("unknown_table", f"There is no table {wanted} in FROM.")
    return [
        exp.column(name, table=source.alias)
        for alias, source in scope.sources.items()
        if wanted in {"", alias} and not alias.startswith(HOISTED)
        for name in source.names
    ]


def output_name(node: exp.Expr) -> str:
    """The field that an output of SELECT becomes, before equal names are told apart."""
    if isinstance(node, exp.Alias):
        name = node.alias
    elif isinstance(node, exp.Column):
        name = node.name
    elif isinstance(node, AGGREGATES):
        column = None if isinstance(node, exp.Count) else node.find(exp.Column)
        name = node.key if column is None else f"{node.key}_{column.name.lstrip('@')}"
    else:
        name = "value"
    name = re.sub(r"[.\0]", "_", name).lstrip("$")
    return name if name and name != "__proto__" else "value"


def _unused(wish: str, taken: list[str]) -> str:
    name, number = wish, 2
    while name.lower() in (each.lower() for each in taken):
        name, number = f"{wish}_{number}", number + 1
    return name


def resolved(nodes: list[exp.Expr], outputs: list[tuple[str, exp.Expr]], scope: Scope) -> list[exp.Expr]:
    """Expressions of GROUP BY, HAVING and ORDER BY with positions and aliases replaced; a column goes first."""
    return [_resolved(node, outputs, scope) for node in nodes]


def _resolved(node: exp.Expr, outputs: list[tuple[str, exp.Expr]], scope: Scope) -> exp.Expr:
    if isinstance(node, exp.Literal) and not node.is_string and outputs:
        position = int(node.this)
        if not 1 <= position <= len(outputs):
            raise UntranslatableSqlError("position", f"There is no column number {position}.")
        return outputs[position - 1][1].copy()
    holder = exp.Paren(this=node.copy())
    aliases = {name.lower(): found for name, found in scope.aliases.items()}
    for column in list(holder.find_all(exp.Column)):
        target = aliases.get(column.name.lower())
        if not column.table and target is not None and scope.find(column) is None:
            column.replace(exp.Paren(this=target.copy()) if column.parent is not holder else target.copy())
    found: exp.Expr = holder.this
    return found

"""Columns that cannot be NULL any more, because a comparison with them was TRUE for each row that is left."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from benchmark_data.docmap.queries.scope import Scope

_STRICT = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Glob, exp.Between)


def narrow(conditions: Iterable[exp.Expr], scope: Scope) -> None:
    """Note the columns that these conditions, TRUE for each row from here on, compare with a value.

    It saves the test for NULL where such a column is counted or compared again.
    """
    for condition in conditions:
        for column in _compared(condition):
            found = scope.find(column)
            if found is None or not found[1].nullable:
                continue
            source, typed = found
            columns = {**source.columns, column.name.lower(): replace(typed, nullable=False)}
            scope.sources[source.alias.lower()] = replace(source, columns=columns)


def _compared(condition: exp.Expr) -> Iterator[exp.Column]:
    if isinstance(condition, exp.Paren):
        yield from _compared(condition.this)
    elif isinstance(condition, _STRICT):
        sides = [condition.this, condition.args.get("expression")]
        yield from (side for side in sides if isinstance(side, exp.Column))

"""An aggregation expression with what is known of its value."""

from dataclasses import dataclass, replace
from typing import Any

from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.schema import Affinity, Kind

_ABSENT = object()
INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """An expression in MongoDB's aggregation language that has the value of a SQL expression.

    Args:
        mql: the expression; NULL is null or a missing field.
        kind: what values it can have.
        nullable: whether it can be NULL.
        affinity: for columns and CAST; None for all other expressions.
        constant: the value, where it is written in the query.
        is_constant: whether `constant` holds.
        place: where the value is stored in another form, for a column that a docmap transforms.
    """

    mql: Any
    kind: Kind
    nullable: bool = True
    affinity: Affinity | None = None
    constant: Any = None
    is_constant: bool = False
    place: Place | None = None

    @property
    def path(self) -> str | None:
        """The field's path without "$" where the expression is nothing but a field."""
        if isinstance(self.mql, str) and self.mql[:1] == "$" and self.mql[:2] != "$$":
            return self.mql[1:]
        return None

    def at(self, mql: Any, *, nullable: bool | None = None) -> "Typed":
        """The same value, found elsewhere."""
        kept = self.nullable if nullable is None else nullable
        return replace(self, mql=mql, nullable=kept, constant=None, is_constant=False, place=None)


def constant(value: Any, *, affinity: Affinity | None = None) -> Typed:
    """A value that is written in the query."""
    if isinstance(value, int) and not INT64.start <= value < INT64.stop:
        value = float(value)
    kind = {int: Kind.INTEGER, float: Kind.REAL, str: Kind.TEXT, type(None): Kind.NULL}[type(value)]
    mql = {"$literal": value} if isinstance(value, str) and value[:1] == "$" else value
    return Typed(mql=mql, kind=kind, nullable=value is None, affinity=affinity, constant=value, is_constant=True)


NULL = constant(None)


def expression(mql: Any, kind: Kind, *, nullable: bool) -> Typed:
    """A computed value: it has no affinity."""
    return Typed(mql=mql, kind=kind, nullable=nullable)


def is_not_null(mql: Any) -> Any:
    """A test for a value: null and missing come before every value in BSON's order."""
    return {"$gt": [mql, None]}


def unless_null(operands: list[Typed], mql: Any) -> Any:
    """The expression, or null where one of the operands is NULL (MongoDB reads null as "" in text functions)."""
    tests = [is_not_null(each.mql) for each in operands if each.nullable]
    if not tests:
        return mql
    return {"$cond": [tests[0] if len(tests) == 1 else {"$and": tests}, mql, None]}

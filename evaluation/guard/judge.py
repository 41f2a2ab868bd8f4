"""The guard: judges the query that will be sent, never the text."""

from collections.abc import Collection
from typing import Any, Final

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.constancy import is_literal_only
from evaluation.guard.growth import check_expression, check_growth
from evaluation.guard.lists import METHODS
from evaluation.guard.namespaces import check_collection
from evaluation.guard.stages import check_pipeline
from evaluation.guard.values import Judgement, check_value
from evaluation.types import Operation, Query

_ARGUMENTS: Final = frozenset({"pipeline", "filter", "projection", "sort", "skip", "limit", "hint", "collation", "key"})


def judge(query: Query, *, collections: Collection[str] | None) -> tuple[str, ...]:
    """Allow a query, or refuse it; nothing is ever taken out of one.

    Args:
        collections: names of the collections of the item's database; None where they are not known, and any name
            that a collection can have is allowed.

    Returns:
        Flags that go with the item, sorted: "uses_now", "nondeterministic", "literal_only".

    Raises:
        ForbiddenQueryError: something in the query is on no list, or a resource rule is broken.
    """
    if query.operation not in METHODS:
        raise ForbiddenQueryError("unknown_method", f"{query.operation}() is not one of the read methods.")
    check_collection(query.collection, collections=collections)
    judgement = Judgement(collections=collections)
    for name, value in query.arguments.items():
        _check_argument(name, value, judgement, query)
    if is_literal_only(query):
        judgement.flags.add("literal_only")
    return tuple(sorted(judgement.flags))


def _check_argument(name: str, value: Any, judgement: Judgement, query: Query) -> None:
    if name not in _ARGUMENTS:
        raise ForbiddenQueryError("unsupported_option", f"The argument {name[:60]!r} is not allowed.")
    if name == "pipeline" or (query.operation is Operation.AGGREGATE and name not in {"collation", "hint"}):
        check_pipeline(value, judgement)
        check_growth(value)
        return
    if name == "key" and not (isinstance(value, str) and not value.startswith("$") and "\0" not in value):
        raise ForbiddenQueryError("bad_key", "distinct() needs the name of a field.")
    check_value(value, judgement)
    check_expression(value)

"""Whether a query's answer holds nothing but constants: a guess, not a reading of the data (attack X066)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from evaluation.types import Operation, Query

_CONSTANT_ACCUMULATORS: Final = frozenset({"$first", "$last", "$min", "$max", "$avg", "$addToSet"})
_READING_OPERATORS: Final = frozenset({"$meta", "$getField"})


def is_literal_only(query: Query) -> bool:
    """Whether every value that the query gives is written in the query itself.

    The `_id` that a projection keeps unasked does not count as a reading.
    """
    if query.operation is Operation.AGGREGATE:
        return _pipeline(query.arguments.get("pipeline"), constant=False)
    if query.operation in {Operation.FIND, Operation.FIND_ONE}:
        return _project(query.arguments.get("projection"), constant=False)
    return False


def _pipeline(pipeline: Any, *, constant: bool) -> bool:
    """Whether the documents that leave a pipeline are constant, given whether those that enter it are."""
    for stage in pipeline if isinstance(pipeline, list) else []:
        if isinstance(stage, dict) and len(stage) == 1:
            [(name, value)] = stage.items()
            rule = _STAGES.get(name)
            constant = rule(value, constant) if rule is not None else constant
    return constant


def is_constant(expression: Any, constant: bool) -> bool:
    """Whether an expression has the same value for every document; paths are constant where the documents are."""
    if isinstance(expression, str):
        return constant or not expression.startswith("$") or expression.startswith(("$$NOW", "$$REMOVE"))
    if isinstance(expression, dict):
        if "$literal" in expression:
            return True
        if not _READING_OPERATORS.isdisjoint(expression) and not constant:
            return False
        if "$let" in expression or "$map" in expression or "$reduce" in expression or "$filter" in expression:
            return _with_variables(expression, constant)
        return all(is_constant(value, constant) for value in expression.values())
    if isinstance(expression, list):
        return all(is_constant(value, constant) for value in expression)
    return True


def _with_variables(expression: Any, constant: bool) -> bool:
    """An expression that binds variables is constant where it names no field and not the document."""
    if isinstance(expression, str):
        named = expression.startswith("$") and not expression.startswith("$$")
        return constant or not (named or expression.startswith(("$$ROOT", "$$CURRENT")))
    if isinstance(expression, dict):
        return "$literal" in expression or all(_with_variables(value, constant) for value in expression.values())
    return not isinstance(expression, list) or all(_with_variables(value, constant) for value in expression)


def _project(value: Any, constant: bool) -> bool:
    if not isinstance(value, dict) or not value:
        return constant
    shown = {key: part for key, part in value.items() if not _is_exclusion(part)}
    if not shown:
        return constant
    return all(_shown_constant(part, constant) for part in shown.values())


def _is_exclusion(part: Any) -> bool:
    return isinstance(part, bool | int | float) and not part


def _shown_constant(part: Any, constant: bool) -> bool:
    if isinstance(part, bool | int | float):
        return constant
    if isinstance(part, dict) and part and not any(key.startswith("$") for key in part):
        return all(_shown_constant(inside, constant) for inside in part.values() if not _is_exclusion(inside))
    if isinstance(part, dict) and ("$elemMatch" in part or "$slice" in part):
        return constant
    return is_constant(part, constant)


def _group(value: Any, constant: bool) -> bool:
    if not isinstance(value, dict):
        return False
    accumulators = (part for key, part in value.items() if key != "_id")
    return is_constant(value.get("_id"), constant) and all(_accumulated(part, constant) for part in accumulators)


def _accumulated(part: Any, constant: bool) -> bool:
    """Sums and lists of constants tell how many documents there are; the others give the constant back."""
    if not isinstance(part, dict) or len(part) != 1:
        return False
    [(name, operand)] = part.items()
    return name in _CONSTANT_ACCUMULATORS and is_constant(operand, constant)


def _root(value: Any, constant: bool) -> bool:
    inside = value.get("newRoot") if isinstance(value, dict) and "newRoot" in value else value
    return is_constant(inside, constant)


def _facet(value: Any, constant: bool) -> bool:
    return isinstance(value, dict) and all(_pipeline(branch, constant=constant) for branch in value.values())


def _union(value: Any, constant: bool) -> bool:
    if not isinstance(value, dict):
        return False
    return constant and _pipeline(value.get("pipeline"), constant=False)


def _lookup(value: Any, constant: bool) -> bool:
    return constant and isinstance(value, dict) and "from" not in value


_STAGES: Final[Mapping[str, Callable[[Any, bool], bool]]] = {
    "$project": _project,
    "$group": _group,
    "$replaceRoot": _root,
    "$replaceWith": _root,
    "$facet": _facet,
    "$unionWith": _union,
    "$lookup": _lookup,
    "$graphLookup": lambda value, constant: False,
    "$count": lambda value, constant: False,
    "$sortByCount": lambda value, constant: False,
    "$bucket": lambda value, constant: False,
    "$bucketAuto": lambda value, constant: False,
    "$setWindowFields": lambda value, constant: False,
    "$documents": lambda value, constant: True,
}

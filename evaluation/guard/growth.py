"""How far an expression can outgrow its operands: doubling inside `$reduce`, nested `$range`, chains of stages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evaluation.guard.rules import GROWTH, RANGE, amplification, too_complex

Size = float | dict[str, "Size"]
"""The size of a value: a number of units, or by key; a value of unknown size is one unit."""

STEPS: Final = 24
"""Rounds of a `$reduce` that are tried: doubling outgrows `REDUCED` in them, adding to lists does not."""

REDUCED: Final = 1e5
VISITS: Final = 300_000
_LARGEST: Final = 1e18

_SCALARS: Final = (
    "$eq $ne $gt $gte $lt $lte $cmp $and $or $not $in $isArray $isNumber $type $size $strLenCP $strLenBytes "
    "$strcasecmp $indexOfArray $indexOfCP $indexOfBytes $regexMatch $allElementsTrue $anyElementTrue "
    "$setEquals $setIsSubset $add $subtract $multiply $divide $mod $abs $ceil $floor $round $trunc $pow $sqrt "
    "$exp $ln $log $log10 $year $month $dayOfMonth $dayOfWeek $dayOfYear $hour $minute $second $millisecond "
    "$week $isoWeek $isoWeekYear $isoDayOfWeek $dateDiff $dateAdd $dateSubtract $dateTrunc $toInt $toLong "
    "$toDouble $toDecimal $toBool $toDate $toObjectId $binarySize $bsonSize $sum $avg $bitAnd $bitOr $bitXor "
    "$bitNot $rand $exists $nin"
)
_ONE_UNIT: Final = frozenset(_SCALARS.split())


@dataclass(slots=True, eq=False)
class Growth:
    """What is known while sizes are estimated: sizes of fields by name, and how much work was done."""

    fields: dict[str, Size] = field(default_factory=dict)
    visits: int = 0


def check_growth(pipeline: Any) -> None:
    """Follow the sizes of fields through the stages of a pipeline.

    Raises:
        ForbiddenQueryError: reason "amplification".
    """
    growth = Growth()
    for stage in pipeline if isinstance(pipeline, list) else []:
        if not isinstance(stage, dict) or len(stage) != 1:
            continue
        [(name, value)] = stage.items()
        for inside in _pipelines_in(name, value):
            check_growth(inside)
        if name in {"$addFields", "$set", "$project", "$group"} and isinstance(value, dict):
            _follow(name, value, growth)
        else:
            check_expression(value, growth)


def _pipelines_in(name: str, value: Any) -> list[Any]:
    if name == "$facet" and isinstance(value, dict):
        return list(value.values())
    return [value["pipeline"]] if isinstance(value, dict) and "pipeline" in value else []


def _follow(name: str, value: dict[str, Any], growth: Growth) -> None:
    sizes = {key.split(".")[0]: check_expression(part, growth) for key, part in value.items()}
    kept = {key: size for key, size in sizes.items() if not isinstance(value.get(key), bool | int | float)}
    growth.fields = {**(growth.fields if name != "$group" else {}), **kept}


def check_expression(expression: Any, growth: Growth | None = None) -> Size:
    """The size of an expression, in units of its operands.

    Raises:
        ForbiddenQueryError: reason "amplification".
    """
    size = _size(expression, {}, growth or Growth())
    if _total(size) > GROWTH:
        raise amplification("An expression makes values that are far larger than the data.")
    return size


def _total(size: Size) -> float:
    return min(_LARGEST, sum(map(_total, size.values()))) if isinstance(size, dict) else size


def _sum(sizes: list[Size]) -> float:
    return min(_LARGEST, max(1.0, sum(map(_total, sizes))))


def _largest(sizes: list[Size]) -> Size:
    if sizes and all(isinstance(size, dict) for size in sizes):
        keys = {key for size in sizes if isinstance(size, dict) for key in size}
        return {key: _largest([size[key] for size in sizes if isinstance(size, dict) and key in size]) for key in keys}
    return max(map(_total, sizes), default=1.0)


def _size(expression: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    growth.visits += 1
    if growth.visits > VISITS:
        raise too_complex("The expressions of the query are too deeply nested to be judged.")
    if isinstance(expression, str):
        return _of_text(expression, variables, growth)
    if isinstance(expression, list):
        return _sum([_size(part, variables, growth) for part in expression])
    if not isinstance(expression, dict):
        return 1.0
    if len(expression) == 1:
        [(name, operand)] = expression.items()
        if name[:1] == "$":
            rule = _RULES.get(name)
            if rule is not None:
                return rule(operand, variables, growth)
            inside = _size(operand, variables, growth)
            return 1.0 if name in _ONE_UNIT else _total(inside)
    return {key: _size(part, variables, growth) for key, part in expression.items() if key != "pipeline"}


def _of_text(text: str, variables: Mapping[str, Size], growth: Growth) -> Size:
    if text[:1] != "$":
        return max(1.0, len(text) / 64)
    name, *path = text.lstrip("$").split(".")
    if text[:2] == "$$":
        if name in {"ROOT", "CURRENT"}:
            return _sum([1.0, *growth.fields.values()])
        size = variables.get(name, 1.0)
    else:
        size = growth.fields.get(name, 1.0)
    for key in path:
        if not isinstance(size, dict):
            break
        size = size.get(key, 1.0)
    return size


def _part(operand: Any, name: str) -> Any:
    return operand.get(name) if isinstance(operand, dict) else None


def _condition(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    """Only one branch is the value; the test is not part of it."""
    parts = [operand.get(name) for name in ("if", "then", "else")] if isinstance(operand, dict) else operand
    sizes = [_size(part, variables, growth) for part in (parts if isinstance(parts, list) else [parts])]
    return _largest(sizes[1:]) if len(sizes) > 1 else 1.0


def _switch(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    branches = _part(operand, "branches")
    sizes = [_size(_part(operand, "default"), variables, growth)]
    for branch in branches if isinstance(branches, list) else []:
        _size(_part(branch, "case"), variables, growth)
        sizes.append(_size(_part(branch, "then"), variables, growth))
    return _largest(sizes)


def _alternatives(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    parts = operand if isinstance(operand, list) else [operand]
    return _largest([_size(part, variables, growth) for part in parts])


def _let(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    given = _part(operand, "vars")
    bound = {name: _size(part, variables, growth) for name, part in given.items()} if isinstance(given, dict) else {}
    return _size(_part(operand, "in"), {**variables, **bound}, growth)


def _range(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    parts = operand if isinstance(operand, list) else []
    for part in parts:
        _size(part, variables, growth)
    numbers = [part for part in parts if isinstance(part, int | float) and not isinstance(part, bool)]
    if len(numbers) != len(parts) or not 2 <= len(parts) <= 3:
        return 1.0
    step = numbers[2] if len(numbers) == 3 and numbers[2] else 1
    count = abs(numbers[1] - numbers[0]) / abs(step)
    if not count <= RANGE:
        raise amplification(f"A $range makes more than {RANGE} numbers.")
    return max(1.0, float(count))


def _map(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    name = _part(operand, "as")
    count = _total(_size(_part(operand, "input"), variables, growth))
    bound = {**variables, name if isinstance(name, str) else "this": 1.0}
    return min(_LARGEST, max(1.0, count) * max(1.0, _total(_size(_part(operand, "in"), bound, growth))))


def _filter(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    name = _part(operand, "as")
    _size(_part(operand, "cond"), {**variables, name if isinstance(name, str) else "this": 1.0}, growth)
    return _size(_part(operand, "input"), variables, growth)


def _reduce(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    """Try the rounds: a value that is copied twice in each outgrows every bound, in whatever way it is hidden."""
    source = _part(operand, "input")
    count = _total(_size(source, variables, growth))
    known = isinstance(source, list) or (isinstance(source, dict) and "$range" in source and count > 1)
    value = _size(_part(operand, "initialValue"), variables, growth)
    value = _scaled(value, 2.0)
    start = _total(value)
    before = start
    rounds = int(min(STEPS, count)) if known else STEPS
    for _ in range(rounds):
        before = _total(value)
        value = _size(_part(operand, "in"), {**variables, "value": value, "this": 1.0}, growth)
        if _total(value) > REDUCED * max(1.0, start):
            raise amplification("A $reduce copies its value more than once in each round.")
    if count > rounds:
        return min(_LARGEST, _total(value) + (count - rounds) * max(0.0, _total(value) - before))
    return value


def _scaled(size: Size, factor: float) -> Size:
    """Two units tell what comes from the value of a `$reduce` from what is put beside it."""
    return {key: _scaled(part, factor) for key, part in size.items()} if isinstance(size, dict) else size * factor


def _replace_all(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    found, replacement = _part(operand, "find"), _part(operand, "replacement")
    size = _total(_size(_part(operand, "input"), variables, growth))
    if isinstance(replacement, str) and replacement[:1] != "$":
        wide = len(found) if isinstance(found, str) and found[:1] != "$" else 1
        return min(_LARGEST, size * max(1.0, len(replacement) / max(1, wide)))
    return min(_LARGEST, size * _total(_size(replacement, variables, growth)))


def _merge(operand: Any, variables: Mapping[str, Size], growth: Growth) -> Size:
    sizes = [_size(part, variables, growth) for part in (operand if isinstance(operand, list) else [operand])]
    if all(isinstance(size, dict) for size in sizes):
        return {key: part for size in sizes if isinstance(size, dict) for key, part in size.items()}
    return _sum(sizes)


_RULES: Final[Mapping[str, Callable[[Any, Mapping[str, Size], Growth], Size]]] = {
    "$literal": lambda operand, variables, growth: 1.0,
    "$cond": _condition,
    "$switch": _switch,
    "$ifNull": _alternatives,
    "$let": _let,
    "$range": _range,
    "$map": _map,
    "$filter": _filter,
    "$reduce": _reduce,
    "$replaceAll": _replace_all,
    "$mergeObjects": _merge,
}

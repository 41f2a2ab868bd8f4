"""Generates documents, and filters over them, for comparing an indexed with an unindexed collection.

Values are few and of every type, so that filters match, ties and prefixes occur, and types meet on one field.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp

NUMBERS: tuple[Any, ...] = (
    0,
    1,
    2,
    3,
    5,
    -3,
    Int64(2),
    Int64(2**62),
    2**53 + 1,
    2.0,
    2.5,
    -0.0,
    1e200,
    1e300,
    -1e200,
    1e-200,
    float(2**62),
    float("nan"),
    float("inf"),
    float("-inf"),
    Decimal128("2"),
    Decimal128("2.50"),
    Decimal128("NaN"),
    Decimal128("-Infinity"),
    Decimal128("1234567890123456789012345678901234"),
    Decimal128("1234567890123456789012345678901235"),
)
TEXTS = ("", "a", "ab", "abc", "b", "B", "á", "é", "Ab", "a\nb", "a b", "zz", "a\x00b", "x.y")
MOMENTS = tuple(datetime(year, 1, 1) for year in (1969, 2023, 2024, 2025))  # noqa: DTZ001
PATTERNS = (
    Regex("^a"),
    Regex("^A", "i"),
    Regex("b$", "m"),
    Regex("."),
    Regex("^a.b", "s"),
    Regex("á|é"),
    Regex("a b # c", "x"),
    Regex("x\\.y"),
    Regex("^(?!a)"),
    Regex("nothing"),
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    ObjectId("5ab9c3da31c2ab715d421285"),
    Binary(b"ab"),
    Timestamp(5, 1),
    Code("a"),
    MinKey(),
    MaxKey(),
    *PATTERNS[:2],
)
OPERATORS = ("$eq", "$gt", "$gte", "$lt", "$lte")
TYPES = ("string", "number", "null", "array", "object", "date", "bool", "double", "regex")
FIELDS = ("a", "b", "c", "d.x", "d.y", "d.x", "d", "a.0", "d.0.x", "d.1")

Generator = random.Random
Document = dict[str, Any]


def scalar(chance: Generator) -> Any:
    """A value that is neither an array nor a document."""
    kinds: tuple[Sequence[Any], ...] = (NUMBERS, NUMBERS, TEXTS, TEXTS, MOMENTS, OTHERS, (None,))
    return chance.choice(chance.choice(kinds))


def array(chance: Generator) -> list[Any]:
    """An array, empty at times, with an array or a document in it at times."""
    elements = [scalar(chance) for _ in range(chance.randrange(4))]
    if chance.random() < 0.15:
        elements.append([scalar(chance)])
    if chance.random() < 0.1:
        elements.append({"x": scalar(chance)})
    return elements


def value(chance: Generator) -> Any:
    """Any value."""
    kind = chance.random()
    if kind < 0.6:
        return scalar(chance)
    return array(chance) if kind < 0.85 else inner(chance)


def inner(chance: Generator) -> Document:
    """A document of the fields x and y, each absent at times, in any order."""
    names = chance.sample(("x", "y"), chance.randrange(3))
    return {name: value(chance) if chance.random() < 0.15 else scalar(chance) for name in names}


def document(chance: Generator, number: int) -> Document:
    """A document with fields of every type, each absent at times."""
    made: Document = {"_id": number}
    for name in ("a", "b", "c"):
        if chance.random() < 0.85:
            made[name] = value(chance)
    if chance.random() < 0.9:
        several = [inner(chance) if chance.random() < 0.9 else scalar(chance) for _ in range(chance.randrange(4))]
        made["d"] = chance.choice((several, several, inner(chance), scalar(chance)))
    return made


def compared(chance: Generator) -> Document:
    """One or two comparisons of one field, as in a range."""
    names = chance.sample(OPERATORS, 1 if chance.random() < 0.4 else 2)
    chosen = chance.choice((NUMBERS, TEXTS, MOMENTS, None))
    # A pattern is refused in a comparison.
    values = [chance.choice(chosen) if chosen else value(chance) for _ in names]
    return {
        name: 3 if isinstance(each, Regex) and name != "$eq" else each for name, each in zip(names, values, strict=True)
    }


def listed(chance: Generator, *, patterns: bool = True) -> list[Any]:
    """The operand of $in, $nin or $all."""
    elements = [value(chance) for _ in range(chance.randrange(1, 4))]
    if patterns and chance.random() < 0.4:
        elements.append(chance.choice(PATTERNS))
    return elements


def within(chance: Generator) -> Document:
    """The operand of $elemMatch."""
    if chance.random() < 0.5:
        return {chance.choice(("x", "y")): clause(chance) for _ in range(chance.randrange(1, 3))}
    return chance.choice((compared(chance), {"$in": listed(chance)}, {"$regex": chance.choice(PATTERNS).pattern}))


def negated(chance: Generator) -> Any:
    """The operand of $not."""
    kinds: tuple[Any, ...] = (chance.choice(PATTERNS), compared(chance), {"$in": listed(chance)}, {"$exists": True})
    return chance.choice(kinds)


def spelled_pattern(chance: Generator) -> Document:
    """A pattern as a $regex with $options, alone or beside a comparison."""
    pattern = chance.choice(PATTERNS)
    spelled: Document = {"$regex": pattern.pattern, "$options": "i"}
    return chance.choice((spelled, {"$regex": pattern}, {**spelled, "$gt": "a"}, {**spelled, "$ne": "ab"}))


CLAUSES: tuple[Callable[[Generator], Any], ...] = (
    value,
    value,
    lambda chance: chance.choice(PATTERNS),
    lambda chance: None,
    compared,
    compared,
    compared,
    lambda chance: {"$in": listed(chance)},
    lambda chance: {"$in": listed(chance)},
    lambda chance: {"$nin": listed(chance)},
    lambda chance: {"$all": listed(chance)},
    lambda chance: {"$all": [{"$elemMatch": within(chance)}]},
    lambda chance: {"$elemMatch": within(chance)},
    lambda chance: {"$not": negated(chance)},
    lambda chance: {"$exists": chance.random() < 0.5},
    lambda chance: {"$type": chance.choice(TYPES)},
    lambda chance: {"$size": chance.randrange(3)},
    lambda chance: {"$mod": [2, chance.randrange(2)]},
    lambda chance: {"$ne": chance.choice((None, 2, "a", []))},
    spelled_pattern,
)


def clause(chance: Generator) -> Any:
    """What a filter asks of one field."""
    return chance.choice(CLAUSES)(chance)


def criteria(chance: Generator, depth: int = 2) -> Document:
    """A filter: conditions on one to three fields, with $and, $or and $nor at times."""
    made: Document = {chance.choice(FIELDS): clause(chance) for _ in range(chance.choice((1, 1, 2, 2, 3)))}
    if depth and chance.random() < 0.2:
        name = chance.choice(("$and", "$or", "$nor"))
        made[name] = [criteria(chance, depth - 1) for _ in range(chance.randrange(1, 3))]
    return made


def occurring(chance: Generator, stored: Sequence[Document], name: str) -> Any:
    """A value that a field has in some document, or that an array there has as an element."""
    found = chance.choice(stored).get(name)
    if isinstance(found, list) and found and chance.random() < 0.8:
        found = chance.choice(found)
    return found


def around(chance: Generator, stored: Sequence[Document], name: str) -> Any:
    """An equality, a range or a list that some document matches."""
    first, second = (occurring(chance, stored, name) for _ in range(2))
    if isinstance(first, Regex) or isinstance(second, Regex):
        return {"$eq": first}
    return chance.choice((
        first,
        {"$in": [first, second]},
        {chance.choice(OPERATORS): first},
        {chance.choice(("$gt", "$gte")): first, chance.choice(("$lt", "$lte")): second},
    ))  # fmt: skip


def matching_criteria(chance: Generator, stored: Sequence[Document]) -> Document:
    """A filter of equalities and ranges on fields that compound indexes begin with."""
    names = chance.sample(("a", "b", "c"), chance.choice((1, 1, 2, 2, 3)))
    if chance.random() < 0.6:
        # Equalities of the same document, then a range: what a compound index is for.
        same = chance.choice(stored)
        fixed = {name: same.get(name) for name in names[:-1] if not isinstance(same.get(name), Regex)}
        return {**fixed, names[-1]: around(chance, [same], names[-1])}
    return {name: around(chance, stored, name) for name in names}


def documents(seed: int, count: int) -> list[Document]:
    """The documents of a seed."""
    chance = random.Random(seed)
    return [document(chance, number) for number in range(count)]


def filters(seed: int, count: int, stored: Sequence[Document]) -> list[Document]:
    """The filters of a seed, half of them made from the documents."""
    chance = random.Random(seed)
    return [matching_criteria(chance, stored) if number % 2 else criteria(chance) for number in range(count)]


def bounded_by_extremes(condition: Any) -> bool:
    """Whether MinKey or MaxKey stands anywhere in a filter."""
    if isinstance(condition, Mapping):
        return any(bounded_by_extremes(each) for each in condition.values())
    if isinstance(condition, list):
        return any(bounded_by_extremes(each) for each in condition)
    return isinstance(condition, MinKey | MaxKey)

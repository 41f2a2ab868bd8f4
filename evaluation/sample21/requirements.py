"""Which version of MongoDB a set of queries needs, by the operators in them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from benchmark_data.types import EngineRequirements
from evaluation.types import Query

OLDEST: Final = "4.4"
_SINCE: Final[Mapping[str, str]] = {
    "$setWindowFields": "5.0", "$dateDiff": "5.0", "$dateAdd": "5.0", "$dateSubtract": "5.0", "$dateTrunc": "5.0",
    "$getField": "5.0", "$setField": "5.0", "$shift": "5.0", "$rank": "5.0", "$denseRank": "5.0",
    "$documentNumber": "5.0", "$densify": "5.1", "$documents": "5.1", "$sortArray": "5.2", "$top": "5.2",
    "$topN": "5.2", "$bottom": "5.2", "$bottomN": "5.2", "$firstN": "5.2", "$lastN": "5.2", "$maxN": "5.2",
    "$minN": "5.2", "$fill": "5.3", "$linearFill": "5.3", "$locf": "5.3", "$median": "7.0", "$percentile": "7.0",
}  # fmt: skip
"""Operators that came after `OLDEST`. Source: the release notes of MongoDB's manual."""


def requirements_of(queries: Iterable[Query]) -> EngineRequirements:
    """The lowest version that knows every operator, and the operators that ask for more than the oldest."""
    used = {key for query in queries for key in _keys(query.arguments)} & _SINCE.keys()
    version = max((_SINCE[name] for name in used), key=_numbers, default=OLDEST)
    return EngineRequirements(mongodb=version, features=tuple(sorted(used)))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield key
            yield from _keys(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _keys(inside)

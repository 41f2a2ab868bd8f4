"""Measures what an item's data notices: the share of wrong queries near its gold whose answers differ from gold's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmark_data.load import read_documents
from benchmark_data.types import ArrayOrder
from evaluation.compare import compare
from evaluation.gold import builds_sets, is_sorted
from evaluation.sample21.instances import SampleInstance
from evaluation.sample21.measured import Noticed
from evaluation.sample21.proofs import ItemFault
from evaluation.sample21.query_text import query_text
from evaluation.sample21.siblings import Types, other_fields, types_of
from evaluation.sample21.slips import SLIPS
from evaluation.types import Answer, Executor, Limits, Query

FIELD: Final = "neighbouring field"
KINDS: Final = (*SLIPS, FIELD)
_MILLISECONDS: Final = 10_000
_AROUND: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A wrong query near an item's gold.

    Args:
        kind: of the mistake.
        query: with it.
        is_caught: its answer on the bundle's instance is not gold's by Strict-EX, or it has none.
    """

    kind: str
    query: Query
    is_caught: bool


def mutants_of(query: Query, types: Types) -> dict[str, tuple[str, Query]]:
    """All queries that are one mistake away from gold, by their text, each with the kind that makes it first."""
    own = query_text(query)
    found: dict[str, tuple[str, Query]] = {}
    for kind in KINDS:
        for made in other_fields(query, types) if kind == FIELD else SLIPS[kind](query):
            text = query_text(made)
            if text != own:
                found.setdefault(text, (kind, made))
    return found


def tried_mutants(query: Query, types: Types, instance: SampleInstance, *, executor: Executor) -> Iterator[Mutant]:
    """Run all mutants of a proved gold query on an instance, judged as submissions are.

    Raises:
        EngineUnavailableError: the document database failed.
    """
    gold = executor.execute(query, database=instance.storage_name, limits=Limits())
    if not isinstance(gold, Answer):
        return
    limits = Limits(milliseconds=_MILLISECONDS, rows=len(gold.rows) + 1)
    order = ArrayOrder.UNSPECIFIED if builds_sets(query) else ArrayOrder.ORDERED
    for kind, made in mutants_of(query, types).values():
        answer = executor.execute(made, database=instance.storage_name, limits=limits)
        is_same = (
            isinstance(answer, Answer) and compare(gold, answer, array_order=order, gold_sorted=is_sorted(query)).strict
        )
        yield Mutant(kind=kind, query=made, is_caught=not is_same)


def collection_types(instance: SampleInstance) -> Mapping[str, Types]:
    """The paths and types of each collection of an instance."""
    return {one.name: types_of(read_documents(one)) for one in instance.database.collections}


def counted(mutants: Sequence[Mutant]) -> dict[str, Noticed]:
    """The mutants of several items by kind."""
    return {
        kind: Noticed(
            mutants=sum(one.kind == kind for one in mutants),
            caught=sum(one.kind == kind and one.is_caught for one in mutants),
        )
        for kind in KINDS
    }


def unnoticed(query: Query, mutants: Sequence[Mutant]) -> Iterator[ItemFault]:
    """Advice on every mutant of an item's gold that scores as gold does."""
    for mutant in mutants:
        if not mutant.is_caught:
            message = f"{mutant.kind}, and nobody would notice: {difference(query, mutant.query)}"
            yield ItemFault(field="mql", rule="unnoticed", message=message, is_advice=True)


def difference(query: Query, mutant: Query) -> str:
    """Where two queries differ, with a little of what stands around it."""
    left, right = query_text(query), query_text(mutant)
    start = next(
        (place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
    most = min(len(left), len(right)) - start
    end = next((place for place in range(most) if left[-1 - place] != right[-1 - place]), most)
    begin, after = max(0, start - _AROUND), max(0, end - _AROUND)
    return f"{left[begin : len(left) - after]} → {right[begin : len(right) - after]}"

"""Finds conditions of gold that make no difference on any instance: nobody would notice if they were forgotten."""

from collections.abc import Iterator, Sequence

from evaluation.sample21.instances import SampleInstance
from evaluation.sample21.mutations import dropped_condition
from evaluation.sample21.proofs import LIMITS, ItemFault
from evaluation.sample21.query_text import value_text
from evaluation.types import Answer, Executor, Query


def idle_conditions(query: Query, instances: Sequence[SampleInstance], *, executor: Executor) -> Iterator[ItemFault]:
    """Advice on every condition without which each instance answers the same.

    Raises:
        EngineUnavailableError: the document database failed.
    """
    answers = [_rows(query, instance, executor) for instance in instances]
    for mutant in dropped_condition(query):
        if all(_rows(mutant, instance, executor) == rows for instance, rows in zip(instances, answers, strict=True)):
            kept = mutant.arguments.get("filter") or [
                stage["$match"] for stage in mutant.arguments.get("pipeline", ()) if "$match" in stage
            ]
            message = (
                f"nothing changes on any instance if a condition is dropped and these are left: {value_text(kept)}"
            )
            yield ItemFault(field="mql", rule="idle_condition", message=message, is_advice=True)


def _rows(query: Query, instance: SampleInstance, executor: Executor) -> str:
    """An answer that can be compared; the failure's sentence where there is none."""
    answer = executor.execute(query, database=instance.storage_name, limits=LIMITS)
    return repr(sorted(map(repr, answer.rows))) if isinstance(answer, Answer) else answer.message

"""Shorter queries for the same question, each to be confirmed on data before it replaces the compiled one."""

from dataclasses import replace

from benchmark_data.docmap.queries.compile import CompiledQuery, compile_tree, parse_sql
from benchmark_data.docmap.queries.cost import statistics_of
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.precomputed import precomputed
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.scope import TableLayout
from benchmark_data.docmap.queries.summaries import SummaryLayout, summaries_of, with_summaries
from benchmark_data.docmap.queries.tidying import without_group_guard


def alternatives(
    compiled: CompiledQuery, sql: str, *, schema: Schema, layout: TableLayout
) -> tuple[CompiledQuery, ...]:
    """Queries that cost no more by estimate and are right where data do not speak against it; the cheapest first.

    They read aggregates that documents hold already, and leave out the row that SQL gives for an empty group.

    Args:
        compiled: the query that is right on all data.
        sql: what it was compiled from.
        schema: the tables.
        layout: where they lie.
    """
    statistics = statistics_of(schema, layout)
    bound = compiled.cost(statistics)
    found = [each for each in _from_summaries(sql, schema, layout) if each.cost(statistics) <= bound]
    ordered = [*sorted(found, key=lambda each: each.cost(statistics)), compiled]
    shorter = [each for query in ordered for each in (_without_guard(query), query)]
    distinct = {each.extended_json: each for each in shorter if each.pipeline != compiled.pipeline}
    return tuple(distinct.values())


def _without_guard(query: CompiledQuery) -> CompiledQuery:
    return replace(query, pipeline=tuple(without_group_guard(list(query.pipeline))))


def _from_summaries(sql: str, schema: Schema, layout: TableLayout) -> list[CompiledQuery]:
    if not isinstance(layout, DocmapLayout):
        return []
    summaries = summaries_of(layout.docmap)
    wider, columns = with_summaries(schema, summaries), SummaryLayout(layout, summaries)
    found = []
    for tree in precomputed(parse_sql(sql), schema, summaries):
        try:
            query = compile_tree(tree, schema=wider, layout=columns)
        except UntranslatableSqlError:
            continue
        found.append(replace(query, notes=tuple(sorted({*query.notes, "precomputed"}))))
    return found

"""Aggregates that documents hold already: a docmap's computed fields, and the sizes of its arrays."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from benchmark_data.docmap.queries.compile import parse_sql
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.schema import Column, Schema, TableSchema
from benchmark_data.docmap.queries.scope import Embedded, RowPlace, Source
from benchmark_data.docmap.types import ComputedField, Docmap, EmbedManyField, Field, Link, Root
from benchmark_data.docmap.vocabulary import Operation, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One aggregate over the rows below each row of a table.

    Args:
        table: whose rows have it.
        links: the way down to the rows that are aggregated.
        operation: count, sum, avg, min or max.
        operand: the SQL expression over the last rows, its columns without their table; None for a count of rows.
        digits: decimals that it is rounded to, None for none.
        place: the field.
    """

    table: str
    links: tuple[Link, ...]
    operation: Operation
    operand: str | None
    digits: int | None
    place: Place

    @property
    def column(self) -> str:
        """The name under which a rewritten query speaks of it; no column of a table is likely to have it."""
        return f"@{self.place.path}"


def summaries_of(docmap: Docmap) -> tuple[Summary, ...]:
    """The aggregates in documents that are homes, over all rows below and along keys of one column."""
    found = []
    for collection in docmap.collections:
        for root in collection.roots:
            if root.role is Role.HOME and collection.bucket is None:
                found += [each for field in root.fields for each in _summaries(root, field)]
    usable = [each for each in found if all(len(link.child_columns) == 1 for link in each.links)]
    # A field is read before the elements of an array are counted.
    return tuple(sorted(usable, key=lambda each: each.place.is_count))


def _summaries(root: Root, field: Field) -> Iterator[Summary]:
    if isinstance(field, ComputedField) and not field.where and field.operation is not Operation.LIST:
        yield Summary(
            table=root.table,
            links=field.links,
            operation=field.operation,
            operand=_normal(field.expression) if field.expression else None,
            digits=field.digits,
            place=Place(path=field.path),
        )
    whole = isinstance(field, EmbedManyField) and field.limit is None and not field.where
    if whole and isinstance(field, EmbedManyField) and field.key_by is None:
        yield Summary(
            table=root.table,
            links=(field.link,),
            operation=Operation.COUNT,
            operand=None,
            digits=None,
            place=Place(path=field.path, is_count=True),
        )


def _normal(expression: str) -> str | None:
    try:
        select = parse_sql(f"SELECT {expression}")
    except UntranslatableSqlError:
        return None
    return normal_text(select.expressions[0])


def normal_text(node: exp.Expr) -> str:
    """An expression as text, its columns without their table, names in lower case."""
    copy = exp.Paren(this=node.copy())
    for column in list(copy.find_all(exp.Column)):
        column.replace(exp.column(column.name.lower()))
    return str(copy.this.sql(dialect="sqlite"))


def with_summaries(schema: Schema, summaries: tuple[Summary, ...]) -> Schema:
    """The schema with a column for each aggregate."""
    tables = {}
    for name, table in schema.tables.items():
        own = tuple(_column(each) for each in summaries if each.table == table.name)
        tables[name] = replace(table, columns=(*table.columns, *own))
    return Schema(tables=tables)


def _column(summary: Summary) -> Column:
    if summary.operation is Operation.COUNT:
        return Column(name=summary.column, nullable=False, classes=frozenset({"integer"}))
    numbers = frozenset({"integer", "real"})
    classes = frozenset({"real"}) if summary.operation is Operation.AVG else numbers
    return Column(name=summary.column, classes=classes if summary.operation in _NUMERIC else None)


_NUMERIC = {Operation.SUM, Operation.AVG}


class SummaryLayout:
    """A docmap's layout in which the aggregates are columns, too; see `scope.TableLayout`."""

    def __init__(self, layout: DocmapLayout, summaries: tuple[Summary, ...]) -> None:
        self._layout = layout
        self._summaries = summaries

    @property
    def indexed(self) -> Mapping[str, frozenset[str]]:
        """See `scope.TableLayout`."""
        return self._layout.indexed

    def rows(self, table: TableSchema) -> RowPlace:
        """See `scope.TableLayout`."""
        place = self._layout.rows(table)
        own = {each.column.lower(): each.place for each in self._summaries if each.table == table.name}
        return replace(place, columns={**place.columns, **own})

    def embedded(self, outer: Source, outer_column: str, table: TableSchema, column: str) -> Embedded | None:
        """See `scope.TableLayout`."""
        return self._layout.embedded(outer, outer_column, table, column)

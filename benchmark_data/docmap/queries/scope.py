"""The names that are visible in one SELECT, and the pipeline that is built for it."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlglot import exp

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.schema import Schema, TableSchema
from benchmark_data.docmap.queries.tidying import Presence
from benchmark_data.docmap.queries.typed import Typed, constant


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPlace:
    """Where the rows of a table are among the documents.

    Args:
        collection: the collection.
        steps: what comes before each document is one row: $unwind and $match stages.
        columns: by name in lower case, absolute in the documents that the steps give.
        prefix: path of the row's own object, "" for the document.
        notes: flags: what is left out.
        missing: why a column has no place, by name in lower case.
        others: where further rows of the table are.
        is_repeated: one row may stand in several documents; equal rows count once.
        origin: what the layout knows of the objects; nothing for the compiler.
    """

    collection: str
    columns: Mapping[str, Place]
    steps: tuple[Mapping[str, Any], ...] = ()
    prefix: str = ""
    notes: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    others: "tuple[RowPlace, ...]" = ()
    is_repeated: bool = False
    origin: object = None

    @property
    def is_in_place(self) -> bool:
        """Whether the rows are documents as they stand, or after a filter."""
        return not self.others and not self.is_repeated and all(set(step) == {"$match"} for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How the rows that join with a row are found in its own document.

    Args:
        columns: by name in lower case, absolute.
        steps: what reaches them, and drops rows without one.
        prefix: path of their object.
        origin: see `RowPlace`.
        presences: see `Scope`.
    """

    columns: Mapping[str, Place]
    steps: tuple[Mapping[str, Any], ...]
    prefix: str
    origin: object = None
    presences: Mapping[str, Presence] = field(default_factory=dict)


class TableLayout(Protocol):
    """Where tables and columns lie among the documents."""

    @property
    def indexed(self) -> Mapping[str, frozenset[str]]:
        """By collection, the paths that an index begins with."""
        ...

    def rows(self, table: TableSchema) -> RowPlace:
        """The home of a table.

        Raises:
            UntranslatableSqlError: it has none, or one without a rule.
        """
        ...

    def embedded(self, outer: "Source", outer_column: str, table: TableSchema, column: str) -> Embedded | None:
        """The rows of `table` whose `column` equals `outer_column`, if the document of `outer` holds them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One table, sub-query or common table expression in FROM.

    Args:
        alias: the name under which the query speaks of it.
        columns: by name in lower case; `Typed.mql` is the place in the documents of the pipeline.
        names: columns' names in order, as spelled.
        table: the table's name; None for a sub-query.
        prefix: where its row lies in the pipeline's documents, "" for the document itself.
        holder: where the document lies that its row is a part of.
        missing: why a column has no place, by name in lower case.
        origin: see `RowPlace`.
    """

    alias: str
    columns: Mapping[str, Typed]
    names: tuple[str, ...]
    table: str | None = None
    prefix: str = ""
    holder: str = ""
    missing: Mapping[str, str] = field(default_factory=dict)
    origin: object = None


@dataclass(slots=True, kw_only=True, eq=False)
class Scope:
    """What the rules need to know while a SELECT is compiled.

    Args:
        schema: the tables.
        layout: where they lie.
        parent: the scope around a sub-query.
        sources: by alias in lower case, in the order of FROM.
        replaced: values by the SQL text of their node: aggregates, keys and windows after their stage.
        aliases: expressions by the alias that SELECT gives them.
        stages: the pipeline so far; a sub-query appends its $lookup before it is used.
        variables: outer values that a sub-query asks for, by variable's name.
        tables: common table expressions by name in lower case.
        notes: flags of the compilation.
        numbers: makes names of hidden fields unique.
        closed: columns can no longer be reached, because the rows were grouped.
        collection: where the pipeline starts.
        select: the SELECT itself.
        presences: conditions of stages that only test for a row to be there, by path.
        local, foreign: path outside and path inside of the equality that binds a sub-query to the row around it.
    """

    schema: Schema
    layout: TableLayout
    parent: "Scope | None" = None
    sources: dict[str, Source] = field(default_factory=dict)
    replaced: dict[str, Typed] = field(default_factory=dict)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, exp.Expr] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    closed: bool = False
    collection: str = ""
    presences: dict[str, Presence] = field(default_factory=dict)
    local: str | None = None
    foreign: str | None = None
    select: exp.Expr | None = None

    def inner(self) -> "Scope":
        """The scope of a sub-query."""
        return Scope(
            schema=self.schema,
            layout=self.layout,
            parent=self,
            tables=dict(self.tables),
            notes=self.notes,
            numbers=self.numbers,
        )

    def key(self, node: exp.Expr) -> str:
        """The text under which a node is known: columns by their source, however the query spells them."""
        copy = exp.Paren(this=node.copy())
        for paren in list(copy.this.find_all(exp.Paren)):
            paren.replace(paren.this)
        for column in list(copy.find_all(exp.Column)):
            # A column of a sub-query inside may stand in several tables here.
            found = self._holders(column)
            name = f"{found[0].alias}.{column.name}".lower() if len(found) == 1 else repr(column)
            column.replace(exp.Var(this=name))
        return repr(copy.this)

    def known(self, node: exp.Expr) -> Typed | None:
        """The value of a node that was computed by an earlier stage."""
        return self.replaced.get(self.key(node)) if self.replaced else None

    def hidden(self, word: str) -> str:
        """A name for a field that the answer does not show."""
        return f"_{word}{next(self.numbers)}"

    def find(self, column: exp.Column) -> tuple[Source, Typed] | None:
        """The source and place of a column in this scope alone.

        Raises:
            UntranslatableSqlError: more than one source has it.
        """
        found = self._holders(column)
        if len(found) > 1:
            raise UntranslatableSqlError("ambiguous_column", f"The column {column.name} stands in several tables.")
        return (found[0], found[0].columns[column.name.lower()]) if found else None

    def _holders(self, column: exp.Column) -> list[Source]:
        name, table = column.name.lower(), column.table.lower()
        if table:
            source = self.sources.get(table)
            return [source] if source is not None and name in source.columns else []
        return [source for source in self.sources.values() if name in source.columns]

    def column(self, column: exp.Column) -> Typed:
        """The value of a column, here or in a scope around; an outer one becomes a variable.

        Raises:
            UntranslatableSqlError: there is no such column, or the rows were grouped away.
        """
        found = self.find(column)
        if found is not None:
            if self.closed:
                raise UntranslatableSqlError("bare_column", f"The column {column.name} is not grouped by.")
            return found[1]
        outer = self._outer(column)
        if outer is not None:
            return outer
        reason = self._missing(column)
        if reason:
            raise UntranslatableSqlError("no_place", reason)
        if column.this.args.get("quoted") and not column.table:
            # SQLite takes a name in double quotes for text where there is no such column.
            return constant(column.name)
        raise UntranslatableSqlError("unknown_column", f"There is no column {column.sql(dialect='sqlite')}.")

    def _missing(self, column: exp.Column) -> str:
        """Why a table's column has no place in the documents, "" where no table here has one."""
        name, table = column.name.lower(), column.table.lower()
        reasons = (source.missing.get(name, "") for alias, source in self.sources.items() if table in {"", alias})
        return next(filter(None, reasons), "")

    def _outer(self, column: exp.Column) -> Typed | None:
        scope = self.parent
        if scope is None:
            return None
        here = scope.find(column) is not None
        outer = scope.known(column) or scope.column(column) if here else scope._outer(column)
        if outer is None or outer.is_constant:
            return outer
        words = re.sub(r"[^A-Za-z0-9]+", "_", f"{column.table}_{column.name}").strip("_").lower()
        name = f"v_{words}"
        self.variables[name] = outer.mql
        return outer.at(f"$${name}")

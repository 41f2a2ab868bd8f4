"""Builds documents from rows, a batch at a time: each field of a shape is filled in for all rows before the next."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmark_data.docmap.fetch import Fetcher
from benchmark_data.docmap.paths import put
from benchmark_data.docmap.rows import described, key_name, keys_of, place_of
from benchmark_data.docmap.source import Row, Table
from benchmark_data.docmap.transform import MISSING, CellTransform, Refused
from benchmark_data.docmap.types import (
    ColumnField,
    ComputedField,
    ConstField,
    DeriveField,
    EmbedManyField,
    EmbedOneField,
    Field,
    ReferenceField,
    Shape,
)
from benchmark_data.docmap.vocabulary import FailPolicy, NullPolicy, Operation
from benchmark_data.faults import FaultLog

Document = dict[str, Any]
QUARANTINE = "_quarantine"
Filler = Callable[[Sequence[Row], list[Document]], None]
_SHOWN = 80


class Builder:
    """Makes documents of rows as shapes tell; what cannot be made is noted in `log`."""

    def __init__(self, fetcher: Fetcher, log: FaultLog) -> None:
        self._fetcher = fetcher
        self._log = log
        self._fillers: dict[int, tuple[Shape, list[Filler]]] = {}

    @staticmethod
    def expressions(shape: Shape) -> tuple[str, ...]:
        """The expressions to select behind a row's columns."""
        return tuple(field.expression for field in shape.fields if isinstance(field, DeriveField))

    def build(self, shape: Shape, rows: Sequence[Row]) -> list[Document]:
        """One document for each row; each row has the table's columns, then the shape's expressions."""
        documents: list[Document] = [{} for _ in rows]
        if not rows:
            return documents
        if id(shape) not in self._fillers:
            # The shape is kept beside its fillers, so that its identity is not given to another one.
            self._fillers[id(shape)] = (shape, self._compile(shape))
        for fill in self._fillers[id(shape)][1]:
            fill(rows, documents)
        return documents

    def _compile(self, shape: Shape) -> list[Filler]:
        table = self._fetcher.table(shape.table)
        derived = len(table.columns)
        fillers: list[Filler] = []
        for field in shape.fields:
            if isinstance(field, DeriveField):
                fillers.append(partial(_fill_place, parts=tuple(field.path.split(".")), place=derived))
                derived += 1
            else:
                fillers.append(self._filler(field, table))
        return fillers

    def _filler(self, field: Field, table: Table) -> Filler:
        if isinstance(field, ColumnField):
            return self._column(field, table)
        if isinstance(field, ConstField):
            return partial(_fill_constant, parts=_parts(field.path), value=field.value)
        if isinstance(field, ReferenceField):
            return partial(self._fill_reference, field, table)
        if isinstance(field, ComputedField):
            return partial(self._fill_computed, field, table)
        if isinstance(field, EmbedOneField):
            return partial(self._fill_one, field, table)
        if isinstance(field, EmbedManyField):
            return partial(self._fill_many, field, table)
        raise TypeError(field)

    def _column(self, field: ColumnField, table: Table) -> Filler:
        place = place_of(table, field.column)
        if field.transform.is_plain and field.transform.null is NullPolicy.KEEP:
            return partial(_fill_place, parts=_parts(field.path), place=place)
        return partial(self._fill_column, field, table, CellTransform(field.transform))

    def _fill_column(
        self,
        field: ColumnField,
        table: Table,
        transform: CellTransform,
        rows: Sequence[Row],
        documents: list[Document],
    ) -> None:
        parts, place = _parts(field.path), place_of(table, field.column)
        for row, document in zip(rows, documents, strict=True):
            value = transform.forward(row[place])
            if isinstance(value, Refused):
                if field.transform.on_fail is FailPolicy.QUARANTINE:
                    put(document, (QUARANTINE, field.column), value.cell)
                else:
                    self._refuse(field, table, row, value)
            elif value is not MISSING:
                put(document, parts, value)

    def _refuse(self, field: ColumnField, table: Table, row: Row, value: Refused) -> None:
        cell = repr(value.cell)
        shown = cell if len(cell) <= _SHOWN else f"{cell[: _SHOWN - 1]}…"
        wanted = field.transform.type or "a value of `decode`"
        self._log.add(
            "irreversible_cell",
            f"{table.name}{described(table, row)}: {field.column} is {shown} and would not come back from {wanted}; "
            "set `on_fail`, or leave the type as it is.",
            line=field.line,
            field=field.path,
        )

    def _fill_reference(
        self, field: ReferenceField, table: Table, rows: Sequence[Row], documents: list[Document]
    ) -> None:
        places = [place_of(table, column) for column in field.columns]
        keys = [tuple(row[place] for place in places) for row in rows]
        values: list[Any] = [key[0] if len(key) == 1 else dict(zip(field.columns, key, strict=True)) for key in keys]
        others = self._extended(field, keys) if field.extended else {}
        parts = _parts(field.path)
        for key, value, document in zip(keys, values, documents, strict=True):
            empty = all(cell is None for cell in key)
            if empty and field.null is NullPolicy.OMIT:
                continue
            if empty or not field.extended:
                put(document, parts, None if empty else value)
            else:
                put(document, parts, {field.key: value, **others.get(key, {})})

    def _extended(self, field: ReferenceField, keys: Sequence[Row]) -> dict[Row, Document]:
        parent = self._fetcher.table(field.link.parent)
        places = [(name, place_of(parent, column)) for name, column in field.extended]
        distinct = list(dict.fromkeys(keys))
        found = self._fetcher.related(parent.name, field.link.parent_columns, distinct)
        return {distinct[number]: {name: row[place] for name, place in places} for number, row in found}

    def _fill_computed(
        self, field: ComputedField, table: Table, rows: Sequence[Row], documents: list[Document]
    ) -> None:
        keys = keys_of(table, field.links[0].parent_columns, rows)
        parts = _parts(field.path)
        found: dict[int, Any] = {}
        for number, (value,) in self._fetcher.aggregated(field, keys):
            if field.operation is Operation.LIST:
                found.setdefault(number, []).append(value)
            else:
                found[number] = value
        empty = [] if field.operation is Operation.LIST and field.empty is None else field.empty
        for number, document in enumerate(documents):
            value = found.get(number, empty)
            put(document, parts, list(value) if isinstance(value, list) else value)

    def _fill_one(self, field: EmbedOneField, table: Table, rows: Sequence[Row], documents: list[Document]) -> None:
        here, there = field.link.child_columns, field.link.parent_columns
        if not field.upwards:
            here, there = there, here
        keys = keys_of(table, here, rows)
        # Many rows point at few: each is read once a batch.
        distinct = list(dict.fromkeys(keys)) if field.upwards else keys
        positions = {key: number for number, key in enumerate(distinct)} if field.upwards else {}
        found = dict(self._once(field, table, rows, distinct, there))
        built = dict(zip(found, self.build(field.shape, list(found.values())), strict=True))
        parts = _parts(field.path)
        for number, (key, document) in enumerate(zip(keys, documents, strict=True)):
            value = built.get(positions[key] if field.upwards else number)
            if value is not None:
                put(document, parts, _element(value, scalar=field.scalar))
            elif field.null is NullPolicy.KEEP:
                put(document, parts, None)

    def _once(
        self, field: EmbedOneField, table: Table, rows: Sequence[Row], keys: Sequence[Row], columns: Sequence[str]
    ) -> list[tuple[int, Row]]:
        """The one row of each key; a second one is a fault."""
        found: dict[int, Row] = {}
        for number, row in self._fetcher.related(
            field.shape.table, columns, keys, expressions=self.expressions(field.shape)
        ):
            if number in found:
                whose = repr(keys[number]) if field.upwards else f"{table.name}{described(table, rows[number])}"
                message = f"several rows of {field.shape.table} belong to {whose}: use embed_many."
                self._log.add("several_rows", message, line=field.line, field=field.path)
            found.setdefault(number, row)
        return list(found.items())

    def _fill_many(self, field: EmbedManyField, table: Table, rows: Sequence[Row], documents: list[Document]) -> None:
        children, owners = [], []
        for number, row in self._fetcher.related(
            field.link.child,
            field.link.child_columns,
            keys_of(table, field.link.parent_columns, rows),
            expressions=self.expressions(field.shape),
            order=field.order_by,
            where=field.where,
            limit=field.limit,
        ):
            owners.append(number)
            children.append(row)
        gathered: list[list[tuple[Any, Document]]] = [[] for _ in rows]
        for number, keyed in zip(owners, self.elements(field, children), strict=True):
            gathered[number].append(keyed)
        parts = _parts(field.path)
        for row, elements, document in zip(rows, gathered, documents, strict=True):
            if field.max_items is not None and len(elements) > field.max_items:
                whose = f"{table.name}{described(table, row)}"
                message = f"{whose} has {len(elements):,} elements, more than {field.max_items:,}."
                self._log.add("too_many_items", message, line=field.line, field=field.path)
            put(document, parts, self._gathered(field, elements))

    def _gathered(self, field: EmbedManyField, elements: list[tuple[Any, Document]]) -> Any:
        if field.key_by is None:
            return [_element(element, scalar=field.scalar) for _, element in elements]
        found: Document = {}
        for cell, element in elements:
            name = key_name(cell)
            if name is None or name in found:
                problem = "stands twice" if name in found else "is no field name"
                message = f"{'.'.join(field.key_by)} is {cell!r}, which {problem}: it cannot be a key."
                self._log.add("bad_key", message, line=field.line, field=field.path)
            else:
                found[name] = _element(element, scalar=field.scalar)
        return found

    def elements(self, field: EmbedManyField, children: Sequence[Row]) -> list[tuple[Any, Document]]:
        """The elements that child rows become, each with the cell that is its key (None without `key_by`)."""
        child = self._fetcher.table(field.link.child)
        payload = self.build(field.shape, children)
        if field.through is None or field.target is None:
            return list(zip(_cells(field, child, children), payload, strict=True))
        links = keys_of(child, field.through.child_columns, children)
        distinct = list(dict.fromkeys(links))
        found = dict(
            self._fetcher.related(
                field.target.table,
                field.through.parent_columns,
                distinct,
                expressions=self.expressions(field.target),
            )
        )
        targets = dict(zip(found, self.build(field.target, list(found.values())), strict=True))
        positions = {key: number for number, key in enumerate(distinct)}
        merged = [
            {**targets.get(positions[key], {}), **own} or ({"": None} if field.scalar else {})
            for key, own in zip(links, payload, strict=True)
        ]
        target = self._fetcher.table(field.target.table)
        if field.key_by is None or field.key_by[0] != target.name:
            return list(zip(_cells(field, child, children), merged, strict=True))
        place = place_of(target, field.key_by[1])
        cells = [found[positions[key]][place] if positions[key] in found else None for key in links]
        return list(zip(cells, merged, strict=True))


def _cells(field: EmbedManyField, table: Table, rows: Sequence[Row]) -> list[Any]:
    if field.key_by is None:
        return [None] * len(rows)
    place = place_of(table, field.key_by[1])
    return [row[place] for row in rows]


def _element(document: Document, *, scalar: bool) -> Any:
    return document.get("") if scalar else document


def _parts(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def _fill_place(rows: Sequence[Row], documents: list[Document], *, parts: tuple[str, ...], place: int) -> None:
    if len(parts) == 1:
        (name,) = parts
        for row, document in zip(rows, documents, strict=True):
            document[name] = row[place]
        return
    for row, document in zip(rows, documents, strict=True):
        put(document, parts, row[place])


def _fill_constant(rows: Sequence[Row], documents: list[Document], *, parts: tuple[str, ...], value: Any) -> None:
    for document in documents:
        put(document, parts, value)

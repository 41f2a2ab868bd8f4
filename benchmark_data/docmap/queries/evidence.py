"""Evidence that speaks of tables and columns, restated with collections and paths."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from benchmark_data.docmap.queries.compile import parse_sql
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.schema import Schema, TableSchema
from benchmark_data.docmap.queries.scope import TableLayout
from benchmark_data.docmap.queries.text import literal_text


@dataclass(frozen=True, slots=True, kw_only=True)
class RestatedEvidence:
    """Evidence in the terms of the documents.

    Args:
        text: the evidence.
        replaced: pairs of table.column and collection.path, in the order of the text.
        ambiguous: names of columns that stand in several tables, none of which the SQL settles; they are left as
            they were.
    """

    text: str
    replaced: tuple[tuple[str, str], ...] = ()
    ambiguous: tuple[str, ...] = ()


_QUOTED = re.compile(r"('(?:[^']|'')*')")
_COMPARED = re.compile(r"(\s*(?:=|!=|<>|is)\s*)'((?:[^']|'')*)'", re.IGNORECASE)


def restated(evidence: str, *, sql: str, schema: Schema, layout: TableLayout) -> RestatedEvidence:
    """Replace names of columns by collection.path; quoted text stays, save values that are stored as others.

    A name that several tables have is the one that the SQL uses. The same text for the same input.

    Args:
        evidence: as the benchmark gives it.
        sql: the question's query.
        schema: the tables.
        layout: where they lie.
    """
    places = dict(_places(schema, layout))
    used = _used(sql, schema)
    replaced: list[tuple[str, str]] = []
    ambiguous: list[str] = []
    names = sorted({column for _, column in places}, key=len, reverse=True)
    tables = sorted({table for table, _ in places}, key=len, reverse=True)
    if not names:
        return RestatedEvidence(text=evidence)
    table_part = f'(?:[`"]?(?P<table>{"|".join(map(re.escape, tables))})[`"]?\\.)?'
    column_part = f'[`"]?(?P<column>{"|".join(map(re.escape, names))})[`"]?'
    pattern = re.compile(rf"(?<![\w.]){table_part}{column_part}(?![\w(])", re.IGNORECASE)

    def settle(found: re.Match[str]) -> str:
        column, table = found["column"].lower(), (found["table"] or "").lower()
        owners = [owner for owner, name in places if name == column and table in {"", owner}]
        settled = [owner for owner in owners if (owner, column) in used] or owners
        if len(settled) != 1 or not _is_identifier(found[0], schema, used):
            if len(settled) > 1:
                ambiguous.append(found[0])
            return found[0]
        path, place = places[settled[0], column]
        replaced.append((f"{settled[0]}.{column}", path))
        return f"{path}\0{len(replaced) - 1}\0" if place.codes else path

    parts = _QUOTED.split(evidence)
    text = "".join(part if part[:1] == "'" else pattern.sub(settle, part) for part in parts)
    codes = [places[key] for key in (tuple(pair[0].split(".", 1)) for pair in replaced)]  # type: ignore[index]
    text = _decoded(text, [place for _, place in codes])
    return RestatedEvidence(text=text, replaced=tuple(replaced), ambiguous=tuple(dict.fromkeys(ambiguous)))


def _is_identifier(name: str, schema: Schema, used: set[tuple[str, str]]) -> bool:
    """Whether a word means the column: it has a mark of code in it, or the query uses it; "race" may be a word."""
    plain = name.strip('`"')
    return (
        plain != name
        or "_" in plain
        or "." in plain
        or plain != plain.lower()
        or any(column == plain.lower() for _, column in used)
    )


def _places(schema: Schema, layout: TableLayout) -> Iterator[tuple[tuple[str, str], tuple[str, Place]]]:
    for name, table in schema.tables.items():
        try:
            rows = layout.rows(table)
        except UntranslatableSqlError:
            continue
        for column, place in rows.columns.items():
            yield (name, column), (f"{rows.collection}.{place.path}", place)


def _used(sql: str, schema: Schema) -> set[tuple[str, str]]:
    """The columns that a query uses, by table."""
    tree = parse_sql(sql)
    aliases: dict[str, TableSchema] = {}
    for node in tree.find_all(exp.Table):
        table = schema.table(node.name)
        if table is not None:
            aliases[node.alias_or_name.lower()] = table
    found = set()
    for column in tree.find_all(exp.Column):
        owners = [aliases[column.table.lower()]] if column.table.lower() in aliases else list(aliases.values())
        found |= {(owner.name.lower(), column.name.lower()) for owner in owners if owner.column(column.name)}
    return found


def _decoded(text: str, places: list[Place]) -> str:
    """Values behind a path whose column is stored in other values: `CornSyrup = 'TRUE'` becomes `… = true`."""
    for number, place in enumerate(places):
        mark = f"\0{number}\0"
        head, found, tail = text.partition(mark)
        if not found:
            continue
        compared = _COMPARED.match(tail)
        own = compared[2].replace("''", "'") if compared else None
        codes = dict(place.codes)
        if compared and own in codes:
            tail = f"{compared[1]}{literal_text(codes[own])}{tail[compared.end() :]}"
        text = head + tail
    return text

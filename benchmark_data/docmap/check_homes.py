"""Checks that each column of each table has a home, is implied by its position, or is waived with a reason."""

from benchmark_data.docmap.placement import FromHolder, Home, collection_homes
from benchmark_data.docmap.source import Schema, Table
from benchmark_data.docmap.types import Docmap
from benchmark_data.docmap.walk import orphan_collections
from benchmark_data.faults import FaultLog


def waived_columns(docmap: Docmap, table: Table) -> frozenset[str]:
    """The columns of a table that are left out on purpose."""
    waived = {waiver.column for waiver in docmap.waivers if waiver.table == table.name}
    if None in waived:
        return frozenset(table.column_names)
    return frozenset(column for column in waived if column is not None)


def check_homes(docmap: Docmap, schema: Schema, log: FaultLog) -> None:
    """Note tables without home or with two, and columns that could not be read back."""
    homes = _homes_by_table(docmap)
    for table in schema.tables:
        needed = [name for name in table.column_names if name not in waived_columns(docmap, table)]
        found = homes.get(table.name, [])
        if needed and not found:
            message = f"the table {table.name} has no home: its {len(needed)} columns would be lost; place or waive it."
            log.add("unplaced_table", message, field=table.name)
        for name, home, _ in found[1:]:
            message = f"the table {table.name} has a home in {found[0][0]} and another in {name}: one must be a copy."
            log.add("two_homes", message, line=home.line, field=f"collections.{name}")
        if needed and found:
            _check_columns(needed, found[0], log)


def _homes_by_table(docmap: Docmap) -> dict[str, list[tuple[str, Home, Home | None]]]:
    """Collection, home and the home around it, by table; what orphans' collections hold has its home already."""
    found: dict[str, list[tuple[str, Home, Home | None]]] = {}
    orphaned = orphan_collections(docmap)
    for collection in collection_homes(docmap):
        for _, root in collection.homes if collection.name not in orphaned else ():
            for home, holder in _with_holders(root, None):
                found.setdefault(home.table, []).append((collection.name, home, holder))
    return found


def _check_columns(needed: list[str], found: tuple[str, Home, Home | None], log: FaultLog) -> None:
    collection, home, holder = found
    place = ".".join(("collections", collection, *home.path))
    for column in needed:
        recovery = home.columns.get(column)
        if recovery is None:
            message = (
                f"the column {home.table}.{column} has no home: no field holds it, no position implies it, and no "
                "waiver gives a reason."
            )
            log.add("unplaced_column", message, line=home.line, field=place)
        elif isinstance(recovery, FromHolder) and holder is not None and recovery.column not in holder.columns:
            message = (
                f"the column {home.table}.{column} is implied by {holder.table}.{recovery.column}, which has no home "
                "itself."
            )
            log.add("unplaced_column", message, line=home.line, field=place)


def _with_holders(home: Home, holder: Home | None) -> "list[tuple[Home, Home | None]]":
    return [(home, holder), *(pair for inner in home.inner for pair in _with_holders(inner, home))]

"""Puts BIRD's descriptions of columns into databases, as notes for the cards of their collections."""

from dataclasses import replace
from pathlib import Path

from benchmark_data.convert.descriptions import FOLDER, ColumnDescription, read_descriptions
from benchmark_data.convert.sources import Databases
from benchmark_data.errors import Fault
from benchmark_data.types import FieldNote
from benchmark_data.write import CollectionSource, DatabaseSource

_BESIDE = ("", "dev_databases", "train_databases")


def described(databases: Databases, folder: Path) -> Databases:
    """The databases with notes on fields from `<db_id>/database_description` below a folder.

    A table's columns describe the fields of the collection of its name, in any case of letters; a collection that has
    notes keeps them. Columns that the redesign has moved elsewhere are passed over.
    """
    sources: list[DatabaseSource | Fault] = []
    for source in databases.sources:
        place = _place(folder, source.db_id) if isinstance(source, DatabaseSource) else None
        if place is None or not isinstance(source, DatabaseSource):
            sources.append(source)
            continue
        found = read_descriptions(place)
        sources.extend(found.faults)
        collections = tuple(
            _noted(part, found.columns) if isinstance(part, CollectionSource) else part for part in source.collections
        )
        sources.append(replace(source, collections=collections))
    return replace(databases, sources=tuple(sources))


def _place(folder: Path, db_id: str) -> Path | None:
    places = [folder / beside / db_id for beside in _BESIDE]
    # The folder of a single database has its descriptions in itself.
    places += [folder] if folder.resolve().name == db_id else []
    return next((place for place in places if (place / FOLDER).is_dir()), None)


def _noted(source: CollectionSource, columns: tuple[ColumnDescription, ...]) -> CollectionSource:
    own = {column.column: column.text for column in columns if column.table.lower() == source.name.lower()}
    notes = tuple(FieldNote(path=path, description=text) for path, text in own.items() if text)
    return source if source.fields or not notes else replace(source, fields=notes)

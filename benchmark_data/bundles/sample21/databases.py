"""The databases of AptBoard Sample 21: where their sources lie, and who makes their rows."""

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.docmap.source import Cell
from benchmark_data.errors import BenchmarkError

FOLDER: Final = Path(__file__).parent
SCHEMA, ROWS, DOCMAP, DESIGN, ITEMS = "schema.sql", "rows.py", "docmap.yaml", "design.md", "items.yaml"
DATA_SOURCES: Final = (SCHEMA, ROWS, DOCMAP)
SOURCES: Final = (*DATA_SOURCES, DESIGN, ITEMS)
BASE_SEED: Final = 1
SEEDS: Final = (BASE_SEED, 2, 3)
"""The bundle's documents come from the first; gold is proved on all of them."""

Tables = Mapping[str, Sequence[tuple[object, ...]]]
Row = tuple[Cell, ...]


class UnknownDatabaseError(BenchmarkError):
    """There is no source folder of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleDatabase:
    """The sources of one database.

    Args:
        db_id: its name.
        folder: holds the files named in `SOURCES`.
        tables: makes the rows of every table, in the order of the schema's columns, parents before children.
        description: what it is about, in a sentence.
    """

    db_id: str
    folder: Path
    tables: Callable[[Dice], Tables]
    description: str = ""

    def file(self, name: str) -> str:
        """How a source file is named in faults."""
        return f"{self.db_id}/{name}"

    def dice(self, seed: int) -> Dice:
        """What all chance of an instance comes from."""
        return Dice(f"{self.db_id}/{seed}")


def database_ids(folder: Path = FOLDER) -> tuple[str, ...]:
    """The names of all databases that have all their sources, in order."""
    return tuple(sorted(path.name for path in folder.iterdir() if not missing_sources(path)))


def unfinished_ids(folder: Path = FOLDER) -> tuple[str, ...]:
    """The names of folders that have some, but not all sources."""
    return tuple(sorted(path.name for path in folder.iterdir() if 0 < len(missing_sources(path)) < len(SOURCES)))


def missing_sources(folder: Path) -> tuple[str, ...]:
    """The source files that a folder lacks."""
    return tuple(name for name in SOURCES if not (folder / name).is_file())


def sample_databases(only: Collection[str] = ()) -> tuple[SampleDatabase, ...]:
    """The databases named, or all that are complete, in order of name.

    Raises:
        UnknownDatabaseError: one that is named is not there, or lacks sources of data.
    """
    for db_id in only:
        missing = [name for name in missing_sources(FOLDER / db_id) if name in DATA_SOURCES]
        if missing:
            known = ", ".join(database_ids()) or "none"
            lacking = f"it lacks {', '.join(missing)}" if (FOLDER / db_id).is_dir() else "there is no such database"
            raise UnknownDatabaseError(f"{db_id}: {lacking}; complete are: {known}.")
    return tuple(_database(db_id) for db_id in sorted(set(only) or database_ids()))


def _database(db_id: str) -> SampleDatabase:
    package = importlib.import_module(f"{__package__}.{db_id}")
    module = importlib.import_module(f"{__package__}.{db_id}.rows")
    description = " ".join((package.__doc__ or "").split())
    return SampleDatabase(db_id=db_id, folder=FOLDER / db_id, tables=module.tables, description=description)

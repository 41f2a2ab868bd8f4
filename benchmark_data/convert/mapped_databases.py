"""Finds the databases of a source of unknown form, as its mapping tells."""

import re
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmark_data.convert import mongodump, mongoexport
from benchmark_data.convert.bytestream import Meter
from benchmark_data.convert.database_files import read_database
from benchmark_data.convert.mapping import DatabaseFiles, Form
from benchmark_data.convert.mapping_paths import absent, matches
from benchmark_data.convert.sources import Databases, renamed
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.names import db_id_problem

_PLACE = "{db_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFinder:
    """Finds databases below a source.

    Args:
        source: the folder that the mapping's paths begin at.
        destination: archives are unpacked beside it.
        meter: counts the bytes read.
        stack: keeps what archives are unpacked into, until it is closed.
        log: of the mapping.
    """

    source: Path
    destination: Path
    meter: Meter
    stack: ExitStack
    log: FaultLog

    def find(self, entries: Iterable[DatabaseFiles]) -> Databases:
        """The databases of all entries of the mapping."""
        found = [databases for entry in entries for databases in self._entry(entry)]
        return Databases(
            sources=tuple(part for group in found for part in group.sources),
            notes=tuple(note for group in found for note in group.notes),
        )

    def _entry(self, entry: DatabaseFiles) -> Iterable[Databases]:
        """The databases of one entry, each under the name that its path has in the place of {db_id}."""
        paths = sorted(matches(self.source, entry.path.replace(_PLACE, "*").rstrip("/")))
        if not paths:
            message = absent(self.source, entry.path)
            self.log.add("missing_file", message, line=entry.line, field="databases.path")
        for path in paths:
            shown = path.relative_to(self.source).as_posix()
            db_id = _db_id(entry.path, shown)
            if db_id is not None and (problem := db_id_problem(db_id)):
                fault = Fault(file=shown, rule="bad_db_id", message=f"the path gives the db_id, which {problem}")
                yield Databases(sources=(fault,))
                continue
            found = self._read(entry.form, path, shown, db_id or path.name.split(".")[0])
            yield renamed(found, db_id) if db_id is not None and len(found.collections) == 1 else found

    def _read(self, form: Form, path: Path, shown: str, db_id: str) -> Databases:
        match form:
            case Form.MONGODUMP:
                return mongodump.read_databases(path, self.meter, stack=self.stack, beside=self.destination)
            case Form.MONGOEXPORT:
                return mongoexport.read_databases(path, self.meter)
            case Form.JSON:
                return Databases(sources=tuple(read_database(path, db_id, shown, self.meter)))


def _db_id(pattern: str, path: str) -> str | None:
    """What stands in a path where the pattern has {db_id}; None where the pattern has no such place."""
    before, place, after = pattern.rstrip("/").partition(_PLACE)
    if not place:
        return None
    expression = "".join(("[^/]*".join(map(re.escape, before.split("*"))), "([^/]*?)", re.escape(after)))
    found = re.fullmatch(expression.replace(re.escape(_PLACE), "[^/]*"), path)
    return found[1] if found else None

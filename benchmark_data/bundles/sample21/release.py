"""The pinned release of the sample benchmark: what its sources must become, byte for byte."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmark_data.bundles.sample21.databases import FOLDER
from benchmark_data.errors import BenchmarkError
from benchmark_data.types import Difficulty, EngineRequirements
from benchmark_data.write import Header

RELEASE: Final = FOLDER / "release.json"
RATINGS: Final = (Difficulty.SIMPLE, Difficulty.MODERATE, Difficulty.CHALLENGING)

HEADER: Final = Header(
    name="sample21",
    version="1.1",
    title="AptBoard Sample 21: 21 made-up databases and their questions",
    license="MIT",
)


class UnpinnedSourcesError(BenchmarkError):
    """The sources are not those that the release was pinned from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedDatabase:
    """What is pinned of one database.

    Args:
        rows: digest of the source's rows, whatever SQLite writes the file.
        digest: of the documents, as in the bundle's manifest.
        difficulty: of each item, by number.
    """

    rows: str
    digest: str
    difficulty: Mapping[int, Difficulty]


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What is pinned of the whole.

    Args:
        digest: of the bundle.
        items: of its items file, so that splits are pinned as well.
        engine: what gold asks of a document database.
        databases: by name.
    """

    digest: str
    items: str
    engine: EngineRequirements
    databases: Mapping[str, PinnedDatabase]


def read_release(path: Path = RELEASE) -> Release:
    """The pinned release.

    Raises:
        UnpinnedSourcesError: nothing was pinned yet, or the file is broken.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        databases = {db_id: _database(one) for db_id, one in content["databases"].items()}
        engine = EngineRequirements(mongodb=content["mongodb"], features=tuple(content["features"]))
        return Release(digest=content["digest"], items=content["items"], engine=engine, databases=databases)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnpinnedSourcesError(f"{path.name} cannot be read: {error!r}.") from error


def release_text(release: Release) -> str:
    """The release as it stands in its file."""
    head = {
        "name": HEADER.name,
        "version": HEADER.version,
        "digest": release.digest,
        "items": release.items,
        "mongodb": release.engine.mongodb,
        "features": list(release.engine.features),
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
    databases = [f"  {json.dumps(db_id)}: {_line(one)}" for db_id, one in sorted(release.databases.items())]
    return "{\n" + "".join(lines) + ' "databases": {\n' + ",\n".join(databases) + "\n }\n}\n"


def _database(content: Mapping[str, Any]) -> PinnedDatabase:
    difficulty = {number: rating for rating in RATINGS for number in content[rating.value]}
    return PinnedDatabase(rows=content["rows"], digest=content["digest"], difficulty=difficulty)


def _line(one: PinnedDatabase) -> str:
    rated = {
        rating.value: sorted(number for number, found in one.difficulty.items() if found is rating)
        for rating in RATINGS
    }
    return json.dumps({"rows": one.rows, "digest": one.digest, **rated})

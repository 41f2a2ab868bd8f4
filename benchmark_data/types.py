"""The records of a benchmark bundle."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final


class Difficulty(StrEnum):
    """How hard an item is, by the benchmark's own label."""

    SIMPLE = "simple"
    MODERATE = "moderate"
    CHALLENGING = "challenging"
    UNRATED = "unrated"


class Split(StrEnum):
    """Whether an item's gold may be shown."""

    PUBLIC = "public"
    HIDDEN = "hidden"


class ArrayOrder(StrEnum):
    """Whether the order inside arrays of an item's answer counts."""

    ORDERED = "ordered"
    UNSPECIFIED = "unspecified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """One index of a collection: `keys` are (path, direction) pairs, direction is 1 or -1."""

    keys: tuple[tuple[str, int], ...]
    unique: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Values of one collection that name documents of another.

    Args:
        path: the path that holds them, an array's elements written as `[]`: "orders.[].product".
        collection: the collection that they point to.
        field: the path there that they are equal to, usually "_id".
    """

    path: str
    collection: str
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldNote:
    """What the benchmark's makers say of one field: its path as cards write it, and a sentence."""

    path: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRequirements:
    """What a document database must be able to do for the gold queries.

    Args:
        mongodb: the lowest version of MongoDB, such as "6.0"; "" where any will do.
        features: names of operators, stages or abilities beyond it, for people and for messages.
    """

    mongodb: str = ""
    features: tuple[str, ...] = ()


NO_REQUIREMENTS: Final = EngineRequirements()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFile:
    """A file beside the scored data that the manifest lists: its number of lines and the hex SHA-256 of its bytes."""

    count: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """One collection of a database: a file of canonical Extended JSON lines.

    Args:
        name: the collection's name in MongoDB.
        path: the file with its documents, one a line.
        documents: how many documents the file holds.
        sha256: hex digest of the file's bytes.
        indexes: the indexes to build, without the one on `_id`.
        description: what the makers say of it, "" if nothing; no digest covers this and what follows.
        fields: what the makers say of its fields, in order of path.
        relations: the references that the makers know of.
    """

    name: str
    path: Path
    documents: int
    sha256: str
    indexes: tuple[Index, ...] = ()
    description: str = ""
    fields: tuple[FieldNote, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """One document database of a bundle.

    Args:
        db_id: the benchmark's name of the database.
        collections: in order of name.
        digest: hex SHA-256 over names, indexes and file digests of the collections.
        description: what the makers say of it, "" if nothing; not part of the digest.
    """

    db_id: str
    collections: tuple[Collection, ...]
    digest: str
    description: str = ""

    @property
    def storage_name(self) -> str:
        """Name of the MongoDB database that holds exactly this content, at most 63 bytes, `[a-z0-9_]` only."""
        tail = "".join(c if c.isascii() and c.isalnum() else "_" for c in self.db_id.lower())
        return f"apt_{self.digest[:16]}_{tail[:40]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One request of the benchmark.

    Args:
        question_id: unique in the bundle; a JSON integer is held as its decimal text.
        db_id: the database that it asks about.
        question: the request in natural language.
        evidence: external knowledge given in the condition with evidence; "" if there is none.
        difficulty: the benchmark's label.
        split: whether gold may be shown.
        gold_query: the gold MongoDB query as text in any form that `evaluation.parse` reads.
        sql: the SQL query that the item stems from, if known.
        array_order: whether the order inside arrays of the answer counts.
        flags: marks of the makers, such as "gold_ambiguous", in snake_case; they never move a score.
        line: 1-based line in the items file, for messages.
    """

    question_id: str
    db_id: str
    question: str
    evidence: str
    difficulty: Difficulty
    split: Split
    gold_query: str
    sql: str | None = None
    array_order: ArrayOrder = ArrayOrder.ORDERED
    flags: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A benchmark bundle, read and checked.

    Args:
        name: identifier, `[a-z0-9][a-z0-9-]*`.
        version: the release's version, e.g. "1.0".
        title: for people.
        license: SPDX identifier or a sentence.
        citation: how to cite the data, "" if nothing is asked for.
        databases: in order of db_id.
        items: in file order.
        digest: hex SHA-256 over all that a score depends on.
        root: the bundle's folder.
        private: it is kept from the public, so that answers to hidden gold may stand in it.
        engine: what its gold asks of a document database.
        cards: the file of collection cards, None if there is none.
        gold: the file of gold answers, None if there is none.
    """

    name: str
    version: str
    title: str
    license: str
    citation: str
    databases: tuple[Database, ...]
    items: tuple[Item, ...]
    digest: str
    root: Path
    private: bool = False
    engine: EngineRequirements = NO_REQUIREMENTS
    cards: SideFile | None = None
    gold: SideFile | None = None

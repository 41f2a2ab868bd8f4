"""What a person may state to an importer beyond source and destination."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

from benchmark_data.convert.bytestream import BytesProgress
from benchmark_data.errors import Fault
from benchmark_data.types import Item
from benchmark_data.write import Header

HEADER_FIELDS = ("name", "version", "title", "license", "citation")

QueryCheck = Callable[[Item, tuple[str, ...]], str | None]
"""Given an item and the names of its database's collections: why the gold query cannot be scored, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionOptions:
    """Options of a conversion; each importer tells which it takes, and refuses the others.

    Args:
        name, version, title, license, citation: of the bundle, before what the source says of itself.
        items: the file with the items, in the form of a bundle's `items.jsonl`.
        mapping: the file that tells where a source of unknown form has its fields.
        databases: the bundle, dump or export that has the databases, where the source has questions only.
        gold: the file with gold queries, where the source has none.
        check_query: judges gold queries; with it, gold that cannot be scored is a fault.
        advance: told of the bytes read.
    """

    name: str | None = None
    version: str | None = None
    title: str | None = None
    license: str | None = None
    citation: str | None = None
    items: Path | None = None
    mapping: Path | None = None
    databases: Path | None = None
    gold: Path | None = None
    check_query: QueryCheck | None = None
    advance: BytesProgress | None = None

    @property
    def header(self) -> dict[str, str]:
        """What was stated of the bundle itself, by the names of `Header`."""
        return {name: value for name in HEADER_FIELDS if (value := getattr(self, name)) is not None}

    def over(self, header: Header) -> Header:
        """A header in which that comes first which was stated."""
        return replace(
            header,
            name=self.name or header.name,
            version=self.version or header.version,
            title=self.title or header.title,
            license=self.license or header.license,
            citation=self.citation or header.citation,
        )

    def refused(self, taken: tuple[str, ...]) -> tuple[Fault, ...]:
        """A fault for each option that was stated and is not among those taken: it would be lost in silence."""
        always = {*HEADER_FIELDS, "check_query", "advance"}
        stated = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        known = ", ".join(f"--{name}" for name in taken) or "none of its kind"
        return tuple(
            Fault(file=f"--{name}", rule="unknown_option", message=f"this format does not take it; it takes {known}.")
            for name in stated
            if name not in always and name not in taken
        )


NO_OPTIONS = ConversionOptions()

"""Writes down what a proof found, so that anyone can check it again: the same text for the same findings."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.check_homes import waived_columns
from benchmark_data.docmap.engine import ENGINE_VERSION
from benchmark_data.docmap.ledger import Difference
from benchmark_data.docmap.placement import FromHead, FromHolder, Home, Keyed, Recovery, collection_homes
from benchmark_data.docmap.proof import Findings
from benchmark_data.docmap.source import Schema
from benchmark_data.docmap.types import Docmap, EmbedManyField, Transform
from benchmark_data.types import Database

CERTIFICATE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One authored pair of SQL and aggregation, and whether their results were equal."""

    name: str
    rows: int
    is_equal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A proof with what it was made on.

    Args:
        docmap: the docmap.
        schema: the source's.
        docmap_sha256: hex digest of the docmap's file.
        source_sha256: hex digest of the SQLite file.
        database: the documents' files.
        findings: of each place.
        checks: the authored ones that were run.
    """

    docmap: Docmap
    schema: Schema
    docmap_sha256: str
    source_sha256: str
    database: Database
    findings: Sequence[Findings]
    checks: Sequence[CheckResult] = ()

    @property
    def is_lossless(self) -> bool:
        """The verdict."""
        return bool(self.findings) and all(one.is_lossless for one in self.findings) and not self.failed_checks

    @property
    def failed_checks(self) -> tuple[str, ...]:
        """Names of the authored checks that failed."""
        return tuple(check.name for check in self.checks if not check.is_equal)


def certificate(proved: Proved) -> dict[str, Any]:
    """The certificate as plain values."""
    docmap, database = proved.docmap, proved.database
    return {
        "certificate": CERTIFICATE_VERSION,
        "engine": ENGINE_VERSION,
        "db_id": docmap.db_id,
        "verdict": "lossless" if proved.is_lossless else "lossy",
        "source_sha256": proved.source_sha256,
        "docmap_sha256": proved.docmap_sha256,
        "database": {
            "digest": database.digest,
            "collections": [
                {"name": one.name, "documents": one.documents, "sha256": one.sha256} for one in database.collections
            ],
        },
        "columns": _columns(docmap, proved.schema),
        "waivers": [
            {"table": waiver.table, "column": waiver.column, "reason": waiver.reason} for waiver in docmap.waivers
        ],
        "places": {one.place: _findings(one) for one in proved.findings},
        "checks": [{"name": check.name, "rows": check.rows, "equal": check.is_equal} for check in proved.checks],
    }


def certificate_text(proved: Proved) -> str:
    """The certificate as JSON."""
    return json.dumps(certificate(proved), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def lost_percent(differences: Iterable[Difference]) -> float:
    """Missing rows of all source rows, in percent."""
    listed = list(differences)
    rows = sum(one.rows for one in listed)
    return 100 * sum(one.missing for one in listed) / rows if rows else 0.0


def _findings(findings: Findings) -> dict[str, Any]:
    differences = findings.tables.values()
    return {
        "rows": sum(one.rows for one in differences),
        "missing": findings.missing,
        "extra": findings.extra,
        "lost_percent": round(lost_percent(differences), 4),
        "lossless": findings.is_lossless,
        "tables": {name: _difference(one) for name, one in findings.tables.items()},
        "collections": [
            {
                "name": one.name,
                "documents": one.documents,
                "expected": one.expected,
                "recomputed_equal": one.is_recomputed,
                "unreadable": one.unreadable,
                **({"examples": list(one.examples)} if one.examples else {}),
            }
            for one in findings.collections
        ],
        "references": [
            {
                "name": one.name,
                "keys": one.keys,
                "dangling": one.dangling,
                "dangling_in_source": one.dangling_in_source,
            }
            for one in findings.references
        ],
    }


def _difference(one: Difference) -> dict[str, Any]:
    content: dict[str, Any] = {
        "rows": one.rows,
        "reconstructed": one.reconstructed,
        "missing": one.missing,
        "extra": one.extra,
    }
    if one.missing_examples:
        content["missing_examples"] = list(one.missing_examples)
    if one.extra_examples:
        content["extra_examples"] = list(one.extra_examples)
    return content


def _columns(docmap: Docmap, schema: Schema) -> dict[str, dict[str, str]]:
    """Where each column has its home, in words; waived ones are not listed."""
    homes: dict[str, dict[str, str]] = {}
    for collection in collection_homes(docmap):
        for _, root in collection.homes:
            for home, prefix in _with_prefix(root, collection.name):
                described = {column: _described(recovery, prefix) for column, recovery in home.columns.items()}
                homes.setdefault(home.table, described)
    return {
        table.name: {
            column: homes[table.name][column]
            for column in table.column_names
            if column not in waived_columns(docmap, table) and column in homes.get(table.name, {})
        }
        for table in schema.tables
    }


def _with_prefix(home: Home, prefix: str) -> "list[tuple[Home, str]]":
    many = isinstance(home.field, EmbedManyField) or (home.field is None and bool(home.path))
    prefix = ".".join((prefix, *home.path)) + ("[]" if many else "")
    return [(home, prefix), *(pair for inner in home.inner for pair in _with_prefix(inner, prefix))]


def _described(recovery: Recovery, prefix: str) -> str:
    if isinstance(recovery, FromHolder):
        return f"position in {prefix}: {recovery.column} of the row around it"
    if isinstance(recovery, Keyed):
        return f"key in {prefix}"
    place = prefix.split(".", maxsplit=1)[0] if isinstance(recovery, FromHead) else prefix
    path = ".".join(filter(None, (place, *recovery.path)))
    return f"{path}{_transform(recovery.transform)}"


def _transform(transform: Transform) -> str:
    words: list[str] = [] if transform.type is None else [transform.type.value]
    words += [f"from {transform.stored}"] if transform.stored is not None else []
    words += ["decoded"] if transform.decode else []
    return f" ({', '.join(words)})" if words else ""


def table_rows(findings: Findings) -> Mapping[str, Difference]:
    """The differences by table, largest loss first."""
    return dict(sorted(findings.tables.items(), key=lambda pair: (-pair[1].missing, pair[0])))

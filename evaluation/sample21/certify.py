"""Proves that the migration of a sample database loses nothing: the bundle's instance, and those of other seeds."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmark_data.bundles.sample21.databases import DOCMAP, SampleDatabase
from benchmark_data.bundles.sample21.instance import source_digest
from benchmark_data.digest import file_digest
from benchmark_data.docmap.certificate import Proved
from benchmark_data.docmap.proof import Documents, Findings, prove
from benchmark_data.docmap.source import read_schema
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.load import read_documents
from evaluation.executors.migrated import StoredDocuments
from evaluation.sample21.instances import Engine, SampleInstance


@dataclass(frozen=True, slots=True, kw_only=True)
class Certification:
    """The proof of the first instance, and a fault for everything that any instance loses."""

    proved: Proved
    faults: tuple[Fault, ...]


def certify(sample: SampleDatabase, instances: Sequence[SampleInstance], engine: Engine) -> Certification:
    """Read each instance's rows back out of its files; those of the first also out of the document database.

    Raises:
        BenchmarkError: one of the design's own checks cannot be run.
        EngineUnavailableError: the document database failed.
    """
    log = FaultLog(sample.file(DOCMAP))
    base = instances[0]
    with StoredDocuments(engine.urls.reader, base.storage_name) as stored:
        findings = prove(base.docmap, base.source, {"written": _written(base), "loaded": stored.read})
        checks = stored.compared(base.docmap.checks, base.source)
    for place in findings:
        _note(place, base, log)
    for instance in instances[1:]:
        (place,) = prove(instance.docmap, instance.source, {"written": _written(instance)})
        _note(place, instance, log)
    for check in checks:
        if not check.is_equal:
            log.add("failed_check", "SQL and pipeline differ.", field=f"checks.{check.name}")
    proved = Proved(
        docmap=base.docmap,
        schema=read_schema(base.connection),
        docmap_sha256=file_digest(sample.folder / DOCMAP),
        # The file itself has the version of SQLite in it: its rows are what is the same everywhere.
        source_sha256=source_digest(base.connection),
        database=base.database,
        findings=findings,
        checks=checks,
    )
    return Certification(proved=proved, faults=log.faults)


def _written(instance: SampleInstance) -> Documents:
    files = {collection.name: collection for collection in instance.database.collections}
    return lambda name: read_documents(files[name]) if name in files else ()


def _note(findings: Findings, instance: SampleInstance, log: FaultLog) -> None:
    if not findings.is_lossless:
        log.add("lossy", f"seed {instance.seed}, documents as {findings.place}: {_loss(findings)}")


def _loss(findings: Findings) -> str:
    parts = [
        f"{name} has {one.missing} rows missing, {one.extra} extra "
        f"({'; '.join((*one.missing_examples, *one.extra_examples))[:200]})"
        for name, one in findings.tables.items()
        if one.missing or one.extra
    ]
    parts += [
        f"{one.name} is not what the migration makes, or has {one.unreadable} unreadable places {one.examples[:1]}"
        for one in findings.collections
        if not one.is_recomputed or one.unreadable or one.documents != one.expected
    ]
    parts += [f"{one.name} dangles" for one in findings.references if one.dangling > one.dangling_in_source]
    return "; ".join(parts) or "it is not lossless."

"""Checks one sample database from its sources: data, design, losslessness, and every item on three instances."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from benchmark_data.bundles.sample21.authored_items import AuthoredItem, read_authored
from benchmark_data.bundles.sample21.databases import ITEMS, ROWS, SampleDatabase, missing_sources
from benchmark_data.docmap.certificate import Proved
from benchmark_data.docmap.source import count_rows, read_schema
from benchmark_data.errors import Fault, FaultyFileError
from benchmark_data.faults import FaultLog
from benchmark_data.types import Difficulty
from evaluation.difficulty import difficulty_of, structure_of
from evaluation.sample21.certify import certify
from evaluation.sample21.idioms import idiom_faults
from evaluation.sample21.instances import Engine, SampleInstance, loaded_instances, side_by_side
from evaluation.sample21.measured import Noticed
from evaluation.sample21.noticed import Mutant, collection_types, counted, tried_mutants, unnoticed
from evaluation.sample21.proofs import ItemFault, ItemProof, prove_item
from evaluation.sample21.wording import repeated_questions, wording_faults

FEWEST_ITEMS: Final = 20
_ROWS: Final = (300, 20_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseCheck:
    """What was found of one database.

    Args:
        db_id: the database.
        faults: what must be changed; a database without any is done.
        advice: what its author should look at.
        figures: what it is made of, for the eye.
        proofs: of the items that could be read.
        noticed: by kind of mistake, what the data notices of it in all proved items.
        proved: the losslessness of the bundle's instance, where there is no fault before it.
    """

    db_id: str
    faults: tuple[Fault, ...]
    advice: tuple[Fault, ...] = ()
    figures: tuple[str, ...] = ()
    proofs: tuple[ItemProof, ...] = ()
    noticed: Mapping[str, Noticed] = field(default_factory=dict)
    proved: Proved | None = None


def check_database(sample: SampleDatabase, engine: Engine, folder: Path) -> DatabaseCheck:
    """Check a database; everything that can be looked at is.

    Args:
        sample: its sources.
        engine: where its instances are loaded for the while.
        folder: for files of the while.

    Raises:
        EngineUnavailableError: the document database failed.
        OSError: a source cannot be read.
    """
    log = FaultLog(sample.file(ITEMS), limit=500)
    missing = missing_sources(sample.folder)
    for name in missing:
        log.add("missing_source", f"{name} is not there yet.")
    items = () if ITEMS in missing else read_authored(sample, log)
    if len(items) < FEWEST_ITEMS:
        log.add("few_items", f"there are {len(items)} items that can be read; {FEWEST_ITEMS} are the fewest.")
    try:
        with loaded_instances(sample, engine, folder) as instances:
            certification = certify(sample, instances, engine)
            source_faults = (*_repeatable(sample), *certification.faults)
            proofs = tuple(prove_item(item, instances, executor=engine.executor) for item in items)
            figures = (_sizes(instances[0]), *_shares(proofs))
            mutants = _mutants(proofs, instances[0], engine)
            found = [
                (_fault(sample, proof.item, fault), fault.is_advice)
                for proof in proofs
                for fault in _item_faults(proof, instances[0], mutants.get(proof.item.number, []))
            ]
    except FaultyFileError as error:
        return DatabaseCheck(db_id=sample.db_id, faults=(*error.faults, *log.faults))
    noticed = counted([mutant for tried in mutants.values() for mutant in tried])
    told = [fault for fault, is_advice in found if not is_advice] + _repeated(sample, items)
    advice = [fault for fault, is_advice in found if is_advice]
    return DatabaseCheck(
        db_id=sample.db_id,
        faults=(*source_faults, *log.faults, *told),
        advice=tuple(advice),
        figures=(*figures, _noticed(noticed)),
        proofs=proofs,
        noticed=noticed,
        proved=certification.proved,
    )


def check_databases(
    samples: Sequence[SampleDatabase], engines: Sequence[Engine], folder: Path, advance: Callable[[int, str], None]
) -> tuple[DatabaseCheck, ...]:
    """Check databases side by side, as many as there are engines.

    Args:
        samples: their sources.
        engines: each works on one database at a time.
        folder: for files of the while.
        advance: told of databases done, and which.

    Raises:
        EngineUnavailableError: the document database failed.
        OSError: a source cannot be read.
    """
    checks = []
    jobs = (partial(check_database, sample, folder=folder) for sample in samples)
    for check in side_by_side(jobs, engines):
        checks.append(check)
        advance(1, check.db_id)
    return tuple(checks)


def _mutants(proofs: Sequence[ItemProof], base: SampleInstance, engine: Engine) -> dict[int, list[Mutant]]:
    """The tried mutants of each item; what is not proved yet has other troubles."""
    types = collection_types(base)
    return {
        proof.item.number: list(
            tried_mutants(proof.query, types[proof.query.collection], base, executor=engine.executor)
        )
        for proof in proofs
        if proof.query is not None and not any(not fault.is_advice for fault in proof.faults)
    }


def _item_faults(proof: ItemProof, base: SampleInstance, mutants: Sequence[Mutant]) -> tuple[ItemFault, ...]:
    if proof.query is None:
        return (*proof.faults, *wording_faults(proof.item, None))
    return (
        *proof.faults,
        *idiom_faults(proof.query, base.docmap),
        *wording_faults(proof.item, proof.query),
        *unnoticed(proof.query, mutants),
    )


def _fault(sample: SampleDatabase, item: AuthoredItem, fault: ItemFault) -> Fault:
    line = item.lines.get(fault.field, item.lines.get("id"))
    return Fault(
        file=sample.file(ITEMS), line=line, field=f"{item.number}.{fault.field}", rule=fault.rule, message=fault.message
    )


def _repeatable(sample: SampleDatabase) -> tuple[Fault, ...]:
    """Whether the rows are the same when they are made again, and others for another seed."""
    first, again, other = (sample.tables(sample.dice(seed)) for seed in (1, 1, 2))
    log = FaultLog(sample.file(ROWS))
    if {name: list(rows) for name, rows in first.items()} != {name: list(rows) for name, rows in again.items()}:
        log.add("not_repeatable", "the same seed gives other rows the second time.")
    if {name: list(rows) for name, rows in first.items()} == {name: list(rows) for name, rows in other.items()}:
        log.add("seed_unused", "another seed gives the same rows.")
    rows = sum(map(len, first.values()))
    if not _ROWS[0] <= rows <= _ROWS[1]:
        log.add("size", f"there are {rows:,} rows; {_ROWS[0]:,} to {_ROWS[1]:,} are wanted.")
    return log.faults


def _repeated(sample: SampleDatabase, items: Sequence[AuthoredItem]) -> list[Fault]:
    faults = []
    for first, second, likeness in repeated_questions(items):
        message = f"it is asked nearly as item {first.number} is ({likeness:.0%} of the words)."
        faults.append(_fault(sample, second, ItemFault(field="question", rule="repeated_question", message=message)))
    seen: dict[str, AuthoredItem] = {}
    for item in items:
        other = seen.setdefault(" ".join(item.mql.split()), item)
        if other is not item:
            message = f"it is the query of item {other.number}."
            faults.append(_fault(sample, item, ItemFault(field="mql", rule="repeated_query", message=message)))
    return faults


def _sizes(base: SampleInstance) -> str:
    tables = read_schema(base.connection).tables
    rows = sum(count_rows(base.connection, table.name) for table in tables)
    collections = base.database.collections
    documents = sum(collection.documents for collection in collections)
    return f"{len(tables)} tables, {rows:,} rows; {len(collections)} collections, {documents:,} documents"


def _shares(proofs: Sequence[ItemProof]) -> tuple[str, ...]:
    queries = [proof.query for proof in proofs if proof.query is not None]
    if not queries:
        return ()
    rated = Counter(map(difficulty_of, queries))
    by_item = {
        level: [proof.item.number for proof in proofs if proof.query and difficulty_of(proof.query) is level]
        for level in (Difficulty.SIMPLE, Difficulty.MODERATE, Difficulty.CHALLENGING)
    }
    stages = [structure_of(query).stages for query in queries]
    methods = Counter(query.operation.value for query in queries)
    evidence = sum(bool(proof.item.evidence) for proof in proofs)
    slowest = max(proofs, key=lambda proof: proof.milliseconds)
    return (
        f"{len(proofs)} items, {evidence} with evidence ({evidence / len(proofs):.0%}; about 70 % wanted); "
        + ", ".join(f"{rated[level]} {level}" for level in by_item)
        + " (12, 6, 2 wanted)",
        *(f"  {level}: {', '.join(map(str, numbers)) or '–'}" for level, numbers in by_item.items()),
        f"stages {sum(stages) / len(stages):.1f} on average; {', '.join(f'{n} {m}' for m, n in methods.most_common())}",
        "rows on the base data: " + ", ".join(f"{p.item.number}:{p.rows[0] if p.rows else '?'}" for p in proofs),
        f"slowest gold query: item {slowest.item.number}, {slowest.milliseconds:.0f} ms",
    )


def _noticed(noticed: Mapping[str, Noticed]) -> str:
    mutants, caught = sum(one.mutants for one in noticed.values()), sum(one.caught for one in noticed.values())
    return f"{mutants} mutants of gold, {caught} noticed ({caught / max(1, mutants):.1%})"

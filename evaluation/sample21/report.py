"""The report on the sample benchmark as Markdown: what each database is made of, and what was proved of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmark_data.bundles.sample21.build import Built, Origin
from benchmark_data.bundles.sample21.inventory import PATTERNS, VERBS, patterns_of, verbs_of
from benchmark_data.bundles.sample21.release import RATINGS
from benchmark_data.load import read_documents
from benchmark_data.types import Database, Item, Split
from evaluation.difficulty import Structure, structure_of
from evaluation.gold import gold_query
from evaluation.runner import gold_source
from evaluation.sample21.measured import Measured, Noticed, Shares
from evaluation.types import Operation

_CONDITIONS: Final = {"with_evidence": "with evidence", "without_evidence": "without evidence"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFigures:
    """What one database is made of.

    Args:
        database: with its collections.
        origin: what it was made from.
        items: that ask about it.
        structures: of their gold, in their order.
        nesting: the deepest nesting of a document; arrays count as a level.
    """

    database: Database
    origin: Origin
    items: tuple[Item, ...]
    structures: tuple[Structure, ...]
    nesting: int

    @property
    def documents(self) -> int:
        """How many documents it has."""
        return sum(collection.documents for collection in self.database.collections)


def figures_of(built: Built) -> tuple[DatabaseFigures, ...]:
    """The figures of every database of a bundle, in its order.

    Raises:
        UnusableGoldError: gold of an item cannot be read.
    """
    found = []
    for database in built.bundle.databases:
        items = tuple(item for item in built.bundle.items if item.db_id == database.db_id)
        found.append(
            DatabaseFigures(
                database=database,
                origin=built.origins[database.db_id],
                items=items,
                structures=tuple(structure_of(gold_query(gold_source(item, database))[0]) for item in items),
                nesting=max(
                    nesting(document) for collection in database.collections for document in read_documents(collection)
                ),
            )
        )
    return tuple(found)


def nesting(value: Any) -> int:
    """How many objects and arrays lie in each other, a flat document being 1."""
    if isinstance(value, Mapping):
        return 1 + max(map(nesting, value.values()), default=0)
    return 1 + max(map(nesting, value), default=0) if isinstance(value, list) else 0


def report_text(figures: Sequence[DatabaseFigures], measured: Measured) -> str:
    """The whole report; the same for the same bundle and measurements."""
    return "\n".join(
        (
            "# AptBoard Sample 21: the report",
            "",
            "Written by `aptboard bundle build sample21 --pin`, and compared with a fresh build by a test.",
            f"Bundle `{measured.digest}`; proved and scored on {measured.engine}.",
            "",
            *_section("Data and design", _data_table(figures, measured)),
            *_section("Items and gold", _item_table(figures)),
            *_section("Patterns", _usage_table(figures, "pattern", PATTERNS, patterns_of)),
            *_section("Verbs of the docmaps", _usage_table(figures, "verb", VERBS, verbs_of)),
            *_section("Gold against itself", _gold_lines(measured)),
            *_section("What the data notices", _noticed_lines(measured)),
            *_section("Baselines", _baseline_table(measured)),
        )
    )


def _section(title: str, lines: Iterator[str]) -> tuple[str, ...]:
    return (f"## {title}", "", *lines, "")


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """A table; every column but the first two of a report's tables is of numbers, and stands to the right."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---' if number == 0 else '---:' for number in range(len(head)))}|"
    for row in rows:
        yield f"| {' | '.join(_cell(value) for value in row)} |"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _data_table(figures: Sequence[DatabaseFigures], measured: Measured) -> Iterator[str]:
    head = ("database", "tables", "rows", "collections", "documents", "nesting", "verbs", "patterns", "certificate")
    rows: list[Sequence[object]] = []
    for one in figures:
        counts = (one.origin.tables, one.origin.rows, len(one.database.collections), one.documents, one.nesting)
        used = (len(verbs_of(one.origin.docmap)), len(patterns_of(one.origin.docmap)))
        rows.append((one.database.db_id, *counts, *used, _certificate(measured, one.database.db_id)))
    certified = sum(one.verdict == "lossless" for one in measured.certificates.values())
    sums = [sum(int(str(row[place])) for row in rows) for place in range(1, 5)]
    rows.append(("**all**", *sums, max(one.nesting for one in figures), "", "", f"{certified} of {len(rows)} lossless"))
    yield from _table(head, rows)
    yield ""
    share = sums[2] / len(figures)
    yield f"{share:.1f} collections on average. A certificate says that all rows of the source were read back out of"
    yield "the documents, as written and as loaded in the engine, none missing and none too many."


def _certificate(measured: Measured, db_id: str) -> str:
    one = measured.certificates.get(db_id)
    return "none" if one is None else f"{one.verdict}, {one.rows:,} rows, {one.checks} checks"


def _item_table(figures: Sequence[DatabaseFigures]) -> Iterator[str]:
    head = ("database", "items", *RATINGS, "evidence", "hidden", "stages", "most stages", "nesting", "most nesting")
    groups = [(one.database.db_id, one.items, one.structures) for one in figures]
    items = tuple(item for one in figures for item in one.items)
    structures = tuple(structure for one in figures for structure in one.structures)
    groups.append(("**all**", items, structures))
    yield from _table(head, [_item_row(*group) for group in groups])
    yield ""
    rated = Counter(item.difficulty for item in items)
    shares = ", ".join(f"{rated[rating] / len(items):.1%} {rating}" for rating in RATINGS)
    evidence = sum(bool(item.evidence) for item in items)
    hidden = sum(item.split is Split.HIDDEN for item in items)
    methods = Counter(structure.operation.value for structure in structures)
    yield f"{shares}; {evidence / len(items):.1%} with evidence; gold of {hidden / len(items):.1%} is marked hidden."
    yield "Methods: " + ", ".join(f"{count} {method}" for method, count in sorted(methods.items())) + "."
    yield "Stages are those of pipelines, inner ones counted, on average; nesting is of gold as a value, such as a"
    yield "filter in a stage in a pipeline."


def _item_row(name: str, items: Sequence[Item], structures: Sequence[Structure]) -> Sequence[object]:
    rated = Counter(item.difficulty for item in items)
    stages = [structure.stages for structure in structures if structure.operation is Operation.AGGREGATE]
    depth = [structure.depth for structure in structures]
    return (
        name,
        len(items),
        *(rated[rating] for rating in RATINGS),
        sum(bool(item.evidence) for item in items),
        sum(item.split is Split.HIDDEN for item in items),
        sum(stages) / max(1, len(stages)),
        max(stages, default=0),
        sum(depth) / len(depth),
        max(depth),
    )


def _usage_table(
    figures: Sequence[DatabaseFigures], what: str, words: Sequence[str], used: Callable[[Any], frozenset[str]]
) -> Iterator[str]:
    yield f"| {what} | databases | which |"
    yield "|---|---:|---|"
    for word in words:
        names = [one.database.db_id for one in figures if word in used(one.origin.docmap)]
        shown = "all" if len(names) == len(figures) else ", ".join(names)
        yield f"| {word} | {len(names)} | {shown} |"


def _gold_lines(measured: Measured) -> Iterator[str]:
    yield f"Every item's gold gave the rows of its SQL on {measured.instances} instances of its database: the bundle's"
    yield "own and those of other seeds. Gold was then scored as a prediction, items in another order each time:"
    yield ""
    rows = [
        (
            f"round {number}, {_CONDITIONS[one.condition]}",
            one.items,
            *map(_four_places, (one.strict, one.soft, one.executed)),
        )
        for number, round_ in enumerate(measured.gold, start=1)
        for one in round_
    ]
    yield from _table(("gold", "items", "Strict-EX", "Soft-EX", "Exec-Rate"), rows)


def _four_places(share: float | None) -> str:
    return "–" if share is None else f"{share:.4f}"


def _noticed_lines(measured: Measured) -> Iterator[str]:
    yield "Every query that is one mistake away from gold was run on the bundle's own instance, and scored as a"
    yield "submission is. Noticed are those that lose Strict-EX. How they are made, and why not all can be noticed,"
    yield "stands in [the benchmark's page](sample21.md#what-the-data-notices)."
    yield ""
    yield from _noticed_table("database", {name: tuple(kinds.values()) for name, kinds in measured.noticed.items()})
    yield ""
    kinds = {kind for one in measured.noticed.values() for kind in one}
    by_kind = {kind: tuple(one[kind] for one in measured.noticed.values() if kind in one) for kind in sorted(kinds)}
    yield from _noticed_table("mistake", by_kind)


def _noticed_table(what: str, groups: Mapping[str, Sequence[Noticed]]) -> Iterator[str]:
    groups = {**groups, "**all**": tuple(one for group in groups.values() for one in group)}
    rows = []
    for name, group in groups.items():
        mutants, caught = sum(one.mutants for one in group), sum(one.caught for one in group)
        rows.append((name, mutants, caught, 100 * caught / max(1, mutants)))
    yield from _table((what, "mutants", "noticed", "percent"), rows)


def _baseline_table(measured: Measured) -> Iterator[str]:
    head = (
        "prediction file",
        *(f"{metric}, {words}" for words in _CONDITIONS.values() for metric in ("Strict", "Soft")),
    )
    rows = [(f"`{name}`", *_percents(found)) for name, found in measured.baselines.items()]
    yield "Percent of all items; what each file is stands in [the benchmark's page](sample21.md#baselines)."
    yield ""
    yield from _table(head, rows)


def _percents(found: Sequence[Shares]) -> Iterator[str]:
    by_condition = {one.condition: one for one in found}
    for condition in _CONDITIONS:
        one = by_condition[condition]
        for share in (one.strict, one.soft):
            yield "–" if share is None else f"{100 * share:.2f}"

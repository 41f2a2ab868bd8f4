"""The proof: any change of the documents flips its verdict."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmark_data.docmap.sources import (
    HEAD,
    SHOP,
    SHOP_DOCMAP,
    database,
    docmap_of,
    findings_of,
    migrated,
    rewrite,
)

Lines = list[dict[str, Any]]


def remove_element(lines: Lines) -> Lines:
    lines[0]["products"].pop()
    return lines


def change_cell(lines: Lines) -> Lines:
    lines[0]["products"][0]["kind"] = "can"
    return lines


def change_type(lines: Lines) -> Lines:
    lines[0]["products"][0]["sku"] = {"$numberDouble": "10.0"}
    return lines


def drop_document(lines: Lines) -> Lines:
    return lines[1:]


def repeat_document(lines: Lines) -> Lines:
    return [*lines, lines[0]]


def swap_links(lines: Lines) -> Lines:
    for place in (lines[0], lines[2]), (lines[0]["_id"], lines[2]["_id"]):
        place[0]["brand"], place[1]["brand"] = place[1]["brand"], place[0]["brand"]
    return lines


def move_element(lines: Lines) -> Lines:
    lines[1]["products"].append(lines[0]["products"].pop())
    return lines


def break_shape(lines: Lines) -> Lines:
    lines[0]["products"] = "none"
    return lines


def change_orphan(lines: Lines) -> Lines:
    lines[0]["brand_id"] = {"$numberInt": "1"}
    return lines


MUTATIONS = {
    "an embedded element is removed": ("brands", remove_element, {"product": (1, 0)}),
    "a cell is changed": ("brands", change_cell, {"product": (1, 1)}),
    "an integer becomes a double": ("brands", change_type, {"product": (1, 1)}),
    "a document is dropped": ("reviews", drop_document, {"review": (1, 0)}),
    "a document is repeated": ("reviews", repeat_document, {"review": (0, 1)}),
    "two links are swapped": ("reviews", swap_links, {"review": (2, 2)}),
    "an element moves to another parent": ("brands", move_element, {"product": (1, 1)}),
    "an array is no array": ("brands", break_shape, {"product": (2, 0)}),
    "an orphan gets a parent": ("products_unassigned", change_orphan, {"product": (1, 1)}),
}


@pytest.mark.parametrize(("collection", "change", "wanted"), MUTATIONS.values(), ids=MUTATIONS)
def test_a_change_flips_the_verdict_and_is_counted(
    tmp_path: Path, collection: str, change: Callable[[Lines], Lines], wanted: dict[str, tuple[int, int]]
) -> None:
    source = database(tmp_path, SHOP)
    docmap = docmap_of(source, SHOP_DOCMAP)
    made = migrated(docmap, source, tmp_path / "out")
    rewrite(made, collection, change)
    found = findings_of(docmap, source, made)
    assert not found.is_lossless
    differing = {t: (d.missing, d.extra) for t, d in found.tables.items() if d.missing or d.extra}
    assert differing == wanted


COPIES = {
    "an extended reference": ("reviews", lambda line: line["brand"].update(name="B&W")),
    "a key that repeats the _id": ("reviews", lambda line: line["brand"].update(_id={"$numberInt": "2"})),
    "an embedded copy": ("brands", lambda line: line["brewer"].update(name="New Works")),
    "a computed value": ("brands", lambda line: line.update(reviewCount={"$numberInt": "3"})),
    "a subset": ("brands", lambda line: line.update(sample=[])),
    "a constant": ("brands", lambda line: line.update(kind="band")),
    "a field that nobody asked for": ("tags", lambda line: line.update(more=True)),
}


@pytest.mark.parametrize(("collection", "change"), COPIES.values(), ids=COPIES)
def test_a_copy_that_disagrees_with_its_home_flips_the_verdict(
    tmp_path: Path, collection: str, change: Callable[[dict[str, Any]], None]
) -> None:
    source = database(tmp_path, SHOP)
    docmap = docmap_of(source, SHOP_DOCMAP)
    made = migrated(docmap, source, tmp_path / "out")

    def changed(lines: Lines) -> Lines:
        change(lines[0])
        return lines

    rewrite(made, collection, changed)
    found = findings_of(docmap, source, made)
    assert (found.missing, found.extra) == (0, 0)
    assert not found.is_lossless
    assert [one.name for one in found.collections if not one.is_recomputed] == [collection]


def test_dropped_orphans_and_nulled_cells_are_counted_as_lost(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, day TEXT); CREATE TABLE c (n INTEGER, t INTEGER REFERENCES t(id));"
        "INSERT INTO t VALUES (1, 'soon'), (2, '2020-01-01'); INSERT INTO c VALUES (1, 1), (2, NULL), (3, 99);",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {ts: {table: t, _id: id, fields: {day: {column: day, type: date, on_fail: 'null'},"
        " cs: {embed_many: {via: c.t, role: home, orphans: drop, fields: {n: n}}}}}}",
    )
    found = findings_of(docmap, source, migrated(docmap, source, tmp_path / "out"))
    assert {t: (d.rows, d.missing, d.extra) for t, d in found.tables.items()} == {"t": (2, 1, 1), "c": (3, 2, 0)}
    assert found.tables["c"].missing_examples == ("(2, None)", "(3, 99)")


def test_dangling_references_are_kept_and_known(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (n INTEGER, t INTEGER REFERENCES t(id));"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES (1, 1), (2, NULL), (3, 99);",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {ts: {table: t, _id: id, fields: {}}, cs: {table: c, fields: {n: n,"
        " t: {reference: {column: t, to: ts}}}}}",
    )
    found = findings_of(docmap, source, migrated(docmap, source, tmp_path / "out"))
    assert found.is_lossless
    (reference,) = found.references
    assert (reference.keys, reference.dangling, reference.dangling_in_source) == (2, 1, 1)


def test_waived_columns_do_not_count(tmp_path: Path) -> None:
    source = database(tmp_path, "CREATE TABLE t (id INTEGER PRIMARY KEY, old TEXT); INSERT INTO t VALUES (1, 'x');")
    docmap = docmap_of(
        source,
        HEAD + "collections: {ts: {table: t, _id: id, fields: {}}}\n"
        "waivers: [{table: t, column: old, reason: unused since 1999}]",
    )
    assert findings_of(docmap, source, migrated(docmap, source, tmp_path / "out")).is_lossless

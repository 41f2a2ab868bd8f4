"""Migration: each verb of the vocabulary, the same bytes each time, nothing half written."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bson.int64 import Int64

from benchmark_data.docmap.engine import Migration
from benchmark_data.docmap.fetch import working_copy
from benchmark_data.docmap.sinks import migrate_to_bundle
from benchmark_data.docmap.walk import links_of
from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import load_bundle
from benchmark_data.write import Header
from tests.benchmark_data.building import item
from tests.benchmark_data.docmap.sources import (
    HEAD,
    SHOP,
    SHOP_DOCMAP,
    database,
    docmap_of,
    documents,
    findings_of,
    migrated,
)


def test_every_verb_writes_what_it_says(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    made = migrated(docmap_of(source, SHOP_DOCMAP), source, tmp_path / "out")
    first, second, _ = documents(made, "brands")
    assert first == {
        "_id": 1,
        "name": "A&W",
        "flags": {"sugar": True},
        "brewer": {"_id": 1, "name": "Old Works"},
        "rating": 3.5,
        "reviewCount": 2,
        "kind": "brand",
        "initial": "A",
        "sample": [{"stars": 5}],
        "products": [{"sku": 10, "kind": "Can"}, {"sku": 11, "kind": "Bottle"}],
        "tags": [
            {"code": "b", "label": "bitter", "weight": 1.0},
            {"code": "s", "label": "sweet", "weight": 0.5},
        ],
        "labels": ["bitter", "sweet"],
        "weights": {"s": 0.5, "b": 1.0},
    }
    assert (second["brewer"], second["rating"], second["reviewCount"], second["products"]) == (None, None, 0, [])
    assert documents(made, "products_unassigned") == [{"brand_id": None, "sku": 13, "kind": "Keg"}]
    assert documents(made, "reviews")[0] == {
        "_id": {"brand": 1, "day": "2014-01-01"},
        "brand": {"_id": 1, "name": "A&W"},
        "stars": 2,
        "reviewedAt": datetime(2014, 1, 1, tzinfo=UTC),
    }
    assert findings_of(docmap_of(source, SHOP_DOCMAP), source, made).is_lossless


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    docmap = docmap_of(source, SHOP_DOCMAP)
    one, other = migrated(docmap, source, tmp_path / "one"), migrated(docmap, source, tmp_path / "other")
    assert one.digest == other.digest
    assert [c.path.read_bytes() for c in one.collections] == [c.path.read_bytes() for c in other.collections]


def test_a_bundle_comes_out(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    docmap = docmap_of(source, SHOP_DOCMAP)
    header = Header(name="shop", version="1", title="Shop", license="MIT")
    made = migrate_to_bundle(
        docmap, source, tmp_path / "bundle", file="docmap.yaml", header=header, items=[item(db_id="shop")]
    )
    assert load_bundle(tmp_path / "bundle").databases == (made,)
    assert made.digest == migrated(docmap, source, tmp_path / "folder").digest


def test_a_variant_is_told_by_its_discriminator(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE cat (id INTEGER PRIMARY KEY, lives INTEGER);"
        "CREATE TABLE dog (id INTEGER PRIMARY KEY, tail REAL);"
        "INSERT INTO cat VALUES (1, 9); INSERT INTO dog VALUES (1, 0.5), (2, NULL);",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {pets: {discriminator: kind, variants: {"
        "cat: {table: cat, fields: {number: id, lives: lives}}, dog: {table: dog, fields: {number: id, tail: tail}}}}}",
    )
    made = migrated(docmap, source, tmp_path / "out")
    assert [pet["kind"] for pet in documents(made, "pets")] == ["cat", "dog", "dog"]
    assert findings_of(docmap, source, made).is_lossless


def test_rows_are_gathered_into_buckets(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE reading (sensor TEXT, at INTEGER, value REAL);",
        {"reading": [("a", 3, 0.3), ("b", 1, 1.0), ("a", 1, 0.1), ("a", 2, 0.2), (None, 9, None)]},
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {readings: {table: reading, fields: {at: at, value: value},"
        " bucket: {by: {sensor: sensor}, size: 2, items: values, order_by: [at]}}}",
    )
    made = migrated(docmap, source, tmp_path / "out")
    found = [(d["_id"], d["count"], [v["at"] for v in d["values"]]) for d in documents(made, "readings")]
    assert found == [
        ({"sensor": None, "bucket": 0}, 1, [9]),
        ({"sensor": "a", "bucket": 0}, 2, [1, 2]),
        ({"sensor": "a", "bucket": 1}, 1, [3]),
        ({"sensor": "b", "bucket": 0}, 1, [1]),
    ]
    assert findings_of(docmap, source, made).is_lossless


def test_an_embedded_parent_may_be_the_home_of_its_row(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE shop (id INTEGER PRIMARY KEY, town INTEGER REFERENCES town(id));"
        "INSERT INTO town VALUES (1, 'Ohm'), (2, 'Empty'); INSERT INTO shop VALUES (1, 1), (2, 1), (3, NULL);",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {shops: {table: shop, _id: id, fields: {town: {embed_one: {via: shop.town, role: home,"
        " fields: {_id: id, name: name}, orphans: {collection: empty_towns}}}}}}",
    )
    made = migrated(docmap, source, tmp_path / "out")
    assert documents(made, "empty_towns") == [{"_id": 2, "name": "Empty"}]
    assert findings_of(docmap, source, made).is_lossless


def test_computed_fields_go_down_several_links(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a(id));"
        "CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b(id), n INTEGER);"
        "INSERT INTO a VALUES (1), (2); INSERT INTO b VALUES (1, 1), (2, 1);"
        "INSERT INTO c VALUES (1, 1, 5), (2, 2, 7);",
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {as: {table: a, _id: id, fields: {"
        "total: {computed: {via: [b.a, c.b], op: sum, expr: n, empty: 0}},"
        "big: {computed: {via: [b.a, c.b], op: count, where: n > 5}},"
        "all: {computed: {via: [b.a, c.b], op: list, expr: n}}}},"
        "bs: {table: b, _id: id, fields: {a: a}}, cs: {table: c, _id: id, fields: {b: b, n: n}}}",
    )
    made = migrated(docmap, source, tmp_path / "out")
    assert documents(made, "as") == [
        {"_id": 1, "total": 12, "big": 1, "all": [5, 7]},
        {"_id": 2, "total": 0, "big": 0, "all": []},
    ]


def test_cells_that_a_type_cannot_bring_back_follow_the_policy(tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, day TEXT, n);",
        {"t": [(1, "2014-01-02", 1), (2, "soon", "007"), (3, None, 2**40)]},
    )
    docmap = docmap_of(
        source,
        HEAD + "collections: {ts: {table: t, _id: id, fields: {day: {column: day, type: date, on_fail: keep},"
        " n: {column: n, type: long, on_fail: quarantine, null: omit}}}}",
    )
    made = migrated(docmap, source, tmp_path / "out")
    assert documents(made, "ts") == [
        {"_id": 1, "day": datetime(2014, 1, 2, tzinfo=UTC), "n": Int64(1)},
        {"_id": 2, "day": "soon", "_quarantine": {"n": "007"}},
        {"_id": 3, "day": None, "n": Int64(2**40)},
    ]
    assert findings_of(docmap, source, made).is_lossless


ONE = "collections: {ts: {table: t, _id: id, fields: {%s}}}"
FAILURES = {
    "a date in another form": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, '2014-01-02'), (2, '2/1/2014')",
        ONE % "v: {column: v, type: date}",
        "docmap.yaml:3: v: t(id=2): v is '2/1/2014' and would not come back from date; set `on_fail`, or leave the type"
        " as it is.",
    ),
    "a code with a leading zero": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, '10'), (2, '010')",
        ONE % "v: {column: v, type: int, stored: text}",
        "docmap.yaml:3: v: t(id=2): v is '010' and would not come back from int; set `on_fail`, or leave the type as it"
        " is.",
    ),
    "a value that decode lacks": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, '')",
        ONE % "v: {column: v, decode: {'TRUE': true}}",
        "docmap.yaml:3: v: t(id=1): v is '' and would not come back from a value of `decode`; set `on_fail`, or leave"
        " the type as it is.",
    ),
    "orphans without a place": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (n INTEGER, t INTEGER REFERENCES t(id));"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES (1, 1), (2, NULL), (3, 99)",
        ONE % "cs: {embed_many: {via: c.t, role: home, fields: {n: n}}}",
        "docmap.yaml:3: cs: 2 rows of c point at no row of t by t: no embedding holds them; give them `orphans:"
        " {collection: NAME}`.",
    ),
    "too many items": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (n INTEGER, t INTEGER REFERENCES t(id));"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES (1, 1), (2, 1)",
        ONE % "cs: {embed_many: {via: c.t, role: home, max_items: 1, fields: {n: n}}}",
        "docmap.yaml:3: cs: t(id=1) has 2 elements, more than 1.",
    ),
    "a key that stands twice": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (n TEXT, t INTEGER REFERENCES t(id));"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES ('x', 1), ('x', 1)",
        ONE % "cs: {embed_many: {via: c.t, role: home, key_by: n, fields: {}}}",
        "docmap.yaml:3: cs: c.n is 'x', which stands twice: it cannot be a key.",
    ),
    "a second row for one object": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE c (n TEXT, t INTEGER REFERENCES t(id));"
        "INSERT INTO t VALUES (1); INSERT INTO c VALUES ('x', 1), ('y', 1)",
        ONE % "c: {embed_one: {via: c.t, role: home, fields: {n: n}}}",
        "docmap.yaml:3: c: several rows of c belong to t(id=1): use embed_many.",
    ),
    "an _id that comes twice": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'x')",
        "collections: {ts: {table: t, _id: v, fields: {id: id}}}",
        "docmap.yaml: ts[1]._id: the _id 'x' was used before, at 1.",
    ),
    "bytes that are no text": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT))",
        ONE % "v: v",
        "docmap.yaml: ts[0].v: the text has half of a surrogate pair in it, which is no character.",
    ),
    "a document above 16 MiB": (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, zeroblob(17000000))",
        ONE % "v: v",
        "docmap.yaml: ts[0]: the document has 17,000,022 bytes as BSON; MongoDB stores at most 16,777,216.",
    ),
}


@pytest.mark.parametrize(("script", "text", "message"), FAILURES.values(), ids=FAILURES)
def test_what_cannot_be_migrated_is_told_and_nothing_is_written(
    tmp_path: Path, script: str, text: str, message: str
) -> None:
    source = database(tmp_path, script)
    docmap = docmap_of(source, HEAD + text)
    with pytest.raises(FaultyBundleError) as caught:
        migrated(docmap, source, tmp_path / "out")
    assert str(caught.value).splitlines()[0] == message
    assert [path.name for path in tmp_path.iterdir()] == ["source.sqlite"]


def test_a_folder_with_other_things_is_not_touched(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(FaultyBundleError, match="has other things in it"):
        migrated(docmap_of(source, SHOP_DOCMAP), source, tmp_path / "out")
    assert (tmp_path / "out" / "thesis.txt").read_text() == "mine"


def test_the_number_of_queries_grows_with_batches_and_not_with_rows(tmp_path: Path) -> None:
    counts = []
    for brands in (10, 1_000):
        rows: dict[str, list[tuple[Any, ...]]] = {
            "brand": [(n, "x", "TRUE", 1) for n in range(10, 10 + brands)],
            "product": [(n + 100, 10 + n % brands, "Can") for n in range(3 * brands)],
        }
        source = database(tmp_path, SHOP, rows)
        docmap = docmap_of(source, SHOP_DOCMAP)
        statements: list[str] = []
        with working_copy(source, links_of(docmap)) as fetcher:
            fetcher.connection.set_trace_callback(statements.append)
            made = [list(one.documents) for one in Migration(docmap, fetcher, file="").collections()]
        assert len(made[0]) == brands + 3
        counts.append(sum(statement.startswith("SELECT") for statement in statements))
    assert counts[0] == counts[1]

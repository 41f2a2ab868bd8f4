"""What a docmap makes use of is read off its fields."""

import sqlite3

import pytest

from benchmark_data.bundles.sample21.inventory import PATTERNS, VERBS, patterns_of, verbs_of
from benchmark_data.bundles.sample21.relations import relations_of
from benchmark_data.docmap.check import checked
from benchmark_data.docmap.read import read_docmap
from benchmark_data.docmap.source import read_schema
from benchmark_data.docmap.types import Docmap
from benchmark_data.faults import FaultLog
from benchmark_data.types import Relation
from tests.benchmark_data.docmap.sources import HEAD, SHOP, SHOP_DOCMAP

TREE = """
CREATE TABLE node (id INTEGER PRIMARY KEY, up INTEGER REFERENCES node(id), label TEXT, day TEXT);
CREATE TABLE leaf (id INTEGER PRIMARY KEY, node_id INTEGER REFERENCES node(id), hue TEXT, weight INTEGER);
CREATE TABLE seal (node_id INTEGER PRIMARY KEY REFERENCES node(id), stamp TEXT);
"""

NODES = """
collections:
  nodes:
    table: node
    _id: id
    fields:
"""

CASES = [
    ("label: label", {"column"}, set()),
    ("label: {column: label, null: omit}", {"column", "column null: omit"}, set()),
    ("label: {column: label, decode: {a: 1}, on_fail: keep}",
     {"column", "column decode", "column on_fail: keep"}, set()),
    ('day: {column: day, type: date, format: "%d.%m.%Y", on_fail: quarantine}',
     {"column", "column type", "column format", "column on_fail: quarantine"}, set()),
    ("up: {reference: {column: up, to: nodes}}", {"reference"}, {"tree"}),
    ("up: {reference: {column: up, to: nodes, extended: {label: label}}}",
     {"reference extended"}, {"tree", "extended reference"}),
    ("weight: {computed: {via: leaf.node_id, op: sum, expr: weight, where: weight > 0}}",
     {"computed sum", "computed where"}, {"computed"}),
    ("leaves: {embed_many: {via: leaf.node_id, role: home, order_by: [id], fields: {_id: id, hue: hue}}}",
     {"embed_many home", "embed_many order_by", "column"}, {"embedding"}),
    ("some: {embed_many: {via: leaf.node_id, order_by: [-id], limit: 2, scalar: hue}}",
     {"embed_many copy", "embed_many order_by", "embed_many limit", "embed_many scalar", "column"}, {"subset"}),
    ("hues: {embed_many: {via: leaf.node_id, key_by: hue, scalar: weight}}",
     {"embed_many copy", "embed_many key_by", "embed_many scalar", "column"}, {"attribute"}),
    ("seal: {embed_one: {via: seal.node_id, role: home, fields: {stamp: stamp}}}",
     {"embed_one 1:1", "column"}, {"embedding", "one-to-one"}),
    ("kind: {const: node}", {"const"}, set()),
    ('initial: {derive: "substr(label, 1, 1)"}', {"derive"}, set()),
]  # fmt: skip


def docmap_of(schema: str, text: str) -> Docmap:
    """A docmap that was read; that tables lack a home is left aside."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(schema)

    log = FaultLog("docmap.yaml")
    found = read_docmap(text, read_schema(connection), log)
    assert found is not None
    assert [fault.message for fault in log.faults] == []
    return found


@pytest.mark.parametrize(
    ("field", "verbs", "patterns"), CASES, ids=[field.split(":")[0] + str(n) for n, (field, *_) in enumerate(CASES)]
)
def test_a_field_uses_its_verbs_and_amounts_to_patterns(field: str, verbs: set[str], patterns: set[str]) -> None:
    found = docmap_of(TREE, f"{HEAD}{NODES}      {field}\n")
    assert verbs_of(found) == verbs | {"column"}
    assert patterns_of(found) == patterns


def test_a_whole_docmap_has_what_its_parts_have() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SHOP)
    found = checked(SHOP_DOCMAP, connection, FaultLog("x"))
    assert verbs_of(found) <= set(VERBS)
    assert patterns_of(found) <= set(PATTERNS)
    assert {"relationships", "embed_many payload", "orphans", "derive", "computed avg"} <= verbs_of(found)
    assert {"many-to-many with payload", "subset", "computed", "embedding"} <= patterns_of(found)


def test_references_are_listed_with_the_path_at_which_they_stand() -> None:
    text = f"""{HEAD}{NODES}      up: {{reference: {{column: up, to: nodes, extended: {{label: label}}}}}}
  leaves:
    table: leaf
    _id: id
    fields:
      node: {{reference: {{column: node_id, to: nodes}}}}
      above: {{embed_one: {{via: leaf.node_id, fields: {{of: {{reference: {{column: up, to: nodes}}}}}}}}}}
"""
    assert relations_of(docmap_of(TREE, text)) == {
        "nodes": (Relation(path="up._id", collection="nodes", field="_id"),),
        "leaves": (
            Relation(path="node", collection="nodes", field="_id"),
            Relation(path="above.of", collection="nodes", field="_id"),
        ),
    }

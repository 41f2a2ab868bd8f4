"""Small databases for tests, and one call for each step of a conversion."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmark_data.docmap.check import checked
from benchmark_data.docmap.proof import Findings, prove
from benchmark_data.docmap.sinks import migrate_to_folder
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from benchmark_data.docmap.types import Docmap
from benchmark_data.extended_json import parse_document
from benchmark_data.faults import FaultLog
from benchmark_data.load import read_documents
from benchmark_data.types import Database

HEAD = "docmap: 1\nsource: {db_id: shop}\n"

SHOP = """
CREATE TABLE brand (id INTEGER PRIMARY KEY, Name TEXT, Sugar TEXT, brewer_id INTEGER REFERENCES brewer(id));
CREATE TABLE brewer (id INTEGER PRIMARY KEY, Name TEXT);
CREATE TABLE product (sku INTEGER PRIMARY KEY, brand_id INTEGER REFERENCES brand(id), kind TEXT);
CREATE TABLE review (brand_id INTEGER, stars INTEGER, day DATE, PRIMARY KEY (brand_id, day));
CREATE TABLE tag (code TEXT PRIMARY KEY, label TEXT);
CREATE TABLE brand_tag (brand_id INTEGER REFERENCES brand(id), tag TEXT REFERENCES tag(code), weight REAL);
INSERT INTO brewer VALUES (1, 'Old Works'), (2, 'Idle Works');
INSERT INTO brand VALUES (1, 'A&W', 'TRUE', 1), (2, 'Dad''s', 'FALSE', NULL), (3, 'IBC', 'TRUE', 1);
INSERT INTO product VALUES (10, 1, 'Can'), (11, 1, 'Bottle'), (12, 3, 'Can'), (13, NULL, 'Keg');
INSERT INTO review VALUES (1, 5, '2014-01-02'), (1, 2, '2014-01-01'), (3, 4, '2013-05-05');
INSERT INTO tag VALUES ('s', 'sweet'), ('b', 'bitter');
INSERT INTO brand_tag VALUES (1, 's', 0.5), (1, 'b', 1.0), (2, 's', 2.0);
"""

SHOP_DOCMAP = """
docmap: 1
source: {db_id: shop}
relationships:
  review_brand: {from: [review.brand_id], to: [brand.id], declared: false}
collections:
  brands:
    table: brand
    _id: {column: id, type: int}
    fields:
      name: {column: Name}
      flags.sugar: {column: Sugar, decode: {"TRUE": true, "FALSE": false}}
      brewer: {embed_one: {via: brand.brewer_id, fields: {_id: id, name: {column: Name}}}, role: copy}
      rating: {computed: {via: review_brand, op: avg, expr: stars, round: 1, empty: null}}
      reviewCount: {computed: {via: review_brand, op: count}}
      kind: {const: brand}
      initial: {derive: "substr(Name, 1, 1)"}
      sample: {embed_many: {via: review_brand, role: copy, order_by: [-day], limit: 1, fields: {stars: stars}}}
      products: {embed_many: {via: product.brand_id, role: home, order_by: [sku], max_items: 5,
                 fields: {sku: sku, kind: kind}, orphans: {collection: products_unassigned}}}
      tags: {embed_many: {via: brand_tag.brand_id, through: brand_tag.tag, role: home, order_by: [tag],
             fields: {code: code, label: label}, payload: {weight: weight}}}
      labels: {embed_many: {via: brand_tag.brand_id, through: brand_tag.tag, order_by: [tag], scalar: tag.label}}
      weights: {embed_many: {via: brand_tag.brand_id, through: brand_tag.tag, key_by: tag.code,
                scalar: brand_tag.weight}}
    indexes: [{keys: {name: 1}, unique: true}]
  brewers: {table: brewer, _id: id, fields: {name: Name}}
  tags: {table: tag, _id: code, fields: {label: label}}
  reviews:
    table: review
    _id: {columns: {brand: brand_id, day: day}}
    fields:
      brand: {reference: {column: brand_id, to: brands, extended: {name: Name}}}
      stars: stars
      reviewedAt: {column: day, type: date}
"""


def database(folder: Path, script: str, rows: Mapping[str, Iterable[tuple[Any, ...]]] | None = None) -> Path:
    """A SQLite file made by a script, with further rows by table."""
    path = folder / "source.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        for table, listed in (rows or {}).items():
            name = table.replace('"', '""')
            for row in listed:
                connection.execute(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(row))})', row)
        connection.commit()
    return path


def docmap_of(source: Path, text: str) -> Docmap:
    """A docmap's text, checked against a source."""
    with closing(connect_read_only(source)) as connection:
        return checked(text, connection, FaultLog("docmap.yaml"))


def mechanical(source: Path) -> Docmap:
    """The docmap of one collection a table."""
    with closing(connect_read_only(source)) as connection:
        text = one_to_one(read_schema(connection), "shop")
    return docmap_of(source, text)


def migrated(docmap: Docmap, source: Path, destination: Path) -> Database:
    """The source, migrated into a folder."""
    return migrate_to_folder(docmap, source, destination, file="docmap.yaml", overwrite=True)


def findings_of(docmap: Docmap, source: Path, database: Database) -> Findings:
    """The proof on the files."""
    collections = {collection.name: collection for collection in database.collections}
    (found,) = prove(docmap, source, {"written": lambda name: read_documents(collections[name])})
    return found


def documents(database: Database, name: str) -> list[dict[str, Any]]:
    """The documents of a collection."""
    return list(read_documents(next(one for one in database.collections if one.name == name)))


def rewrite(database: Database, name: str, change: Any) -> None:
    """Change the documents of a collection in its file; `change` takes and returns their list."""
    path = next(one.path for one in database.collections if one.name == name)
    lines = change([json.loads(line) for line in path.read_text().splitlines()])
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for line in path.read_text().splitlines():
        parse_document(line)

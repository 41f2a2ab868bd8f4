"""Throughput and memory of migration, proof and scaling on a generated source of a million rows."""

import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmark_data.docmap.check import read_checked
from benchmark_data.docmap.proof import prove
from benchmark_data.docmap.scale import scale_database
from benchmark_data.docmap.sinks import migrate_to_folder, read_migrated
from benchmark_data.load import read_documents
from tests.bench.measurement import Measurement

CUSTOMERS, ORDERS, LINES = 50_000, 250_000, 700_000
ROWS = CUSTOMERS + ORDERS + LINES
MEGABYTES = 1_000

DOCMAP = """
docmap: 1
source: {db_id: shop}
collections:
  customers:
    table: customer
    _id: id
    fields:
      name: name
      orderCount: {computed: {via: order.customer_id, op: count}}
  orders:
    table: order
    _id: id
    fields:
      customer: {reference: {column: customer_id, to: customers, extended: {name: name}}}
      orderedAt: {column: day, type: date}
      lines:
        embed_many:
          via: line.order_id
          role: home
          order_by: id
          fields: {_id: id, article: article, price: price}
"""


def generate(path: Path) -> None:
    """Write a source of `ROWS` rows; always the same."""
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), day DATE);
        CREATE TABLE line (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES "order"(id), article TEXT, price REAL);
        """
    )
    connection.executemany("INSERT INTO customer VALUES (?, ?)", ((n, f"customer {n}") for n in range(CUSTOMERS)))
    connection.executemany(
        'INSERT INTO "order" VALUES (?, ?, ?)',
        ((n, n * 7919 % CUSTOMERS, f"2024-{n % 12 + 1:02d}-{n % 28 + 1:02d}") for n in range(ORDERS)),
    )
    connection.executemany(
        "INSERT INTO line VALUES (?, ?, ?, ?)",
        ((n, n * 104_729 % ORDERS, f"article {n % 997}", n % 10_000 / 100) for n in range(LINES)),
    )
    connection.commit()
    connection.close()


def run(step: str, folder: Path) -> float:
    """One step in this process; returns its seconds."""
    source, docmap, migrated = folder / "shop.sqlite", folder / "docmap.yaml", folder / "migrated"
    start = time.perf_counter()
    if step == "scale ×2":
        scale_database(source, folder / "scaled.sqlite", factor=2)
    elif step == "migrate":
        migrate_to_folder(read_checked(docmap, source), source, migrated, file=docmap.name)
    else:
        collections = {collection.name: collection for collection in read_migrated(migrated).collections}
        places = {"written": lambda name: read_documents(collections[name])}
        (findings,) = prove(read_checked(docmap, source), source, places)
        if not findings.is_lossless:
            raise SystemExit("the migration is not lossless")
    return time.perf_counter() - start


def measure() -> list[Measurement]:
    """Each step in a process of its own, so that its peak of memory is its own."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder / "shop.sqlite")
        (folder / "docmap.yaml").write_text(DOCMAP)
        for step in ("migrate", "prove", "scale ×2"):
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.docmap", step, name], capture_output=True, text=True, check=True
            )
            seconds, megabytes = map(float, done.stdout.split())
            found.append(Measurement(name=f"{step}: {ROWS:,} rows", value=ROWS / seconds, unit="rows/s"))
            found.append(
                Measurement(
                    name=f"{step}: peak of memory",
                    value=megabytes,
                    unit="MB",
                    target=f"< {MEGABYTES:,}",
                    met=megabytes < MEGABYTES,
                )
            )
    return found


if __name__ == "__main__":
    taken = run(sys.argv[1], Path(sys.argv[2]))
    print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)

"""A sample database that is small enough for a test, and whose parts a test can break one at a time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.databases import DESIGN, DOCMAP, ITEMS, ROWS, SCHEMA, SampleDatabase, Tables

SCHEMA_TEXT: Final = """
CREATE TABLE baker (id INTEGER PRIMARY KEY, name TEXT NOT NULL, village TEXT);
CREATE TABLE loaf (id INTEGER PRIMARY KEY, baker_id INTEGER NOT NULL REFERENCES baker(id), grain TEXT, grams INTEGER);
"""

DOCMAP_TEXT: Final = """
docmap: 1
source: {db_id: bakery}
workload: [{id: A1, text: a baker with all loaves, rate: 10, root: bakers, reads: [name, loaves]}]
collections:
  bakers:
    table: baker
    _id: id
    fields:
      name: name
      village: {column: village, null: omit}
      loaves: {embed_many: {via: loaf.baker_id, role: home, order_by: [id], max_items: 900,
               fields: {_id: id, grain: {column: grain, null: omit}, grams: grams}}}
      loafCount: {computed: {via: loaf.baker_id, op: count}}
    indexes: [{keys: {village: 1}}]
checks:
  - name: loaves
    sql: SELECT count(*) FROM loaf
    pipeline: [bakers, [{$unwind: $loaves}, {$count: loaves}]]
"""

ITEMS_TEXT: Final = """
- id: 1
  question: How many bakers live in Elmstead?
  sql: SELECT count(*) FROM baker WHERE village = 'Elmstead'
  mql: 'db.bakers.countDocuments({village: "Elmstead"})'
- id: 2
  question: For each grain, show the grain and how many loaves were baked of it.
  evidence: loaves of unknown grain have no `loaves.grain`
  sql: |
    SELECT grain, count(*) FROM loaf WHERE grain IS NOT NULL GROUP BY grain
  mql: |
    db.bakers.aggregate([
      {$unwind: "$loaves"},
      {$match: {"loaves.grain": {$exists: true}}},
      {$group: {_id: "$loaves.grain", loaves: {$sum: 1}}}
    ])
- id: 3
  question: Which three bakers baked most? Names and loaves, most first, ties by name.
  sql: |
    SELECT b.name, count(l.id) AS n FROM baker b LEFT JOIN loaf l ON l.baker_id = b.id
    GROUP BY b.id ORDER BY n DESC, b.name LIMIT 3
  mql: |
    db.bakers.find({}, {_id: 0, name: 1, loafCount: 1}).sort({loafCount: -1, name: 1}).limit(3)
"""

TEXTS: Final[Mapping[str, str]] = {
    SCHEMA: SCHEMA_TEXT,
    ROWS: '"""Rows stand in the test."""\n',
    DOCMAP: DOCMAP_TEXT,
    DESIGN: "# bakery as documents\n",
    ITEMS: ITEMS_TEXT,
}

_NAMES: Final = tuple(f"{first} {last}" for first in ("Ada", "Bo", "Cleo", "Dan", "Eve") for last in ("Elm", "Fox"))


def tables(dice: Dice) -> Tables:
    """Ten bakers and 300 loaves."""
    bakers = [
        (number, name, dice.pick(("Elmstead", "Fosse", None), number, "village"))
        for number, name in enumerate(_NAMES, start=1)
    ]
    loaves = [
        (
            number,
            dice.skewed(1, len(bakers), number, "baker"),
            dice.pick(("rye", "spelt", "wheat", None), number, "grain"),
            dice.between(400, 1200, number, "grams"),
        )
        for number in range(1, 301)
    ]
    return {"baker": bakers, "loaf": loaves}


def bakery(folder: Path, **texts: str) -> SampleDatabase:
    """The database, its sources written into a folder; `schema`, `docmap` or `items` replace one of them."""
    names = {"schema": SCHEMA, "docmap": DOCMAP, "items": ITEMS}
    for name, text in {**TEXTS, **{names[name]: text for name, text in texts.items()}}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return SampleDatabase(db_id="bakery", folder=folder, tables=tables, description="A bakery.")

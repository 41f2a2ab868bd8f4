"""The benchmark and the prediction files of a chaos trial: small runs with every kind of verdict that may be blamed."""

import random
from pathlib import Path

from benchmark_data.types import Difficulty, Item, Split
from benchmark_data.write import CollectionSource, DatabaseSource, Header, write_bundle

DATABASES = ("amber", "birch", "cedar")
ITEMS_EACH = 5
DOCUMENTS = 60

CROSS = """db.things.aggregate([
    {{$lookup: {{from: "things", pipeline: [{{$match: {{group: {group}}}}}], as: "all"}}}},
    {{$unwind: "$all"}}, {{$match: {{n: {{$lt: {bound}}}{mark}}}}}, {{$project: {{_id: 0, n: 1, other: "$all.n"}}}}
])"""
"""A join that keeps the engine busy for some hundredths of a second."""

FIND = "db.things.find({{group: {group}{mark}}}, {{_id: 0, n: 1}})"
SPREAD = (
    "db.things.aggregate([{{$match: {{n: {{$gte: {bound}}}{mark}}}}}, {{$group: {{_id: '$group', n: {{$sum: 1}}}}}}])"
)
COUNT = "db.things.countDocuments({{n: {{$gt: {bound}}}{mark}}})"
DISTINCT = "db.things.distinct('group', {{n: {{$lt: {bound}}}{mark}}})"
SHAPES = (CROSS, FIND, SPREAD, COUNT, DISTINCT)

LOST = (
    "db.things.find({{n: {{$nosuch: 1}}{mark}}})",
    "db.things.aggregate([{{$out: 'x'}}])",
    "I would look into the things.",
    "db.things.find({{n: -1{mark}}})",
    "",
)
"""Texts that lose an item by their own fault, one for each class: rejected, forbidden, unparsable, wrong, missing."""


def gold(number: int, *, mark: str = "") -> str:
    """The gold query of an item; a mark makes another query of it that gives the same answer."""
    return SHAPES[number % len(SHAPES)].format(group=number % 4, bound=5 + number, mark=mark)


def write_benchmark(folder: Path) -> None:
    """Write the bundle."""
    sources: list[DatabaseSource] = []
    items: list[Item] = []
    for place, db_id in enumerate(DATABASES):
        documents = [{"_id": n, "n": n, "group": (n * (place + 3)) % 4} for n in range(DOCUMENTS)]
        sources.append(DatabaseSource(db_id=db_id, collections=[CollectionSource(name="things", documents=documents)]))
        items.extend(
            Item(
                question_id=f"{db_id}-{number}",
                db_id=db_id,
                question="Which things?",
                evidence="",
                difficulty=Difficulty.SIMPLE,
                split=Split.PUBLIC,
                gold_query=gold(number),
            )
            for number in range(ITEMS_EACH)
        )
    header = Header(name="chaos", version="1", title="Chaos", license="MIT")
    write_bundle(folder, header=header, databases=sources, items=items)


def predictions(run: int, *, seed: int) -> dict[str, str]:
    """The texts of one run: no two runs send the same queries, and about a fifth of the texts are faulty."""
    chance = random.Random(f"{seed}/{run}")
    texts = {}
    for db_id in DATABASES:
        for number in range(ITEMS_EACH):
            mark = f", run{run}: null"
            faulty = chance.random() < 0.2
            text = chance.choice(LOST).format(mark=mark) if faulty else gold(number, mark=mark)
            if text:
                texts[f"{db_id}-{number}"] = text
    return texts

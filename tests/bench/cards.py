"""Time and memory of measuring a collection's card; `APTBOARD_BENCH_DOCUMENTS=1000000` measures the full size."""

import multiprocessing
import os
import random
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from bson.objectid import ObjectId

from benchmark_data.cards import measure as measure_card
from tests.bench.measurement import Measurement

DOCUMENTS = int(os.environ.get("APTBOARD_BENCH_DOCUMENTS", "50000"))
START = datetime(2026, 1, 1, tzinfo=UTC)
CITIES = ("Bergen", "Linz", "Nantes", "Porto", "Turku")
LARGEST, GROWTH = 200 * 2**20, 20 * 2**20


def orders(count: int) -> Iterator[dict[str, Any]]:
    """Documents of some 20 values: ids, unique and repeated texts, numbers, dates, arrays of objects, dates as keys."""
    chance = random.Random(3)
    for number in range(count):
        yield {
            "_id": ObjectId(number.to_bytes(12)),
            "code": f"order {number}",
            "city": chance.choice(CITIES),
            "total": chance.random() * 1_000,
            "placed": START + timedelta(seconds=number),
            "customer": {"id": chance.randrange(50_000), "email": f"c{number}@example.org"},
            "lines": [
                {"product": chance.randrange(2_000), "pieces": chance.randrange(9), "gift": chance.random() < 0.1}
                for _ in range(chance.randrange(4))
            ],
            "by_day": {f"2026-{1 + number % 12:02}-{1 + day:02}": day for day in range(number % 3)},
            **({"note": "ring twice"} if number % 10 == 0 else {}),
        }


def measured(count: int) -> tuple[float, int, int]:
    """Seconds of measuring so many documents without making them, peak resident bytes of this process, paths found."""
    started = time.perf_counter()
    for _ in orders(count):
        pass
    made = time.perf_counter() - started
    started = time.perf_counter()
    card = measure_card(orders(count))
    took = time.perf_counter() - started - made
    return took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, len(card.fields)


def measure() -> list[Measurement]:
    """Measure in new processes, a tenth of the documents and all: memory is bounded, so it must hardly grow."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context, max_tasks_per_child=1) as processes:
        (_, small, _), (took, large, paths) = processes.map(measured, (DOCUMENTS // 10, DOCUMENTS))
    return [
        Measurement(name=f"card of {DOCUMENTS:,} documents", value=took, unit="s"),
        Measurement(name="documents a second", value=DOCUMENTS / took, unit="1/s"),
        Measurement(name="paths", value=float(paths), unit="paths"),
        Measurement(
            name="peak memory of the process",
            value=large / 2**20,
            unit="MiB",
            target="≤ 200",
            met=large <= LARGEST,
        ),
        Measurement(
            name="of which beyond that of a tenth of the documents",
            value=(large - small) / 2**20,
            unit="MiB",
            target="≤ 20",
            met=large - small <= GROWTH,
        ),
    ]

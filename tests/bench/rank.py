"""Speed of ranking a long board."""

import random
import time
from datetime import UTC, datetime, timedelta

from evaluation.rank import RankingEntry, rank_results
from tests.bench.measurement import Measurement

START = datetime(2026, 1, 1, tzinfo=UTC)


def measure() -> list[Measurement]:
    """Rank 10,000 entries that were judged on 1,000 items each, a third of the benchmark, to spare memory."""
    chance = random.Random(2)
    items = [f"q{number}" for number in range(1_000)]
    entries = [
        RankingEntry(
            key=f"entry {number}",
            strict={item: word < skill for item, word in zip(items, chance.randbytes(len(items)), strict=True)},
            soft_ex=skill / 256,
            exec_rate=0.9,
            submitted_at=START + timedelta(minutes=number),
        )
        for number, skill in enumerate(chance.choices(range(20, 230), k=10_000))
    ]
    start = time.perf_counter()
    result = rank_results(entries)
    took = time.perf_counter() - start
    return [
        Measurement(name="10,000 entries × 1,000 items", value=took, unit="s", target="≤ 10", met=took <= 10),
        Measurement(name="tie groups among them", value=float(result[-1].tie_group or 0), unit="groups"),
    ]

"""Speed and memory of comparing answers, beside the plainest equality and public scorers."""

import importlib.util
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from evaluation.compare import compare
from evaluation.types import Comparison
from tests.bench.answers import answer, look_alikes, one_swap, parities, rearranged, sales, wide
from tests.bench.measurement import Measurement
from tests.bench.public_scorers import SCORERS, TASKS

ROOT = Path(__file__).resolve().parents[2]
PUBLIC_LIMIT = 20.0
MEBIBYTE = 2**20


def best_seconds(run: Callable[[], object], *, runs: int) -> float:
    """The shortest of some runs: what the code costs without its neighbours on the machine."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def at_most(name: str, value: float, unit: str, limit: float) -> Measurement:
    """A figure that should not exceed a limit."""
    return Measurement(name=name, value=value, unit=unit, target=f"≤ {limit:g}", met=value <= limit)


def ours(name: str) -> Callable[[], Comparison]:
    """Our comparison of one task of the public scorers."""
    gold = TASKS[name]()
    first, second = answer(gold), answer(rearranged(gold))
    assert compare(first, second).strict
    return lambda: compare(first, second)


def measure() -> list[Measurement]:
    """All figures of comparing."""
    return [*_floor(), *_small_and_puzzling(), *_memory(), *_public_scorers()]


def _floor() -> list[Measurement]:
    """Ours and the floor in turns, so that a busy machine slows both."""
    gold = sales(100_000)
    predicted = rearranged(gold)
    first, second = answer(gold), answer(predicted)
    pairs = []
    for _ in range(5):
        floor = best_seconds(lambda: sorted(map(repr, gold)) == sorted(map(repr, predicted)), runs=1)
        pairs.append((best_seconds(lambda: compare(first, second), runs=1), floor))
    time_ours, time_floor = (min(times) for times in zip(*pairs, strict=True))
    return [
        Measurement(name="100,000 × 4, rows and columns rearranged", value=time_ours * 1e3, unit="ms"),
        Measurement(name="floor: sorted(map(repr, rows)) equality of the same", value=time_floor * 1e3, unit="ms"),
        at_most("100,000 × 4 against the floor", time_ours / time_floor, "×", 6),
    ]


def _small_and_puzzling() -> list[Measurement]:
    booleans, puzzle = look_alikes(), parities()
    same, swapped = answer(rearranged(booleans)), answer(one_swap(rearranged(booleans)))
    undecided = answer(one_swap(rearranged(puzzle)))
    assert compare(answer(puzzle), undecided).diagnostics.undecided
    assert not compare(answer(booleans), swapped).soft
    return [
        at_most("10 × 3", best_seconds(ours("10 × 3"), runs=3_000) * 1e6, "µs", 150),
        at_most("200 × 30 look-alikes, equal", _milliseconds(answer(booleans), same), "ms", 50),
        at_most("200 × 30 look-alikes, two cells swapped", _milliseconds(answer(booleans), swapped), "ms", 50),
        at_most(
            "64 × 63 parities, two cells swapped: undecided", _milliseconds(answer(puzzle), undecided), "ms", 1_000
        ),
    ]


def _milliseconds(gold: object, predicted: object) -> float:
    return best_seconds(lambda: compare(gold, predicted), runs=5) * 1e3  # type: ignore[arg-type]


def memory_growth(count: int, *, equal: bool) -> tuple[float, float]:
    """Growth of the process's peak memory in MiB, and processor seconds, while two answers are compared."""
    gold = wide(count)
    predicted = rearranged(gold)
    if not equal:
        predicted[-1]["p3"], predicted[-2]["p3"] = predicted[-2]["p3"], predicted[-1]["p3"]
    first, second = answer(gold), answer(predicted)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    assert compare(first, second).strict is equal
    took = time.process_time() - start
    # Linux counts kibibytes here.
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / MEBIBYTE, took


def _memory() -> list[Measurement]:
    results = []
    for equal, name in ((True, "equal"), (False, "two cells swapped")):
        code = f"from tests.bench.compare import memory_growth; print(*memory_growth(1_000_000, equal={equal}))"
        process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        growth, took = map(float, process.stdout.split())
        results.append(at_most(f"1,000,000 × 8, {name}: memory", growth, "MiB", 1_536))
        results.append(Measurement(name=f"1,000,000 × 8, {name}: time", value=took, unit="s of processor"))
    return results


def _public_scorers() -> list[Measurement]:
    """Each public scorer that is installed, on equal answers; one that is absent is named in the table."""
    results = []
    for task in TASKS:
        mine = best_seconds(ours(task), runs=2_000 if task == "10 × 3" else 3)
        results.append(Measurement(name=f"{task}: ours", value=mine * 1e3, unit="ms", target="correct"))
        results.extend(_public(scorer, task) for scorer in SCORERS)
    return results


def _public(scorer: str, task: str) -> Measurement:
    package = SCORERS[scorer][0]
    if importlib.util.find_spec(package) is None:
        return Measurement(name=f"{task}: {scorer}", value=0, unit="ms", target=f"skipped: {package} is not installed")
    command = [sys.executable, "-W", "ignore", "-m", "tests.bench.public_scorers", scorer, task]
    try:
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PUBLIC_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return Measurement(name=f"{task}: {scorer}", value=PUBLIC_LIMIT * 1e3, unit="ms", target="stopped unfinished")
    if process.returncode:
        fault = process.stderr.strip().splitlines()[-1][:60]
        return Measurement(name=f"{task}: {scorer}", value=0, unit="ms", target=f"failed: {fault}")
    took, verdict = process.stdout.split()[-2:]
    said = "correct" if verdict == "True" else "says wrong of equal answers"
    return Measurement(name=f"{task}: {scorer}", value=float(took) * 1e3, unit="ms", target=said)

"""Public scorers of text-to-SQL, and table comparers, each on its own kind of input: `python -m … SCORER TASK`."""

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

from evaluation.embedded.home import home
from tests.bench.answers import Row, look_alikes, rearranged, sales

# Installed aside by `make bench`: their pins fight with the server's. Last on the path, so that ours win.
sys.path.append(str(home() / "scorers"))

TASKS: dict[str, Callable[[], list[Row]]] = {
    "100,000 × 4": lambda: sales(100_000),
    "10 × 3": lambda: [{"name": f"n{i}", "v": i * 1.5, "k": i} for i in range(10)],
    "200 × 30 booleans": look_alikes,
}


def _tuples(rows: list[Row]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in rows]


def _frame(rows: list[Row]) -> Any:
    frame = importlib.import_module("pandas").DataFrame(rows)
    return frame.set_axis([f"c{number}" for number in range(frame.shape[1])], axis=1)


def _spider(gold: list[Row], predicted: list[Row]) -> Callable[[], object]:
    """Spider's test-suite accuracy, as packed in nl2sql360: any permutation of columns, rows as a multiset."""
    module = importlib.import_module("nl2sql360.evaluator.test_suite_sql_eval.exec_eval")
    first, second = _tuples(gold), _tuples(predicted)
    return lambda: module.result_eq(first, second, order_matters=False)


def _bird(gold: list[Row], predicted: list[Row]) -> Callable[[], object]:
    """BIRD's execution accuracy, as packed in nl2sql360: equal sets of rows, columns by position."""
    module = importlib.import_module("nl2sql360.evaluator.bird_eval.bird_ex")
    first, second = _tuples(gold), _tuples(predicted)
    return lambda: bool(module.calculate_ex(second, first))


def _unitxt(gold: list[Row], predicted: list[Row]) -> Callable[[], object]:
    """unitxt's execution accuracy: cells as text, sorted within rows and then within columns."""
    module = importlib.import_module("unitxt.text2sql_utils")
    first, second = _frame(gold), _frame(predicted)
    return lambda: module.compare_dfs_ignore_colnames_unordered_rows(second, first)


def _unitxt_subset(gold: list[Row], predicted: list[Row]) -> Callable[[], object]:
    """unitxt's containment: columns sorted one by one, rows as multisets of texts."""
    module = importlib.import_module("unitxt.text2sql_utils")
    first, second = _frame(gold), _frame(predicted)
    return lambda: module.compare_dfs_ignore_colnames_subset(first, second)


def _datacompy(gold: list[Row], predicted: list[Row]) -> Callable[[], object]:
    """datacompy joins frames on a key that it is told; here the first gold column, under gold's names."""
    module = importlib.import_module("datacompy")
    compare = getattr(module, "PandasCompare", None) or module.Compare
    first, second = _frame(gold), _frame(predicted)
    return lambda: compare(first, second, join_columns=first.columns[0]).matches()


def _deepdiff(gold: list[Row], predicted: list[Row]) -> Callable[[], object]:
    """deepdiff compares lists of documents without order, under equal names."""
    module = importlib.import_module("deepdiff")
    return lambda: not module.DeepDiff(gold, predicted, ignore_order=True)


# Scorers that know columns by position or name get the columns unchanged, which spares them the search.
SCORERS: dict[str, tuple[str, Callable[[list[Row], list[Row]], Callable[[], object]], bool]] = {
    "Spider test suite (nl2sql360)": ("nl2sql360", _spider, True),
    "BIRD EX (nl2sql360)": ("nl2sql360", _bird, False),
    "unitxt EX": ("unitxt", _unitxt, True),
    "unitxt subset": ("unitxt", _unitxt_subset, True),
    "datacompy": ("datacompy", _datacompy, False),
    "deepdiff": ("deepdiff", _deepdiff, False),
}


def seconds(scorer: str, task: str) -> tuple[float, bool]:
    """The best time of some runs, and the verdict on answers that are equal."""
    _, prepare, searches = SCORERS[scorer]
    gold = TASKS[task]()
    predicted = rearranged(gold)
    if not searches:
        shuffled = rearranged(gold, renamed=False)
        predicted = [{name: row[name] for name in gold[0]} for row in shuffled]
    run = prepare(gold, predicted)
    best, verdict = float("inf"), False
    until = time.perf_counter() + 2
    while best == float("inf") or time.perf_counter() < until:
        start = time.perf_counter()
        verdict = bool(run())
        best = min(best, time.perf_counter() - start)
    return best, verdict


if __name__ == "__main__":
    print(*seconds(sys.argv[1], sys.argv[2]))

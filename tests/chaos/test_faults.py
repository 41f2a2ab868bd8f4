"""A seed repeats a trial's faults and its files."""

from pathlib import Path

from benchmark_data.load import load_bundle
from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.gold import gold_query, reading_context
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.runner import gold_source
from tests.chaos.benchmark import DATABASES, ITEMS_EACH, predictions, write_benchmark


def test_the_same_seed_draws_the_same_files_and_another_one_others() -> None:
    assert predictions(3, seed=1) == predictions(3, seed=1)
    assert predictions(3, seed=1) != predictions(3, seed=2)


def test_no_two_runs_send_the_same_query() -> None:
    runs = [{text for text in predictions(run, seed=1).values() if "null" in text} for run in range(20)]
    assert all(len(texts) >= 4 for texts in runs)
    assert len(set.union(*runs)) == sum(map(len, runs))


def test_the_gold_of_the_benchmark_can_be_read(tmp_path: Path) -> None:
    write_benchmark(tmp_path / "bundle")
    bundle = load_bundle(tmp_path / "bundle")
    databases = {database.db_id: database for database in bundle.databases}
    assert len(bundle.items) == len(DATABASES) * ITEMS_EACH
    for item in bundle.items:
        gold_query(gold_source(item, databases[item.db_id]))


def test_files_have_texts_that_lose_by_their_own_fault() -> None:
    context = reading_context(db_id="amber", collections=("things",))
    lost = {"read": 0, "unparsable": 0, "forbidden": 0}
    for run in range(20):
        for text in predictions(run, seed=1).values():
            try:
                judge(read(text, context=context).query, collections=("things",))
                lost["read"] += 1
            except UnparsableTextError:
                lost["unparsable"] += 1
            except ForbiddenQueryError:
                lost["forbidden"] += 1
    assert all(lost.values())

"""Scores prediction files on a freshly built bundle, and gold against itself, without leaving anything loaded."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from benchmark_data.bundles.dice import Dice
from benchmark_data.types import Bundle, Item
from evaluation.gold import gold_compute
from evaluation.runner import gold_source, score_bundle
from evaluation.sample21.instances import Engine, private
from evaluation.sample21.measured import Shares, shares_of
from evaluation.score import score
from evaluation.types import Condition, Limits, Verdict

Texts = Mapping[Condition, Mapping[str, str]]


@contextlib.contextmanager
def loaded_privately(bundle: Bundle, engine: Engine) -> Iterator[Bundle]:
    """The bundle with its databases loaded under names of this process, which are dropped at the end.

    Raises:
        EngineUnavailableError: the document database failed.
    """
    with contextlib.ExitStack() as stack:
        databases = tuple(private(database) for database in bundle.databases)
        for database in databases:
            stack.callback(engine.loader.drop, database.storage_name)
            engine.loader.load(database)
        yield replace(bundle, databases=databases)


def shuffled(bundle: Bundle, round_: int) -> Bundle:
    """The bundle with its items and databases in a drawn order."""
    dice = Dice(f"sample21/shuffle/{round_}")
    items: list[Item] = dice.some(bundle.items, len(bundle.items), "all")
    ranked = sorted(items, key=lambda item: dice.between(0, 1 << 40, item.question_id))
    return replace(bundle, items=tuple(ranked))


def gold_shares(bundle: Bundle, engine: Engine, advance: Callable[[], None] = lambda: None) -> tuple[Shares, ...]:
    """Gold scored as a prediction in both conditions, every query run anew.

    Raises:
        EngineUnavailableError: the document database failed.
    """
    texts = {condition: {item.question_id: item.gold_query for item in bundle.items} for condition in Condition}
    scored = score_bundle(bundle, texts, executor=engine.executor, progress=advance)
    return tuple(shares_of(one.condition, one.verdicts) for one in scored)


def baseline_shares(
    bundle: Bundle, files: Mapping[str, Texts], engine: Engine, advance: Callable[[], None] = lambda: None
) -> dict[str, tuple[Shares, ...]]:
    """The scores of several prediction files; equal texts for one item are run once.

    Args:
        bundle: its databases are loaded.
        files: the predicted texts of each file.
        engine: where they run.
        advance: called once an item.

    Raises:
        UnusableGoldError: gold of an item fails.
        EngineUnavailableError: the document database failed.
    """
    databases = {database.db_id: database for database in bundle.databases}
    verdicts: dict[tuple[str, Condition], list[Verdict]] = {(name, c): [] for name in files for c in Condition}
    for item in bundle.items:
        source = gold_source(item, databases[item.db_id])
        gold = gold_compute(source, executor=engine.executor)
        known: dict[str, Verdict] = {}
        for (name, condition), found in verdicts.items():
            text = files[name][condition][item.question_id]
            if text not in known:
                known[text] = score(
                    text, source=source, gold=gold, split=item.split, executor=engine.executor, limits=Limits()
                )
            found.append(known[text])
        advance()
    return {name: tuple(shares_of(condition, verdicts[name, condition]) for condition in Condition) for name in files}


def lines_as_texts(records: Iterable[Mapping[str, str]]) -> Texts:
    """Decoded lines of a prediction file by condition and question."""
    found: dict[Condition, dict[str, str]] = {condition: {} for condition in Condition}
    for record in records:
        found[Condition(record["condition"])][record["question_id"]] = record["query"]
    return found

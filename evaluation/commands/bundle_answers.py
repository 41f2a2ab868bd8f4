"""`aptboard bundle gold`: computes a bundle's gold answers and stores them in it, or compares them with the stored."""

from collections.abc import Iterator
from typing import Annotated

import typer

from benchmark_data.gold_answers import GoldAnswerRecord, may_be_stored, read_gold, write_gold
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle, Item
from evaluation.bundle_gold import computed_gold, gold_difference, gold_record
from evaluation.commands.bundle_database import Reader, Url, database_urls, documents_of, load_databases
from evaluation.commands.faults import Directory, faults_shown, progress_shown
from evaluation.executors.connect import opened
from evaluation.executors.loading import DatabaseLoader
from evaluation.gold import Gold, UnusableGoldError
from evaluation.types import Executor

DIFFERENT = 1


def gold(
    directory: Directory,
    url: Url = None,
    reader_url: Reader = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name the items whose answer differs from the stored one.")
    ] = False,
) -> None:
    """Compute the gold answers of a bundle and store them in it, with the engine and the content they belong to.

    Answers to hidden gold are stored only where the manifest says that the bundle is private. The digest that scores
    belong to stays. Exit codes: 0 stored, or no difference; 1 differences; 2 faults; 4 the document database failed.
    """
    with faults_shown(), database_urls(url, reader_url) as urls, DatabaseLoader(urls.loader) as loader:
        bundle = load_bundle(directory)
        stored = {record.question_id: record for record in read_gold(bundle)} if check else {}
        with progress_shown("Loading", total=documents_of(bundle)) as advance:
            for _ in load_databases(bundle, loader, advance):
                pass
        with opened(urls.reader, demo=False) as executor:
            found = _Computing(bundle, executor)
            if check:
                _check(found, stored)
            else:
                write_gold(bundle, found.records())
                found.echo_summary()


class _Computing:
    """The gold of a bundle as it is being computed, with a count of what failed."""

    def __init__(self, bundle: Bundle, executor: Executor) -> None:
        self.bundle = bundle
        self.engine = f"{executor.identity.name} {executor.identity.version}"
        self._executor = executor
        self._items = sum(may_be_stored(bundle, item) for item in bundle.items)
        self._failures: list[str] = []

    def answers(self) -> Iterator[tuple[Item, Gold | UnusableGoldError]]:
        """Each item with its gold."""
        with progress_shown("Computing gold", total=self._items) as advance:
            found = computed_gold(self.bundle, executor=self._executor, progress=lambda: advance(1, ""))
            for item, answer in found:
                if isinstance(answer, UnusableGoldError):
                    self._failures.append(str(answer))
                yield item, answer

    def records(self) -> Iterator[GoldAnswerRecord]:
        """What is to be stored."""
        for item, answer in self.answers():
            yield gold_record(self.bundle, item, answer, engine=self.engine)

    def echo_summary(self) -> None:
        """Say what was stored and what was not."""
        hidden = len(self.bundle.items) - self._items
        left_out = f"; {hidden:,} hidden ones left out, the bundle is not private" if hidden else ""
        typer.echo(f"{self._items:,} gold answers of {self.engine} stored{left_out}.")
        for failure in self._failures:
            typer.echo(f"Failed: {failure}", err=True)


def _check(found: _Computing, stored: dict[str, GoldAnswerRecord]) -> None:
    compared, different = 0, 0
    for item, answer in found.answers():
        if item.question_id not in stored:
            continue
        compared += 1
        difference = gold_difference(stored[item.question_id], item, answer)
        if difference is not None:
            different += 1
            typer.echo(f"item {item.question_id}: {difference}")
    typer.echo(f"{different:,} of {compared:,} stored gold answers differ on {found.engine}.")
    if different:
        raise typer.Exit(DIFFERENT)

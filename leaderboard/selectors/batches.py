"""Reading of leased batches: the items that are still to be judged."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from benchmark_data.types import Split
from evaluation.gold import GoldSource
from evaluation.judgement import item_digest
from leaderboard.models.releases import ReleaseDatabase, ReleaseItem
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.submissions import Prediction
from leaderboard.selectors.gold import gold_source

HELD_DATABASES: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorableItem:
    """An item as a worker needs it; its content never changes, for another content is another release.

    Args:
        item_id, database_id: keys.
        source: what gold is computed from.
        split: whether its gold is hidden.
        database_digest: of the content of its database.
        digest: over all of the item that a verdict depends on.
    """

    item_id: int
    database_id: int
    source: GoldSource
    split: Split
    database_digest: str
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItem:
    """One item that is still to be judged."""

    scorable: ScorableItem
    set_aside: str
    text: str | None


class ItemShelf:
    """The items of databases, read once a process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: dict[int, dict[int, ScorableItem]] = {}

    def items(self, database_ids: Collection[int]) -> dict[int, ScorableItem]:
        """The items of some databases by key."""
        with self._lock:
            missing = [key for key in database_ids if key not in self._held]
            if missing:
                if len(self._held) + len(missing) > HELD_DATABASES:
                    self._held.clear()
                    missing = list(database_ids)
                self._read(missing)
            return {key: item for database_id in database_ids for key, item in self._held[database_id].items()}

    def _read(self, database_ids: Iterable[int]) -> None:
        databases = ReleaseDatabase.objects.in_bulk(list(database_ids))
        self._held.update((key, {}) for key in databases)
        for item in ReleaseItem.objects.filter(database__in=databases).order_by("position"):
            self._held[item.database_id][item.pk] = _scorable(item, databases[item.database_id])

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._held.clear()


SHELF: Final = ItemShelf()


def _scorable(item: ReleaseItem, database: ReleaseDatabase) -> ScorableItem:
    source, split = gold_source(item, database), Split(item.split)
    return ScorableItem(
        item_id=item.pk,
        database_id=database.pk,
        source=source,
        split=split,
        database_digest=database.digest,
        digest=item_digest(source, database_digest=database.digest, split=split),
    )


def open_items(run_id: int, *, database_ids: Collection[int]) -> tuple[BatchItem, ...]:
    """The items of some batches that have not been judged since they were queued, in order of database and item."""
    run = Run.every.only("submission_id", "condition").get(pk=run_id)
    judged = set(ItemScore.objects.filter(run=run, item__database__in=database_ids).values_list("item_id", flat=True))
    texts = dict(
        Prediction.objects.filter(
            submission=run.submission_id, condition=run.condition, item__database__in=database_ids
        ).values_list("item_id", "text")
    )
    aside = dict(
        ReleaseItem.objects.filter(database__in=database_ids).exclude(set_aside="").values_list("pk", "set_aside")
    )
    return tuple(
        BatchItem(scorable=item, set_aside=aside.get(item_id, ""), text=texts.get(item_id))
        for item_id, item in SHELF.items(database_ids).items()
        if item_id not in judged
    )

"""Gold of the items that a worker judges: kept answers read together, and held in the process between batches."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q
from django.db.models.functions import Now

from evaluation.gold import Gold, UnusableGoldError, answer_unpack, gold_compute
from evaluation.types import Executor
from leaderboard.models.releases import GoldAnswer
from leaderboard.selectors.batches import ScorableItem
from leaderboard.services.releases import gold_store

HELD_BYTES: Final = 16 * 1024 * 1024
"""Of packed answers, which a process holds unpacked, about ten times as large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldGold:
    """A gold answer that was unpacked, when it was computed, and how large it is packed."""

    gold: Gold
    computed_at: datetime
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGold:
    """A gold answer as it was read, and when it was computed."""

    packed: bytes
    computed_at: datetime


class Golds:
    """Gives the gold of items on one engine; a process has one, and uses it from one thread.

    Args:
        engine: name and version.
        held_bytes: bound of what is held, in bytes of packed answers; what was not used for longest goes first.
    """

    def __init__(self, *, engine: str, held_bytes: int = HELD_BYTES) -> None:
        self.engine = engine
        self._held_bytes = held_bytes
        self._held: OrderedDict[int, HeldGold] = OrderedDict()
        self._size = 0
        self._kept: dict[int, KeptGold] = {}
        self._resting: dict[int, str] = {}

    def fetch(self, items: Iterable[ScorableItem]) -> None:
        """Read the kept gold of some items together, but for those that are held and were not computed anew."""
        wanted = {item.item_id: item for item in items}
        kept = GoldAnswer.objects.filter(item__in=wanted, engine=self.engine)
        rows = list(
            kept.annotate(rests=Q(retry_at__gt=Now())).values_list("item_id", "computed_at", "failure", "rests")
        )
        computed = {item_id: computed_at for item_id, computed_at, failure, _ in rows if not failure}
        self._resting = {item_id: failure for item_id, _, failure, rests in rows if failure and rests}
        for item_id in wanted.keys() & self._held.keys():
            if self._held[item_id].computed_at != computed.get(item_id):
                self._drop(item_id)
        missing = [item_id for item_id in computed if item_id not in self._held]
        answers = kept.filter(item__in=missing, failure="").values_list("item_id", "content") if missing else ()
        self._kept = {
            item_id: KeptGold(packed=bytes(packed or b""), computed_at=computed[item_id]) for item_id, packed in answers
        }

    def gold(self, item: ScorableItem, *, executor: Executor) -> Gold:
        """The gold of one item: held, or computed now and kept.

        Raises:
            UnusableGoldError: the item cannot be judged.
            EngineUnavailableError: nobody's fault; try again.
        """
        held = self._held.get(item.item_id)
        if held is not None:
            self._held.move_to_end(item.item_id)
            return held.gold
        kept = self._kept.pop(item.item_id, None)
        if kept is not None:
            # Not when it is fetched: gold that a new scorer cannot read must not cost other items their verdict.
            gold = gold_compute(item.source, executor=executor, known=answer_unpack(kept.packed))
            self._hold(item.item_id, HeldGold(gold=gold, computed_at=kept.computed_at, size=len(kept.packed)))
            return gold
        if item.item_id in self._resting:
            # A gold that has just failed is not tried by every run: whoever tries it again reopens the runs.
            raise UnusableGoldError(self._resting[item.item_id])
        try:
            gold = gold_compute(item.source, executor=executor)
        except UnusableGoldError as error:
            gold_store(item_id=item.item_id, engine=self.engine, gold=error)
            raise
        gold_store(item_id=item.item_id, engine=self.engine, gold=gold)
        return gold

    def _hold(self, item_id: int, held: HeldGold) -> None:
        self._held[item_id] = held
        self._size += held.size

    def _drop(self, item_id: int) -> None:
        self._size -= self._held.pop(item_id).size

    def trim(self) -> None:
        """Let go of what is above the bound; called between chunks of items, so that each has all of its own gold."""
        while self._size > self._held_bytes:
            _, held = self._held.popitem(last=False)
            self._size -= held.size

"""Reading of gold: for workers only, never for pages or the API."""

from benchmark_data.types import ArrayOrder
from evaluation.gold import GoldSource, answer_unpack
from evaluation.types import Answer
from leaderboard.models.releases import GoldAnswer, ReleaseDatabase, ReleaseItem


def gold_source(item: ReleaseItem, database: ReleaseDatabase) -> GoldSource:
    """What is needed to compute an item's gold."""
    return GoldSource(
        question_id=item.question_id,
        db_id=database.db_id,
        storage_name=database.storage_name,
        collections=tuple(database.collections),
        gold_query=item.gold_query,
        array_order=ArrayOrder(item.array_order),
    )


def gold_answer_kept(item_id: int, *, engine: str) -> Answer | None:
    """The answer that was kept for this item and engine, if there is one."""
    content = GoldAnswer.objects.filter(item_id=item_id, engine=engine).values_list("content", flat=True).first()
    return None if content is None else answer_unpack(bytes(content))

"""Measures, inside a site of its own, first runs of a file and runs of the same file submitted again."""

from pathlib import Path

from leaderboard.models.runs import ItemScore
from tests.bench.measurement import Measurement
from tests.bench.scored_site import forget, imported, scored, submitted
from tests.bench.site import in_turns, tell

ROUNDS = 3
WANTED = 20.0
SCORES = ("item_id", "outcome", "executed", "soft", "strict", "reason", "message")


def main(bundle: str) -> None:
    """Measure and tell."""
    release = imported(Path(bundle))
    texts = dict(release.items.values_list("question_id", "gold_query"))
    known: list[object] = []

    def first() -> float:
        forget()
        run = submitted(release, texts)
        seconds = scored(run)
        known[:] = ItemScore.objects.filter(run=run).order_by("item_id").values_list(*SCORES)
        return seconds

    def answered() -> float:
        """Its verdicts are forgotten, its answers are not."""
        ItemScore.objects.update(judgement="")
        run = submitted(release, texts)
        seconds = scored(run)
        if run.executed_queries:
            raise RuntimeError("a query was executed again")
        return seconds

    def again() -> float:
        run = submitted(release, texts, entry="Again")
        seconds = scored(run)
        found = list(ItemScore.objects.filter(run=run).order_by("item_id").values_list(*SCORES))
        if run.executed_queries or found != known:
            raise RuntimeError("the same file was scored otherwise than before")
        return seconds

    first()
    firsts, repeats = in_turns(first, again, rounds=1)
    for _ in range(ROUNDS - 1):
        firsts.append(first())
        repeats.append(again())
    from_answers = min([answered() for _ in range(ROUNDS)])
    whole, repeated = min(firsts), min(repeats)
    tell(
        [
            Measurement(name=f"first run, {len(texts):,} items", value=whole, unit="s"),
            Measurement(name="another text of the same queries: answers known", value=from_answers, unit="s"),
            Measurement(name="the same file again: verdicts known", value=repeated, unit="s"),
            Measurement(
                name="the same file again, against its first run",
                value=whole / repeated,
                unit="× as fast",
                target=f"≥ {WANTED:g}",
                met=whole / repeated >= WANTED,
            ),
        ]
    )

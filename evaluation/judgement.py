"""When an item need not be judged: the key of a judgement, over all that its verdict depends on."""

import hashlib
import json
from dataclasses import dataclass
from typing import Final

from benchmark_data.types import Split
from evaluation.gold import GoldSource
from evaluation.identity import scorer_digest
from evaluation.types import Limits, Outcome, Verdict

PASSING_OUTCOMES: Final = frozenset({Outcome.UNSCORED, Outcome.TIMED_OUT})
"""Outcomes that another try may change: our own faults, and what a busy engine did not answer in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Under what a text is judged, beside the item: equal circumstances and items give equal verdicts.

    Args:
        engine: name and version of the engine.
        limits: of the predicted query; its rows do not matter here, they follow from gold.
    """

    engine: str
    limits: Limits


def item_digest(source: GoldSource, *, database_digest: str, split: Split) -> bytes:
    """A digest over all of an item that its verdict depends on: gold, data, how arrays compare, what may be told."""
    content = [
        database_digest,
        source.db_id,
        sorted(source.collections),
        source.gold_query,
        source.array_order.value,
        split.value,
    ]
    return hashlib.sha256(json.dumps(content).encode("utf-8", "surrogatepass")).digest()


def judgement_key(text: str | None, *, item: bytes, circumstances: Circumstances) -> str:
    """The SHA-256 that equal judgements share, in hexadecimal.

    Args:
        text: what the model wrote; None where it wrote nothing.
        item: as `item_digest` gives it.
        circumstances: of this run; the scorer is this very code.
    """
    folded = hashlib.sha256(item)
    folded.update(_circumstances_digest(circumstances))
    if text is not None:
        folded.update(b"text\0")
        folded.update(text.encode("utf-8", "surrogatepass"))
    return folded.hexdigest()


def _circumstances_digest(circumstances: Circumstances) -> bytes:
    limits = circumstances.limits
    content = [scorer_digest(), circumstances.engine, limits.milliseconds, limits.answer_bytes]
    return hashlib.sha256(json.dumps(content).encode()).digest()


def may_be_reused(verdict: Verdict) -> bool:
    """Whether the same text would get this verdict again, at any time."""
    return verdict.outcome not in PASSING_OUTCOMES

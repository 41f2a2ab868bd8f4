"""The API's answers about a board of any length in one piece: all entries on one page, sent while they are read."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from rest_framework.utils.encoders import JSONEncoder

from evaluation.types import Condition
from leaderboard.api.board_answers import BoardAnswer, EntryAnswer
from leaderboard.api.breakdown_answers import BreakdownAnswer, BreakdownEntryAnswer
from leaderboard.models.releases import Release
from leaderboard.selectors.board import board_row, board_rows
from leaderboard.selectors.breakdowns import breakdown_stream
from leaderboard.selectors.slices import Columns, Slice, slice_rows

ROWS_AT_ONCE: Final = 2000


def board_stream(release: Release, conditions: Sequence[Condition], part: Slice | None) -> Iterator[str]:
    """The text of `BoardAnswer`, of the whole board or of a slice."""

    def entries(condition: Condition) -> Iterator[Any]:
        rows = board_rows(release, condition) if part is None else slice_rows(release, condition, part)
        return map(form.to_representation, map(board_row, rows.iterator(chunk_size=ROWS_AT_ONCE)))

    # One for all rows: most of the time would be spent on making it.
    form = EntryAnswer()

    head = {"release": str(release), "digest": release.digest, "slice": part, "conditions": ()}
    return _text(BoardAnswer(head).data, conditions, entries)


def breakdown_answer_stream(release: Release, conditions: Sequence[Condition], columns: Columns) -> Iterator[str]:
    """The text of `BreakdownAnswer`."""

    def entries(condition: Condition) -> Iterator[Any]:
        return map(form.to_representation, breakdown_stream(release, condition, columns))

    form = BreakdownEntryAnswer()

    head = {"release": str(release), "digest": release.digest, "columns": columns, "conditions": ()}
    return _text(BreakdownAnswer(head).data, conditions, entries)


def _text(head: Any, conditions: Sequence[Condition], entries: Callable[[Condition], Iterable[Any]]) -> Iterator[str]:
    """The head's members, then one after the other the conditions with their entries."""
    plain = _written({name: value for name, value in head.items() if name != "conditions"})
    yield f'{plain.removesuffix("}")},"conditions":['
    for number, condition in enumerate(conditions):
        yield f'{"," if number else ""}{{"condition":{_written(condition)},"entries":['
        total = 0
        for entry in entries(condition):
            yield f"{',' if total else ''}{_written(entry)}"
            total += 1
        # How many there are is known when they have all been read.
        yield f'],"total":{total},"page":1,"pages":1}}'
    yield "]}\n"


def _written(value: Any) -> str:
    return json.dumps(value, cls=JSONEncoder, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

"""The file that a generation on a laptop keeps its replies in, one JSON line each, so that it can be taken up again."""

import json
import os
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from benchmark_data.errors import AptBoardError
from evaluation.generation.types import Reason, Reply, Usage
from evaluation.types import Condition


class JournalError(AptBoardError):
    """A journal cannot be taken up again; the message says why, and what to do."""


@dataclass(slots=True, kw_only=True)
class Journal:
    """Replies kept in a file.

    Args:
        path: the file.
        session: a random name of this asking, kept with it.
        replies: those read and those added, in order.
    """

    path: Path
    session: str
    replies: list[Reply]
    _file: TextIO
    _by_item: dict[tuple[Condition, str], list[Reply]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for reply in self.replies:
            self._index(reply)

    @classmethod
    def opened(cls, path: Path, settings: Mapping[str, Any]) -> "Journal":
        """Take a journal up again, or begin it.

        A last line that was cut when the process died is dropped.

        Args:
            path: the file.
            settings: all that replies depend on; a journal of other settings is not taken up.

        Raises:
            JournalError: it is of other settings, or no journal.
        """
        session, replies = uuid.uuid4().hex, list[Reply]()
        if path.exists() and path.stat().st_size:
            session, replies = _read(path, settings)
        if replies:
            file = path.open("a", encoding="utf-8")
        else:
            file = path.open("w", encoding="utf-8")
            file.write(json.dumps({"session": session, "settings": settings}, ensure_ascii=False) + "\n")
            file.flush()
        return cls(path=path, session=session, replies=replies, _file=file)

    async def add(self, reply: Reply) -> None:
        """Keep a reply; it is on the disk when this returns."""
        self._file.write(json.dumps(_as_json(reply), ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.replies.append(reply)
        self._index(reply)

    def _index(self, reply: Reply) -> None:
        self._by_item.setdefault((reply.condition, reply.question_id), []).append(reply)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def unfinished(self, condition: Condition, question_id: str) -> tuple[Reply, ...] | None:
        """The replies of an item so far; None where its final one is there."""
        found = tuple(self._by_item.get((condition, question_id), ()))
        return None if found and found[-1].is_final else found


def write_predictions(path: Path, replies: Iterable[Reply], db_ids: Mapping[str, str]) -> int:
    """Write final replies as a prediction file, whole or not at all; gives the number of them."""
    lines = [
        json.dumps(
            {
                "question_id": reply.question_id,
                "db_id": db_ids[reply.question_id],
                "condition": reply.condition.value,
                "query": reply.text,
            },
            ensure_ascii=False,
        )
        for reply in replies
        if reply.is_final
    ]
    part = path.with_name(f"{path.name}.part")
    part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    part.replace(path)
    return len(lines)


def _read(path: Path, settings: Mapping[str, Any]) -> tuple[str, list[Reply]]:
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with path.open("rb+") as file:
            file.truncate(len(whole))
    lines = whole.decode().splitlines()
    try:
        head = json.loads(lines[0]) if lines else {}
        session, before = str(head["session"]), head["settings"]
        replies = [_from_json(json.loads(line)) for line in lines[1:]]
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{path} is no journal of replies: {error}. Name another file with --out.") from error
    changed = sorted(name for name in {*settings, *before} if settings.get(name) != before.get(name))
    if changed and replies:
        raise JournalError(
            f"{path} holds replies of other settings ({', '.join(changed)}): "
            "give the same settings to go on, or name another file with --out."
        )
    return session, replies


def _as_json(reply: Reply) -> dict[str, Any]:
    content = asdict(reply)
    content["asked_at"] = reply.asked_at.isoformat()
    content["usage"]["cost"] = None if reply.usage.cost is None else str(reply.usage.cost)
    return content


def _from_json(content: Mapping[str, Any]) -> Reply:
    usage = dict(content["usage"])
    usage["cost"] = None if usage["cost"] is None else Decimal(usage["cost"])
    return Reply(
        **{
            **content,
            "condition": Condition(content["condition"]),
            "reason": None if content["reason"] is None else Reason(content["reason"]),
            "asked_at": datetime.fromisoformat(content["asked_at"]),
            "usage": Usage(**usage),
        }
    )

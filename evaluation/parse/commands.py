"""Command documents, `{find: "t", filter: …}`: the four read commands become the methods of the same name."""

from typing import Any, Final

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.lists import READ_COMMANDS, REFUSED_COMMANDS
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.methods import draft_from_call

_PARTS: Final = {
    "find": ("filter", "projection"),
    "aggregate": ("pipeline",),
    "count": ("query",),
    "distinct": ("key", "query"),
}


def draft_from_command(command: Any, *, flags: set[str], position: int | None = None) -> Draft:
    """The query of a command document; its first key is the command, spelled exactly (attack X044).

    Raises:
        ForbiddenQueryError: "command_not_allowed", "server_side_js", "db_level_aggregate" or a bad collection name.
        RejectedValueError: the command is malformed.
    """
    if isinstance(command, str):
        command = {command: 1}
    if not isinstance(command, dict) or not command:
        raise RejectedValueError("bad_argument", "A command must be a document.")
    name, collection = next(iter(command.items()))
    check_command(name, position=position)
    if not isinstance(collection, str):
        if name == "aggregate":
            raise db_level_aggregate(position)
        raise ForbiddenQueryError("bad_namespace", "A command must name its collection.", position=position)
    parts = _PARTS[name]
    options = {key: value for key, value in command.items() if key not in {name, *parts}}
    arguments = [command.get(part) for part in parts]
    if name == "aggregate" and not isinstance(arguments[0], list):
        raise RejectedValueError("bad_argument", "The command aggregate needs a pipeline.")
    return draft_from_call(collection, name, [*arguments, options], flags=flags, position=position)


def check_command(name: str, *, position: int | None = None) -> None:
    """Refuse a command that is not one of the read commands.

    Raises:
        ForbiddenQueryError: "server_side_js" or "command_not_allowed".
    """
    if name in READ_COMMANDS:
        return
    refusal = REFUSED_COMMANDS.get(name)
    if refusal is not None:
        raise ForbiddenQueryError(refusal.reason, f"The command {name} {refusal.why}.", position=position)
    raise ForbiddenQueryError("command_not_allowed", f"The command {name[:60]!r} is not allowed.", position=position)


def db_level_aggregate(position: int | None = None) -> ForbiddenQueryError:
    """The refusal of an aggregation on the whole database (attack X038)."""
    return ForbiddenQueryError(
        "db_level_aggregate", "An aggregation must be run on a collection, not on the database.", position=position
    )

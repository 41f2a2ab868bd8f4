"""Calls on the database and on a collection, as the shell knows them."""

from typing import Any, Final

from tree_sitter import Node

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.lists import METHODS
from evaluation.guard.namespaces import check_collection_name, check_database
from evaluation.parse.commands import db_level_aggregate, draft_from_command
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.literals import literal, spread
from evaluation.parse.methods import camel_case, check_method, draft_from_call
from evaluation.parse.places import Place
from evaluation.parse.script import Script, inner

_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
_COLLECTION_CALLS: Final = frozenset({"getCollection", "collection"})
_DATABASE_CALLS: Final = frozenset({"getSiblingDB", "getSisterDB", "getDB"})
_COMMAND_CALLS: Final = frozenset({"runCommand", "runReadCommand"})


def database_call(place: Place, arguments: Node, script: Script, depth: int, position: int) -> Place | Draft:
    """A call on the database: it names a collection, names the database again, or runs a read command.

    Raises:
        ForbiddenQueryError: anything else that the database could be asked.
    """
    method = place.names[-1]
    if method == "getMongo" and not inner(arguments):
        return Place()
    if method in _COLLECTION_CALLS:
        name = _name_argument(arguments, script, depth)
        check_collection_name(name, position=position)
        return Place(collection=name)
    if method in _DATABASE_CALLS:
        check_database(_name_argument(arguments, script, depth), db_id=script.context.db_id, position=position)
        return Place()
    if method in _COMMAND_CALLS:
        [command] = inner(arguments)[:1] or [arguments]
        return draft_from_command(literal(command, script, depth + 1), flags=script.flags, position=position)
    if method == "aggregate":
        raise db_level_aggregate(position)
    if method in METHODS:
        raise RejectedValueError("no_collection", f"{method}() must be called on a collection.")
    check_method(method, position=position)
    raise ForbiddenQueryError("unknown_method", f"db.{method}() is not a read.", position=position)


def _name_argument(arguments: Node, script: Script, depth: int) -> str:
    given = inner(arguments)
    name = literal(given[0], script, depth + 1) if len(given) >= 1 else None
    if not isinstance(name, str):
        raise RejectedValueError("unsupported_syntax", "The name must be a string.")
    return name


def collection_call(place: Place, arguments: Node, script: Script, depth: int, position: int) -> Draft:
    """A call of a method of a collection.

    Raises:
        ForbiddenQueryError: the method is not a read, or the collection is the server's.
    """
    *names, method = place.names
    collection = Place(collection=place.collection, names=tuple(names)).whole_name()
    if method not in METHODS and camel_case(method) in METHODS:
        raise script.unsupported(arguments, f"{method}() is the driver's name for Python, not the shell's.")
    check_method(method, position=position)
    check_collection_name(collection, position=position)
    values = [_argument(child, script, depth, first=index == 0) for index, child in enumerate(inner(arguments))]
    flat = [value for group in values for value in group]
    return draft_from_call(collection, method, flat, flags=script.flags, position=position)


def _argument(node: Node, script: Script, depth: int, *, first: bool) -> list[Any]:
    """The values that one argument adds; a function as a filter would run in the server as `$where`."""
    if first and node.type in _FUNCTIONS:
        raise ForbiddenQueryError(
            "server_side_js", "A function as a filter runs inside the server.", position=script.position(node)
        )
    if node.type == "spread_element":
        return list(spread(node, script, depth, list))
    return [literal(node, script, depth + 1)]

"""Read methods of a collection: their arguments become a query."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.lists import METHODS, REFUSED_METHODS, WRITE_VERBS
from evaluation.guard.namespaces import check_collection_name
from evaluation.parse.draft import Draft, Held, RejectedValueError
from evaluation.types import Operation

_DROPPED: Final = (
    "hint batchSize maxTimeMS maxAwaitTimeMS comment allowDiskUse noCursorTimeout readConcern readPreference cursor "
    "singleBatch session timeout timeoutMS bypassDocumentValidation promoteValues promoteLongs raw serializeFunctions "
    "ignoreUndefined enableUtf8Validation oplogReplay allowPartialResults writeConcern $db lsid $readPreference"
)
DROPPED_OPTIONS: Final = frozenset(_DROPPED.split())
"""Options that cannot change the answer: they are left out, and our own limits are sent (attacks X059, X061)."""

_KEPT_OPTIONS: Final[Mapping[str, str]] = {
    "projection": "projection",
    "fields": "projection",
    "sort": "sort",
    "skip": "skip",
    "limit": "limit",
    "collation": "collation",
}


_CHANGING_OPTIONS: Final = frozenset(
    {"returnKey", "showRecordId", "min", "max", "let", "tailable", "awaitData", "explain"}
)
"""Options that change the answer and that no query here can say: they are refused."""

_OPTION_NAMES: Final = frozenset({*_KEPT_OPTIONS, *DROPPED_OPTIONS, *_CHANGING_OPTIONS})


def check_method(method: str, *, position: int | None = None) -> None:
    """Refuse a method that is not on the list of read methods.

    Raises:
        ForbiddenQueryError: "write_operation", "server_side_js", "command_not_allowed", or "unknown_method".
    """
    if method in METHODS:
        return
    name = camel_case(method)
    refusal = REFUSED_METHODS.get(name)
    if refusal is not None:
        raise ForbiddenQueryError(refusal.reason, f"{method}() {refusal.why}.", position=position)
    if any(name.startswith(verb) and not name[len(verb) : len(verb) + 1].islower() for verb in WRITE_VERBS):
        raise ForbiddenQueryError("write_operation", f"{method}() is not a read.", position=position)
    raise ForbiddenQueryError("unknown_method", f"{method}() is not one of the read methods.", position=position)


def camel_case(name: str) -> str:
    """The shell's spelling of a pymongo name: `find_one` is `findOne`."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest) if first else name


def draft_from_call(
    collection: str, method: str, arguments: list[Any], *, flags: set[str], position: int | None = None
) -> Draft:
    """The query of one method call.

    Args:
        method: one of the read methods, in the shell's spelling.
        arguments: BSON values in order.
        flags: gets "driver_style_options".

    Raises:
        ForbiddenQueryError: the method or the collection's name is not allowed.
        RejectedValueError: the arguments are not what the method takes.
    """
    check_method(method, position=position)
    check_collection_name(collection, position=position)
    operation = Operation(method)
    return _BUILDERS[operation](collection, operation, arguments, flags)


def document_argument(value: Any, *, name: str) -> dict[str, Any]:
    """A document given as an argument; none at all is the empty document."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RejectedValueError("bad_argument", f"The {name} must be a document.")
    return value


def number_argument(value: Any, *, name: str) -> int:
    """A whole number given as an argument."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1 or abs(value) >= 2**63:
        raise RejectedValueError("bad_argument", f"{name} must be a whole number.")
    return int(value)


_DIRECTIONS: Final = {"asc": 1, "ascending": 1, "1": 1, "desc": -1, "descending": -1, "-1": -1}


def sort_argument(value: Any) -> dict[str, Any]:
    """A sort given as a document, a list of [field, direction] pairs, or a map of spoken directions."""
    if isinstance(value, list):
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in value):
            raise RejectedValueError("bad_argument", "The sort must be a document or a list of pairs.")
        value = dict(value)
    document = document_argument(value, name="sort")
    return {key: _DIRECTIONS.get(item, item) if isinstance(item, str) else item for key, item in document.items()}


def apply_options(arguments: dict[str, Any], options: Any, *, allowed: str) -> None:
    """Move options into the arguments; drop those that cannot change the answer.

    Args:
        allowed: names of the options that the method takes, separated by blanks.

    Raises:
        RejectedValueError: reason "unsupported_option".
    """
    for option, value in document_argument(options, name="options").items():
        target = _KEPT_OPTIONS.get(option, option)
        if target in allowed.split():
            if value is not None:
                arguments[target] = option_value(target, value)
        elif option not in DROPPED_OPTIONS:
            raise RejectedValueError("unsupported_option", f"The option {option!r} is not supported.")


def option_value(name: str, value: Any) -> Any:
    """The value of an argument in the form in which it is sent."""
    if name == "sort":
        return sort_argument(value)
    if name in {"skip", "limit"}:
        return number_argument(value, name=name)
    return document_argument(value, name=name)


def _at_most(arguments: list[Any], number: int, operation: Operation) -> list[Any]:
    if len(arguments) > number:
        raise RejectedValueError("bad_argument", f"{operation}() takes at most {number} arguments.")
    return [*arguments, *[None] * (number - len(arguments))]


def _looks_like_options(document: Any) -> bool:
    """Whether a second argument of find() is the driver's options object (case T076), not a projection."""
    if not isinstance(document, dict) or not document or not set(document) <= _OPTION_NAMES:
        return False
    return any(
        isinstance(document.get(name), dict | list) and not _is_expression(document[name])
        for name in ("projection", "fields", "sort", "collation")
    ) or any(isinstance(document.get(name), int | float) and document[name] not in {0, 1} for name in ("limit", "skip"))


def _is_expression(value: Any) -> bool:
    return isinstance(value, dict) and any(key.startswith("$") for key in value)


def _find(collection: str, operation: Operation, arguments: list[Any], flags: set[str]) -> Draft:
    condition, projection, options = _at_most(arguments, 3, operation)
    built: dict[str, Any] = {"filter": document_argument(condition, name="filter")}
    if options is None and _looks_like_options(projection):
        flags.add("driver_style_options")
        projection, options = None, projection
    if projection is not None:
        built["projection"] = document_argument(projection, name="projection")
    apply_options(built, options, allowed="projection sort skip limit collation")
    if operation is Operation.FIND_ONE:
        built.pop("limit", None)
    return Draft(
        collection=collection,
        operation=operation,
        arguments=built,
        held=Held.DOCUMENT if operation is Operation.FIND_ONE else Held.CURSOR,
    )


def _aggregate(collection: str, operation: Operation, arguments: list[Any], flags: set[str]) -> Draft:
    options: Any = None
    if arguments and isinstance(arguments[0], list):
        pipeline, options = _at_most(arguments, 2, operation)
    else:
        pipeline = [argument for argument in arguments if argument is not None]
        if pipeline and len(pipeline) > 1 and not _is_expression(pipeline[-1]):
            options = pipeline.pop()
    built: dict[str, Any] = {"pipeline": pipeline}
    apply_options(built, options, allowed="collation")
    return Draft(collection=collection, operation=operation, arguments=built, held=Held.CURSOR)


def _count(collection: str, operation: Operation, arguments: list[Any], flags: set[str]) -> Draft:
    condition, options = _at_most(arguments, 2, operation)
    built: dict[str, Any] = {"filter": document_argument(condition, name="filter")}
    apply_options(built, options, allowed="skip limit collation")
    return Draft(collection=collection, operation=operation, arguments=built, held=Held.VALUE)


def _estimated(collection: str, operation: Operation, arguments: list[Any], flags: set[str]) -> Draft:
    [options] = _at_most(arguments, 1, operation)
    apply_options({}, options, allowed="")
    return Draft(collection=collection, operation=operation, arguments={}, held=Held.VALUE)


def _distinct(collection: str, operation: Operation, arguments: list[Any], flags: set[str]) -> Draft:
    key, condition, options = _at_most(arguments, 3, operation)
    if not isinstance(key, str):
        raise RejectedValueError("bad_argument", "distinct() needs the name of a field.")
    built: dict[str, Any] = {"key": key, "filter": document_argument(condition, name="filter")}
    apply_options(built, options, allowed="collation")
    return Draft(collection=collection, operation=operation, arguments=built, held=Held.ARRAY)


_BUILDERS: Final[Mapping[Operation, Callable[[str, Operation, list[Any], set[str]], Draft]]] = {
    Operation.FIND: _find,
    Operation.FIND_ONE: _find,
    Operation.AGGREGATE: _aggregate,
    Operation.COUNT: _count,
    Operation.COUNT_DOCUMENTS: _count,
    Operation.ESTIMATED_DOCUMENT_COUNT: _estimated,
    Operation.DISTINCT: _distinct,
}

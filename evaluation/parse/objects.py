"""Queries given as a document, `{collection, pipeline | filter, …}`, and envelopes around a query's text."""

from collections.abc import Mapping
from typing import Any, Final

from evaluation.errors import UnparsableTextError
from evaluation.guard.lists import READ_COMMANDS, REFUSED_COMMANDS
from evaluation.guard.namespaces import check_database
from evaluation.parse.commands import check_command, draft_from_command
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.methods import DROPPED_OPTIONS, camel_case, draft_from_call
from evaluation.types import ReadingContext

_COLLECTION: Final = ("collection", "collectionName", "collection_name", "coll")
_DATABASE: Final = ("db", "database", "db_id", "dbName", "db_name", "databaseName")
_METHOD: Final = ("operation", "method", "op", "action", "type", "command", "query_type", "queryType")
_PIPELINE: Final = ("pipeline", "aggregate", "aggregation", "aggregationPipeline", "stages")
_FILTER: Final = ("filter", "query", "find", "findOne", "where", "conditions", "countDocuments")
_KEY: Final = ("key", "field", "distinct")
_OPTIONS: Final[Mapping[str, str]] = {
    "projection": "projection",
    "fields": "projection",
    "project": "projection",
    "sort": "sort",
    "limit": "limit",
    "skip": "skip",
    "collation": "collation",
}
_SAID: Final = frozenset(
    "explanation explain reasoning reason thought thoughts thinking description comment comments note notes title "
    "question confidence language id question_id analysis rationale name".lower().split()
)
_ENVELOPE_KEYS: Final = (
    "query mql mongodb mongo mongodb_query mongo_query mongodbquery mongoquery mql_query mqlquery final_query "
    "finalquery answer final_answer finalanswer result output response code command prediction predicted "
    "predicted_query generated_query content text statement script shell"
)
_ENVELOPES: Final = frozenset(_ENVELOPE_KEYS.split())
_OTHER_COMMANDS: Final = frozenset(
    [
        "insert",
        "update",
        "delete",
        "findAndModify",
        "drop",
        "dropDatabase",
        "create",
        "createIndexes",
        "dropIndexes",
        "renameCollection",
        "collMod",
        "shutdown",
        "listDatabases",
        "listCollections",
    ]
)


def draft_from_value(value: Any, *, flags: set[str], context: ReadingContext) -> Draft | str:
    """The query that a document or a list of stages stands for, or the text that an envelope holds.

    Raises:
        UnparsableTextError: "not_mql" or "no_collection".
        RejectedValueError, ForbiddenQueryError: as a method call with the same parts would.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _from_list(value, flags=flags, context=context)
    if not isinstance(value, dict) or not value:
        raise UnparsableTextError("not_mql", "The text is a value, not a query.")
    for name in _DATABASE:
        if isinstance(value.get(name), str) and _first(value, _COLLECTION) is not None:
            check_database(value[name], db_id=context.db_id)
    collection = _first(value, _COLLECTION)
    if isinstance(collection, str):
        return _from_parts(collection, value, flags=flags)
    command, target = next(iter(value.items()))
    if isinstance(target, str) and command in READ_COMMANDS | _OTHER_COMMANDS | set(REFUSED_COMMANDS):
        check_command(command)
        return draft_from_command(value, flags=flags)
    return _from_envelope(value, flags=flags, context=context)


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if name in value), None)


def _from_list(value: list[Any], *, flags: set[str], context: ReadingContext) -> Draft | str:
    if len(value) == 1 and isinstance(value[0], str):
        return value[0]
    if not value or not all(isinstance(stage, dict) for stage in value) or not is_pipeline(value):
        raise UnparsableTextError("not_mql", "The text is a list, not a query.")
    return draft_from_call(_only_collection(context), "aggregate", [value], flags=flags)


def is_pipeline(value: list[Any]) -> bool:
    """Whether a list of documents can only be meant as stages: each starts with an operator, in any spelling of `$`."""
    return all(stage and not next(iter(stage))[:1].isalnum() and next(iter(stage))[:1] != "_" for stage in value)


def _only_collection(context: ReadingContext) -> str:
    if len(context.collections) != 1:
        raise UnparsableTextError("no_collection", "The text names no collection to run the query on.")
    return context.collections[0]


def _from_envelope(value: dict[str, Any], *, flags: set[str], context: ReadingContext) -> Draft | str:
    texts = [
        text for key, text in value.items() if isinstance(text, str) and key.lower().replace(" ", "_") in _ENVELOPES
    ]
    texts = texts or [
        text for text in value.values() if isinstance(text, str) and text.lstrip().startswith(("db.", "db["))
    ]
    if texts:
        if len(set(texts)) > 1:
            raise UnparsableTextError("multi_query_script", "The envelope holds more than one text.")
        return texts[0]
    inside = [
        part for key, part in value.items() if isinstance(part, dict | list) and key.lower() in _ENVELOPES - {"find"}
    ]
    if len(inside) == 1 and not any(name in value for name in _PIPELINE):
        return draft_from_value(inside[0], flags=flags, context=context)
    if any(isinstance(value.get(name), list) for name in _PIPELINE) or any(
        isinstance(value.get(name), dict) for name in _FILTER
    ):
        return _from_parts(_only_collection(context), value, flags=flags)
    raise UnparsableTextError("not_mql", "The document is no query: it names no collection.")


def _from_parts(collection: str, value: dict[str, Any], *, flags: set[str]) -> Draft:
    method = _method(value)
    options: dict[str, Any] = {}
    for key, part in value.items():
        if key in _OPTIONS:
            options[_OPTIONS[key]] = _redash_sort(part) if key == "sort" else part
        elif not _is_known(key):
            raise RejectedValueError("unsupported_option", f"The key {key[:60]!r} is not known in a query document.")
    condition = _condition(value)
    if method == "aggregate":
        pipeline = next((value[name] for name in _PIPELINE if isinstance(value.get(name), list)), None)
        if pipeline is None:
            raise RejectedValueError("bad_argument", "The document has no pipeline.")
        return draft_from_call(collection, method, [pipeline, options], flags=flags)
    if method == "distinct":
        field = next((value[name] for name in _KEY if isinstance(value.get(name), str)), None)
        return draft_from_call(collection, method, [field, condition, options], flags=flags)
    if method in {"find", "findOne"}:
        return draft_from_call(collection, method, [condition, options.pop("projection", None), options], flags=flags)
    arguments = [options] if method == "estimatedDocumentCount" else [condition, options]
    return draft_from_call(collection, method, arguments, flags=flags)


def _condition(value: dict[str, Any]) -> Any:
    conditions = [value[name] for name in _FILTER if isinstance(value.get(name), dict)]
    if len(conditions) > 1:
        raise RejectedValueError("bad_argument", "The document has more than one filter.")
    if any(isinstance(value.get(name), list) for name in _FILTER):
        raise RejectedValueError("bad_argument", "The filter must be a document.")
    return conditions[0] if conditions else None


def _is_known(key: str) -> bool:
    parts = {*_COLLECTION, *_DATABASE, *_METHOD, *_PIPELINE, *_FILTER, *_KEY, "count", "options"}
    return key in parts or key in DROPPED_OPTIONS or key.lower() in _SAID


def _method(value: dict[str, Any]) -> str:
    """The method that the document names, or the one that its parts mean."""
    named = _first(value, _METHOD)
    if isinstance(named, str):
        return camel_case(named)
    if any(isinstance(value.get(name), list) for name in _PIPELINE):
        return "aggregate"
    if value.get("count") is True:
        return "count"
    if any(isinstance(value.get(name), str) for name in _KEY):
        return "distinct"
    if any(isinstance(value.get(name), dict) for name in (*_FILTER, "projection", "fields", "sort")):
        return "findOne" if "findOne" in value else "countDocuments" if "countDocuments" in value else "find"
    raise UnparsableTextError("not_mql", "The document names a collection but asks nothing of it.")


def _redash_sort(value: Any) -> Any:
    """Redash writes a sort as `[{name, direction}]`."""
    if isinstance(value, list) and all(isinstance(part, dict) and set(part) == {"name", "direction"} for part in value):
        return {part["name"]: part["direction"] for part in value}
    return value

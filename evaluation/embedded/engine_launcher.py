"""Runs SecantusDB 0.7.0b3 with its worst faults mended; one stand-alone file, its own process, reached by socket only.

It is the one file that imports GPL-2.0-only code, so it stands under a licence compatible with that (MIT) by itself, is
never imported by ours, and is one file although it is longer than others. Needs SecantusDB==0.7.0b3 and regex.

Each `mend_…` function replaces functions of the engine by name; a changed engine is refused rather than half mended.
"""

# SPDX-License-Identifier: MIT

import argparse
import contextlib
import ctypes
import datetime
import decimal
import functools
import importlib.metadata
import inspect
import json
import logging
import os
import resource
import signal
import socket
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bson
import regex
from secantus import (
    aggregate,
    bsontypes,
    collation,
    commands,
    deadline,
    expressions,
    numerics,
    ordering,
    paths,
    query,
    rbac,
    server,
    sortkey,
)
from secantus.ordering import _SortKey
from secantus.storage import Storage

SUPPORTED = "0.7.0b3"
REGEX_SECONDS = float(os.environ.get("LAUNCHER_REGEX_SECONDS", "2"))
ABSENT = object()
SYSTEM_DATABASES = frozenset({"admin", "config", "local"})
EMPTY_PATH, TRAILING_DOT, EMPTY_NAME = 16872, 40353, 15998
UNAUTHORIZED, CURSOR_NOT_FOUND, MEMORY_EXCEEDED, TOO_DEEP = 13, 43, 146, 15

# What a user who cannot write anywhere may send. Commands that the engine's own table of privileges does not know are
# open to everybody there (killAllSessions, replSetStepDown, bulkWrite, …), hence a list of what is allowed.
READER_SERVICE_COMMANDS = frozenset({
    "hello", "isMaster", "ismaster", "ping", "buildInfo", "buildinfo", "whatsmyuri", "connectionStatus",
    "saslStart", "saslContinue", "logout", "startSession", "refreshSessions", "endSessions",
})  # fmt: skip
READER_DATA_COMMANDS = frozenset({
    "find", "aggregate", "count", "distinct", "getMore", "killCursors",
    "listCollections", "listIndexes", "collStats", "dbStats",
})  # fmt: skip
READER_FORBIDDEN_STAGES = frozenset({
    "$out", "$merge", "$changeStream", "$changeStreamSplitLargeEvent", "$currentOp", "$listSessions",
    "$listLocalSessions", "$listSampledQueries", "$planCacheStats", "$queryStats", "$querySettings",
})  # fmt: skip


def field_value(document: Any, path: str, default: Any = None) -> Any:
    """The value at a dotted path as expressions see it: an array of documents gives the array of their values."""
    # Also what makes maxTimeMS effective inside one stage.
    deadline.check()
    found = _walk(document, path_parts(path), 0)
    return default if found is ABSENT else found


@functools.lru_cache(4096)
def path_parts(path: str) -> tuple[str, ...]:
    """The names in a dotted path; an empty one is refused as mongod does."""
    parts = tuple(path.split("."))
    if "" in parts:
        code = EMPTY_PATH if not path else TRAILING_DOT if path.endswith(".") else EMPTY_NAME
        message = f"FieldPath '{path}' has an empty field name"
        raise expressions.ExpressionError(message, code=code, code_name=f"Location{code}")
    return parts


def _walk(document: Any, parts: tuple[str, ...], at: int) -> Any:
    value = document.get(parts[at], ABSENT)
    if at == len(parts) - 1 or value is ABSENT:
        return value
    if isinstance(value, Mapping):
        return _walk(value, parts, at + 1)
    if isinstance(value, list):
        values = (_walk(element, parts, at + 1) for element in value if isinstance(element, Mapping))
        return [each for each in values if each is not ABSENT]
    return ABSENT


def replace_everywhere(module: Any, old: Any, new: Any) -> None:
    """Replace a function wherever a table of the module registers it."""
    for table in [value for value in vars(module).values() if isinstance(value, dict)]:
        for key in [key for key, value in table.items() if value is old]:
            table[key] = new


def replace(module: Any, name: str, new: Any) -> None:
    """Replace a module's function by name and in the module's tables."""
    replace_everywhere(module, getattr(module, name), new)
    setattr(module, name, new)


def edit(owner: Any, name: str, *edits: tuple[str, str]) -> None:
    """Make the function of a module, or the method of a class, again from its source with a few texts replaced."""
    source = textwrap.dedent(inspect.getsource(getattr(owner, name)))
    for old, new in edits:
        if old not in source:
            sys.exit(f"engine_launcher: {owner.__name__}.{name} is not the expected version")
        source = source.replace(old, new)
    local: dict[str, Any] = {}
    module = sys.modules[getattr(owner, "__module__", owner.__name__)]
    exec(compile(source, f"engine_launcher:{name}", "exec"), module.__dict__, local)  # noqa: S102
    replace(owner, name, local[name])


def mend_paths() -> None:
    """Field paths go through arrays of documents in expressions, $lookup, $graphLookup and distinct."""
    resolve_variable = expressions._resolve_var

    def resolve(name: str, context: Any) -> Any:
        base, _, rest = name.partition(".")
        if not rest:
            return resolve_variable(name, context)
        value = resolve_variable(base, context)
        if isinstance(value, Mapping):
            return field_value(value, rest, expressions.MISSING)
        if isinstance(value, list):
            values = (field_value(each, rest, ABSENT) for each in value if isinstance(each, Mapping))
            return [each for each in values if each is not ABSENT]
        return expressions.MISSING

    expressions.get_path = aggregate.get_path = field_value
    expressions._resolve_var = resolve
    aggregate.has_path = lambda document, path: field_value(document, path, ABSENT) is not ABSENT
    commands._launcher_distinct_value = distinct_value
    edit(
        commands,
        "_distinct",
        ("from secantus.paths import get_path", "get_path = _launcher_distinct_value"),
        # true and 1 are two values.
        ("ck = cmp_key(v, collation_obj)", "ck = (isinstance(v, bool), cmp_key(v, collation_obj))"),
    )


def distinct_value(document: Any, key: str, default: Any = None) -> Any:
    """What distinct collects of one document."""
    values, descended = paths.get_path_values(document, key)
    if not descended:
        return values[0] if values else default
    return [each for value in values for each in (value if isinstance(value, list) else [value])]


def mend_missing_values() -> None:
    """Missing is null to whoever computes with it ($group, operators, arrays), missing to whoever passes it on."""
    expressions._launcher_eval = expressions._eval
    null_for_missing = "return None if (value := {0}) is MISSING else value".format
    variable, operator = "_resolve_var(expr[2:], ctx)", "_apply_op(key, expr[key], ctx)"
    edit(
        expressions,
        "_eval",
        *((f"return {each}", null_for_missing(each)) for each in (variable, operator)),
    )
    edit(expressions, "_eval_field_value", ("return _eval(expr, ctx)", "return _launcher_eval(expr, ctx)"))
    edit(expressions, "_op_get_field", ("input_doc = _eval(", "input_doc = _eval_field_value("))
    edit(
        expressions,
        "_op_type",
        (
            "return _type_name(_eval(arg, ctx))",
            'return "missing" if (value := _eval_field_value(arg, ctx)) is MISSING else _type_name(value)',
        ),
    )


def mend_time_limits() -> None:
    """Make maxTimeMS effective inside one expression and one join."""

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*arguments: Any) -> Any:
            deadline.check()
            return function(*arguments)

        return run

    expressions._apply_op = watched(expressions._apply_op)
    aggregate._values_match = watched(aggregate._values_match)


def mend_sorting() -> None:
    """$sortArray takes mixed types; $setWindowFields gives partitions in the order of their keys."""
    expressions._launcher_sort_key = _SortKey
    edit(
        expressions,
        "_op_sort_array",
        ("sorted(arr, reverse=(sort_by == -1))", "sorted(arr, key=_launcher_sort_key, reverse=(sort_by == -1))"),
    )
    window = aggregate._stage_set_window_fields

    def in_order_of_partitions(spec: Any, documents: list[Any], context: Any) -> Any:
        if isinstance(spec, Mapping) and spec.get("partitionBy") is not None:
            by = spec["partitionBy"]
            documents = sorted(documents, key=lambda each: _SortKey(aggregate.evaluate(by, each, context.vars)))
        return window(spec, documents, context)

    replace(aggregate, "_stage_set_window_fields", in_order_of_partitions)


def mend_fill() -> None:
    """$fill with the last value observed gives null where there is none yet."""
    edit(aggregate, "_apply_locf", ("elif have:", "else:"))


def mend_dates() -> None:
    """A date outside of the years 1 to 9999 can be stored, indexed, compared; Python's datetime does not hold it."""
    options = bson.CodecOptions(datetime_conversion=bson.DatetimeConversion.DATETIME_AUTO)
    bson.decode = functools.partial(bson.decode, codec_options=options)
    dates = (datetime.datetime, bson.DatetimeMS)
    for module, name in ((sortkey, "_rank"), (ordering, "_bson_type_rank"), (bsontypes, "bson_type_name")):
        module._launcher_dates = dates
        edit(module, name, ("_dt.datetime)", "_launcher_dates)"))
    query._TYPE_PREDS[9] = query._TYPE_PREDS["date"] = lambda value: isinstance(value, dates)
    encode = sortkey._encode_date
    sortkey._encode_date = lambda date: (
        sortkey._signed_int64_sortable(int(date)) if isinstance(date, bson.DatetimeMS) else encode(date)
    )
    ordering._launcher_instant = instant
    by_name = "return type(a).__name__ < type(b).__name__"
    by_instant = "if ra == 10:\n            return _launcher_instant(a) < _launcher_instant(b)\n        "
    edit(ordering, "_bson_lt", (by_name, by_instant + by_name))
    coerce = query._coerce_datetime

    def coerced(left: Any, right: Any) -> tuple[Any, Any]:
        if isinstance(left, bson.DatetimeMS) or isinstance(right, bson.DatetimeMS):
            return instant(left), instant(right)
        return coerce(left, right)

    query._coerce_datetime = coerced


def instant(date: Any) -> bson.DatetimeMS:
    """A date in the form that holds any."""
    return date if isinstance(date, bson.DatetimeMS) else bson.DatetimeMS(date)


def mend_values() -> None:
    """Values of $first, $last and $sum; two documents are equal only with their fields in the same order."""
    for name, index in (("_op_first", "[0]"), ("_op_last", "[-1]")):
        whole = f"return arr{index} if isinstance(arr, list) and arr else None"
        edit(expressions, name, (whole, f"return None if arr is None else arr{index} if arr else MISSING"))
    add = aggregate.bson_sum

    def total(left: Any, right: Any) -> Any:
        try:
            return add(left, right)
        except numerics.IntegerOverflowError:
            return float(left) + float(right)

    # A sum of longs that outgrows them becomes a double.
    aggregate.bson_sum = numerics.bson_sum = total
    equal = expressions._bson_equal
    expressions._bson_equal = lambda left, right: equal(left, right) and same_order(left, right)


def same_order(left: Any, right: Any) -> bool:
    """Whether two equal values have their fields in the same order, at any depth."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return list(left) == list(right) and all(same_order(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return all(map(same_order, left, right))
    return True


def mend_date_texts() -> None:
    """$dateToString: `onNull` for a missing field, no "Z" by default in another time zone, `%Z` with sign."""
    edit(
        expressions,
        "_op_date_to_string",
        ("return None\n    fmt", 'return _eval(arg["onNull"], ctx) if "onNull" in arg else None\n    fmt'),
        (
            'fmt = arg.get("format", "%Y-%m-%dT%H:%M:%S.%LZ")',
            'fmt = arg.get("format", "%Y-%m-%dT%H:%M:%S.%L" + ("" if arg.get("timezone") else "Z"))',
        ),
    )
    edit(expressions, "_render_date_format", ('"Z": str(off_minutes)', '"Z": f"{sign}{abs(off_minutes):03d}"'))


def mend_fields() -> None:
    """$addFields goes into arrays, scalars and nested specifications; $unset goes through arrays."""
    add_fields = aggregate._add_fields_one
    aggregate.set_path, aggregate.unset_path = set_value, unset_value
    aggregate._add_fields_one = lambda document, spec, variables: add_fields(document, dict(flat(spec)), variables)


def set_value(document: dict[str, Any], path: str, value: Any) -> None:
    """Set a dotted path in every element of the arrays on the way; what is no document there becomes one."""
    head, _, rest = path.partition(".")
    if not rest:
        document[head] = value
    elif isinstance(document.get(head), list):
        document[head] = [_with_value(element, rest, value) for element in document[head]]
    else:
        document[head] = _with_value(document.get(head), rest, value)


def _with_value(element: Any, path: str, value: Any) -> Any:
    if isinstance(element, list):
        return [_with_value(each, path, value) for each in element]
    target = element if isinstance(element, dict) else {}
    set_value(target, path, value)
    return target


def unset_value(value: Any, path: str) -> None:
    """Remove a dotted path from a document, and from every element of the arrays on the way."""
    head, _, rest = path.partition(".")
    if isinstance(value, list):
        for element in value:
            unset_value(element, path)
    elif isinstance(value, dict):
        if not rest:
            value.pop(head, None)
        elif head in value:
            unset_value(value[head], rest)


def flat(spec: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """A nested $addFields specification as (dotted path, expression) pairs."""
    for key, value in spec.items():
        if isinstance(value, Mapping) and value and not any(str(name).startswith("$") for name in value):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def mend_count() -> None:
    """$count of nothing gives no document, and is a stage inside sub-pipelines; $facet does not write."""
    count = aggregate._stage_count
    aggregate._ACCUMULATOR_STAGES = aggregate._ACCUMULATOR_STAGES | {"$lookup", "$unionWith", "$facet"}

    def counted(spec: Any, documents: list[Any], context: Any) -> Any:
        result = count(spec, documents, context)
        return result if documents else []

    replace(aggregate, "_stage_count", counted)
    edit(aggregate, "_stage_facet", ('if "$facet" in stage:', 'if set(stage) & {"$facet", "$out", "$merge"}:'))


class Pattern:
    """A compiled regular expression, PCRE-like, with a time limit, that lets other connections run meanwhile."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.flags = pattern, flags
        kept = flags & (regex.I | regex.M | regex.S | regex.X)
        text = ascii_classes(pattern) if isinstance(pattern, str) else pattern
        self._compiled = regex.compile(text, kept | regex.V0)

    @staticmethod
    def _seconds() -> float:
        left = deadline.remaining_ms()
        return REGEX_SECONDS if left is None else max(0.001, min(REGEX_SECONDS, left / 1000))

    def search(self, text: str) -> Any:
        """As `re.Pattern.search`; a match that takes too long is the operation's time limit."""
        try:
            return self._compiled.search(text, timeout=self._seconds(), concurrent=len(text) > 200 or None)
        except TimeoutError:
            raise deadline.MaxTimeMSExpired from None

    def finditer(self, text: str) -> list[Any]:
        """As `re.Pattern.finditer`, all at once."""
        try:
            return list(self._compiled.finditer(text, timeout=self._seconds(), concurrent=True))
        except TimeoutError:
            raise deadline.MaxTimeMSExpired from None


CLASSES = {"d": "0-9", "w": "A-Za-z0-9_", "s": r" \t\n\r\f\v"}
# A "]" right after the opening bracket stands for itself.
OUTSIDE_BRACKETS = regex.compile(r"\\k<|\\.|\[\^?\]?|.", regex.S)
INSIDE_BRACKETS = regex.compile(r"\\.|\[:\^?\w+:\]|.", regex.S)


def ascii_classes(pattern: str) -> str:
    r"""Spell \d, \w and \s as PCRE without Unicode properties means them, and \k<name> as `regex` does."""
    parts: list[str] = []
    at, inside = 0, False
    while at < len(pattern):
        part = (INSIDE_BRACKETS if inside else OUTSIDE_BRACKETS).match(pattern, at).group()
        at += len(part)
        if part[0] == "\\":
            parts.append(_escape(part, inside=inside))
        else:
            inside = part != "]" if inside else part[0] == "["
            parts.append(part)
    return "".join(parts)


def _escape(pair: str, *, inside: bool) -> str:
    name = pair[1:]
    if name == "k<":
        return r"\g<"
    if name in CLASSES:
        return CLASSES[name] if inside else f"[{CLASSES[name]}]"
    if name.lower() in CLASSES and not inside:
        return f"[^{CLASSES[name.lower()]}]"
    return pair


class RegexModule:
    """What the engine uses of the standard `re` module."""

    error = query.re.error
    IGNORECASE, MULTILINE, DOTALL, VERBOSE = query.re.I, query.re.M, query.re.S, query.re.X
    Pattern = Pattern

    @staticmethod
    @functools.lru_cache(1024)
    def compile(pattern: str | bytes, flags: int = 0) -> Pattern:
        """As `re.compile`."""
        try:
            return Pattern(pattern, flags)
        except regex.error as error:
            raise query.re.error(str(error)) from None


def mend_regular_expressions() -> None:
    """A bad regular expression ends by its time limit and freezes nobody else."""
    validate = query._validate_regex_pattern

    def check(pattern: Any) -> None:
        text = pattern.pattern if isinstance(pattern, bson.Regex) else pattern
        if isinstance(text, str):
            compile_for_check(text)
        else:
            validate(pattern)

    query._compile_regex, query._validate_regex_pattern = compile_for_match, check
    expressions._launcher_compile = compile_for_expression
    for name in ("_op_regex_match", "_op_regex_find", "_op_regex_find_all"):
        edit(expressions, name, ("_re.compile(_pcre(pattern), flags)", "_launcher_compile(_pcre(pattern), flags)"))


@functools.lru_cache(1024)
def compile_for_match(pattern: str | bytes, flags: int) -> Pattern:
    """Compile the pattern of a filter's $regex."""
    if len(pattern) > query._MAX_REGEX_PATTERN_LEN:
        raise query.QueryError("regex pattern too long")
    return RegexModule.compile(query.pcre_to_python(pattern) if isinstance(pattern, str) else pattern, flags)


def compile_for_check(pattern: str) -> None:
    """Refuse a malformed pattern of a filter with mongod's code."""
    try:
        RegexModule.compile(query.pcre_to_python(pattern), 0)
    except RegexModule.error as error:
        message = f"Regular expression is invalid: {error}"
        raise query.QueryError(message, code=51091, code_name="Location51091") from None


def compile_for_expression(pattern: str, flags: int) -> Pattern:
    """Compile the pattern of a $regexMatch, $regexFind or $regexFindAll."""
    try:
        return RegexModule.compile(pattern, flags)
    except RegexModule.error as error:
        message = f"Invalid Regex in $regexMatch: {error}"
        raise expressions.ExpressionError(message, code=51111, code_name="Location51111") from None


def mend_all() -> None:
    """$all asks each of its conditions of the whole path, as $and of them does."""
    elements_of = query._op_all

    def all_of(values: list[Any], required: Any, collation: Any = None, *, descend: bool = True) -> bool:
        # Refuses what mongod refuses.
        elements_of([], required, descend=descend)
        return bool(required) and all(
            query._op_elem_match(values, each["$elemMatch"])
            if isinstance(each, Mapping) and list(each) == ["$elemMatch"]
            else query._in_candidate_matches(values, each, collation, descend=descend)
            for each in required
        )

    query._op_all = all_of
    edit(query, "_op_matches", ("_op_all(values, arg, ", "_op_all(values, arg, collation, "))


def mend_collations() -> None:
    """A range of texts is in the order in which the collation sorts them."""

    def compare(left: str, right: str, rules: Any) -> int:
        first, second = collation.sort_levels(left, rules), collation.sort_levels(right, rules)
        return (first > second) - (first < second)

    query._coll_compare = compare


def mend_indexes() -> None:
    """An index gives a superset of the documents that match, which the engine then matches, and never their order."""
    for name in ("_try_index_id_keys", "_pick_index_for_filter"):
        setattr(Storage, name, with_bounds_only(getattr(Storage, name)))
    for name in ("_range_scan_index", "_range_scan_index_leading"):
        setattr(Storage, name, widened(getattr(Storage, name)))
    # Strings in a descending index, and the operand of $in, are not in the order of the sort.
    edit(Storage, "find_matching", ("if sort and not in_sort_order:", "if sort:"))
    mend_number_keys()


def with_bounds_only(find: Callable[..., Any]) -> Callable[..., Any]:
    """A search for an index, or in one, that leaves out the conditions of a filter that no index answers."""

    @functools.wraps(find)
    def run(storage: Any, database: str, collection: str, filter_: Mapping[str, Any], **options: Any) -> Any:
        collated = options.get("collation") is not None
        bounds = {
            name: condition
            for name, condition in filter_.items()
            if is_bound(name, condition) and not (collated and is_range(condition))
        }
        return find(storage, database, collection, bounds, **options)

    return run


def is_range(condition: Any) -> bool:
    """Whether a condition may ask for an order of values: an index has no more than equality of a collation."""
    return isinstance(condition, Mapping) and not set(condition) <= {"$eq", "$in"}


def is_bound(path: str, condition: Any) -> bool:
    """Whether a condition of a filter can be looked up in an index; one that is not by value is left to the engine."""
    if isinstance(condition, Mapping):
        return all(is_bound(path, operand) for operand in condition.values())
    if isinstance(condition, list):
        return all(is_bound(path, each) for each in condition)
    # A pattern is no value to look up.
    if isinstance(condition, bson.Regex):
        return False
    # An element without the field, as in {a: [{}, {b: 1}]}, has no entry in an index on a.b, yet matches null.
    if "." in path and (condition is None or isinstance(condition, bson.MinKey | bson.MaxKey)):
        return False
    return not isinstance(condition, float | bson.Decimal128) or sortkey.encode_value(condition) not in TOO_LARGE_KEYS


# What an index has for all numbers that are too large, or too near to zero, for its exponent of one byte.
TOO_LARGE_KEYS = frozenset(
    bytes([sortkey.RANK_NUMBER, sign, extreme, extreme])
    for sign in (sortkey._NUM_POS, sortkey._NUM_NEG)
    for extreme in (0x00, 0xFF)
)


def mend_number_keys() -> None:
    """Keys of numbers in an index: large doubles as the longs they equal, all digits of a decimal, small ones by 0."""
    sortkey._launcher_digits = decimal.Context(prec=40)
    edit(
        sortkey,
        "_to_decimal",
        ("Decimal(repr(value))", "Decimal(int(value) if abs(value) <= 2**63 and value.is_integer() else repr(value))"),
    )
    edit(
        sortkey,
        "_encode_number",
        ("abs(d).normalize()", "d.copy_abs().normalize(_launcher_digits)"),
        (
            "if not 0 <= bias_e <= 255:",
            "if bias_e < 0:\n        return bytes([_NUM_POS, 0, 0] if sign > 0 else [_NUM_NEG, 255, 255])\n"
            "    if bias_e > 255:",
        ),
    )


DESCENDING_TEXTS = frozenset(
    0xFF - rank for rank in (sortkey.RANK_STRING, sortkey.RANK_JAVASCRIPT, sortkey.RANK_REGEX)
)  # fmt: skip


def widened(scan: Callable[..., Any]) -> Callable[..., Any]:
    """A scan of an index between two bounds that misses no entry.

    The engine's misses the following. An array matches a range by two elements neither of which lies in it. A
    descending index has a text before the longer texts that begin with it. The entries of the upper bound, where
    fields follow in the index, are above it.
    """

    @functools.wraps(scan)
    def run(  # noqa: PLR0917
        storage: Any,
        database: str,
        collection: str,
        index: str,
        lower: bytes | None,
        with_lower: bool,
        upper: bytes | None,
        with_upper: bool,
        **prefix: bytes,
    ) -> Any:
        if lower is not None and upper is not None and storage.index_is_multikey(database, collection, index):
            upper = None
        before = prefix.get("prefix", b"")
        kinds = {bound[len(before)] for bound in (lower, upper) if bound is not None} & DESCENDING_TEXTS
        if kinds:
            lower, with_lower = lower and before + bytes([min(kinds)]), True
            upper, with_upper = upper and before + bytes([max(kinds) + 1]), False
        elif upper is not None and with_upper and before:
            upper, with_upper = upper + sortkey.COMPOUND_SEP + b"\xff", False
        return scan(storage, database, collection, index, lower, with_lower, upper, with_upper, **prefix)

    return run


class OneCollection:
    """The engine's storage, except that reading the whole of one collection is answered by `documents`."""

    def __init__(self, storage: Any, collection: str, documents: Callable[[str], list[Any]]) -> None:
        self._storage, self._collection, self._documents = storage, collection, documents

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    def find_matching(self, database: str, collection: str, filter_: Any = None, **options: Any) -> Any:
        """As the storage's method of this name."""
        if collection == self._collection and not filter_ and not options:
            return self._documents(database)
        return self._storage.find_matching(database, collection, filter_, **options)


def with_storage(context: Any, storage: Any) -> Any:
    """A stage's context over another storage."""
    changed = context.with_vars({})
    changed.storage, changed.shared_unwind_ok = storage, context.shared_unwind_ok
    return changed


def mend_graph_lookup() -> None:
    """$graphLookup honours restrictSearchWithMatch; its depthField is a long."""
    graph_lookup = aggregate._stage_graph_lookup

    def restricted(spec: Any, documents: list[Any], context: Any) -> Any:
        if isinstance(spec, Mapping) and context.storage is not None:
            match, storage = spec.get("restrictSearchWithMatch"), context.storage
            if isinstance(match, Mapping) and match:
                collection = spec.get("from")
                context = with_storage(
                    context,
                    OneCollection(
                        storage, collection, lambda name: storage.find_matching(name, collection, dict(match))
                    ),
                )
        result = graph_lookup(spec, documents, context)
        depth = spec.get("depthField")
        for hit in [hit for document in result for hit in field_value(document, spec["as"]) or []] if depth else []:
            hit[depth] = bson.Int64(hit[depth])
        return result

    replace(aggregate, "_stage_graph_lookup", restricted)


def equality_with_variable(pipeline: list[Any], variables: Mapping[str, Any]) -> tuple[str, str] | None:
    """The (field path, variable) of an equality that a leading `$match: {$expr: …}` requires."""
    if not pipeline or set(pipeline[0]) != {"$match"} or not isinstance(pipeline[0]["$match"], Mapping):
        return None
    for left, right in required_equalities(pipeline[0]["$match"].get("$expr")):
        for field, variable in ((left, right), (right, left)):
            if field[:1] == "$" and field[:2] != "$$" and variable[:2] == "$$" and variable[2:] in variables:
                return field[1:], variable[2:]
    return None


def required_equalities(condition: Any) -> Iterator[tuple[str, str]]:
    """Both sides of each $eq of two texts that an expression requires, through $and."""
    if not isinstance(condition, Mapping) or len(condition) != 1:
        return
    for part in condition["$and"] if isinstance(condition.get("$and"), list) else []:
        yield from required_equalities(part)
    sides = condition.get("$eq")
    if isinstance(sides, list) and len(sides) == 2 and all(isinstance(side, str) for side in sides):
        yield sides[0], sides[1]


def mend_joins() -> None:
    """$lookup finds what {foreignField: {$eq: value}} finds for any of the local values, with an index and without."""
    aggregate._launcher_local_values = local_values
    aggregate._build_lookup_index, aggregate._hash_join_lookup = positions_by_value, found_by_hash
    aggregate._index_join_lookup = found_by_filter
    local = ("get_path(doc, local_field)", "_launcher_local_values(doc, local_field)")
    # Null on a path through arrays is no bound: many documents without a local value would read all, each.
    few = '("." not in foreign_field or len(docs) < 20) and _foreign_field_has_simple_index('
    for name in ("_stage_lookup", "_stage_lookup_pipeline"):
        edit(aggregate, name, local, ("_foreign_field_has_simple_index(", few))


def local_values(document: Any, path: str) -> list[Any]:
    """What $lookup joins on: the values at the path, the elements of arrays; null where there are none."""
    values, _ = paths.get_path_values(document, path)
    return [each for value in values for each in (value if isinstance(value, list) else [value])] or [None]


def positions_by_value(documents: list[Any], path: str) -> dict[Any, list[int]]:
    """The positions of documents by each value that $eq finds at a path of theirs."""
    positions: dict[Any, list[int]] = {}
    for position, document in enumerate(documents):
        keys = set()
        for value in query._resolve_path(document, path):
            keys.add(group_key(None if value is query.MISSING else value))
            keys.update(map(group_key, value) if query._expandable(value, True) else ())
        for key in keys:
            positions.setdefault(key, []).append(position)
    return positions


def found_by_hash(values: list[Any], documents: list[Any], _path: str, positions: dict[Any, list[int]]) -> list[Any]:
    """The documents that $lookup joins with the local values, in their order."""
    found = {position for value in values for position in positions.get(group_key(value), ())}
    return [documents[position] for position in sorted(found)]


def found_by_filter(storage: Any, database: str, collection: str, path: str, values: list[Any]) -> Any:
    """The documents that $lookup joins with the local values, by an index."""
    filter_: dict[str, Any] = {path: {"$in": values}}
    # $in takes a pattern for what it matches, and refuses some documents.
    if any(isinstance(value, bson.Regex | Mapping) for value in values):
        filter_ = {"$or": [{path: {"$eq": value}} for value in values]}
    return storage.find_matching(database, collection, filter_)


def group_key(value: Any, rules: Any = None) -> Any:
    """A hashable key of a value, equal where $eq under a collation's rules is."""
    if isinstance(value, Mapping):
        return "{", *((name, group_key(each, rules)) for name, each in value.items())
    if isinstance(value, list):
        return "[", *(group_key(each, rules) for each in value)
    if rules is not None and isinstance(value, str) and not isinstance(value, bson.Code):
        return collation.cmp_key(value, rules)
    return aggregate._hashable_scalar(value)


def mend_groups() -> None:
    """$group tells documents apart by the order of their fields, and an empty document from an empty array."""
    aggregate._hashable = aggregate._hashable_with_collation = group_key


SUBQUERY_STAGES = frozenset({"$lookup", "$graphLookup", "$unionWith", "$facet"})


def mend_lookup() -> None:
    """$lookup by an equality with a variable finds candidates by hash instead of reading all for each document."""
    lookup = aggregate._stage_lookup_pipeline

    def by_hash(context: Any, documents: list[Any], *rest: Any) -> Any:
        collection, _, let, pipeline, spec = rest
        simple = spec.get("localField") is None and context.collation is None and len(documents) > 1
        equality = equality_with_variable(pipeline, let) if simple else None
        if not equality or any(SUBQUERY_STAGES & set(stage) for stage in pipeline):
            return lookup(context, documents, *rest)
        path, variable = equality
        storage, result = context.storage, []
        buckets, unhashable = _buckets(storage.find_matching(context.db_name, collection, {}), path)
        for document in documents:
            value = aggregate.evaluate_or_missing(let[variable], document, context.vars)
            try:
                found = buckets.get(aggregate._lookup_key(None if value is expressions.MISSING else value), [])
            except TypeError:
                found = unhashable
            one = with_storage(context, OneCollection(storage, collection, lambda _name, found=found: found))
            result += lookup(one, [document], *rest)
        return result

    aggregate._stage_lookup_pipeline = by_hash


def _buckets(documents: list[Any], path: str) -> tuple[dict[Any, list[Any]], list[Any]]:
    buckets: dict[Any, list[Any]] = {}
    unhashable: list[Any] = []
    for document in documents:
        try:
            buckets.setdefault(aggregate._lookup_key(field_value(document, path)), []).append(document)
        except TypeError:
            unhashable.append(document)
    return buckets, unhashable


def refused(code: int, name: str, message: str) -> dict[str, Any]:
    """An error reply."""
    return {"ok": 0.0, "errmsg": message, "code": code, "codeName": name}


def mend_access() -> None:
    """A user who cannot write may only read, only benchmark databases, and only through cursors of its own."""
    dispatch = commands.dispatch
    # Nobody needs these, and the engine authorises neither.
    for name in ("bulkWrite", "mapReduce", "mapreduce"):
        commands._HANDLERS.pop(name, None)

    def guarded(document: dict[str, Any], context: Any) -> dict[str, Any]:
        user = context.connection_auth
        if not context.require_auth or user is None or not user.is_authenticated:
            return dispatch(document, context)
        refusal = foreign_cursor(document, context)
        if refusal is None and not can_write(user.effective_roles):
            refusal = reader_refusal(document, context.db_name)
        if refusal is not None:
            return refusal
        reply = dispatch(document, context)
        note_cursor_owner(reply, context)
        return reply

    server.dispatch = guarded


def can_write(roles: list[dict[str, Any]]) -> bool:
    """Whether any role lets its holder insert in the database that it is bound to."""
    return any(rbac.check_privilege([role], "insert", target_db=role.get("db")) for role in roles)


def reader_refusal(document: dict[str, Any], database: str) -> dict[str, Any] | None:
    """Why a user who cannot write must not send this command."""
    name = commands.command_name(document)
    if name in READER_SERVICE_COMMANDS:
        return None
    reason = None
    if name not in READER_DATA_COMMANDS:
        reason = f"execute command {name}"
    elif database in SYSTEM_DATABASES:
        reason = f"read database {database}"
    elif any(is_system(value) for value in (document.get(name), document.get("collection"))):
        reason = "read system collections"
    else:
        stage = next(forbidden_stages(document.get("pipeline")), None)
        reason = f"use {stage}" if stage else None
    return refused(UNAUTHORIZED, "Unauthorized", f"not authorized on {database} to {reason}") if reason else None


def is_system(collection: Any) -> bool:
    """Whether a collection is the server's own."""
    return isinstance(collection, str) and collection.startswith("system.")


def forbidden_stages(pipeline: Any) -> Iterator[str]:
    """Stages of a pipeline, at any depth, that write, watch, or read outside of the database."""
    for stage in pipeline if isinstance(pipeline, list) else []:
        for name, spec in stage.items() if isinstance(stage, Mapping) else ():
            if name in READER_FORBIDDEN_STAGES or _reads_elsewhere(name, spec):
                yield name
            elif name == "$facet" and isinstance(spec, Mapping):
                for branch in spec.values():
                    yield from forbidden_stages(branch)
            elif isinstance(spec, Mapping):
                yield from forbidden_stages(spec.get("pipeline"))


def _reads_elsewhere(name: str, spec: Any) -> bool:
    if name == "$unionWith" and isinstance(spec, Mapping) and "db" in spec:
        return True
    if name not in {"$lookup", "$graphLookup", "$unionWith"}:
        return False
    source = spec.get("from", spec.get("coll")) if isinstance(spec, Mapping) else spec
    # A source that is a document names another database.
    return isinstance(source, Mapping) or is_system(source)


def foreign_cursor(document: dict[str, Any], context: Any) -> dict[str, Any] | None:
    """A refusal for a command that continues or kills a cursor of another user."""
    named = [document.get("getMore")] if "getMore" in document else document.get("cursors")
    for number in named if isinstance(named, list) else []:
        if isinstance(number, int) and cursor_owner(number, context) not in {None, principals(context)}:
            return refused(CURSOR_NOT_FOUND, "CursorNotFound", f"cursor id {number} not found")
    return None


def principals(context: Any) -> frozenset[tuple[str, str]]:
    """Who is authenticated on this connection."""
    return frozenset(context.connection_auth.authenticated_principals)


def cursor_owner(number: int, context: Any) -> frozenset[tuple[str, str]] | None:
    """Who opened a cursor, None if there is no such cursor."""
    entry = context.cursors._cursors.get(number)
    return getattr(entry, "launcher_owner", None)


def note_cursor_owner(reply: dict[str, Any], context: Any) -> None:
    """Remember who opened the cursor that a reply announces."""
    cursor = reply.get("cursor")
    entry = context.cursors._cursors.get(cursor.get("id")) if isinstance(cursor, Mapping) else None
    if entry is not None:
        entry.launcher_owner = principals(context)


def mend_exhaustion() -> None:
    """Running out of memory or stack is an error of that one command, with mongod's code."""

    def bounded(handler: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(handler)
        def run(document: dict[str, Any], context: Any) -> Any:
            try:
                return handler(document, context)
            except MemoryError:
                return refused(MEMORY_EXCEEDED, "ExceededMemoryLimit", "the operation exceeded the memory limit")
            except RecursionError:
                return refused(TOO_DEEP, "Overflow", "the operation exceeded the nesting limit")

        return run

    for name in ("find", "aggregate", "count", "distinct", "getMore"):
        commands._HANDLERS[name] = bounded(commands._HANDLERS[name])


def mend() -> None:
    """Mend all that is known to be wrong; the last two wrap what the others leave."""
    for step in (
        mend_dates,
        mend_paths,
        mend_missing_values,
        mend_time_limits,
        mend_sorting,
        mend_fill,
        mend_values,
        mend_date_texts,
        mend_fields,
        mend_count,
        mend_regular_expressions,
        mend_all,
        mend_collations,
        mend_indexes,
        mend_groups,
        mend_joins,
        mend_graph_lookup,
        mend_lookup,
        mend_exhaustion,
        mend_access,
    ):
        step()


def provide_users(engine: Any, file: Path) -> None:
    """Create or update the users in a JSON list of {name, password, roles} before anybody can connect."""
    context = commands.CommandContext(connection_id=0, storage=engine.storage, cursors=engine.cursors)
    for user in json.loads(file.read_text(encoding="utf-8")):
        engine.storage.drop_user("admin", user["name"])
        command = {"createUser": user["name"], "pwd": user["password"], "roles": user["roles"], "$db": "admin"}
        reply = commands.dispatch(command, context)
        if not reply["ok"]:
            sys.exit(f"engine_launcher: user {user['name']}: {reply['errmsg']}")


def limit_memory() -> None:
    """Bound the address space, so that one query cannot take the machine's memory."""
    mebibytes = int(os.environ.get("LAUNCHER_MEM_MIB", "0"))
    if mebibytes:
        resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


def die_with(parent: int) -> None:
    """Have the system kill this process when its parent, process id `parent`, ends."""
    parent_death_signal = 1
    ctypes.CDLL(None, use_errno=True).prctl(parent_death_signal, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("engine_launcher: the parent has ended already")


def main() -> int:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--storage-path", required=True)
    parser.add_argument("--cache-size", default="512M")
    parser.add_argument("--auth", action="store_true")
    parser.add_argument("--users", type=Path)
    parser.add_argument("--parent", type=int)
    arguments = parser.parse_args()
    if importlib.metadata.version("secantusdb") != SUPPORTED:
        sys.exit(f"engine_launcher: made for SecantusDB {SUPPORTED}")
    if arguments.parent:
        die_with(arguments.parent)
    limit_memory()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    mend()
    # A standalone server writes no replication log, which nobody would read.
    engine = server.SecantusDBServer(
        host=arguments.host,
        port=arguments.port,
        storage_path=arguments.storage_path,
        replica_set_name=None,
        require_auth=arguments.auth,
        enable_test_commands=False,
        cache_size=arguments.cache_size,
    )

    def end(_number: int, _frame: Any) -> None:
        # Closing a socket does not wake the thread that accepts on it; this does.
        with contextlib.suppress(OSError, AttributeError):
            engine._socket.shutdown(socket.SHUT_RDWR)
        engine.stop()
        sys.exit(0)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    if arguments.users:
        provide_users(engine, arguments.users)
    engine.start()
    engine.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Reads a prediction file in any accepted form, and names all its faults at once."""

import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import BinaryIO

from benchmark_data.errors import FaultyPredictionsError
from benchmark_data.faults import FaultLog
from benchmark_data.fields import kind_name, shown
from benchmark_data.json_text import JsonText, JsonTextError, Member, RepeatedKeys
from evaluation.predictions.collect import Collector, too_many
from evaluation.predictions.source import Line, PredictionFile, UnreadableFileError
from evaluation.predictions.types import PredictionFormat, PredictionLimits, PredictionSet
from evaluation.types import Condition

_DEFAULT_LIMITS = PredictionLimits()
_FORMS = (
    'JSON lines ({"question_id": …, "query": …, "condition": …}), a JSON list of such objects, or a JSON dictionary '
    "from question_id to query"
)


def read_predictions(
    source: BinaryIO,
    *,
    name: str,
    items: Mapping[str, str],
    default_condition: Condition | None,
    limits: PredictionLimits = _DEFAULT_LIMITS,
) -> PredictionSet:
    """Read and check a prediction file; its form is found from its content, gzip is unpacked.

    Args:
        source: open for reading bytes; read to its end, or to the first byte over the limit. JSON lines are streamed.
        name: the file's name as its sender knows it, for messages.
        items: the db_id of each question_id of the benchmark.
        default_condition: the condition of predictions that name none; None means that each must name one.
        limits: where reading stops. A query text of any length is no fault of the file.

    Raises:
        FaultyPredictionsError: with all faults, at most `LISTED_FAULTS` listed.
    """
    log = FaultLog(name)
    file = PredictionFile(source, limits)
    collector = Collector(items=items, log=log, default_condition=default_condition)
    form = PredictionFormat.JSON_LINES
    try:
        form = _read(file.lines(), collector)
    except UnreadableFileError as error:
        log.add_first(error.rule, error.message)
    if not log.total and not collector.texts:
        log.add("no_predictions", "there is no prediction with a text in the file.")
    if log.total:
        raise FaultyPredictionsError(log.faults, total=log.total)
    conditions = tuple(condition for condition in Condition if condition in collector.texts)
    return PredictionSet(
        conditions=conditions,
        texts={condition: collector.texts[condition] for condition in conditions},
        sha256=file.sha256,
        size=file.size,
        format=form,
        notes=tuple(_notes(collector, packed=file.packed)),
    )


def _read(lines: Iterator[Line], collector: Collector) -> PredictionFormat:
    head = list(islice(lines, 2))
    rest = chain(head, lines)
    if not head:
        raise UnreadableFileError("empty_file", f"the file is empty. Accepted are {_FORMS}.")
    first, second = head[0].content.strip(), head[1].content.strip() if len(head) > 1 else b""
    if first.startswith(b"["):
        _read_list(rest, collector)
        return PredictionFormat.JSON_LIST
    if _is_json_lines(first, second):
        _read_lines(rest, collector)
        return PredictionFormat.JSON_LINES
    if first.startswith(b"{"):
        return _read_dictionary(rest, collector)
    raise UnreadableFileError("unknown_format", f"the file is in no form that is known. Accepted are {_FORMS}.")


def _is_json_lines(first: bytes, second: bytes) -> bool:
    """Whether a file is JSON lines, judged by its first two lines with content, either of which may be faulty."""
    try:
        record = JsonText(first.decode(errors="replace")).value()
    except JsonTextError:
        return second.startswith(b"{") or (first.startswith(b"{") and b'"question_id"' in first)
    if not isinstance(record, dict):
        return second.startswith(b"{")
    return bool(second) or "question_id" in record or "query" in record


def _read_lines(lines: Iterable[Line], collector: Collector) -> None:
    for line in lines:
        text = _decoded(line, collector.log)
        if text is None:
            continue
        try:
            record = JsonText(text.rstrip("\r\n"), first_line=line.number).value()
        except JsonTextError as error:
            collector.log.add("bad_json", f"not JSON: {error.message}.", line=line.number)
            continue
        for key in record.repeated if isinstance(record, RepeatedKeys) else ():
            collector.log.add("repeated_key", "this field stands more than once.", line=line.number, field=key)
        collector.add_record(record, line=line.number)


def _read_list(lines: Iterable[Line], collector: Collector) -> None:
    text = _whole_text(lines, collector.log)
    if text is None:
        return
    try:
        for member in text.elements():
            place = f"[{member.key}]"
            for key in member.value.repeated if isinstance(member.value, RepeatedKeys) else ():
                message = "this field stands more than once."
                collector.log.add("repeated_key", message, line=member.line, field=f"{place}.{key}")
            collector.add_record(member.value, line=member.line, prefix=place)
    except JsonTextError as error:
        collector.log.add("bad_json", f"not JSON: {error.message}; nothing after it was read.", line=error.line)


def _read_dictionary(lines: Iterable[Line], collector: Collector) -> PredictionFormat:
    text = _whole_text(lines, collector.log)
    if text is None:
        return PredictionFormat.DICTIONARY
    members = _members(text, collector)
    if any(member.key in tuple(Condition) and isinstance(member.value, dict) for member in members):
        _read_conditions(text, members, collector)
        return PredictionFormat.CONDITION_DICTIONARY
    if collector.default_condition is None and members:
        message = "a dictionary names no condition: name it beside the file, or nest the dictionary under "
        collector.log.add("missing_condition", message + " and ".join(f'"{name}"' for name in Condition) + ".")
    _add_members(members, collector, collector.default_condition)
    return PredictionFormat.BIRD_DICTIONARY if collector.separated else PredictionFormat.DICTIONARY


def _read_conditions(text: JsonText, members: list[Member], collector: Collector) -> None:
    for member in members:
        if member.key not in tuple(Condition):
            message = f"the file has a dictionary for each condition, and {shown(member.key)} is none."
            collector.log.add("unknown_condition", message, line=member.line, field=member.key)
        elif not isinstance(member.value, dict):
            message = f"must be a dictionary from question_id to query, not {kind_name(member.value)}."
            collector.log.add("wrong_type", message, line=member.line, field=member.key)
        else:
            part = JsonText(text.text[member.start : member.end], first_line=text.line(member.start))
            inner = _members(part, collector)
            _add_members(inner, collector, Condition(member.key), prefix=f"{member.key}.")


def _add_members(members: list[Member], collector: Collector, condition: Condition | None, *, prefix: str = "") -> None:
    message = _positions_message([member.key for member in members], collector.items)
    if message:
        collector.log.add("positions_as_keys", message, field=prefix.rstrip("."))
        return
    for member in members:
        collector.add_member(member.key, member.value, line=member.line, condition=condition, prefix=prefix)


def _positions_message(keys: list[str], items: Mapping[str, str]) -> str | None:
    """Tell where keys look like positions in the list of questions, as in files of the mini-dev kind.

    Taken as question ids, some of them would hit an item by chance, and a query would be scored on the wrong question.
    """
    unknown = [key for key in keys if key not in items]
    places = {str(position) for position in range(max(len(items), len(keys)))}
    if len(unknown) < 2 and "0" not in unknown:
        return None
    if not places.issuperset(keys) or not ("0" in unknown or 2 * len(unknown) > len(keys)):
        return None
    example = next(iter(items), "")
    return (
        f"the keys look like positions in the list of questions ({shown(unknown[0])} is no question_id; "
        f"{len(unknown):,} of {len(keys):,} are none). Write the question_id of each item, such as {shown(example)}."
    )


def _members(text: JsonText, collector: Collector) -> list[Member]:
    members: list[Member] = []
    try:
        for member in text.members():
            members.append(member)
            if len(members) > collector.most_records:
                raise too_many(collector.most_records)
    except JsonTextError as error:
        collector.log.add("bad_json", f"not JSON: {error.message}; nothing after it was read.", line=error.line)
    return members


def _whole_text(lines: Iterable[Line], log: FaultLog) -> JsonText | None:
    """The text of all lines, blank ones put back so that line numbers stay; None where bytes are not UTF-8."""
    text = io.StringIO()
    number, before = 1, log.total
    for line in lines:
        text.write("\n" * (line.number - number))
        text.write(_decoded(line, log) or "")
        number = line.number + 1
    return JsonText(text.getvalue()) if log.total == before else None


def _decoded(line: Line, log: FaultLog) -> str | None:
    try:
        return line.content.decode()
    except UnicodeDecodeError as error:
        place = line.offset + error.start
        message = f"not UTF-8: the byte at offset {place:,} is {line.content[error.start]:#04x}."
        log.add("not_utf8", message, line=line.number)
        return None


def _notes(collector: Collector, *, packed: bool) -> Iterator[str]:
    for condition, texts in sorted(collector.texts.items()):
        missing = len(collector.items) - len(texts)
        if missing:
            yield f"{missing:,} of {len(collector.items):,} items have no prediction for {condition}; they score 0."
    if collector.empty:
        yield f"{collector.empty:,} predictions have no text and count as missing."
    if collector.replaced:
        yield f"In {collector.replaced:,} texts, characters that cannot be stored were replaced by U+FFFD."
    for name, count in collector.ignored.items():
        yield f"The field {shown(name)} was not read ({count:,} records have it)."
    if packed:
        yield "The file was unpacked with gzip."

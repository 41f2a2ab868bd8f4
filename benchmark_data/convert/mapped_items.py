"""Takes the items of a source out of its records, as the mapping tells."""

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from benchmark_data.convert.mapping import REQUIRED, ItemFiles, Rule
from benchmark_data.convert.records import Record
from benchmark_data.faults import FaultLog
from benchmark_data.fields import shown
from benchmark_data.types import ArrayOrder, Difficulty, Split

CHOICES: dict[str, type[StrEnum]] = {"difficulty": Difficulty, "split": Split, "array_order": ArrayOrder}
_PLACEHOLDER = re.compile(r"\$\{([^{}]+)\}")
_MISSING = object()
_LISTED = 25


@dataclass(slots=True)
class _Use:
    """What was found of one rule in all records of a group of files."""

    found: int = 0
    missing: list[tuple[FaultLog, Record]] = field(default_factory=list)
    strange: dict[str, tuple[int, str]] = field(default_factory=dict)


class ItemMapper:
    """Maps the records of one group of files, then tells what the mapping has wrong about all of them.

    A field that no record has is the mapping's fault and told once, at its line; a field that some records lack is
    the source's, and told for each.

    Args:
        files: the group, of the mapping.
        log: of the mapping.
    """

    def __init__(self, files: ItemFiles, log: FaultLog) -> None:
        self._files = files
        self._log = log
        self._uses = {rule.name: _Use() for rule in files.rules}
        self._there: dict[str, None] = {}

    def map(self, record: Record, log: FaultLog) -> dict[str, Any]:
        """The record with the names of a bundle's items; what is missing is left out, and told by `finish`."""
        self._there.update(dict.fromkeys(_paths(record.value)))
        mapped: dict[str, Any] = {}
        for rule in self._files.rules:
            value = self._value(rule, record, log)
            if value is not _MISSING:
                mapped[rule.name] = _as_text(value) if rule.name == "gold_query" else value
        return mapped

    def finish(self) -> Iterator[str]:
        """Note the faults of the mapping and of the records that lack a field; yield notes on defaults taken."""
        for rule in self._files.rules:
            use = self._uses[rule.name]
            self._tell_strange(rule, use)
            if not use.missing:
                continue
            needed = rule.line is not None or rule.name in REQUIRED
            if not use.found and needed:
                self._tell_absent(rule)
            elif needed:
                for log, record in use.missing:
                    message = f"this record has no {_origin(rule)}; a default in the mapping would fill it."
                    log.add("missing_field", message, line=record.line, field=f"[{record.key}].{rule.name}")
            elif not use.found:
                yield f"No record has the field {rule.name}, and the mapping does not name it: its default is taken."
        unused = [path for path in self._there if "." not in path and path not in self._used()]
        if unused:
            yield f"Fields of the source that are not used: {', '.join(unused[:_LISTED])}."

    def _value(self, rule: Rule, record: Record, log: FaultLog) -> Any:
        use = self._uses[rule.name]
        if rule.constant is not None:
            return rule.constant
        value = _filled(rule.template, record) if rule.template is not None else _first(rule.paths, record)
        if value is _MISSING:
            if rule.default is not None:
                use.found += 1
                return rule.default
            use.missing.append((log, record))
            return _MISSING
        use.found += 1
        text = _as_text(value)
        if text in rule.values:
            return rule.values[text]
        choices = CHOICES.get(rule.name)
        if rule.values or (choices is not None and text not in tuple(choices)):
            if rule.values and (text in rule.values.values() or (choices is not None and text in tuple(choices))):
                return text
            count, first = use.strange.get(text, (0, f"{log.file}:{record.line or record.key}"))
            use.strange[text] = (count + 1, first)
            return _MISSING if choices is not None else value
        return value

    def _tell_strange(self, rule: Rule, use: _Use) -> None:
        for text, (count, first) in use.strange.items():
            choices = CHOICES.get(rule.name)
            allowed = f"; the right side is one of {', '.join(choices)}" if choices is not None else ""
            message = (
                f"the source has {shown(text)} ({count} records, the first at {first}), which nothing explains: "
                f'write {rule.name} = {{ from = "{"".join(rule.paths[:1])}", values = {{ "{text}" = "…" }} }}{allowed}.'
            )
            self._log.add("unknown_value", message, line=rule.line or self._files.line, field=f"items.{rule.name}")

    def _tell_absent(self, rule: Rule) -> None:
        there = list(self._there)
        wanted = rule.paths[0] if rule.paths else next(iter(_PLACEHOLDER.findall(rule.template or "")), "")
        close = difflib.get_close_matches(wanted, there, n=1) or [path for path in there if path.endswith(f".{wanted}")]
        hint = f' Did you mean "{close[0]}"?' if close else ""
        how = "" if rule.line is not None else f' Name the field that has it: {rule.name} = "…".'
        message = f"no record has {_origin(rule)}.{hint}{how} Fields there: {', '.join(there[:_LISTED])}."
        self._log.add("unknown_source_field", message, line=rule.line or self._files.line, field=f"items.{rule.name}")

    def _used(self) -> set[str]:
        paths = [
            path for rule in self._files.rules for path in (*rule.paths, *_PLACEHOLDER.findall(rule.template or ""))
        ]
        return {*paths, *(path.split(".")[0] for path in paths)}


def _origin(rule: Rule) -> str:
    paths = rule.paths or tuple(_PLACEHOLDER.findall(rule.template or ""))
    return "the field " + " or ".join(f'"{path}"' for path in paths)


def _first(paths: tuple[str, ...], record: Record) -> Any:
    """The value of the first path that is there and not null."""
    return next((value for path in paths if (value := _at(record, path)) is not _MISSING), _MISSING)


def _at(record: Record, path: str) -> Any:
    match path:
        case "#key":
            return record.key
        case "#position":
            return record.position
    value: Any = record.value
    if path in value:
        return _MISSING if value[path] is None else value[path]
    for part in path.split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return _MISSING
    return _MISSING if value is None else value


def _filled(template: str, record: Record) -> Any:
    values = {path: _at(record, path) for path in _PLACEHOLDER.findall(template)}
    if any(value is _MISSING for value in values.values()):
        return _MISSING
    return _PLACEHOLDER.sub(lambda found: _as_text(values[found[1]]), template)


def _as_text(value: Any) -> str:
    """A text as it is, anything else as JSON: a gold query may be given as an object, too."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _paths(value: dict[str, Any], prefix: str = "", depth: int = 3) -> Iterator[str]:
    for key, part in value.items():
        yield prefix + key
        if isinstance(part, dict) and depth > 1:
            yield from _paths(part, f"{prefix}{key}.", depth - 1)

"""Reads the typed fields of one JSON object, and notes every fault instead of stopping at the first."""

import difflib
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from benchmark_data.faults import FaultLog

Choice = TypeVar("Choice", bound=StrEnum)

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a fraction",
    str: "a text",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


class Fields:
    """One JSON object under reading; a getter returns None, or a harmless value, where it noted a fault.

    Args:
        record: the decoded object.
        log: where faults go.
        line: 1-based line of the object, if the file has lines.
        prefix: dotted path of the object, with its closing dot, "" at the top.
    """

    def __init__(self, record: Mapping[str, Any], log: FaultLog, *, line: int | None = None, prefix: str = "") -> None:
        self.record = record
        self._log = log
        self.line = line
        self._prefix = prefix

    def fault(self, rule: str, field: str, message: str) -> None:
        """Note a fault of one field of this object."""
        self._log.add(rule, message, line=self.line, field=f"{self._prefix}{field}".rstrip("."))

    def only(self, known: Collection[str]) -> None:
        """Fault every field that is not known: a misspelt optional field would else be lost in silence."""
        for name in self.record:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f' Did you mean "{close[0]}"?' if close else f" Known fields: {', '.join(sorted(known))}."
                self.fault("unknown_field", name, f"this field is not known.{hint}")

    def text(self, name: str, *, empty: bool = False) -> str | None:
        """A required text; a blank one only where `empty` is allowed."""
        if not self._has(name):
            return None
        value = self.record[name]
        if not isinstance(value, str):
            self._wrong_type(name, "a text")
            return None
        if not is_storable(value):
            self.fault("bad_text", name, "the text has half of a surrogate pair in it, which is no character.")
            return None
        if not empty and not value.strip():
            self.fault("empty_field", name, "this text must not be empty.")
            return None
        return value

    def optional_text(self, name: str) -> str | None:
        """A text that may be missing or null."""
        return self.text(name, empty=True) if self.record.get(name) is not None else None

    def identifier(self, name: str) -> str | None:
        """A required text or whole number, as text: 17 and "17" are the same identifier."""
        value = self.record.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if name in self.record and not isinstance(value, str):
            self._wrong_type(name, "a text or a whole number")
            return None
        return self.text(name)

    def count(self, name: str) -> int | None:
        """A required whole number, zero or more."""
        if not self._has(name):
            return None
        value = self.record[name]
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self._wrong_type(name, "a whole number, 0 or more")
            return None
        return value

    def choice(self, name: str, choices: type[Choice], *, default: Choice | None = None) -> Choice | None:
        """One of a closed set; required where there is no default."""
        if default is not None and name not in self.record:
            return default
        if not self._has(name):
            return None
        value = self.record[name]
        if isinstance(value, str) and value in tuple(choices):
            return choices(value)
        allowed = ", ".join(f'"{choice}"' for choice in choices)
        self.fault(f"bad_{name}", name, f"{shown(value)} is not one of {allowed}.")
        return None

    def flag(self, name: str) -> bool:
        """A true or false that is false where missing."""
        value = self.record.get(name, False)
        if not isinstance(value, bool):
            self._wrong_type(name, "true or false")
            return False
        return value

    def array(self, name: str) -> list[Any]:
        """A required array."""
        if not self._has(name):
            return []
        value = self.record[name]
        if not isinstance(value, list):
            self._wrong_type(name, "an array")
            return []
        return value

    def object(self, name: str) -> "Fields | None":
        """A required object, ready to be read."""
        if not self._has(name):
            return None
        value = self.record[name]
        if not isinstance(value, dict):
            self._wrong_type(name, "an object")
            return None
        return Fields(value, self._log, line=self.line, prefix=f"{self._prefix}{name}.")

    def objects(self, name: str) -> "list[Fields]":
        """A required array of objects, each ready to be read; elements that are no objects are faults."""
        found = []
        for index, value in enumerate(self.array(name)):
            place = f"{name}[{index}]"
            if isinstance(value, dict):
                found.append(Fields(value, self._log, line=self.line, prefix=f"{self._prefix}{place}."))
            else:
                self.fault("wrong_type", place, f"must be an object, not {kind_name(value)}.")
        return found

    def _has(self, name: str) -> bool:
        if name in self.record:
            return True
        self.fault("missing_field", name, "this field is missing.")
        return False

    def _wrong_type(self, name: str, wanted: str) -> None:
        value = self.record[name]
        got = shown(value) if isinstance(value, int | float) else kind_name(value)
        self.fault("wrong_type", name, f"must be {wanted}, not {got}.")


def kind_name(value: Any) -> str:
    """The JSON type of a decoded value, for a sentence: "a whole number", "null"."""
    return next(name for kind, name in _KINDS.items() if isinstance(value, kind))


def shown(value: Any) -> str:
    """A decoded value for a sentence, cut to one short line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def is_storable(text: str) -> bool:
    """Whether a text can be written as UTF-8: JSON's escapes can smuggle half of a surrogate pair in."""
    return not any("\ud800" <= character <= "\udfff" for character in text) if not text.isascii() else True

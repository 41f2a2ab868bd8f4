"""YAML that knows its lines: composed but never constructed, without aliases, every misuse noted as a fault."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

import yaml

from benchmark_data.faults import FaultLog

TEXT_BYTES = 4 * 1024 * 1024
DEPTH = 60

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One value of the text with its place.

    Args:
        field: dotted path of keys that leads to it.
        line: 1-based line of its key, or of itself in a list.
        node: what was composed there.
        log: where its faults go.
    """

    field: str
    line: int
    node: yaml.Node
    log: FaultLog

    def fault(self, rule: str, message: str) -> None:
        """Note what is wrong here."""
        self.log.add(rule, message, line=self.line, field=self.field)

    @property
    def is_mapping(self) -> bool:
        """Whether there are keys."""
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether there are elements."""
        return isinstance(self.node, yaml.SequenceNode)

    def mapping(self, known: frozenset[str] | None = None, required: tuple[str, ...] = ()) -> "dict[str, Entry]":
        """The values by key; repeated, unknown and missing keys are faults, and so is anything but a mapping."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fault("not_a_mapping", "must be a mapping of keys to values.")
            return {}
        found: dict[str, Entry] = {}
        for key, node in self.node.value:
            entry = self._member(key, node)
            if entry is None:
                continue
            name = str(key.value)
            if name in found:
                entry.fault("repeated_key", f"the key {name!r} stands twice.")
            elif known is not None and name not in known:
                entry.fault("unknown_key", f"is no key known here; known are {', '.join(sorted(known))}.")
            else:
                found[name] = entry
        for name in required:
            if name not in found:
                self.fault("missing_key", f"the key {name!r} is missing.")
        return found

    def _member(self, key: yaml.Node, node: yaml.Node) -> "Entry | None":
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            self.log.add("bad_key", "a key must be a plain text.", line=line, field=self.field)
            return None
        return Entry(field=f"{self.field}.{key.value}" if self.field else key.value, line=line, node=node, log=self.log)

    def sequence(self) -> "tuple[Entry, ...]":
        """The values of a list; anything else is a fault."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.fault("not_a_list", "must be a list.")
            return ()
        return tuple(
            Entry(field=f"{self.field}.{index}", line=node.start_mark.line + 1, node=node, log=self.log)
            for index, node in enumerate(self.node.value)
        )

    def text(self) -> str:
        """The scalar as it was written, so that a column named `No` or `1` needs no quotes; "" after a fault."""
        if isinstance(self.node, yaml.ScalarNode) and self.node.value:
            return str(self.node.value)
        self.fault("not_a_text", "must be a text that is not empty.")
        return ""

    def texts(self) -> tuple[str, ...]:
        """One text, or the texts of a list."""
        if isinstance(self.node, yaml.SequenceNode):
            return tuple(entry.text() for entry in self.sequence())
        return tuple(filter(None, (self.text(),)))

    def whole_number(self, least: int = 0) -> int | None:
        """An integer of at least `least`, or None after a fault."""
        found = self.value()
        if isinstance(found, int) and not isinstance(found, bool) and found >= least:
            return found
        self.fault("not_a_number", f"must be a whole number of at least {least}.")
        return None

    def choice(self, kind: type[Choice]) -> Choice | None:
        """One of the words of `kind`, or None after a fault."""
        found = self.text()
        if found in set(kind):
            return kind(found)
        if found:
            self.fault("unknown_word", f"{found!r} is none of {', '.join(kind)}.")
        return None

    def value(self) -> Any:
        """The value as null, bool, int, float, text, list or dict."""
        node = self.node
        if isinstance(node, yaml.MappingNode):
            return {key: entry.value() for key, entry in self.mapping().items()}
        if isinstance(node, yaml.SequenceNode):
            return [entry.value() for entry in self.sequence()]
        return scalar(node)

    def pairs(self) -> "Iterator[tuple[Any, Entry]]":
        """The members of a mapping with typed keys; a key like TRUE is a text, because no cell is a boolean."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fault("not_a_mapping", "must be a mapping of cells to values.")
            return
        for key, node in self.node.value:
            entry = self._member(key, node)
            if entry is not None:
                typed = scalar(key)
                yield (key.value if isinstance(typed, bool) else typed), entry


def scalar(node: yaml.Node) -> Any:
    """A scalar's value; tags beyond null, bool, int and float leave it the text that it is."""
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    if kind not in {"null", "bool", "int", "float"}:
        return node.value
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_object(node)
    except ValueError:
        return node.value


def compose(text: str, log: FaultLog) -> Entry | None:
    """The document of a YAML text, or None after faults: broken syntax, aliases, too large, too deep, more than one."""
    if len(text) > TEXT_BYTES:
        log.add("too_large", f"the text has more than {TEXT_BYTES:,} characters.")
        return None
    try:
        if not _is_harmless(text, log):
            return None
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = None if error.problem_mark is None else error.problem_mark.line + 1
        log.add("bad_yaml", f"not YAML: {error.problem or error}.", line=line)
        return None
    except yaml.YAMLError as error:
        log.add("bad_yaml", f"not YAML: {error}.")
        return None
    if node is None:
        log.add("empty", "the file is empty.")
        return None
    return Entry(field="", line=node.start_mark.line + 1, node=node, log=log)


def _is_harmless(text: str, log: FaultLog) -> bool:
    """Look at the parser's events, which expand nothing: an alias may hide a cycle or a billion laughs."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = 1 if event.start_mark is None else event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            log.add("alias", f"the alias *{event.anchor} is not allowed: write the value out.", line=line)
            return False
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEPTH:
            log.add("nested_too_deep", f"nested deeper than {DEPTH} levels.", line=line)
            return False
    return True

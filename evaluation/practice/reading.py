"""Reads back from a prompt what the keyword baseline needs: the request, the evidence, and the description as cards."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmark_data.card import CollectionCard, FieldCard, Plain, Span, TypeCount
from evaluation.prompts.templates import TEMPLATES

_COLLECTION: Final = re.compile(r"^Collection `(?P<name>.+)` \((?P<documents>[\d,]+) ")
_FIELD: Final = re.compile(r"^  - (?P<path>.+?): (?P<types>[A-Za-z|]+)(?:; (?P<more>.*))?$")
_SHORT_FIELD: Final = re.compile(r"(?P<path>[^,:]+):(?P<types>[A-Za-z|]+)")
_EXAMPLES: Final = re.compile(r"(?:^|; )e\.g\. (?P<values>.*?)(?:; |$)")
_RANGE: Final = re.compile(r"(?:^|; )(?P<smallest>-?\d+(?:\.\d+)?) to (?P<largest>-?\d+(?:\.\d+)?)(?:; |$)")
_VALUE: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[^,\s][^,]*')


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPrompt:
    """A request as a model sees it; `cards` by collection."""

    question: str
    evidence: str
    cards: Mapping[str, CollectionCard]


def read_prompt(messages: Sequence[Mapping[str, Any]]) -> ReadPrompt:
    """The parts of the first system and the first user message."""
    system = next((str(m.get("content", "")) for m in messages if m.get("role") == "system"), "")
    user = next((str(m.get("content", "")) for m in messages if m.get("role") == "user"), "")
    for template in TEMPLATES.values():
        question, found, evidence = user.partition(f"\n\n{template.evidence}\n")
        if found:
            return ReadPrompt(question=question, evidence=evidence, cards=_cards(system))
    return ReadPrompt(question=user, evidence="", cards=_cards(system))


def _cards(text: str) -> dict[str, CollectionCard]:
    documents: dict[str, int] = {}
    fields: dict[str, list[FieldCard]] = {}
    name = ""
    for line in text.splitlines():
        if named := _COLLECTION.match(line):
            name = named["name"]
            documents[name], fields[name] = int(named["documents"].replace(",", "")), []
        elif name:
            fields[name].extend(_fields(line))
    return {name: CollectionCard(documents=documents[name], fields=tuple(found)) for name, found in fields.items()}


def _fields(line: str) -> Iterator[FieldCard]:
    if field := _FIELD.match(line):
        yield _field(field["path"], field["types"], field["more"] or "")
    elif line.startswith("  ") and not line.startswith(("  - ", "  Indexes:", "  (")):
        for short in _SHORT_FIELD.finditer(line):
            yield _field(short["path"].strip(), short["types"], "")


def _field(path: str, types: str, more: str) -> FieldCard:
    examples, span = _EXAMPLES.search(more), _RANGE.search(more)
    return FieldCard(
        path=path.replace("[]", ".[]"),
        documents=0,
        share=1.0,
        optional=False,
        types=tuple(TypeCount(name=name, count=1) for name in types.split("|")),
        numbers=Span(smallest=float(span["smallest"]), largest=float(span["largest"])) if span else None,
        examples=tuple(_values(examples["values"])) if examples else (),
    )


def _values(text: str) -> Iterator[Plain]:
    for shown in _VALUE.findall(text):
        try:
            yield json.loads(shown)
        except ValueError:
            yield shown

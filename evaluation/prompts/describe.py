"""Describes a database in text for a model: collections, fields, types, example values, indexes and references."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmark_data.card import CollectionCard, FieldCard, Plain, RelationCard, Span
from benchmark_data.card_file import StoredCard
from benchmark_data.types import Database, Index

_TEXT = 60
_SENTENCE = 200


class Detail(StrEnum):
    """How much a description says, from most to least."""

    FULL = "full"
    EXAMPLES = "examples"
    NAMES = "names"
    SHORT = "short"


_EXAMPLES: Mapping[Detail, int] = {Detail.FULL: 5, Detail.EXAMPLES: 3, Detail.NAMES: 0, Detail.SHORT: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A description and the number of fields that it leaves out."""

    text: str
    left_out: int = 0


def describe(
    database: Database, cards: Sequence[StoredCard], detail: Detail, *, most_fields: int | None = None
) -> Described:
    """The description of one database.

    Args:
        database: for indexes and what the makers say.
        cards: those of its collections.
        detail: how much to say of each field.
        most_fields: of each collection, the fields least deep first; None for all.
    """
    parts = [f"Database `{database.db_id}`{_sentence(database.description, detail)}"]
    left_out = 0
    by_name = {card.collection: card.card for card in cards}
    for collection in database.collections:
        card = by_name[collection.name]
        fields = _kept(card.fields, most_fields)
        missing = len(card.fields) - len(fields)
        left_out += missing
        lines = [f"Collection `{collection.name}`{_counted(card)}{_sentence(card.description, detail)}"]
        lines.extend(_fields(fields, {relation.path: relation for relation in card.relations}, detail))
        if missing:
            lines.append(f"  ({missing} more fields are left out here)")
        if collection.indexes and detail in {Detail.FULL, Detail.EXAMPLES}:
            lines.append(f"  Indexes: {'; '.join(map(_index, collection.indexes))}")
        parts.append("\n".join(lines))
    return Described(text="\n\n".join(parts), left_out=left_out)


def _counted(card: CollectionCard) -> str:
    return f" ({card.documents:,} {'document' if card.documents == 1 else 'documents'})"


def _fields(fields: Sequence[FieldCard], relations: Mapping[str, RelationCard], detail: Detail) -> Iterator[str]:
    if detail is Detail.SHORT:
        yield "  " + ", ".join(f"{shown_path(field.path)}:{_types(field)}" for field in fields)
    else:
        for field in fields:
            yield f"  - {_field(field, relations.get(field.path), detail)}"


def _field(field: FieldCard, relation: RelationCard | None, detail: Detail) -> str:
    says = [f"{shown_path(field.path)}: {_types(field)}"]
    if detail is Detail.FULL:
        says.extend(_measures(field))
    examples = field.examples[: _EXAMPLES[detail]]
    if examples:
        says.append(f"e.g. {', '.join(map(_shown, examples))}")
    if field.keys and _EXAMPLES[detail]:
        says.append(f"keys such as {', '.join(map(_shown, field.keys[: _EXAMPLES[detail]]))}")
    if relation is not None:
        says.append(f"refers to {relation.collection}.{shown_path(relation.field)}")
    if field.description and detail is Detail.FULL:
        says.append(field.description[:_SENTENCE])
    return "; ".join(says)


def _measures(field: FieldCard) -> Iterator[str]:
    if field.optional:
        yield f"in {field.share:.0%} of documents" if 0.01 <= field.share < 1 else "not always there"
    for span, words in ((field.numbers, ""), (field.dates, ""), (field.lengths, " elements")):
        if span is not None:
            yield f"{_span(span)}{words}"


def _span(span: Span) -> str:
    return f"{span.smallest}" if span.smallest == span.largest else f"{span.smallest} to {span.largest}"


def _types(field: FieldCard) -> str:
    return "|".join(one.name for one in field.types) or "nothing"


def _shown(value: Plain) -> str:
    if isinstance(value, str):
        return '"' + (value if len(value) <= _TEXT else value[:_TEXT] + "…").replace('"', '\\"') + '"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def _index(index: Index) -> str:
    keys = ", ".join(path if direction == 1 else f"{path} descending" for path, direction in index.keys)
    return f"{keys} (unique)" if index.unique else keys


def _sentence(text: str, detail: Detail) -> str:
    return f": {text[:_SENTENCE]}" if text and detail is not Detail.SHORT else ""


def _kept(fields: Sequence[FieldCard], most: int | None) -> list[FieldCard]:
    if most is None or len(fields) <= most:
        return list(fields)
    least_deep = sorted(range(len(fields)), key=lambda place: (fields[place].path.count("."), place))[:most]
    return [fields[place] for place in sorted(least_deep)]


def shown_path(path: str) -> str:
    """A card's path as prompts write it: `lines.[].sku` becomes `lines[].sku`."""
    return path.replace(".[]", "[]")

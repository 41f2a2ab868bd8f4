"""What a reader by rules takes for conditions: values in a question, and what evidence says of paths and codes."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from benchmark_data.card import CollectionCard, FieldCard
from evaluation.sample21.keyword_words import last_words, words

Condition = tuple[str, Any]
_PATH: Final = r"`([A-Za-z_][\w.]*)`"
_VALUE: Final = r"('[^']*'|\"[^\"]*\"|-?\d+(?:\.\d+)?|null|true|false)"
_STATED: Final = re.compile(rf"{_PATH} (?:is|=|equals|has|of|with)? ?{_VALUE}")
_QUOTED_CODE: Final = re.compile(rf"{_VALUE} (?:for|means|stands for|is|=|\() ?(?:an? |the )?([a-z][\w-]*)")
_PLAIN_CODE: Final = re.compile(r"\b([A-Z0-9]{1,3}) (?:for |means |is |= ?)?(?:an? |the )?([a-z][\w-]*)")
_ABSENT: Final = re.compile(
    rf"(?:without|no|lacks?|null in|missing) (?:an? )?{_PATH}|{_PATH} is (?:null|left out|missing|empty)"
)
_COMPARED: Final = re.compile(
    r"(more than|over|above|at least|fewer than|less than|under|below|at most|up to) ([\d,.]*\d) ?([a-z]*)",
    re.IGNORECASE,
)
_OR_MORE: Final = re.compile(r"([\d,.]*\d) ?([a-z]*) or more\b|([\d,.]*\d) or more ([a-z]*)", re.IGNORECASE)
_LACKING: Final = re.compile(r"\b(?:no|without)(?: any| an?)? ([\w-]+)", re.IGNORECASE)
_SIGNS: Final = {
    "more than": "$gt", "over": "$gt", "above": "$gt", "at least": "$gte", "fewer than": "$lt", "less than": "$lt",
    "under": "$lt", "below": "$lt", "at most": "$lte", "up to": "$lte",
}  # fmt: skip
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_YEAR: Final = re.compile(rf"\b(?:({'|'.join(_MONTHS)}) )?((?:19|20)\d\d)\b", re.IGNORECASE)
_PROPER: Final = re.compile(r"(?<=[a-z,] )((?:[A-Z][\w'’&.-]*)(?: (?:(?:of|the|and|de) )*[A-Z][\w'’&.-]*)*)")


def evidence_conditions(question: str, evidence: str, card: CollectionCard) -> Iterator[Condition]:
    """What evidence says outright, and the codes in it whose meaning the question names."""
    paths = {plain(field.path) for field in card.fields}
    asked = set(words(question))
    for clause in re.split(r"[;.] ", evidence):
        stated = _STATED.findall(clause)
        # More values than one are a legend: which of them is meant, the question tells.
        for path, value in stated if len(re.findall(_VALUE, clause)) == 1 else ():
            if known := _known(path, paths):
                yield known, _literal(value)
        named = [known for path in re.findall(_PATH, clause) if (known := _known(path, paths))]
        for value, meaning in (*_QUOTED_CODE.findall(clause), *_PLAIN_CODE.findall(clause)) if named else ():
            if set(words(meaning)) <= asked:
                yield named[0], _literal(value)
    for first, second in _ABSENT.findall(evidence):
        if (known := _known(first or second, paths)) and asked & {"no", "not", "without", "never", "unknown", "nobody"}:
            yield known, None


def question_conditions(question: str, card: CollectionCard) -> Iterator[Condition]:
    """Values that the question names: examples of fields, proper names, years, bounds of numbers."""
    yield from _examples(question, card)
    yield from _names(question, card)
    yield from _years(question, card)
    yield from _bounds(question, card)
    yield from _lacking(question, card)


def plain(path: str) -> str:
    """A card's path as a query writes it."""
    return path.replace(".[]", "").replace(".*", "")


def _known(path: str, paths: set[str]) -> str:
    """A path as the collection has it, also where evidence puts the collection's name in front; "" if it has none."""
    rest = path.partition(".")[2]
    return path if path in paths else rest if rest in paths else ""


def _literal(text: str) -> Any:
    if text[0] in "'\"":
        return text[1:-1]
    constants: Mapping[str, Any] = {"null": None, "true": True, "false": False}
    if text in constants:
        return constants[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text) if re.fullmatch(r"-?\d+\.\d+", text) else text


def _examples(question: str, card: CollectionCard) -> Iterator[Condition]:
    taken: set[str] = set()
    for field in card.fields:
        found = []
        for example in field.examples:
            is_word = isinstance(example, str) and len(example) > 2 and example not in taken
            if is_word and re.search(rf"(?<!\w){re.escape(str(example))}(?!\w)", question, re.IGNORECASE):
                found.append(str(example))
        taken.update(found)
        if len(found) > 1:
            yield plain(field.path), {"$all" if "[]" in field.path else "$in": found}
        elif found:
            yield plain(field.path), found[0]


def _names(question: str, card: CollectionCard) -> Iterator[Condition]:
    """A proper name is looked for where the word before it says, else in the document's own name."""
    known = {example for field in card.fields for example in field.examples if isinstance(example, str)}
    fields = [field for field in card.fields if "name" in last_words(field.path) and _has(field, "string")]
    for match in _PROPER.finditer(question):
        name = match[1].rstrip(".,")
        before = words(question[: match.start()])[-1:]
        if not fields or name in known or name.lower() in _MONTHS or any(word in known for word in name.split()):
            continue
        near = [field for field in fields if set(before) & set(words(field.path))]
        yield plain((near or fields)[0].path), name


def _years(question: str, card: CollectionCard) -> Iterator[Condition]:
    dated = [field for field in card.fields if _has(field, "date")]
    asked = set(words(question))
    field = next((each for each in dated if set(last_words(each.path)) & asked), dated[0] if dated else None)
    found = _YEAR.search(question)
    if found is None or field is None:
        return
    year, month = int(found[2]), _MONTHS.index(found[1].lower()) + 1 if found[1] else 0
    start = datetime(year, month or 1, 1, tzinfo=UTC)
    end = datetime(year + (month in {0, 12}), month % 12 + 1 if month else 1, 1, tzinfo=UTC)
    yield plain(field.path), {"$gte": start, "$lt": end}


def _bounds(question: str, card: CollectionCard) -> Iterator[Condition]:
    found = [(_SIGNS[sign.lower()], number, noun) for sign, number, noun in _COMPARED.findall(question)]
    found += [("$gte", first or second, noun or other) for first, noun, second, other in _OR_MORE.findall(question)]
    for sign, number, noun in found:
        wanted = {*words(noun), *words(question[: question.find(number)])[-6:]}
        ranked = [
            (len(set(words(field.path)) & wanted) + 2 * (set(words(field.path)) == {*words(noun), "count"}), field.path)
            for field in card.fields
            if _is_number(field)
        ]
        points, path = max(ranked, key=lambda pair: (pair[0], -len(pair[1])), default=(0, ""))
        if points:
            value = float(number.replace(",", ""))
            yield plain(path), {sign: int(value) if value.is_integer() else value}


def _lacking(question: str, card: CollectionCard) -> Iterator[Condition]:
    """What documents are asked to lack, where some of them do."""
    for noun in _LACKING.findall(question):
        for field in card.fields:
            if field.optional and last_words(field.path) == words(noun) and "[]" not in field.path:
                yield plain(field.path), None


def _has(field: FieldCard, kind: str) -> bool:
    return bool(field.types) and field.types[0].name == kind


def _is_number(field: FieldCard) -> bool:
    return bool(field.types) and field.types[0].name in {"int", "long", "double", "decimal"}

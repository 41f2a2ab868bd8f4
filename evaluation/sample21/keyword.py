"""A reader by rules, without any model: words of the question against names and values of the collections' cards."""

import re
from collections.abc import Mapping
from typing import Any, Final

from benchmark_data.card import CollectionCard, FieldCard
from evaluation.sample21.keyword_filters import evidence_conditions, plain, question_conditions
from evaluation.sample21.keyword_words import in_digits, last_words, words
from evaluation.types import Operation, Query

Cards = Mapping[str, CollectionCard]
_COUNTED: Final = re.compile(r"^(?:how many|count|what is the number of|for how many|in how many)\b", re.IGNORECASE)
_EACH: Final = re.compile(r"\b(?:for each|for every|in each|in every|per)\s+(\w+(?: \w+)?)", re.IGNORECASE)
_ORDER: Final = re.compile(
    r"[,;.:]? ?(?:in (?:the )?(?:order|alphabetical)|in descending|ordered|sorted|ties|equal|by |alphabetically|"
    r"(?:the )?[\w-]+(?: \w+)? first\b)[^.;,]*"
)
_WISH: Final = re.compile(r"\b(?:show|give|list|return|name|i need|tell me|what are)\b([^.?]*)", re.IGNORECASE)
_FEW: Final = re.compile(r"\b(?:the|which|what|are the|name the)(?: top)? (\d{1,2})\b", re.IGNORECASE)
_ENDS: Final = {
    "most": -1, "highest": -1, "largest": -1, "longest": -1, "biggest": -1, "latest": -1, "fewest": 1, "lowest": 1,
    "smallest": 1, "shortest": 1, "oldest": 1, "earliest": 1,
}  # fmt: skip
_ONCE: Final = re.compile(
    r"\b(?:(?:each|every)(?: \w+){0,3} once|once each|without repeats|different|distinct)\b", re.IGNORECASE
)
_FIGURES: Final = {
    "average": "$avg", "mean": "$avg", "total": "$sum", "sum": "$sum", "altogether": "$sum", "highest": "$max",
    "largest": "$max", "lowest": "$min", "smallest": "$min",
}  # fmt: skip
_NAMES: Final = ("name", "title", "code", "_id")


def keyword_query(question: str, evidence: str, cards: Cards) -> Query:
    """The query that the rules make of a question; gold is never seen.

    Args:
        question: as it is asked.
        evidence: "" where it is not given, or there is none.
        cards: of the database's collections, by name.
    """
    question = in_digits(question)
    collection = _collection(question, evidence, cards)
    card = cards[collection]
    conditions: dict[str, Any] = {}
    for path, value in (*evidence_conditions(question, evidence, card), *question_conditions(question, card)):
        conditions.setdefault(path, value)
    grouped = _EACH.search(question)
    key = _named_field(grouped[1], card) if grouped else None
    if key is not None:
        return _aggregate(collection, conditions, {"_id": f"${plain(key.path)}", "count": {"$sum": 1}})
    if _COUNTED.search(question):
        return Query(collection=collection, operation=Operation.COUNT_DOCUMENTS, arguments={"filter": conditions})
    figure = next((_FIGURES[word] for word in question.lower().split() if word in _FIGURES), None)
    measured = _measured(question, card)
    if figure is not None and measured is not None and re.match(r"what|give|i need", question, re.IGNORECASE):
        return _aggregate(collection, conditions, {"_id": None, "figure": {figure: f"${plain(measured.path)}"}})
    shown = _shown(question, evidence, card, set(conditions))
    if _ONCE.search(question) and len(shown) == 1:
        return Query(
            collection=collection, operation=Operation.DISTINCT, arguments={"key": shown[0], "filter": conditions}
        )
    projection = {**({} if "_id" in shown else {"_id": 0}), **dict.fromkeys(shown, 1)}
    arguments = {"filter": conditions, "projection": projection, **_cut(question, shown, card)}
    return Query(collection=collection, operation=Operation.FIND, arguments=arguments)


def _cut(question: str, shown: list[str], card: CollectionCard) -> dict[str, Any]:
    """Sort and limit where so many with the most of something are asked for."""
    asked = re.findall(r"\w+", question.lower())
    few = _FEW.search(question)
    way = next((_ENDS[word] for word in asked if word in _ENDS), 0)
    numbers = [plain(field.path) for field in card.fields if field.numbers is not None and plain(field.path) in shown]
    return {"sort": {numbers[0]: way}, "limit": int(few[1])} if few and way and numbers else {}


def _aggregate(collection: str, conditions: Mapping[str, Any], group: Mapping[str, Any]) -> Query:
    stages: list[dict[str, Any]] = [{"$match": dict(conditions)}] if conditions else []
    stages.append({"$group": dict(group)})
    if group["_id"] is None:
        stages.append({"$project": {"_id": 0}})
    return Query(collection=collection, operation=Operation.AGGREGATE, arguments={"pipeline": stages})


def _collection(question: str, evidence: str, cards: Cards) -> str:
    """The collection whose name stands early in the question and whose fields it, or evidence, names."""
    asked = words(question)
    told = set(re.findall(r"`([\w.]+)`", evidence))

    def points(name: str) -> float:
        places = [asked.index(word) for word in words(name) if word in asked]
        named: float = 3.0 - min(places) / 20 if places else 0.0
        fields = {word for field in cards[name].fields for word in last_words(field.path)}
        paths = {plain(field.path) for field in cards[name].fields}
        in_evidence: int = sum(path in paths or path.startswith(f"{name}.") for path in told)
        return named + 0.4 * len(fields & set(asked)) + 1.5 * in_evidence

    return max(sorted(cards), key=points)


def _named_field(text: str, card: CollectionCard) -> FieldCard | None:
    """The field that is called as the text says; the shortest path where there are several."""
    wanted = set(words(text))
    found = [field for field in card.fields if wanted & set(last_words(field.path)) and not _is_container(field)]
    return min(found, key=lambda field: (len(field.path), field.path), default=None)


def _measured(question: str, card: CollectionCard) -> FieldCard | None:
    """The number that the question is about."""
    asked = set(words(question))
    found = [(len(asked & set(words(field.path))), field) for field in card.fields if field.numbers is not None]
    best = max(found, key=lambda pair: (pair[0], -len(pair[1].path)), default=None)
    return best[1] if best is not None and best[0] else None


def _shown(question: str, evidence: str, card: CollectionCard, filtered: set[str]) -> list[str]:
    """The fields that the question wishes to see and does not filter by; else what documents are called by."""
    unordered = _ORDER.sub("", question)
    wish = _WISH.search(unordered)
    asked = words(wish[1] if wish else unordered)
    best: dict[tuple[str, ...], str] = {}
    for field in card.fields:
        path = plain(field.path)
        if _is_container(field) or "[]" in field.path or path in filtered or path == "_id":
            continue
        name = last_words(path)
        named = set(name) <= set(asked)
        # Of fields that are called alike, the one whose object is named too, else the one nearest to the top.
        nearer = name not in best or set(words(path)) <= set(asked)
        if named and nearer:
            best[name] = path
    shown = list(best.values())
    if _is_id(asked, evidence):
        shown.insert(0, "_id")
    known = {plain(field.path) for field in card.fields}
    counted = {word for found in re.findall(r"(?:number of|how many) (\w+)", unordered) for word in words(found)}
    shown += [
        path for path in sorted(known) if path not in shown and set(words(path)) in ({w, "count"} for w in counted)
    ]
    return shown or [next((name for name in _NAMES if name in known), "_id")]


def _is_id(asked: tuple[str, ...], evidence: str) -> bool:
    """Whether evidence says that something which is asked for is the `_id`."""
    found = re.search(r"([\w ]+?) (?:is|itself is|are) (?:the |kept in )?`(?:\w+\.)?_id`", evidence)
    return found is not None and bool(set(words(found[1])[-2:]) & set(asked))


def _is_container(field: FieldCard) -> bool:
    return bool(field.types) and field.types[0].name in {"object", "array"}

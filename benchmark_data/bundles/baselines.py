"""Sample prediction files for the tiny bundle: three simple-minded baselines, so that a board has entries to rank.

- `whole-documents`: gold without its projection, so it answers with whole documents; without evidence it does not know
  what to filter by, and leaves the filter of items that have evidence empty.
- `mutated`: gold, damaged in most items by one of the mutations below; more often without evidence.
- `keyword`: a rule-based reader of question and evidence that never looks at gold.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from benchmark_data.bundles.dice import Dice
from benchmark_data.types import Bundle, Database, Item

Baseline = Callable[[Item, Database, bool], str]
"""Given an item, its database and whether evidence may be used: the predicted query's text."""

_DICE = Dice("baselines")
_OPENING, _CLOSING = "([{", ")]}"
_FIELD = re.compile(r"\b[a-z_]+(?:\.[a-z_]+)*\b")
_CONDITION = re.compile(r"\b([a-z_]+(?:\.[a-z_]+)*) (=|<|>) ('[^']*'|null|true|[0-9.]+)")
_OPERATORS = {"<": "$lt", ">": "$gt"}


def prediction_lines(bundle: Bundle, name: str) -> Iterator[str]:
    """The lines of a baseline's prediction file: every item in both conditions."""
    databases = {database.db_id: database for database in bundle.databases}
    for condition, evidence in (("with_evidence", True), ("without_evidence", False)):
        for item in bundle.items:
            query = BASELINES[name](item, databases[item.db_id], evidence)
            record = {"question_id": item.question_id, "condition": condition, "db_id": item.db_id, "query": query}
            yield json.dumps(record, ensure_ascii=False) + "\n"


def whole_documents(item: Item, _database: Database, evidence: bool) -> str:
    """Gold without projection; without evidence also without the filter that evidence explains."""
    text = item.gold_query
    call = text.index("(")
    if ".aggregate(" in text:
        return _without_projection(text)
    arguments = split_list(text, call)
    end = call + 1 + len(", ".join(arguments))
    if ".distinct(" in text:
        return text
    kept = arguments[0] if evidence or not item.evidence else "{}"
    return f"{text[: call + 1]}{kept}{text[end:]}"


def mutated(item: Item, _database: Database, evidence: bool) -> str:
    """Gold after one mutation, drawn by question_id and condition."""
    untouched = ("as_it_is",) * (9 if evidence else 4)
    name = _DICE.pick((*untouched, *MUTATIONS), item.question_id, "evidence" if evidence else "none")
    return item.gold_query if name == "as_it_is" else MUTATIONS[name](item.gold_query)


def keyword(item: Item, database: Database, evidence: bool) -> str:
    """A query made from words of the question: the collection it names, and how it begins."""
    question = item.question.lower()
    collection = _collection(question, database)
    conditions = _conditions(item.evidence) if evidence else "{}"
    if question.startswith("how many"):
        return f"db.{collection}.countDocuments({conditions})"
    fields = ", ".join(f"{word}: 1" for word in ("name", "region", "village", "opened", "born") if word in question)
    return f"db.{collection}.find({conditions}, {{_id: 0, {fields or 'name: 1'}}})"


def split_list(text: str, opening: int) -> list[str]:
    """The parts between the bracket at `opening` and its partner, cut at the commas of that level, white space off."""
    parts, start, depth, quote = [], opening + 1, 0, ""
    for position in range(opening, len(text)):
        character = text[position]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        if depth == 0 or (depth == 1 and character == "," and not quote):
            parts.append(text[start:position].strip())
            start = position + 1
        if depth == 0:
            break
    return parts


def _without_projection(text: str) -> str:
    stages = split_list(text, text.index("["))
    kept = [stage for stage in stages if not stage.startswith("{$project")]
    return f"{text[: text.index('[')]}[{', '.join(kept)}])"


def _wrong_number(text: str) -> str:
    """Every number one higher, which changes filters, limits and counters."""
    return re.sub(r"(?<![\w.\"$-])\d+(?![\w.\"-])", lambda number: str(int(number[0]) + 1), text)


def _misspelt_field(text: str) -> str:
    """The last field that is read loses its last letter."""
    fields = [match for match in _FIELD.finditer(text) if len(match[0]) > 4]
    last = fields[-1]
    return text[: last.end() - 1] + text[last.end() :]


def _cut_off(text: str) -> str:
    """The reply ends in the middle, as at a token limit."""
    return text[: len(text) * 3 // 5]


def _with_write(text: str) -> str:
    """The query tries to keep its answer in a collection."""
    collection = text.split(".")[1]
    return f'db.{collection}.aggregate([{{$match: {{}}}}, {{$out: "copy_of_{collection}"}}])'


def _wrong_type(text: str) -> str:
    """An operator is given a value of a type that it rejects when it runs."""
    collection = text.split(".")[1]
    return f'db.{collection}.aggregate([{{$project: {{answer: {{$size: "$_id"}}}}}}])'


def _in_prose(text: str) -> str:
    """The right query as a chat model sends it."""
    return f"Here is the query:\n\n```javascript\n{text};\n```\n\nIt returns what you asked for."


def _no_reply(_text: str) -> str:
    """The model gave no answer."""
    return ""


def _collection(question: str, database: Database) -> str:
    """The collection whose name stands first in the question, or the first by name."""
    names = [collection.name for collection in database.collections]
    found = [(question.find(name.rstrip("s")), name) for name in names if name.rstrip("s") in question]
    return min(found)[1] if found else names[0]


def _conditions(evidence: str) -> str:
    parts = []
    for path, sign, value in _CONDITION.findall(evidence):
        operand = json.dumps(value.strip("'"), ensure_ascii=False) if value.startswith("'") else value
        parts.append(f'"{path}": {operand}' if sign == "=" else f'"{path}": {{{_OPERATORS[sign]}: {operand}}}')
    return f"{{{', '.join(parts)}}}"


MUTATIONS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "wrong_number": _wrong_number,
        "misspelt_field": _misspelt_field,
        "cut_off": _cut_off,
        "with_write": _with_write,
        "wrong_type": _wrong_type,
        "in_prose": _in_prose,
        "no_reply": _no_reply,
    }
)

BASELINES: Mapping[str, Baseline] = MappingProxyType(
    {"whole-documents": whole_documents, "mutated": mutated, "keyword": keyword}
)

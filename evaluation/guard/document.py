"""The page that tells submitters which texts are read and what is refused, written from the guard's own tables."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard import lists, rules
from evaluation.guard.canonical import canonical_arguments
from evaluation.guard.examples import FLAGGED, READ, REFUSED, Example
from evaluation.guard.judge import judge
from evaluation.parse.limits import DEPTH, NODES, TEXT_BYTES
from evaluation.parse.read import read
from evaluation.types import ReadingContext

_CONTEXT: Final = ReadingContext(
    db_id="shop", collections=("orders", "products"), now=datetime(2024, 3, 15, 12, tzinfo=UTC)
)

_OPENING: Final = """\
# How a text becomes a query

<!-- Written by evaluation.guard.document; a test compares this file with its output. -->

A prediction is text. AptBoard reads the one clear read-only query in it and judges the query before it is sent.
Nothing in a text is ever run: the text is parsed, and only literals, the shell's value constructors and the read
methods have a meaning. Code fences, prose, shell prompts and JSON envelopes around one query are taken off;
a broken query is not repaired. To see what becomes of your texts, write them as JSON lines and run
`aptboard parse FILE`, where each line is `{"id": …, "text": …}`, with `"db_id"` and `"collections"` if known.
The examples are read for the database `shop` with the collections `orders` and `products`.

## What is read
"""

_VALUES: Final = """
Values are what mongosh would send: whole numbers within int32 are int32, all other JavaScript numbers are
doubles; `undefined` is null; keys that are whole numbers come first; Extended JSON wrappers are decoded.
Options and calls that cannot change the answer (`hint`, `batchSize`, `maxTimeMS`, `allowDiskUse`, `comment` …)
are left out, and AptBoard sends its own limits.

## What is refused
"""


def reading_page() -> str:
    """The whole page in Markdown; the same text for the same tables."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _OPENING
    for example in READ:
        yield from _example(example)
    yield _VALUES
    yield from _table("Reason", REFUSED)
    yield "\n## Flags\n\nFlags go with an item and never change its score.\n"
    yield from _table("Flag", FLAGGED)
    yield from _limits()
    yield from _lists()


def _example(example: Example) -> Iterator[str]:
    reading = read(example.text, context=_CONTEXT)
    flags = sorted({*reading.flags, *judge(reading.query, collections=_CONTEXT.collections)})
    query = reading.query
    after = {"length": query.length_only, "index": query.index, "path": ".".join(query.path)}
    shown = ", ".join(f"{name} {json.dumps(value)}" for name, value in after.items() if value not in (False, None, ""))
    yield f"**{example.name}**\n\n````\n{example.text}\n````\n"
    yield f"is `{query.operation}` on `{query.collection}` with `{canonical_arguments(query)}`"
    if shown:
        yield f"and takes of the answer: {shown}"
    if flags:
        yield f"and is flagged {', '.join(flags)}"
    yield ""


def _table(head: str, examples: tuple[Example, ...]) -> Iterator[str]:
    yield f"| {head} | What it means | Example |"
    yield "|---|---|---|"
    for example in examples:
        quote = "``" if "`" in example.text else "`"
        shown = f"{quote} {example.text} {quote}".replace("|", "&#124;") if example.text.strip() else ""
        yield f"| `{example.name}` | {example.meaning} | {shown} |"


def _limits() -> Iterator[str]:
    yield "\n## Limits\n"
    yield f"- {TEXT_BYTES:,} bytes of text, {NODES:,} parts, {DEPTH} levels of nesting"
    yield f"- {rules.STAGES} stages in a pipeline, {rules.ALL_STAGES} in a query, {rules.PIPELINES} nested pipelines"
    yield f"- {rules.DOCUMENTS:,} documents in `$documents`, {rules.RANGE:,} numbers in a constant `$range`"
    yield f"- {rules.REGEX:,} characters in a regular expression"
    yield "- no expression that outgrows its operands, such as a `$reduce` that copies its value twice a round"


def _lists() -> Iterator[str]:
    yield "\n## The lists\n"
    yield "What is on no list is refused. The number is the first server version that knows the name."
    for kind in lists.Kind:
        yield f"\n### {kind.capitalize()}s\n"
        entries = [entry for entry in lists.ENTRIES if entry.kind is kind]
        for reason in dict.fromkeys(entry.reason for entry in entries):
            yield f"- {reason}: " + ", ".join(
                f"`{each.name}` {each.since}" for each in entries if each.reason == reason
            )
    yield "\n### Refused by name\n"
    for table in (lists.REFUSED_METHODS, lists.REFUSED_COMMANDS, lists.REFUSED_OPERATORS, lists.REFUSED_VARIABLES):
        for refusal in table.values():
            yield f"- `{refusal.name}`: `{refusal.reason}`, {refusal.why}"


def outcome_of(text: str) -> str:
    """The reason of the refusal of an example, or its flags, as the page says them."""
    try:
        reading = read(text, context=_CONTEXT)
        flags = judge(reading.query, collections=_CONTEXT.collections)
    except (UnparsableTextError, ForbiddenQueryError) as error:
        return error.reason
    return " ".join(sorted({*reading.flags, *flags}))

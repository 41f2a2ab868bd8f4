"""`aptboard bundle card`: measures what a bundle's documents look like."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmark_data.card import FieldCard, Span
from benchmark_data.card_file import StoredCard, measure_database, read_cards, write_cards
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from evaluation.commands.faults import Directory, faults_shown, progress_shown


def card(
    directory: Directory,
    db_id: Annotated[str | None, typer.Argument(metavar="[DB]", help="Only this database.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Measure all databases and store the cards in the bundle.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one card a line, as JSON.")] = False,
) -> None:
    """Show the cards of a bundle's collections; those that are not stored in it are measured.

    Cards are outside of the digest that scores belong to. Exit codes: 0 shown, 2 the bundle has faults.
    """
    with faults_shown():
        bundle = load_bundle(directory)
        if db_id is not None and db_id not in {database.db_id for database in bundle.databases}:
            raise typer.BadParameter(f"the bundle has no database {db_id!r}", param_hint="DB")
        if write:
            cards = _measured(bundle, None)
            write_cards(bundle, cards)
        else:
            cards = _stored(bundle) or _measured(bundle, db_id)
    for stored in (one for name, found in cards.items() if db_id in (None, name) for one in found):
        if as_json:
            typer.echo(json.dumps(_line(stored), ensure_ascii=False, allow_nan=False))
        else:
            _show(stored)


def _stored(bundle: Bundle) -> dict[str, tuple[StoredCard, ...]]:
    cards = read_cards(bundle)
    return {d.db_id: tuple(card for card in cards if card.db_id == d.db_id) for d in bundle.databases} if cards else {}


def _measured(bundle: Bundle, db_id: str | None) -> dict[str, tuple[StoredCard, ...]]:
    databases = [database for database in bundle.databases if db_id in (None, database.db_id)]
    total = sum(collection.documents for database in databases for collection in database.collections)
    with progress_shown("Measuring", total=total) as advance:
        return {
            database.db_id: measure_database(
                database,
                progress=lambda count, name=database.db_id: advance(count, name),  # type: ignore[misc]
            )
            for database in databases
        }


def _line(stored: StoredCard) -> dict[str, Any]:
    return {"db_id": stored.db_id, "collection": stored.collection, "card": stored.card.as_json()}


def _show(stored: StoredCard) -> None:
    console = Console(width=None if Console().is_terminal else 140)
    found = stored.card
    title = f"{escape(stored.db_id)}.{escape(stored.collection)}: {found.documents:,} documents"
    table = Table("Field", "Types", title=title)
    table.add_column("Documents", justify="right")
    for name in ("Values", "Examples"):
        table.add_column(name)
    for field in found.fields:
        types = ", ".join(one.name for one in field.types)
        share = f"{field.share:.0%}{' (optional)' if field.optional else ''}"
        table.add_row(escape(field.path), types, share, _values(field), escape(_examples(field)))
    console.print(table)
    if found.description:
        console.print(found.description, markup=False, highlight=False)
    for relation in found.relations:
        guess = " (guessed)" if relation.guessed else ""
        console.print(f"{relation.path} → {relation.collection}.{relation.field}{guess}", markup=False, highlight=False)


def _values(field: FieldCard) -> str:
    spans = {"": field.numbers or field.dates, " elements": field.lengths, " characters": field.characters}
    parts = [f"{_span(span)}{unit}" for unit, span in spans.items() if span is not None]
    if field.distinct:
        parts.append(f"{'' if field.distinct_exact else 'about '}{field.distinct:,} different")
    return "; ".join(parts)


def _span(span: Span) -> str:
    return str(span.smallest) if span.smallest == span.largest else f"{span.smallest} … {span.largest}"


def _examples(field: FieldCard) -> str:
    if field.keys:
        return "keys such as " + ", ".join(field.keys)
    return field.description or ", ".join(json.dumps(example, ensure_ascii=False) for example in field.examples)

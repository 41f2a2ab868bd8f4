"""`aptboard prompt`: prints what a model is sent for an item."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmark_data.load import load_bundle
from evaluation.commands.faults import faults_shown
from evaluation.prompts.bundles import bundle_writers
from evaluation.prompts.templates import DEFAULT_TEMPLATE, TEMPLATES
from evaluation.prompts.types import question_of
from evaluation.types import Condition

TemplateName = StrEnum("TemplateName", {label.replace("@", "_"): label for label in TEMPLATES})  # type: ignore[misc]
"""The wordings, as the command line's choices."""


def prompt(
    item: Annotated[str, typer.Option("--item", help="The item's question_id.")],
    bundle: Annotated[Path, typer.Option(help="The benchmark bundle's folder.")],
    condition: Annotated[Condition, typer.Option(help="With or without evidence.")] = Condition.WITH_EVIDENCE,
    template: Annotated[TemplateName, typer.Option(help="Name and version of the wording.")] = TemplateName(  # noqa: B008
        DEFAULT_TEMPLATE
    ),
    context: Annotated[int | None, typer.Option(min=1, help="Tokens that the prompt may take.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print messages, size and digest as JSON.")] = False,
) -> None:
    """Print the prompt of one item, exactly as a model is sent it. It never holds gold or SQL.

    Exit codes: 0 printed, 1 the database's description does not fit, 2 the bundle or an option has faults.
    """
    with faults_shown():
        loaded = load_bundle(bundle)
        found = next((one for one in loaded.items if one.question_id == item), None)
        if found is None:
            raise typer.BadParameter(f"the bundle has no item {item!r}", param_hint="--item")
        written = bundle_writers(loaded, template=TEMPLATES[template.value], room=context, db_ids={found.db_id})
    if found.db_id in written.too_large:
        typer.echo(str(written.too_large[found.db_id]), err=True)
        raise typer.Exit(1)
    made = written.writers[found.db_id].prompt(question_of(found), condition)
    if as_json:
        content = {
            "template": made.template,
            "detail": made.detail,
            "left_out_fields": made.left_out,
            "estimated_tokens": made.tokens,
            "sha256": made.digest,
            "messages": [{"role": message.role, "content": message.content} for message in made.messages],
        }
        typer.echo(json.dumps(content, ensure_ascii=False, indent=1))
        return
    for message in made.messages:
        typer.echo(f"--- {message.role}\n{message.content}")
    left_out = f", {made.left_out} fields left out" if made.left_out else ""
    typer.echo(f"--- {made.template}, detail {made.detail}{left_out}, about {made.tokens:,} tokens", err=True)

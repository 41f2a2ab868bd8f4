"""The console script `aptboard`."""

import typer

from evaluation.commands.bundle import bundle
from evaluation.commands.compare import compare
from evaluation.commands.docmap import docmap
from evaluation.commands.docmap_example import example
from evaluation.commands.docmap_queries import queries
from evaluation.commands.docmap_study import study
from evaluation.commands.generate import generate
from evaluation.commands.parse import parse
from evaluation.commands.practice import practice_endpoint
from evaluation.commands.prompt import prompt
from evaluation.commands.score import score
from evaluation.commands.submit import submit

app = typer.Typer(
    name="aptboard",
    help="Score predicted MongoDB queries on your own machine, with the code that the AptMQL-Bench board runs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
app.command()(score)
app.command()(submit)
app.command()(parse)
app.command()(compare)
app.command()(prompt)
app.command()(generate)
app.command("practice-endpoint")(practice_endpoint)
app.add_typer(bundle, name="bundle")
docmap.command()(example)
docmap.command()(queries)
docmap.command()(study)
app.add_typer(docmap, name="docmap")


def main() -> None:
    """Run the command line."""
    app()

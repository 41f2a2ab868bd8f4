"""The console script `aptboard`."""

import typer

from evaluation.commands.bundle import bundle
from evaluation.commands.compare import compare
from evaluation.commands.docmap import docmap
from evaluation.commands.docmap_queries import queries, study
from evaluation.commands.parse import parse
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
app.add_typer(bundle, name="bundle")
docmap.command()(queries)
docmap.command()(study)
app.add_typer(docmap, name="docmap")


def main() -> None:
    """Run the command line."""
    app()

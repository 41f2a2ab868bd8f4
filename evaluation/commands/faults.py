"""What the commands on files share: their exit codes, how faults are shown, and a progress bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmark_data.errors import BenchmarkError, Fault, FaultyFileError, InfrastructureError

FAULTY = 2
PLATFORM = 4

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The bundle's folder.", exists=True, file_okay=False)]


@contextmanager
def faults_shown() -> Iterator[None]:
    """End the command with one line a fault where a file cannot be used, or the document database failed."""
    try:
        yield
    except FaultyFileError as error:
        for fault in error.faults:
            typer.echo(str(fault), err=True)
        echo_count(error.total)
        raise typer.Exit(FAULTY) from error
    except BenchmarkError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(FAULTY) from error
    except InfrastructureError as error:
        typer.echo(f"The document database failed: {error}", err=True)
        raise typer.Exit(PLATFORM) from error
    except OSError as error:
        message = error.strerror or str(error)
        typer.echo(str(Fault(file=str(error.filename), rule="unusable_file", message=message)), err=True)
        raise typer.Exit(FAULTY) from error


def echo_count(faults: int) -> None:
    """Say how many faults there are."""
    typer.echo("1 fault." if faults == 1 else f"{faults:,} faults.", err=True)


@contextmanager
def progress_shown(title: str, *, total: int) -> Iterator[Callable[[int, str], None]]:
    """A progress bar on a terminal; call what it gives with how much was done since, and with what is being done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count, text: bar.update(task, advance=count, description=f"{title} {escape(text)}".rstrip())

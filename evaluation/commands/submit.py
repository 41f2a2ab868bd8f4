"""`aptboard submit`: sends a prediction file to a site and waits for the scores."""

import time
import uuid
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmark_data.errors import FaultyPredictionsError, InfrastructureError
from evaluation.client import BoardClient, RefusedError, SubmissionStatus
from evaluation.types import Condition

POLL_SECONDS = 0.5

GATE, INVALID, REFUSED, PLATFORM = 1, 2, 3, 4


def submit(
    predictions: Annotated[Path, typer.Argument(help="The prediction file.", exists=True, dir_okay=False)],
    entry: Annotated[str, typer.Option(help="Name on the board.")],
    token: Annotated[str, typer.Option(envvar="APTBOARD_TOKEN", help="API token.", show_default=False)],
    site: Annotated[str, typer.Option(envvar="APTBOARD_SITE", help="The site's address.")] = "http://127.0.0.1:8000",
    description: Annotated[str, typer.Option(help="One line about the entry.")] = "",
    condition: Annotated[Condition | None, typer.Option(help="Condition of predictions that name none.")] = None,
    release: Annotated[str, typer.Option(help="name@version; the current release if not given.")] = "",
    wait: Annotated[bool, typer.Option(help="Wait for the scores.")] = True,
    min_strict_ex: Annotated[
        float | None, typer.Option(min=0, max=1, help="Fail with code 1 if Strict-EX of any condition is lower.")
    ] = None,
) -> None:
    """Submit predictions and, unless told not to, wait for the scores.

    Exit codes: 0 scored (or sent, with --no-wait), 1 below the gate, 2 the file has faults or the run failed,
    3 refused (address, token), 4 the site had a fault or is unreachable.
    """
    console = Console(stderr=True)
    try:
        client = BoardClient(site=site, token=token)
        status = client.submit(
            predictions,
            entry=entry,
            description=description,
            condition=condition,
            release=release,
            idempotency_key=str(uuid.uuid4()),
        )
        console.print(f"Submitted: {status.page}", markup=False, highlight=False, soft_wrap=True)
        if wait:
            status = _wait(client, status, console)
    except FaultyPredictionsError as error:
        console.print(f"{error.total} faults:", style="red")
        for fault in error.faults:
            console.print(f"  {fault}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(INVALID) from error
    except RefusedError as error:
        console.print(str(error), style="red", markup=False)
        raise typer.Exit(REFUSED) from error
    except InfrastructureError as error:
        console.print(str(error), style="red", markup=False)
        raise typer.Exit(PLATFORM) from error
    if wait:
        _conclude(status, min_strict_ex)


def _wait(client: BoardClient, status: SubmissionStatus, console: Console) -> SubmissionStatus:
    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        tasks = {run.condition: bar.add_task(run.condition, total=run.total) for run in status.runs}
        while True:
            for run in status.runs:
                bar.update(tasks[run.condition], completed=run.done, total=run.total)
            if status.ended:
                return status
            time.sleep(POLL_SECONDS)
            status = client.status(status.id)


def _conclude(status: SubmissionStatus, min_strict_ex: float | None) -> None:
    table = Table()
    table.add_column("Condition")
    table.add_column("State")
    for head in ("Exec-Rate", "Soft-EX", "Strict-EX"):
        table.add_column(head, justify="right")
    for run in status.runs:
        table.add_row(run.condition, run.state, *(_share(run.report, m) for m in ("exec_rate", "soft_ex", "strict_ex")))
    Console().print(table)
    for run in status.runs:
        if run.reason:
            Console(stderr=True).print(f"{run.condition}: {run.reason}", markup=False)
    if any(run.state == "incomplete" for run in status.runs):
        raise typer.Exit(PLATFORM)
    if any(run.state != "finished" for run in status.runs):
        raise typer.Exit(INVALID)
    if min_strict_ex is not None and any(_value(run.report, "strict_ex") < min_strict_ex for run in status.runs):
        raise typer.Exit(GATE)


def _value(report: object, metric: str) -> float:
    value = report[metric]["value"] if isinstance(report, dict) else None
    return 0.0 if value is None else float(value)


def _share(report: object, metric: str) -> str:
    value = report[metric]["value"] if isinstance(report, dict) else None
    return "–" if value is None else f"{100 * value:.2f}"

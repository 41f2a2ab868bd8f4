"""`aptboard practice-endpoint`: serves practice models, to try a run on an endpoint before a real one is asked."""

import time
from typing import Annotated

import typer

from evaluation.practice.behaviours import Behaviour, FaultPlan
from evaluation.practice.server import KEY, Practice, serving


def practice_endpoint(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free port.")] = 8089,
    milliseconds: Annotated[float, typer.Option(min=0, help="That each answer takes.")] = 0.0,
    faults: Annotated[float, typer.Option(min=0, max=1, help="Share of calls that go wrong in a passing way.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Another seed, other calls go wrong.")] = 0,
    retry_after: Annotated[float, typer.Option(min=0, help="Seconds that a limited call asks to wait.")] = 1.0,
    key: Annotated[str, typer.Option(help="The API key to accept.")] = KEY,
) -> None:
    """Serve an OpenAI-compatible endpoint on this machine, whose models behave well or badly by their name.

    GET /v1/models lists them; GET /practice/calls counts what was asked. Ends with Ctrl-C.
    """
    practice = Practice(
        key=key, seconds=milliseconds / 1000, retry_after=retry_after, faults=FaultPlan(share=faults, seed=seed)
    )
    try:
        with serving(practice, port) as server:
            typer.echo(
                f"Practice endpoint at {server.url}, key {key}. Models: {', '.join(Behaviour)}. Ctrl-C stops it."
            )
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:
        typer.echo("Stopped.")

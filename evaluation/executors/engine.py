"""Whether a document database is new enough for a bundle's gold."""

from benchmark_data.types import EngineRequirements
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import EngineIdentity


def engine_problem(url: str, wanted: EngineRequirements) -> str | None:
    """Why the server that `url` names may not run a bundle's gold, or None.

    Raises:
        EngineUnavailableError: the server cannot be reached.
    """
    if not wanted.mongodb and not wanted.features:
        return None
    executor = MongoExecutor(url)
    try:
        return unmet_requirement(executor.identity, wanted)
    finally:
        executor.close()


def unmet_requirement(engine: EngineIdentity, wanted: EngineRequirements) -> str | None:
    """What an engine may lack; a version can be compared only where the engine is MongoDB itself."""
    needs = " and ".join(
        part for part in (wanted.mongodb and f"MongoDB {wanted.mongodb}", ", ".join(wanted.features)) if part
    )
    if engine.name != "MongoDB":
        return f"the bundle needs {needs}; whether {engine.name} {engine.version} can do that shows when gold is run."
    if wanted.mongodb and _numbers(engine.version) < _numbers(wanted.mongodb):
        return f"the bundle needs {needs}; the server is {engine.name} {engine.version}."
    return None


def _numbers(version: str) -> tuple[int, ...]:
    """A version's leading numbers: "7.0.14-rc1" is (7, 0, 14)."""
    found = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        found.append(int(digits))
    return tuple(found)

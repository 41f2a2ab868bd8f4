"""Pipelines: every stage, and every pipeline and collection inside a stage."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.lists import REFUSED_OPERATORS, STAGES
from evaluation.guard.namespaces import check_collection
from evaluation.guard.rules import ALL_STAGES, DOCUMENTS, PIPELINES, too_complex
from evaluation.guard.rules import STAGES as MOST_STAGES
from evaluation.guard.values import Judgement, check_value

_LOOKUP: Final = frozenset({"from", "localField", "foreignField", "let", "pipeline", "as"})
_GRAPH_LOOKUP: Final = frozenset(
    {
        "from",
        "startWith",
        "connectFromField",
        "connectToField",
        "as",
        "maxDepth",
        "depthField",
        "restrictSearchWithMatch",
    }
)
_UNION: Final = frozenset({"coll", "pipeline"})


def check_pipeline(pipeline: Any, judgement: Judgement, nesting: int = 1) -> None:
    """Look at every stage of a pipeline; the innermost are reached through the stages that hold pipelines.

    Raises:
        ForbiddenQueryError: "bad_stage", "unknown_stage", "write_stage", "too_complex", or what a value is refused for.
    """
    if not isinstance(pipeline, list):
        raise ForbiddenQueryError("bad_stage", "A pipeline must be a list of stages.")
    judgement.stages += len(pipeline)
    if len(pipeline) > MOST_STAGES or judgement.stages > ALL_STAGES:
        raise too_complex(f"A pipeline has more than {MOST_STAGES} stages.")
    if nesting > PIPELINES:
        raise too_complex(f"Pipelines nest deeper than {PIPELINES} levels.")
    for stage in pipeline:
        _check_stage(stage, judgement, nesting)


def _check_stage(stage: Any, judgement: Judgement, nesting: int) -> None:
    """One key a stage: a guard that looks at the first key misses the second (attack X006)."""
    if not isinstance(stage, dict) or len(stage) != 1:
        raise ForbiddenQueryError("bad_stage", "A stage must be a document with one key.")
    [(name, value)] = stage.items()
    refusal = REFUSED_OPERATORS.get(name)
    if refusal is not None:
        raise ForbiddenQueryError(refusal.reason, f"{name} {refusal.why}.")
    if name not in STAGES:
        raise ForbiddenQueryError("unknown_stage", f"{str(name)[:60]} is not on the list of stages.")
    if name == "$sample":
        judgement.flags.add("nondeterministic")
    _INSIDE.get(name, _plain)(value, judgement, nesting)


def _plain(value: Any, judgement: Judgement, nesting: int) -> None:
    check_value(value, judgement)


def _only(value: Any, names: frozenset[str], stage: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) - names:
        raise ForbiddenQueryError("bad_stage", f"{stage} has a part that it does not take.")
    return value


def _check_source(value: Mapping[str, Any], key: str, judgement: Judgement) -> None:
    """The collection a stage reads; it may be left out where the pipeline starts with `$documents`."""
    pipeline = value.get("pipeline")
    if key not in value and isinstance(pipeline, list) and pipeline and _starts_with_documents(pipeline[0]):
        return
    check_collection(value.get(key), collections=judgement.collections)


def _starts_with_documents(stage: Any) -> bool:
    return isinstance(stage, dict) and list(stage) == ["$documents"]


def _lookup(value: Any, judgement: Judgement, nesting: int) -> None:
    parts = _only(value, _LOOKUP, "$lookup")
    _check_source(parts, "from", judgement)
    if "pipeline" in parts:
        check_pipeline(parts["pipeline"], judgement, nesting + 1)
    check_value({key: part for key, part in parts.items() if key != "pipeline"}, judgement)


def _graph_lookup(value: Any, judgement: Judgement, nesting: int) -> None:
    parts = _only(value, _GRAPH_LOOKUP, "$graphLookup")
    check_collection(parts.get("from"), collections=judgement.collections)
    check_value(parts, judgement)


def _union_with(value: Any, judgement: Judgement, nesting: int) -> None:
    """`$unionWith` takes a name or a document (attack X031)."""
    if isinstance(value, str):
        check_collection(value, collections=judgement.collections)
        return
    parts = _only(value, _UNION, "$unionWith")
    _check_source(parts, "coll", judgement)
    if "pipeline" in parts:
        check_pipeline(parts["pipeline"], judgement, nesting + 1)


def _facet(value: Any, judgement: Judgement, nesting: int) -> None:
    if not isinstance(value, dict):
        raise ForbiddenQueryError("bad_stage", "$facet must be a document of pipelines.")
    for name, pipeline in value.items():
        check_value({name: None}, judgement)
        check_pipeline(pipeline, judgement, nesting + 1)


def _documents(value: Any, judgement: Judgement, nesting: int) -> None:
    if isinstance(value, list) and len(value) > DOCUMENTS:
        raise too_complex(f"$documents holds more than {DOCUMENTS} documents.")
    check_value(value, judgement)


_INSIDE: Final[Mapping[str, Callable[[Any, Judgement, int], None]]] = {
    "$lookup": _lookup,
    "$graphLookup": _graph_lookup,
    "$unionWith": _union_with,
    "$facet": _facet,
    "$documents": _documents,
}

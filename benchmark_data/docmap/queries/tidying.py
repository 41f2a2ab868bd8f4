"""Rewrites of a finished pipeline: those that always keep its answer, and those that a comparison has to confirm."""

from typing import Any

Stage = dict[str, Any]


def tidied(pipeline: list[Stage]) -> list[Stage]:
    """Neighbouring $match stages as one; never another answer."""
    made: list[Stage] = []
    for stage in map(_inside, pipeline):
        before = made[-1].get("$match") if made else None
        if before is not None and "$match" in stage and not set(before) & set(stage["$match"]):
            made[-1] = {"$match": {**before, **stage["$match"]}}
        else:
            made.append(stage)
    return made


def _inside(stage: Stage) -> Stage:
    [(name, value)] = stage.items()
    if name in {"$lookup", "$unionWith"} and isinstance(value, dict) and "pipeline" in value:
        return {name: {**value, "pipeline": tidied(value["pipeline"])}}
    if name == "$facet":
        return {name: {key: tidied(inside) for key, inside in value.items()}}
    return stage


def without_group_guard(pipeline: list[Stage]) -> list[Stage]:
    """A whole-collection $group without the row that SQL gives where no row reaches it.

    Another answer only where nothing is left to group; so it has to be confirmed on every instance.
    """
    made: list[Stage] = []
    stages = iter(pipeline)
    for stage in stages:
        group = _guarded_group(stage)
        if group is None:
            made.append(stage)
        else:
            next(stages, None)
            made.append(group)
    return made


def _guarded_group(stage: Stage) -> Stage | None:
    inside = stage.get("$facet")
    if not isinstance(inside, dict) or list(inside) != ["rows"] or len(inside["rows"]) != 1:
        return None
    [only] = inside["rows"]
    return only if "$group" in only else None

"""Rewrites of a finished pipeline: those that always keep its answer, and those that a comparison has to confirm."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Stage = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """A condition on a path that only tests for a row to be there.

    Args:
        test: the condition.
        signs: paths that have a value only where there is such a row.
    """

    test: dict[str, Any]
    signs: tuple[str, ...]


def tidied(pipeline: list[Stage], presences: Mapping[str, Presence] | None = None) -> list[Stage]:
    """Filters as early as their fields are there, neighbouring ones as one, without needless tests.

    Never another answer.

    Args:
        pipeline: the stages.
        presences: conditions that may be needless, by path.
    """
    made: list[Stage] = []
    for stage in map(_inside, pipeline):
        if "$match" not in stage:
            made.append(stage)
            continue
        for path, test in stage["$match"].items():
            _enter_condition(path, test, made, presences or {})
    return [{"$match": _computed_last(stage["$match"])} if "$match" in stage else stage for stage in made]


def _enter_condition(path: str, test: Any, made: list[Stage], presences: Mapping[str, Presence]) -> None:
    """Add a condition to the first filter that it may join, in front of all that does not touch its field."""
    place = len(made)
    while place and _is_independent(made[place - 1], path):
        place -= 1
    if place == len(made) and made and "$match" in made[-1]:
        place -= 1
    own = made[place].get("$match") if place < len(made) else None
    if own is None:
        made.insert(place, {"$match": {path: test}})
        return
    _drop_needless(own, path, test, presences)
    if _is_needless(path, test, own, presences):
        return
    if own.get(path, test) != test:
        made.insert(place + 1, {"$match": {path: test}})
    else:
        own[path] = test


def _is_independent(stage: Stage, path: str) -> bool:
    """Whether a condition on a path gives the same before a stage as after it."""
    if path[:1] == "$":
        return False
    [(name, value)] = stage.items()
    if name == "$match":
        return True
    if name == "$unwind":
        made = str(value["path"] if isinstance(value, Mapping) else value).removeprefix("$")
        return not _overlap(path, made)
    if name == "$set":
        return not any(_overlap(path, made) for made in value)
    return name == "$lookup" and not _overlap(path, value["as"])


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _drop_needless(own: Stage, path: str, test: Any, presences: Mapping[str, Presence]) -> None:
    """Take out tests for a row's presence that a new condition on the row makes needless."""
    if _wants_value(path, test):
        for other in [each for each, known in own.items() if _is_presence(each, known, presences)]:
            if _signs(path, presences[other].signs):
                del own[other]


def _is_needless(path: str, test: Any, own: Stage, presences: Mapping[str, Presence]) -> bool:
    return _is_presence(path, test, presences) and any(
        _wants_value(other, known) and _signs(other, presences[path].signs) for other, known in own.items()
    )


def _is_presence(path: str, test: Any, presences: Mapping[str, Presence]) -> bool:
    return path in presences and presences[path].test == test


def _signs(path: str, signs: Iterable[str]) -> bool:
    return any(f"{path}.".startswith(f"{sign}.") for sign in signs)


def _wants_value(path: str, test: Any) -> bool:
    """Whether null and a missing field fail a condition."""
    if path[:1] == "$":
        return False
    if isinstance(test, Mapping):
        return bool({"$gt", "$gte", "$lt", "$lte", "$regex"} & set(test))
    return test is not None


def _computed_last(condition: Stage) -> Stage:
    """Conditions on fields are cheaper than expressions."""
    return dict(sorted(condition.items(), key=lambda pair: pair[0] == "$expr"))


def _inside(stage: Stage) -> Stage:
    [(name, value)] = stage.items()
    if name in {"$lookup", "$unionWith"} and isinstance(value, dict) and "pipeline" in value:
        return {name: {**value, "pipeline": tidied(value["pipeline"])}}
    if name == "$facet":
        return {name: {key: tidied(inside) for key, inside in value.items()}}
    return {name: dict(value)} if name == "$match" else stage


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

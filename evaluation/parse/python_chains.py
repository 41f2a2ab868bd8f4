"""Chains of pymongo calls: `db["t"].find({…}).sort("a", -1)`, `list(…)`, `len(…)`."""

import ast
from dataclasses import dataclass
from typing import Any, Final

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.namespaces import check_collection_name, check_database
from evaluation.parse.commands import db_level_aggregate, draft_from_command
from evaluation.parse.cursors import chained_call, take_index, take_length, take_path
from evaluation.parse.draft import Draft, Held
from evaluation.parse.methods import camel_case, check_method, draft_from_call, sort_argument
from evaluation.parse.places import Place
from evaluation.parse.python import CLIENT, Program, evaluate, plain
from evaluation.parse.python_values import call_value, known_name

_SHOWN: Final = frozenset(
    [
        "list",
        "print",
        "pprint",
        "pprint.pprint",
        "tuple",
        "dumps",
        "json.dumps",
        "json_util.dumps",
        "bson.json_util.dumps",
    ]
)
_POSITIONAL: Final = {
    "find": ("filter", "projection", "skip", "limit"),
    "findOne": ("filter", "projection", "skip", "limit"),
    "aggregate": ("pipeline", "session"),
    "countDocuments": ("filter", "session"),
    "count": ("filter",),
    "estimatedDocumentCount": ("comment",),
    "distinct": ("key", "filter"),
}
_LEADING: Final = {"find": 2, "findOne": 2, "aggregate": 1, "distinct": 2, "countDocuments": 1, "count": 1}
Link = ast.Attribute | ast.Subscript | ast.Call


@dataclass(frozen=True, slots=True)
class Arguments:
    """The values of one call."""

    ordered: list[Any]
    named: dict[str, Any]


def chain_value(node: ast.expr, program: Program, depth: int) -> Any:
    """The value of a chain of attributes, subscripts and calls; walked without recursion."""
    links: list[Link] = []
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        links.append(node)
        node = node.func if isinstance(node, ast.Call) else node.value
    links.reverse()
    if isinstance(node, ast.Name) and node.id not in program.variables:
        value, links = _by_name(node, links, program, depth)
    else:
        value = evaluate(node, program, depth + 1)
    while links:
        value, links = _fold(value, links, program, depth)
    return value


def _by_name(root: ast.Name, links: list[Link], program: Program, depth: int) -> tuple[Any, list[Link]]:
    """A call of a known function, or a known constant of a module: `datetime.now()`, `pymongo.DESCENDING`."""
    names = [root.id]
    for place, link in enumerate(links):
        if isinstance(link, ast.Call):
            return _known_call(names, link, program, depth), links[place + 1 :]
        if not isinstance(link, ast.Attribute):
            break
        names.append(link.attr)
    try:
        return known_name(names[-1]), links[len(names) - 1 :]
    except KeyError:
        raise program.unsupported(root, f"The name {'.'.join(names)[:60]} is not known here.") from None


def _known_call(names: list[str], call: ast.Call, program: Program, depth: int) -> Any:
    name = ".".join(names)
    if name in _SHOWN and call.args:
        return evaluate(call.args[0], program, depth + 1)
    if name in {"len", "next"} and len(call.args) == 1:
        return _length_or_next(name, call, program, depth)
    if names[-1] == "MongoClient":
        return CLIENT
    arguments = call_arguments(call, program, depth)
    now, flags = program.context.now, program.flags
    for known in (name, ".".join(names[-2:]), names[-1]):
        try:
            return call_value(known, arguments.ordered, arguments.named, now=now, flags=flags)
        except KeyError:
            continue
    raise program.unsupported(call, f"{name[:60]}() is not known here.")


def _length_or_next(name: str, call: ast.Call, program: Program, depth: int) -> Any:
    draft = evaluate(call.args[0], program, depth + 1)
    if not isinstance(draft, Draft) or draft.held not in {Held.CURSOR, Held.ARRAY}:
        raise program.unsupported(call, f"{name}() is only known for the result of a query.")
    if name == "next":
        return take_index(draft, 0)
    draft.held = Held.ARRAY
    return take_length(draft)


def call_arguments(call: ast.Call, program: Program, depth: int) -> Arguments:
    """The values of the arguments of a call."""
    ordered: list[Any] = []
    for argument in call.args:
        if isinstance(argument, ast.Starred):
            raise program.unsupported(argument, "Starred arguments are not supported.")
        ordered.append(plain(argument, program, depth + 1))
    named: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise program.unsupported(call, "Starred arguments are not supported.")
        named[keyword.arg] = plain(keyword.value, program, depth + 1)
    return Arguments(ordered, named)


def _fold(value: Any, links: list[Link], program: Program, depth: int) -> tuple[Any, list[Link]]:
    link = links[0]
    if value is CLIENT:
        return _database(links, program, depth)
    if isinstance(value, Place):
        return _in_place(value, link, program, depth), links[1:]
    if isinstance(value, Draft):
        return _on_draft(value, links, program, depth)
    raise program.unsupported(link, "Members of this value are not supported.")


def _database(links: list[Link], program: Program, depth: int) -> tuple[Any, list[Link]]:
    link, left = links[0], links[1:]
    name = link.attr if isinstance(link, ast.Attribute) else None
    if isinstance(link, ast.Subscript):
        name = plain(link.slice, program, depth + 1)
    elif name in {"get_database", "get_default_database"} and left and isinstance(left[0], ast.Call):
        given = call_arguments(left[0], program, depth).ordered
        name, left = given[0] if given else program.context.db_id, left[1:]
    check_database(name, db_id=program.context.db_id, position=program.position(link))
    return Place(), left


def _in_place(place: Place, link: Link, program: Program, depth: int) -> Any:
    if isinstance(link, ast.Attribute):
        return place.child(link.attr)
    if isinstance(link, ast.Subscript):
        name = plain(link.slice, program, depth + 1)
        if not isinstance(name, str):
            raise program.unsupported(link, "A collection must be named by a string.")
        return place.child(name)
    return _called(place, link, program, depth)


def _called(place: Place, call: ast.Call, program: Program, depth: int) -> Any:
    if not place.names:
        raise program.unsupported(call, "A database or collection cannot be called.")
    *names, last = place.names
    method, position = camel_case(last), program.position(call)
    if not names and place.collection is None:
        return _on_database(method, call, program, depth)
    collection = Place(collection=place.collection, names=tuple(names)).whole_name()
    check_method(method, position=position)
    check_collection_name(collection, position=position)
    draft = _draft(collection, method, call_arguments(call, program, depth), program, position)
    program.drafts.append(draft)
    return draft


def _on_database(method: str, call: ast.Call, program: Program, depth: int) -> Any:
    position = program.position(call)
    if method == "aggregate":
        raise db_level_aggregate(position)
    if method in {"getCollection", "collection", "command"}:
        given = call_arguments(call, program, depth)
        if method == "command":
            return _command(given, program, position)
        name = given.ordered[0] if given.ordered else None
        if not isinstance(name, str):
            raise program.unsupported(call, "The name must be a string.")
        check_collection_name(name, position=position)
        return Place(collection=name)
    check_method(method, position=position)
    raise ForbiddenQueryError("unknown_method", f"db.{method}() is not a read.", position=position)


def _command(given: Arguments, program: Program, position: int) -> Draft:
    command = given.ordered[0] if given.ordered else None
    if isinstance(command, str):
        command = {command: given.ordered[1] if len(given.ordered) > 1 else 1, **given.named}
    draft = draft_from_command(command, flags=program.flags, position=position)
    program.drafts.append(draft)
    return draft


def _draft(collection: str, method: str, given: Arguments, program: Program, position: int) -> Draft:
    """Positional and named arguments in the order in which the shell's method takes them."""
    names = _POSITIONAL[method]
    values = dict(zip(names, given.ordered, strict=False)) | given.named
    if len(given.ordered) > len(names):
        names = ()
    if isinstance(values.get("projection"), list):
        values["projection"] = dict.fromkeys(values["projection"], 1)
    leading = [values.pop(name, None) for name in names[: _LEADING.get(method, 0)]]
    if method == "aggregate" and leading == [None]:
        leading = [[]]
    options = {_camel(name): value for name, value in values.items() if value is not None}
    return draft_from_call(collection, method, [*leading, options], flags=program.flags, position=position)


def _camel(name: str) -> str:
    return {"max_time_ms": "maxTimeMS"}.get(name, camel_case(name))


def _on_draft(draft: Draft, links: list[Link], program: Program, depth: int) -> tuple[Any, list[Link]]:
    link, following = links[0], links[1] if len(links) > 1 else None
    if isinstance(link, ast.Subscript):
        place = plain(link.slice, program, depth + 1)
        if isinstance(place, int) and not isinstance(place, bool):
            return take_index(draft, place), links[1:]
        if isinstance(place, str) and draft.held is Held.DOCUMENT:
            return take_path(draft, (place,)), links[1:]
    if isinstance(link, ast.Attribute) and isinstance(following, ast.Call):
        method = camel_case(link.attr)
        given = call_arguments(following, program, depth)
        if method == "get" and draft.held is Held.DOCUMENT and given.ordered and isinstance(given.ordered[0], str):
            return take_path(draft, (given.ordered[0],)), links[2:]
        return chained_call(draft, "toArray" if method == "toList" else method, _ordered(method, given)), links[2:]
    raise program.unsupported(link, "This has no plain meaning on the result of a query.")


def _ordered(method: str, given: Arguments) -> list[Any]:
    """`sort("a", -1)` and `sort([("a", -1)])` as the one document that the shell takes."""
    ordered = [*given.ordered, *given.named.values()]
    if method != "sort" or not ordered:
        return ordered
    if isinstance(ordered[0], str):
        return [{ordered[0]: ordered[1] if len(ordered) > 1 else 1}]
    if isinstance(ordered[0], list):
        return [sort_argument([[pair, 1] if isinstance(pair, str) else pair for pair in ordered[0]])]
    return ordered


def comprehension_value(node: ast.ListComp, program: Program, depth: int) -> Any:
    """`[d for d in cursor]`, `[d["x"] for d in cursor]`."""
    [loop, *others] = node.generators
    draft = evaluate(loop.iter, program, depth + 1)
    path = element_path(node.elt, loop.target)
    if others or loop.ifs or not isinstance(draft, Draft) or path is None:
        raise program.unsupported(node, "Only a list of the documents, or of one field of each, is supported.")
    draft.held = Held.ARRAY if draft.held is Held.CURSOR else draft.held
    return take_path(draft, path) if path else draft


def element_path(node: ast.expr, target: ast.expr) -> tuple[str, ...] | None:
    """The path that `d["x"]["y"]` takes from the loop's variable; None for anything else."""
    path: list[str] = []
    while (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    ):
        path.append(node.slice.value)
        node = node.value
    same = isinstance(node, ast.Name) and isinstance(target, ast.Name) and node.id == target.id
    return tuple(reversed(path)) if same else None

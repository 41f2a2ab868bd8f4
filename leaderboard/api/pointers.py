"""JSON pointers (RFC 6901) of faults: where in a JSON body a fault is."""

import re
from collections.abc import Iterator
from typing import Any, Final

from benchmark_data.errors import Fault
from evaluation.types import Condition

BODY_FILE: Final = "(request body)"
"""The file name in faults of predictions that came inside a JSON body."""

_ELEMENT: Final = re.compile(r"\[(\d+)\](?:\.(.*))?", re.DOTALL)


def fault_pointer(fault: Fault) -> str | None:
    """The pointer of a fault in a JSON body; None for a fault in an uploaded file, which has lines instead."""
    if fault.file == BODY_FILE:
        return "/predictions" + "".join(f"/{escaped(token)}" for token in _tokens(fault.field))
    if fault.file or not fault.field:
        return None
    # `field_faults` writes steps into lists and objects with dots, and no name of a field has one.
    return "".join(f"/{escaped(step)}" for step in fault.field.split("."))


def escaped(token: str) -> str:
    """One token of a pointer: "a/b~" → "a~1b~0"."""
    return token.replace("~", "~0").replace("/", "~1")


def _tokens(field: str) -> tuple[str, ...]:
    """The steps from the predictions to a field: "[3].query" → 3, query; "with_evidence.7" → with_evidence, 7."""
    if not field:
        return ()
    element = _ELEMENT.fullmatch(field)
    if element:
        return tuple(token for token in element.groups() if token)
    # A question_id may hold dots itself, so only the condition is split off.
    condition, _, question_id = field.partition(".")
    return (condition, question_id) if condition in tuple(Condition) and question_id else (field,)


def field_faults(detail: Any, *, codes: Any, path: str = "") -> Iterator[Fault]:
    """The faults in the nested detail of a ValidationError, and its codes in the same shape."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from field_faults(inner, codes=codes[name], path=f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for inner, code in zip(detail, codes, strict=True):
            yield from field_faults(inner, codes=code, path=path)
    else:
        yield Fault(file="", field="" if path == "non_field_errors" else path, rule=str(codes), message=str(detail))

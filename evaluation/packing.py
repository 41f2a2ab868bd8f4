"""Strict verdicts packed eight to a byte, in the fixed order of a track's items."""

import hashlib
import json
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def order_digest(question_ids: Iterable[str]) -> str:
    """SHA-256 over the items of a track in their order: verdicts that were packed in another order have another one."""
    return hashlib.sha256(json.dumps(list(question_ids)).encode()).hexdigest()


def verdicts_pack(strict: Sequence[bool] | NDArray[np.bool_]) -> bytes:
    """One bit for each item, the first one the highest of the first byte; the last byte is filled up with zeros."""
    return np.packbits(np.asarray(strict, dtype=np.bool_)).tobytes()


def packed_size(items: int) -> int:
    """How many bytes the verdicts on so many items take."""
    return -(-items // 8)


def verdicts_unpack(content: bytes, *, items: int) -> NDArray[np.bool_]:
    """Shape (items,): what `verdicts_pack` packed.

    Raises:
        ValueError: the content is not that of so many items.
    """
    return np.unpackbits(packed_rows([content], items=items)[0], count=items).astype(np.bool_)


def packed_rows(contents: Sequence[bytes], *, items: int) -> NDArray[np.uint8]:
    """Shape (entries, bytes): the packed verdicts of many entries, one row each.

    Raises:
        ValueError: a content is not that of so many items.
    """
    size = packed_size(items)
    if any(len(content) != size for content in contents):
        raise ValueError(f"packed verdicts on {items} items have {size} bytes")
    return np.frombuffer(b"".join(contents), dtype=np.uint8).reshape(len(contents), size)

"""Counts the values of one path in bounded memory: exactly while they are few, by a sketch afterwards."""

import hashlib
import heapq
from collections.abc import Hashable

EXACT = 256
SKETCH = 256
# Longer texts are counted by their digest, so that the values kept stay small.
LONGEST = 64
_SPACE = 2.0**64


class Tally:
    """How often each of the first `EXACT` different values came, and how many different ones there are.

    Above that, the number is estimated from the `SKETCH` smallest hashes, with a standard error of about 6 %.
    Source: Bar-Yossef, Jayram, Kumar, Sivakumar and Trevisan, "Counting Distinct Elements in a Data Stream", 2002.
    """

    __slots__ = ("_heap", "_kept", "counts", "total")

    def __init__(self) -> None:
        self.total = 0
        self.counts: dict[Hashable, int] = {}
        self._kept: set[int] = set()
        self._heap: list[int] = []

    def add(self, value: Hashable, times: int = 1) -> None:
        """Take in a value; texts, numbers that are equal, dates and ids as they are, others as tuples."""
        self.total += times
        if isinstance(value, str) and len(value) > LONGEST:
            value = ("long text", hashed(value))
        counted = self.counts.get(value)
        if counted is not None:
            self.counts[value] = counted + times
        elif len(self.counts) < EXACT and not self._kept:
            self.counts[value] = times
        else:
            if not self._kept:
                for known in self.counts:
                    self._sketch(hashed(known))
            self._sketch(hashed(value))

    def merge(self, other: "Tally") -> None:
        """Take in all that another has counted."""
        for value, times in other.counts.items():
            self.add(value, times)
        self.total += other.total - sum(other.counts.values())
        if other._kept:
            if not self._kept:
                for known in self.counts:
                    self._sketch(hashed(known))
            for hash_ in sorted(other._kept):
                self._sketch(hash_)

    @property
    def exact(self) -> bool:
        """Whether `distinct` is exact."""
        return len(self._kept) < SKETCH

    @property
    def distinct(self) -> int:
        """How many different values came."""
        if not self._kept:
            return len(self.counts)
        if len(self._kept) < SKETCH:
            return len(self._kept)
        return max(SKETCH, min(self.total, round((SKETCH - 1) * _SPACE / -self._heap[0])))

    @property
    def hashes(self) -> frozenset[int]:
        """The hashes of all values where `exact`, else the smallest ones."""
        return frozenset(self._kept or map(hashed, self.counts))

    def _sketch(self, hash_: int) -> None:
        if hash_ in self._kept:
            return
        if len(self._kept) < SKETCH:
            heapq.heappush(self._heap, -hash_)
        elif hash_ < -self._heap[0]:
            self._kept.remove(-heapq.heapreplace(self._heap, -hash_))
        else:
            return
        self._kept.add(hash_)


def containment(part: Tally, whole: Tally) -> float | None:
    """The share of one tally's different values that another has too; None where too little is known to say."""
    known, asked = whole.hashes, part.hashes
    if not whole.exact:
        limit = max(known)
        asked = frozenset(hash_ for hash_ in asked if hash_ <= limit)
        if len(asked) < 8:
            return None
    return len(asked & known) / len(asked) if asked else None


def hashed(value: Hashable) -> int:
    """64 bits that are the same in every process; equal numbers of different types give the same."""
    if isinstance(value, str):
        content = b"s" + value.encode("utf-8", "surrogatepass")
    elif isinstance(value, float) and value.is_integer():
        content = b"o" + repr(int(value)).encode()
    else:
        content = b"o" + repr(value).encode("utf-8", "backslashreplace")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest())

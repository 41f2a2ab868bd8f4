"""Words of questions and of field names, brought to one form so that they can be compared."""

import re
from functools import cache
from typing import Final

_PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SAME: Final = {
    "called": "name", "title": "name", "e-mail": "email", "mail": "email", "price": "price", "cost": "price",
    "born": "birth", "begin": "start", "began": "start", "town": "city", "old": "age", "people": "person",
}  # fmt: skip


_NUMBERS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_NUMBER_WORD: Final = re.compile(rf"\b(?:{'|'.join(_NUMBERS[2:])})\b", re.IGNORECASE)


def in_digits(text: str) -> str:
    """A text with its number words, from two to twenty, as digits."""
    return _NUMBER_WORD.sub(lambda found: str(_NUMBERS.index(found[0].lower())), text)


@cache
def words(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without plural endings; `placedAt` has two."""
    return tuple(_stem(part.lower()) for part in _PARTS.findall(text.replace("e-mail", "email")))


def last_words(path: str) -> tuple[str, ...]:
    """The words of a path's last name."""
    return words(path.rpartition(".")[2])


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        word = f"{word[:-3]}y"
    elif len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _SAME.get(word, word)

"""Where the query stands in a text: code fences, prompts, prose around it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

QUERY_SHAPE: Final = re.compile(r"\bdb\b|^\s*[\[{(]|\bcollection\s*[.\[]")
"""What a text must have somewhere to be called a broken query rather than no query."""

_FENCE: Final = re.compile(r"(`{3,}|~{3,})")
_INFO: Final = re.compile(r"[ \t]*([A-Za-z][\w+#.-]*)?[ \t]*(?=\r?\n|\Z)")
_LANGUAGES: Final = re.compile(
    r"[ \t]*(?:javascript|js|mongodb|mongosh|mongo|shell|json|python|typescript|mql|bash)\b[ \t]+"
)
_PROMPT: Final = re.compile(
    r"^[ \t]*(?:[\w:.-]+(?: \[[^\]\n]{1,60}\] [\w-]+)?)?>[ \t]*(?=(?:db\b|use |var |let |const |await |print))",
    re.MULTILINE,
)
_CONTINUED: Final = re.compile(r"^\.\.\.(?:[ \t]|$)", re.MULTILINE)
_TURN: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*\*|\[|<\|?|\|)?(?:Q|Question|NLQ|NL|User|Human|Input|Instruction|Prompt|System|"
    r"Assistant|Example|Task|Request|im_start|im_end|endoftext|end_of_text|eot_id|INST|/INST)"
    r"[ \t]*\d*(?:\]|\*\*|\|?>)?[ \t]*"
    r"(?::|(?<=>)|(?<=\])[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_START: Final = re.compile(r"\bdb[ \t]*[.\[]")
_STATEMENT: Final = re.compile(
    r"^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+`?)?(?:[*_`#>\[\]\w ]{1,40}:[ \t*`]*)?"
    r"(?P<code>(?:(?:const|let|var)[ \t]+\w+[ \t]*=|\w+[ \t]*=[ \t]*(?:\[|\{|(?:list\()?db[ \t]*[.\[])|"
    r"(?:await[ \t]+|return[ \t]+)?(?:(?:printjson|print|list|console\.log)\()?db[ \t]*[.\[]|"
    r"use[ \t]+['\"]?[\w-]+['\"]?[ \t]*;?[ \t]*$|"
    r"for[ \t(].{1,60}\b(?:in|of)\b))",
    re.MULTILINE,
)
_LINK: Final = re.compile(r"\s*\.\s*[A-Za-z_$][\w$]*|\s*(?=[(\[])")
_TOKEN: Final = re.compile(
    r""""(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?|//[^\n]*|/\*.*?(?:\*/|\Z)|(?<=[(:,\[])\s*/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/|([(\[{])|([)\]}])""",
    re.DOTALL,
)
_CODE_AFTER: Final = re.compile(r"\s*['\"]?[)\]}=+|&<>?\\]|[\w$]|[ \t]*\w+[ \t]*[(\[{]")
_BULLET: Final = re.compile(r"\A\s*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=`*db\b)")
_BULLET_BEFORE: Final = re.compile(r"(?:(?<=\n)|\A)[ \t]*(?:[-*+•]|\d{1,3}[.)])\Z")
# The tag opens the text, or it ends a line: no string of a query can hold it there.
_THOUGHT: Final = re.compile(
    r"\A\s*<(think(?:ing)?|reasoning)>.*?</\1>|\A.*</(?:think(?:ing)?|reasoning)>[ \t]*(?=\n|\Z)", re.DOTALL
)
_NEAR: Final = 64
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text that may be the query.

    Args:
        code: the part.
        offset: where it starts in the text.
    """

    code: str
    offset: int


def without_prompts(text: str) -> str:
    """The text with the prompts of a shell session blanked out; places stay the same."""
    if ">" not in text:
        return text
    cleaned, count = _PROMPT.subn(_blank, text)
    return _CONTINUED.sub(_blank, cleaned) if count else text


def without_lead(text: str) -> str:
    """The text with what a model thought aloud, and the bullet of a list, blanked out; places stay the same."""
    if "</" in text:
        text = _THOUGHT.sub(_blank, text)
    return _BULLET.sub(_blank, text)


def _blank(found: "re.Match[str]") -> str:
    return " " * len(found[0])


def fenced(text: str) -> list[Piece]:
    """The fenced blocks of a text in order; a fence left open reaches to the end."""
    pieces: list[Piece] = []
    position = 0
    while (opening := _FENCE.search(text, position)) is not None:
        start = _after_info(text, opening.end())
        closing = text.find(opening[1], start)
        end = len(text) if closing < 0 else closing
        pieces.append(Piece(text[start:end], start))
        position = len(text) if closing < 0 else closing + len(opening[1])
    return pieces


def _after_info(text: str, position: int) -> int:
    """Where the code of a fence starts: after the language, if one is named."""
    found = _INFO.match(text, position) or _LANGUAGES.match(text, position)
    return found.end() if found is not None else position


def before_next_turn(text: str) -> str:
    """The text up to the place where a model went on with the next question of its prompt."""
    first = _START.search(text)
    if first is None:
        return text
    turn = _TURN.search(text, first.end())
    return text if turn is None else text[: turn.start()]


def chain_end(text: str, start: int) -> int | None:
    """Where a chain of members and calls that starts at `db` ends; None where a bracket is not closed rightly."""
    position = start + 2
    while (link := _LINK.match(text, position)) is not None:
        if link.end() < len(text) and text[link.end()] in "([" and not link[0].strip():
            end = _balanced_end(text, link.end())
            if end is None:
                return None
            position = end
        else:
            position = link.end()
    return position


def _balanced_end(text: str, start: int) -> int | None:
    """The place after the bracket that closes the one at `start`; one pass, no recursion."""
    open_brackets: list[str] = []
    for token in _TOKEN.finditer(text, start):
        if token.lastindex == 1:
            open_brackets.append(_CLOSING[token[1]])
        elif token.lastindex == 2:
            if open_brackets.pop() != token[2]:
                return None
            if not open_brackets:
                return token.end()
    return None


def statements(text: str) -> list[Piece]:
    """Runs of statements that begin at the start of a line, or after a label such as `Answer:`."""
    pieces: list[Piece] = []
    position = 0
    while (found := _STATEMENT.search(text, position)) is not None:
        start = found.start("code")
        end = _statement_end(text, start)
        if pieces and not text[pieces[-1].offset + len(pieces[-1].code) : start].strip():
            start = pieces.pop().offset
        pieces.append(Piece(text[start:end], start))
        position = max(end, found.end())
    return pieces


def _statement_end(text: str, start: int) -> int:
    """The end of a statement: a `;` or the end of a line outside brackets, where no `.member` follows."""
    position = start
    while True:
        stop = re.compile(r"[;\n(\[{]").search(text, position)
        if stop is None:
            return len(text)
        if stop[0] in "([{":
            end = _balanced_end(text, stop.start())
            if end is None:
                return len(text)
            position = end
        elif stop[0] == "\n" and (following := re.compile(r"\s*\.\s*\w").match(text, stop.start())) is not None:
            position = following.end()
        elif (
            stop[0] == "\n"
            and (loop := re.compile(r"[ \t]*\n[ \t]+\S").match(text, stop.start()))
            and text[position - 1] == ":"
        ):
            position = loop.end()
        else:
            return stop.start() + (stop[0] == ";")


def inline(text: str) -> Iterator[Piece]:
    """Chains inside sentences and code spans."""
    position = 0
    while (found := _START.search(text, position)) is not None:
        before = text[max(0, found.start() - _NEAR) : found.start()].rstrip()[-1:]
        end = chain_end(text, found.start())
        if end is None:
            yield Piece(text[found.start() :], found.start())
            return
        if end > found.start() + 2 and before not in set("=({[,+!&|.") and not _goes_on(text, end):
            yield Piece(text[found.start() : end], found.start())
        position = max(end, found.end())


def _goes_on(text: str, end: int) -> bool:
    """Whether code, not prose, follows a chain."""
    return _CODE_AFTER.match(text, end) is not None


def stands_in_prose(text: str, piece: Piece) -> bool:
    """Whether what stands before and after a run of statements is prose, not code that was cut apart."""
    before = _BULLET_BEFORE.sub("", text[: piece.offset].rstrip(" \t*_`"))
    after = text[piece.offset + len(piece.code) :].lstrip()
    return before.rstrip()[-1:] not in set("({[,=+&|.") - (
        {"."} if "\n" in before[len(before.rstrip()) :] else set()
    ) and (after[:1] not in set(")}],=+&|<?;"))

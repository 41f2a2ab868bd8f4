"""What is known while one JavaScript text is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tree_sitter import Node

from evaluation.errors import UnparsableTextError
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.grammar import place
from evaluation.parse.limits import DEPTH, NODES, too_deep, too_many_nodes
from evaluation.types import ReadingContext

MOST_DRAFTS: Final = 20


@dataclass(slots=True, kw_only=True, eq=False)
class Script:
    """The state of reading one script.

    Args:
        source: the script in UTF-8, as the parser saw it.
        offset: where the script starts in the submitted text, in characters.
        context: what is known about the item.
        handlers: node type → the function that gives its value.
        flags: flags of the reading so far.
        variables: name → value of the script's variables: BSON values, drafts, and places in the database.
        drafts: every query that the script asks.
        copied: how many values were copied by spreads.
    """

    source: bytes
    offset: int
    context: ReadingContext
    handlers: "Mapping[str, Handler]"
    flags: set[str] = field(default_factory=set)
    variables: dict[str, Any] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    copied: int = 0

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def position(self, node: Node) -> int:
        """Where a node starts in the submitted text, in characters."""
        return place(self.source, node.start_byte, self.offset)

    def unsupported(self, node: Node, what: str) -> UnparsableTextError:
        """The refusal of syntax that has no plain meaning here."""
        return UnparsableTextError("unsupported_syntax", what, position=self.position(node))

    def rejected(self, node: Node, error: RejectedValueError) -> UnparsableTextError:
        """The refusal of a value, with its place."""
        return UnparsableTextError(error.reason, error.message, position=self.position(node))

    def asked(self, draft: Draft) -> Draft:
        """Remember that the script asks a query.

        Raises:
            UnparsableTextError: reason "multi_query_script", where there are far too many to go on.
        """
        self.drafts.append(draft)
        if len(self.drafts) > MOST_DRAFTS:
            raise UnparsableTextError("multi_query_script", "The text holds more than one query.", position=self.offset)
        return draft

    def grown(self, values: int) -> None:
        """Count values that a spread copied.

        Raises:
            UnparsableTextError: reason "too_complex".
        """
        self.copied += values
        if self.copied > NODES:
            raise too_many_nodes()

    def evaluate(self, node: Node, depth: int) -> Any:
        """The value of an expression: a BSON value, a draft, or a place in the database.

        Raises:
            UnparsableTextError: the expression is not plain, or deeper than `DEPTH`.
            ForbiddenQueryError: the expression asks for something that is not a read.
        """
        if depth > DEPTH:
            raise too_deep(self.position(node))
        handler = self.handlers.get(node.type)
        if handler is None:
            raise self.unsupported(node, f"{node.type.replace('_', ' ').capitalize()} is not supported in a query.")
        return handler(node, self, depth)


Handler = Callable[[Node, Script, int], Any]


def inner(node: Node) -> list[Node]:
    """The named children of a node without comments."""
    return [child for child in node.named_children if child.type != "comment"]

"""The wordings of prompts; a changed wording is a new version, because scores carry name and version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evaluation.prompts.describe import Detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A wording.

    Args:
        name, version: as "name@version" on every score.
        system: the system message.
        evidence: the line before the evidence, where the condition has it.
        repair: what is said after a query failed; `{error}` is the reader's or engine's sentence.
        details: the levels of description that are tried, in order, until one fits.
    """

    name: str
    version: int
    system: str
    evidence: str
    repair: str
    details: tuple[Detail, ...]

    @property
    def label(self) -> str:
        """Such as "default@1"."""
        return f"{self.name}@{self.version}"


_CONTRACT = (
    "Answer with exactly one query in mongosh syntax, in one ```javascript code block and nothing else, such as "
    'db.orders.aggregate([{"$match": {"status": "paid"}}, {"$count": "n"}]). '
    "Use db.<collection>.aggregate, find, findOne, countDocuments, estimatedDocumentCount or distinct; sort, limit and "
    "skip may follow find. The query must only read. Write literal values, with ISODate(…), ObjectId(…) or "
    "NumberDecimal(…) where the type asks for it: no variables, no functions, no comments."
)

_DEFAULT = Template(
    name="default",
    version=1,
    system=(
        "You translate requests into MongoDB queries for the database described below. "
        "Return exactly what is asked for: the fields asked for, without _id unless it is asked for, as many documents "
        "as the request means, and no more. Field names of the answer do not matter. "
        "In the description, `[]` after a path stands for the elements of an array and `*` for keys that are data; "
        f"neither is written in queries. {_CONTRACT}"
    ),
    evidence="What you need to know for this request:",
    repair=(
        "That query could not be run: {error}\n"
        "Answer with the corrected query, in one ```javascript code block and nothing else."
    ),
    details=(Detail.FULL, Detail.EXAMPLES, Detail.NAMES, Detail.SHORT),
)

_COMPACT = Template(
    name="compact",
    version=1,
    system=(
        "Translate the request into one read-only MongoDB query (mongosh: db.<collection>.aggregate, find, "
        "countDocuments or distinct). Return only the fields asked for, without _id. `[]` marks array elements and is "
        "not written in queries. Answer with the query in one ```javascript code block, nothing else."
    ),
    evidence="Hint:",
    repair="Error: {error}\nAnswer with the corrected query only.",
    details=(Detail.NAMES, Detail.SHORT),
)

TEMPLATES: Final[Mapping[str, Template]] = {template.label: template for template in (_DEFAULT, _COMPACT)}
DEFAULT_TEMPLATE: Final = _DEFAULT.label

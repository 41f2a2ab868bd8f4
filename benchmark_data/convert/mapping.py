"""Reads the mapping file, which tells where a source of unknown form has its items and databases."""

import difflib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from benchmark_data.convert.mapping_lines import KeyLines
from benchmark_data.convert.options import HEADER_FIELDS, ConversionOptions
from benchmark_data.convert.sources import header_of
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name
from benchmark_data.write import Header

ITEM_FIELDS = (
    "question_id",
    "db_id",
    "question",
    "evidence",
    "difficulty",
    "gold_query",
    "split",
    "sql",
    "array_order",
)
REQUIRED = ("question_id", "db_id", "question", "gold_query")
_RULE = ("from", "template", "constant", "values", "default")


class Form(StrEnum):
    """The forms that databases may have."""

    MONGODUMP = "mongodump"
    MONGOEXPORT = "mongoexport"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Where one field of an item comes from.

    Args:
        name: of the item's field.
        paths: dotted paths in a record; the first that is there counts.
        template: a text with `${path}` in it, instead of paths.
        constant: the value itself, instead of both.
        values: what stands for what, by the source's value as text.
        default: for records without the field.
        line: in the mapping, None where the mapping does not name the field.
    """

    name: str
    paths: tuple[str, ...] = ()
    template: str | None = None
    constant: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)
    default: Any = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFiles:
    """Files with items of one form.

    Args:
        files: patterns of paths below the source.
        records: dotted path of the records in each file.
        rules: one for each field of an item.
        line: in the mapping.
    """

    files: tuple[str, ...]
    records: str
    rules: tuple[Rule, ...]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFiles:
    """Where databases lie: a path below the source, with {db_id} in it where each has a path of its own."""

    form: Form
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMapping:
    """A mapping file, read.

    Args:
        file: its name.
        header: of the bundle, or why there is none.
        items: in the order of the mapping.
        databases: in the order of the mapping.
    """

    file: str
    header: Header | tuple[Fault, ...]
    items: tuple[ItemFiles, ...]
    databases: tuple[DatabaseFiles, ...]


def read_mapping(path: Path, log: FaultLog, options: ConversionOptions) -> SourceMapping | None:
    """Read a mapping; all that is wrong is noted with its line. None where it is no TOML.

    Args:
        path: the TOML file.
        log: of the mapping.
        options: what they state comes before what the mapping says.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except OSError as error:
        log.add("missing_file", f"the mapping cannot be read: {error.strerror}.")
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        log.add("bad_toml", f"not TOML: {error}.")
        return None
    return _Reader(log, KeyLines(text)).mapping(content, options)


class _Reader:
    def __init__(self, log: FaultLog, lines: KeyLines) -> None:
        self._log = log
        self._lines = lines

    def mapping(self, content: dict[str, Any], options: ConversionOptions) -> SourceMapping:
        self._only(content, (*HEADER_FIELDS, "private", "items", "databases"), ())
        own = FaultLog(self._log.file)
        header = header_of(
            Fields(content | options.header, own, line=1), own, hint='add {0} = "…" at the top, or state --{0}.'
        )
        return SourceMapping(
            file=self._log.file,
            header=header,
            items=tuple(self._items(table, path) for table, path in self._tables(content, "items")),
            databases=tuple(
                found
                for table, path in self._tables(content, "databases")
                if (found := self._databases(table, path)) is not None
            ),
        )

    def _tables(self, content: dict[str, Any], name: str) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
        """The table of a name, or each of an array of tables, with its path."""
        value = content.get(name)
        entries = value if isinstance(value, list) else [value]
        if value is None:
            message = f'the mapping has no "{name}"; it tells where the {name} lie.'
            self._log.add("missing_field", message, line=1, field=name)
            return []
        if not all(isinstance(entry, dict) for entry in entries):
            self._fault("wrong_type", (name,), f"must be a table [{name}], or some of them as [[{name}]].")
            return []
        return [(entry, (name, str(n)) if isinstance(value, list) else (name,)) for n, entry in enumerate(entries)]

    def _items(self, table: dict[str, Any], path: tuple[str, ...]) -> ItemFiles:
        self._only(table, ("files", "records", *ITEM_FIELDS), path)
        files = table.get("files")
        patterns = [files] if isinstance(files, str) else files
        if not isinstance(patterns, list) or not patterns or not all(isinstance(part, str) for part in patterns):
            self._fault("missing_field", (*path, "files"), 'must name the files with items: files = "questions.json".')
            patterns = []
        records = table.get("records", "")
        if not isinstance(records, str):
            self._fault("wrong_type", (*path, "records"), "must be the dotted path of the array with the records.")
            records = ""
        rules = tuple(self._rule(name, table, path) for name in ITEM_FIELDS)
        return ItemFiles(files=tuple(patterns), records=records, rules=rules, line=self._lines.line(*path))

    def _rule(self, name: str, table: dict[str, Any], path: tuple[str, ...]) -> Rule:
        if name not in table:
            return Rule(name=name, paths=(name,))
        value, place = table[name], (*path, name)
        line = self._lines.line(*place)
        if isinstance(value, str):
            return Rule(name=name, paths=(value,), line=line)
        if not isinstance(value, dict):
            message = 'must be the path of a field, as "query.text", or a table as { from = "…", default = "…" }.'
            self._fault("wrong_type", place, message)
            return Rule(name=name, constant="", line=line)
        self._only(value, _RULE, place)
        origins = [key for key in ("from", "template", "constant") if key in value]
        if len(origins) != 1:
            self._fault("bad_rule", place, 'must have exactly one of "from", "template" and "constant".')
            return Rule(name=name, constant="", line=line)
        paths = [value["from"]] if isinstance(value.get("from"), str) else value.get("from", [])
        if not isinstance(paths, list) or not all(isinstance(part, str) for part in paths):
            self._fault("wrong_type", (*place, "from"), "must be the path of a field, or an array of paths to try.")
            paths = []
        return Rule(
            name=name,
            paths=tuple(paths),
            template=self._text(value, "template", place),
            constant=value.get("constant"),
            values=self._values(value, place),
            default=value.get("default"),
            line=line,
        )

    def _values(self, value: dict[str, Any], place: tuple[str, ...]) -> Mapping[str, Any]:
        found = value.get("values", {})
        if isinstance(found, dict):
            return found
        self._fault("wrong_type", (*place, "values"), 'must be a table as { easy = "simple", hard = "challenging" }.')
        return {}

    def _databases(self, table: dict[str, Any], path: tuple[str, ...]) -> DatabaseFiles | None:
        self._only(table, ("format", "path"), path)
        form, place = table.get("format"), self._text(table, "path", path)
        if form not in tuple(Form):
            close = difflib.get_close_matches(str(form), tuple(Form), n=1)
            hint = f' Did you mean "{close[0]}"?' if close else ""
            self._fault("bad_format", (*path, "format"), f"must be one of {', '.join(Form)}.{hint}")
        if not place:
            message = 'must tell where the databases lie: path = "dump/{db_id}", or the folder of all.'
            self._fault("missing_field", (*path, "path"), message)
        if form not in tuple(Form) or not place:
            return None
        return DatabaseFiles(form=Form(form), path=place, line=self._lines.line(*path, "path"))

    def _text(self, table: dict[str, Any], name: str, path: tuple[str, ...]) -> str | None:
        value = table.get(name)
        if value is None or isinstance(value, str):
            return value
        self._fault("wrong_type", (*path, name), f"must be a text, not {kind_name(value)}.")
        return None

    def _only(self, table: dict[str, Any], known: Collection[str], path: tuple[str, ...]) -> None:
        for name in table:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f'Did you mean "{close[0]}"? ' if close else ""
                message = f"this key is not known. {hint}Known here: {', '.join(known)}."
                self._fault("unknown_key", (*path, name), message)

    def _fault(self, rule: str, path: tuple[str, ...], message: str) -> None:
        self._log.add(rule, message, line=self._lines.line(*path), field=".".join(path))

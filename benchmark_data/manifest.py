"""The manifest of a bundle: what it is called, which databases it has, and the digests of its files."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name, shown
from benchmark_data.json_text import JsonText, JsonTextError, repeated_keys
from benchmark_data.manifest_databases import database_fields, read_databases, read_digest
from benchmark_data.names import bundle_name_problem
from benchmark_data.types import NO_REQUIREMENTS, Bundle, Database, EngineRequirements, SideFile

MANIFEST = "manifest.json"
ITEMS = "items.jsonl"
CARDS = "cards.jsonl"
GOLD = "gold.jsonl"
FORMAT_VERSION = "1.0"
FIRST_VERSION = "0.9"
"""The first form: what version 1.0 added is unknown to it, and everything else is the same, digests included."""

_MANIFEST_BYTES = 64 * 1024 * 1024
_FIRST_FIELDS = ("format_version", "name", "version", "title", "license", "citation", "databases", "items", "digest")
_LATER_FIELDS = ("private", "engine", "cards", "gold")
_RELEASE = re.compile(r"\d{1,4}(\.\d{1,4}){0,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a manifest says, as far as it could be read.

    Args:
        name, version, title, license, citation: of the bundle; "" where they could not be read.
        databases: in order of db_id, with the digests that the manifest states.
        items: number of items stated, None where it could not be read.
        items_sha256: digest of the items file stated.
        digest: digest of the bundle stated.
        private, engine, cards, gold: see `Bundle`.
    """

    name: str
    version: str
    title: str
    license: str
    citation: str
    databases: tuple[Database, ...]
    items: int | None
    items_sha256: str
    digest: str
    private: bool = False
    engine: EngineRequirements = NO_REQUIREMENTS
    cards: SideFile | None = None
    gold: SideFile | None = None


def read_manifest(root: Path, log: FaultLog) -> Manifest | None:
    """Read a bundle's manifest and note all its faults; None where there is nothing that can be read.

    The paths of collections are joined to `root`.
    """
    fields = _fields(root / MANIFEST, log)
    if fields is None:
        return None
    version = fields.text("format_version")
    if version is not None and version not in (FORMAT_VERSION, FIRST_VERSION):
        message = f'this program reads format versions "{FORMAT_VERSION}" and "{FIRST_VERSION}", not {shown(version)}.'
        fields.fault("unknown_format_version", "format_version", message)
        return None
    later = version != FIRST_VERSION
    fields.only((*_FIRST_FIELDS, *(_LATER_FIELDS if later else ())))
    name = fields.text("name")
    if name is not None and (problem := bundle_name_problem(name)):
        fields.fault("bad_name", "name", problem)
    items = _side_file(fields, "items", ITEMS)
    return Manifest(
        name=name or "",
        version=fields.text("version") or "",
        title=fields.text("title") or "",
        license=fields.text("license") or "",
        citation=fields.text("citation", empty=True) or "",
        databases=read_databases(fields, root, described=later),
        items=items.count if items else None,
        items_sha256=items.sha256 if items else "",
        digest=read_digest(fields, "digest"),
        private=later and fields.flag("private"),
        engine=_engine(fields) if later and "engine" in fields.record else NO_REQUIREMENTS,
        cards=_side_file(fields, "cards", CARDS) if later and "cards" in fields.record else None,
        gold=_side_file(fields, "gold", GOLD) if later and "gold" in fields.record else None,
    )


def manifest_text(bundle: Bundle, *, items_sha256: str) -> str:
    """The manifest of a bundle as it stands in its file; the same bundle always gives the same bytes."""
    content: dict[str, Any] = {
        "format_version": FORMAT_VERSION,
        "name": bundle.name,
        "version": bundle.version,
        "title": bundle.title,
        "license": bundle.license,
        "citation": bundle.citation,
        "digest": bundle.digest,
    }
    if bundle.private:
        content["private"] = True
    if bundle.engine != NO_REQUIREMENTS:
        content["engine"] = {"mongodb": bundle.engine.mongodb, "features": list(bundle.engine.features)}
    content["items"] = {"file": ITEMS, "count": len(bundle.items), "sha256": items_sha256}
    for name, file, side in (("cards", CARDS, bundle.cards), ("gold", GOLD, bundle.gold)):
        if side is not None:
            content[name] = {"file": file, "count": side.count, "sha256": side.sha256}
    content["databases"] = [database_fields(database, bundle.root) for database in bundle.databases]
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _fields(path: Path, log: FaultLog) -> Fields | None:
    try:
        if path.stat().st_size > _MANIFEST_BYTES:
            log.add("too_large", f"a manifest has at most {_MANIFEST_BYTES:,} bytes.")
            return None
        content = JsonText(path.read_text(encoding="utf-8")).value()
    except OSError as error:
        log.add("missing_file", f"a bundle is a folder with a readable manifest.json in it: {error.strerror}.")
    except UnicodeDecodeError as error:
        log.add("not_utf8", f"not UTF-8 at byte {error.start + 1}.")
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}.", line=error.line)
    else:
        for key in repeated_keys(content):
            log.add("repeated_key", "this key stands more than once in one object.", field=key)
        if isinstance(content, dict):
            return Fields(content, log)
        log.add("not_an_object", f"a manifest must be a JSON object, not {kind_name(content)}.")
    return None


def _side_file(fields: Fields, name: str, file: str) -> SideFile | None:
    entry = fields.object(name)
    if entry is None:
        return None
    entry.only(("file", "count", "sha256"))
    if entry.text("file") not in (None, file):
        entry.fault("bad_file", "file", f'must be "{file}".')
    count, sha256 = entry.count("count"), read_digest(entry, "sha256")
    return None if count is None else SideFile(count=count, sha256=sha256)


def _engine(fields: Fields) -> EngineRequirements:
    entry = fields.object("engine")
    if entry is None:
        return NO_REQUIREMENTS
    entry.only(("mongodb", "features"))
    mongodb = entry.optional_text("mongodb") or ""
    if mongodb and not _RELEASE.fullmatch(mongodb):
        entry.fault("bad_engine_version", "mongodb", 'must be a version of MongoDB such as "6.0".')
    features = []
    for index, feature in enumerate(entry.array("features") if "features" in entry.record else ()):
        if isinstance(feature, str) and feature.strip():
            features.append(feature)
        else:
            entry.fault("wrong_type", f"features[{index}]", f"must be a text, not {kind_name(feature)}.")
    return EngineRequirements(mongodb=mongodb, features=tuple(features))

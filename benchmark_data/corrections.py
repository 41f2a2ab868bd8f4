"""Corrections of gold and evidence: a file that names what is replaced and why, and the bundle that it makes."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark_data.errors import BenchmarkError
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields
from benchmark_data.gold_answers import read_gold, write_gold
from benchmark_data.items import item_line
from benchmark_data.load import load_bundle, raise_faults
from benchmark_data.manifest import ITEMS
from benchmark_data.seal import reseal, write_manifest
from benchmark_data.side_lines import read_records
from benchmark_data.types import Bundle, Item

LONGEST_REASON = 500
_MEMBERS = ("question_id", "gold_query", "evidence", "reason")


class UnusableFolderError(BenchmarkError):
    """The folder for the corrected bundle is there already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldCorrection:
    """What replaces an item's gold or evidence.

    Args:
        question_id: the item.
        gold_query: the new gold, None where it stays.
        evidence: the new evidence, None where it stays.
        reason: why, for everybody to read; it must not quote hidden gold.
    """

    question_id: str
    gold_query: str | None
    evidence: str | None
    reason: str


def read_corrections(
    path: Path, bundle: Bundle, *, check_query: Callable[[Item], str | None] = lambda _item: None
) -> tuple[GoldCorrection, ...]:
    """Read a file of corrections: one JSON object a line.

    Args:
        path: the file.
        bundle: which is corrected.
        check_query: says why an item's new gold could not be scored, or None.

    Raises:
        FaultyBundleError: with every fault of the file.
    """
    log = FaultLog(path.name)
    items = {item.question_id: item for item in bundle.items}
    found: dict[str, GoldCorrection] = {}
    for number, record in read_records(path, log):
        fields = Fields(record, log, line=number)
        question_id = fields.identifier("question_id")
        if question_id in found:
            fields.fault("duplicate_question_id", "question_id", "this item is corrected on an earlier line.")
        if question_id is not None and question_id not in items:
            fields.fault("unknown_question_id", "question_id", "the bundle has no such item.")
        correction = _correction(fields, question_id)
        if correction is None:
            continue
        if (item := items.get(correction.question_id)) is not None:
            _check(fields, correction, item, check_query)
        found[correction.question_id] = correction
    if not found and not log.total:
        log.add("empty_file", "the file names no correction.")
    raise_faults([log])
    return tuple(found.values())


def _correction(fields: Fields, question_id: str | None) -> GoldCorrection | None:
    fields.only(_MEMBERS)
    reason = fields.text("reason")
    gold_query = fields.text("gold_query") if "gold_query" in fields.record else None
    evidence = fields.optional_text("evidence")
    if gold_query is None and evidence is None:
        fields.fault("nothing_corrected", "", 'a correction has a new "gold_query", a new "evidence", or both.')
    if reason is not None and len(reason) > LONGEST_REASON:
        fields.fault("too_long", "reason", f"at most {LONGEST_REASON} characters.")
    if question_id is None or reason is None or (gold_query is None and evidence is None):
        return None
    return GoldCorrection(question_id=question_id, gold_query=gold_query, evidence=evidence, reason=reason)


def _check(fields: Fields, correction: GoldCorrection, item: Item, check_query: Callable[[Item], str | None]) -> None:
    changed = corrected_item(item, correction)
    if changed == item:
        fields.fault("nothing_corrected", "", "this is what the item has already.")
    problem = check_query(changed)
    if problem is not None:
        fields.fault("unusable_gold", "gold_query", problem)


def corrected_item(item: Item, correction: GoldCorrection) -> Item:
    """An item with its correction; SQL that the old gold stemmed from stays, as the question's history."""
    gold_query = item.gold_query if correction.gold_query is None else correction.gold_query
    evidence = item.evidence if correction.evidence is None else correction.evidence
    return replace(item, gold_query=gold_query, evidence=evidence)


def corrected_bundle(
    bundle: Bundle, corrections: Mapping[str, GoldCorrection], *, version: str, folder: Path
) -> Bundle:
    """Write the corrected bundle into a new folder: its documents are the same, its version and digest are others.

    Stored gold answers of corrected items are left out, for they answer the old query.

    Raises:
        UnusableFolderError: the folder is there already.
        FaultyBundleError: the stored gold answers of the old bundle are faulty.
        OSError: the folder cannot be written.
    """
    if folder.exists():
        raise UnusableFolderError(f"{folder} is there already: name a folder that is not.")
    kept = [answer for answer in read_gold(bundle) if answer.question_id not in corrections]
    shutil.copytree(bundle.root, folder)
    items = [
        corrected_item(item, corrections[item.question_id]) if item.question_id in corrections else item
        for item in bundle.items
    ]
    (folder / ITEMS).write_text("".join(map(item_line, items)), encoding="utf-8", newline="\n")
    write_manifest(replace(load_bundle(folder, check_digests=False), version=version))
    made = reseal(folder)
    return made if bundle.gold is None else write_gold(made, kept)

"""Writes one sample database in the form that organisers begin with: a SQLite file, and questions with SQL."""

import json
import shutil
from pathlib import Path
from typing import Final

from benchmark_data.bundles.sample21.authored_items import AuthoredItem, read_authored
from benchmark_data.bundles.sample21.databases import BASE_SEED, DESIGN, DOCMAP, ITEMS, SampleDatabase, sample_databases
from benchmark_data.bundles.sample21.instance import write_instance
from benchmark_data.bundles.sample21.release import read_release
from benchmark_data.errors import Fault, FaultyFileError
from benchmark_data.faults import FaultLog
from benchmark_data.load import raise_faults

QUESTIONS: Final = "questions.json"


def write_example(db_id: str, folder: Path) -> tuple[str, ...]:
    """Write `<db_id>.sqlite`, `questions.json` in BIRD's form, the docmap and its design into a new folder.

    Returns:
        The names of the files, in that order.

    Raises:
        UnknownDatabaseError: there is no such database.
        FaultyFileError: the folder is in use, or a source has faults.
        UnpinnedSourcesError: the difficulty of an item is not pinned.
        OSError: the disk refused.
    """
    (database,) = sample_databases([db_id])
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = "it is there, and is no empty folder."
        raise FaultyFileError((Fault(file=str(folder), rule="destination_in_use", message=message),))
    log = FaultLog(database.file(ITEMS))
    items = read_authored(database, log)
    raise_faults([log])
    folder.mkdir(parents=True, exist_ok=True)
    write_instance(database, folder / f"{db_id}.sqlite", seed=BASE_SEED)
    (folder / QUESTIONS).write_text(_questions(database, items), encoding="utf-8")
    for name in (DOCMAP, DESIGN):
        shutil.copyfile(database.folder / name, folder / name)
    return (f"{db_id}.sqlite", QUESTIONS, DOCMAP, DESIGN)


def _questions(database: SampleDatabase, items: tuple[AuthoredItem, ...]) -> str:
    difficulty = read_release().databases[database.db_id].difficulty
    records = [
        {
            "question_id": item.question_id,
            "db_id": database.db_id,
            "question": item.question,
            "evidence": item.evidence,
            "SQL": item.sql,
            "difficulty": difficulty[item.number].value,
        }
        for item in items
    ]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"

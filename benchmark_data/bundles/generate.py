"""Makes the tiny bundle: `python -m benchmark_data.bundles.generate`; its items are written by hand."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

from benchmark_data.bundles import climbing, ferry, seeds
from benchmark_data.bundles.baselines import BASELINES, prediction_lines
from benchmark_data.faults import FaultLog
from benchmark_data.items import read_items
from benchmark_data.load import raise_faults
from benchmark_data.manifest import ITEMS
from benchmark_data.types import Bundle, Index
from benchmark_data.validate import PREDICTIONS
from benchmark_data.write import CollectionSource, DatabaseSource, Header, write_bundle

TINY = Path(__file__).with_name("tiny")

HEADER = Header(
    name="tiny",
    version="1",
    title="AptBoard tiny: three made-up databases",
    license="MIT",
    citation="",
)

_DATABASES = (climbing, ferry, seeds)
_INDEXES: Mapping[str, tuple[Index, ...]] = {
    "climbers": (Index(keys=(("name", 1),), unique=True),),
    "crossings": (Index(keys=(("vessel", 1),)), Index(keys=(("from", 1), ("departs", -1)))),
    "loans": (Index(keys=(("member", 1), ("borrowed", -1))),),
    "visits": (Index(keys=(("climber", 1),)),),
}


def tiny_generate(destination: Path, *, overwrite: bool = False) -> Bundle:
    """Write the tiny bundle, its sample predictions included; the same bytes every time.

    Raises:
        FaultyBundleError: the hand-written items have a fault.
    """
    log = FaultLog(ITEMS)
    items = read_items(TINY / ITEMS, log, db_ids={module.DB_ID for module in _DATABASES})
    raise_faults([log])
    bundle = write_bundle(
        destination, header=HEADER, databases=map(_database, _DATABASES), items=items, overwrite=overwrite
    )
    folder = destination / PREDICTIONS
    folder.mkdir()
    for name in BASELINES:
        (folder / f"{name}.jsonl").write_text("".join(prediction_lines(bundle, name)), encoding="utf-8")
    return bundle


def _database(module: ModuleType) -> DatabaseSource:
    return DatabaseSource(db_id=module.DB_ID, collections=_collections(module))


def _collections(module: ModuleType) -> Iterator[CollectionSource]:
    for name, documents in module.collections().items():
        yield CollectionSource(name=name, documents=documents, indexes=_INDEXES.get(name, ()))


if __name__ == "__main__":
    tiny_generate(TINY, overwrite=True)

"""The two BIRD databases that ship with designs: nothing of them is lost."""

from contextlib import closing
from pathlib import Path

import pytest

import benchmark_data.docmap
from benchmark_data.docmap.baseline import Outcome, fk_embedding_baseline
from benchmark_data.docmap.check import read_checked
from benchmark_data.docmap.proof import Findings, prove
from benchmark_data.docmap.scale import scale_database
from benchmark_data.docmap.sinks import read_migrated
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from benchmark_data.docmap.types import Docmap
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.migrated import StoredDocuments
from tests.benchmark_data.docmap.sources import docmap_of, findings_of, migrated
from tests.realdata import REALDATA, needs_realdata

pytestmark = [*needs_realdata, pytest.mark.xdist_group("bird")]

DESIGNS = Path(next(iter(benchmark_data.docmap.__path__))) / "designs"
ROWS = {"superhero": 10_614, "beer_factory": 14_039}


def source_of(db_id: str) -> Path:
    return REALDATA / "bird" / db_id / f"{db_id}.sqlite"


def design_of(db_id: str, source: Path) -> Docmap:
    return read_checked(DESIGNS / db_id / "docmap.yaml", source)


def mechanical_of(db_id: str, source: Path) -> Docmap:
    with closing(connect_read_only(source)) as connection:
        return docmap_of(source, one_to_one(read_schema(connection), db_id))


def count(findings: Findings) -> tuple[int, int, int]:
    return sum(one.rows for one in findings.tables.values()), findings.missing, findings.extra


@pytest.mark.parametrize("make", [design_of, mechanical_of], ids=["access pattern", "one to one"])
@pytest.mark.parametrize("db_id", ROWS)
def test_every_row_comes_back(tmp_path: Path, db_id: str, make: object) -> None:
    assert callable(make)
    source = source_of(db_id)
    docmap = make(db_id, source)
    found = findings_of(docmap, source, migrated(docmap, source, tmp_path / "out"))
    assert count(found) == (ROWS[db_id], 0, 0)
    assert found.is_lossless


@pytest.mark.engine
@pytest.mark.parametrize("db_id", ROWS)
def test_every_row_comes_back_from_the_server_and_the_designs_checks_hold(
    tmp_path: Path, db_id: str, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    source = source_of(db_id)
    docmap = design_of(db_id, source)
    made = migrated(docmap, source, tmp_path / "out")
    loader.load(made)
    with StoredDocuments(document_database.reader, made.storage_name) as stored:
        (found,) = prove(docmap, source, {"loaded": stored.read})
        checks = stored.compared(docmap.checks, source)
    assert count(found) == (ROWS[db_id], 0, 0)
    assert found.is_lossless
    assert [check.name for check in checks if not check.is_equal] == []
    assert len(checks) == 2


@pytest.mark.parametrize("db_id", ROWS)
def test_a_scaled_source_is_migrated_without_loss_by_the_same_design(tmp_path: Path, db_id: str) -> None:
    scaled = tmp_path / "scaled.sqlite"
    scale_database(source_of(db_id), scaled, factor=2)
    docmap = design_of(db_id, scaled)
    made = migrated(docmap, scaled, tmp_path / "out")
    assert count(findings_of(docmap, scaled, made)) == (2 * ROWS[db_id], 0, 0)
    assert read_migrated(tmp_path / "out") == made


def test_the_mechanical_embedding_is_classified() -> None:
    beer = fk_embedding_baseline(source_of("beer_factory"), "beer_factory")
    assert (beer.outcome, beer.lost, beer.rows) == (Outcome.RECURSION, 14_039, 14_039)
    assert beer.message.startswith("recursion: geolocation → location → geolocation")
    hero = fk_embedding_baseline(source_of("superhero"), "superhero")
    assert (hero.outcome, hero.lost, hero.tables["hero_power"].copies) == (Outcome.OK, 0, 5)

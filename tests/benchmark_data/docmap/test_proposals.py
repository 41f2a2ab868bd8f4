"""Links that a database does not declare: found by their values, proposed to a person, never taken for granted."""

from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmark_data.docmap.proposals import proposed_links
from benchmark_data.docmap.source import connect_read_only, read_schema
from evaluation.commands.docmap import docmap
from tests.benchmark_data.docmap.sources import SHOP, database, docmap_of

STATIONS = (
    "CREATE TABLE station (id INTEGER PRIMARY KEY, code TEXT UNIQUE); INSERT INTO station VALUES (1, 'A'), (2, 'B');"
)


def proposals(tmp_path: Path, script: str) -> list[tuple[str, str, int]]:
    source = database(tmp_path, script)
    with closing(connect_read_only(source)) as connection:
        found = proposed_links(connection, read_schema(connection))
    return [(".".join(link.child), ".".join(link.parent), link.values) for link in found]


@pytest.mark.parametrize(
    ("trips", "expected"),
    [
        ("CREATE TABLE trip (station_id INTEGER); INSERT INTO trip VALUES (1), (2), (2), (NULL);", "trip.station_id"),
        ("CREATE TABLE trip (start_station INTEGER); INSERT INTO trip VALUES (1), (2);", "trip.start_station"),
        ("CREATE TABLE trip (station_id INTEGER); INSERT INTO trip VALUES (1), (3);", ""),
        ("CREATE TABLE trip (station_id INTEGER); INSERT INTO trip VALUES (1), (1);", ""),
        ("CREATE TABLE trip (minutes INTEGER); INSERT INTO trip VALUES (1), (2);", ""),
        ("CREATE TABLE trip (id INTEGER); INSERT INTO trip VALUES (1), (2);", ""),
        ("CREATE TABLE trip (station_id TEXT); INSERT INTO trip VALUES ('1'), ('2');", ""),
        (
            "CREATE TABLE trip (station_id INTEGER REFERENCES station(id)); INSERT INTO trip VALUES (1), (2);",
            "",
        ),
    ],
)
def test_a_column_of_numbers_needs_its_values_and_its_name(tmp_path: Path, trips: str, expected: str) -> None:
    found = proposals(tmp_path, STATIONS + trips)
    assert found == ([(expected, "station.id", 2)] if expected else [])


def test_a_column_of_texts_needs_its_values_alone(tmp_path: Path) -> None:
    trips = "CREATE TABLE trip (begin TEXT, note TEXT); INSERT INTO trip VALUES ('A', 'A'), ('B', 'x'), (NULL, NULL);"
    assert proposals(tmp_path, STATIONS + trips) == [("trip.begin", "station.code", 2)]


def test_init_writes_proposals_as_comments_that_can_be_kept(tmp_path: Path) -> None:
    source, made = database(tmp_path, SHOP), tmp_path / "made.yaml"
    done = CliRunner().invoke(docmap, ["init", str(source), str(made), "--db-id", "shop"])
    assert done.stdout == "Undeclared: review.brand_id may point at brand.id.\n"
    line = next(line for line in made.read_text().splitlines() if "review_brand_id_brand" in line)
    kept = made.read_text().replace("collections:", f"relationships:\n{line.removeprefix('#')}\ncollections:", 1)
    assert docmap_of(source, kept).links["review_brand_id_brand"].child == "review"
    assert "review_brand_id_brand" not in docmap_of(source, made.read_text()).links

"""SQL on a made-up database whose docmap embeds, repeats and transforms: paths instead of $lookup stages."""

import sqlite3
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmark_data.docmap.queries.compile import CompiledQuery, compile_sql
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.evidence import restated
from benchmark_data.docmap.queries.schema import Column, Schema, TableSchema, schema_from
from benchmark_data.docmap.read import read_docmap
from benchmark_data.docmap.source import read_schema
from benchmark_data.faults import FaultLog

SQL = """
CREATE TABLE town (id INTEGER PRIMARY KEY, town_name TEXT);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, town_id INTEGER REFERENCES town (id), active TEXT, born DATE);
CREATE TABLE skill (id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE person_skill (
    person_id INTEGER REFERENCES person (id), skill_id INTEGER REFERENCES skill (id), level INTEGER
);
"""
DOCMAP = """
docmap: 1
source: {db_id: people, dialect: sqlite}
collections:
  people:
    table: person
    _id: id
    fields:
      name: name
      active: {column: active, decode: {"yes": true, "no": false}}
      born: {column: born, type: date, stored: text}
      town: {reference: {column: town_id, to: towns, extended: {name: town_name}}}
      skills:
        embed_many:
          via: person_skill.person_id
          through: person_skill.skill_id
          role: home
          order_by: skill_id
          fields: {_id: id, label: label}
          payload: {level: level}
          orphans: {collection: skills_of_nobody}
  towns: {table: town, _id: id, fields: {name: town_name}}
  skills: {table: skill, _id: id, fields: {label: label}}
"""


@pytest.fixture(scope="module")
def layout() -> DocmapLayout:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SQL)
    log = FaultLog("docmap.yaml")
    docmap = read_docmap(DOCMAP, read_schema(connection), log)
    connection.close()
    assert docmap is not None, log.faults
    assert not log.faults
    return DocmapLayout(docmap, schema())


def schema() -> Schema:
    declared = {
        "town": [("id", "INTEGER"), ("town_name", "TEXT")],
        "person": [("id", "INTEGER"), ("name", "TEXT"), ("town_id", "INTEGER"), ("active", "TEXT"), ("born", "DATE")],
        "skill": [("id", "INTEGER"), ("label", "TEXT")],
        "person_skill": [("person_id", "INTEGER"), ("skill_id", "INTEGER"), ("level", "INTEGER")],
    }
    return schema_from(
        tuple(
            TableSchema(
                name=table,
                columns=tuple(Column(name=name, declared=kind, nullable=name != "id") for name, kind in columns),
            )
            for table, columns in declared.items()
        )
    )


def compiled(sql: str, layout: DocmapLayout) -> CompiledQuery:
    return compile_sql(sql, schema=schema(), layout=layout)


def test_a_repeated_row_is_read_beside_the_key(layout: DocmapLayout) -> None:
    found = compiled("SELECT p.name, t.town_name FROM person p JOIN town t ON t.id = p.town_id", layout)
    assert list(found.pipeline) == [
        {"$match": {"town.name": {"$exists": True}}},
        {"$project": {"_id": 0, "name": 1, "town_name": "$town.name"}},
    ]


def test_the_table_with_the_copies_comes_first_whatever_the_query_starts_with(layout: DocmapLayout) -> None:
    found = compiled("SELECT p.name FROM town t JOIN person p ON t.id = p.town_id WHERE t.town_name = 'Ulm'", layout)
    assert found.collection == "people"
    assert found.lookups == 0


def test_children_and_what_stands_behind_a_junction_are_unwound(layout: DocmapLayout) -> None:
    sql = (
        "SELECT p.name FROM person p JOIN person_skill s ON s.person_id = p.id JOIN skill k ON k.id = s.skill_id "
        "WHERE k.label = 'sewing' AND s.level > 2"
    )
    found = compiled(sql, layout)
    assert found.collection == "people"
    assert found.lookups == 0
    assert {"$unwind": "$skills"} in found.pipeline
    conditions: dict[str, Any] = {}
    for stage in found.pipeline:
        conditions |= stage.get("$match", {})
    assert conditions == {"skills.level": {"$gt": 2}, "skills.label": "sewing"}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (
            "EXISTS (SELECT * FROM person_skill s WHERE s.person_id = p.id AND s.level > 2)",
            {"skills": {"$elemMatch": {"level": {"$gt": 2}}}},
        ),
        (
            "NOT EXISTS (SELECT 1 FROM person_skill s WHERE s.person_id = p.id AND s.level > 2)",
            {"skills": {"$not": {"$elemMatch": {"level": {"$gt": 2}}}}},
        ),
        ("EXISTS (SELECT 1 FROM person_skill s WHERE s.person_id = p.id)", {"skills.0": {"$exists": True}}),
        ("p.town_id IN (SELECT id FROM town WHERE town_name = 'Ulm')", {"town.name": "Ulm"}),
    ],
)
def test_what_the_document_holds_is_asked_for_by_a_condition_on_it(
    layout: DocmapLayout, condition: str, expected: dict[str, Any]
) -> None:
    found = compiled(f"SELECT p.name FROM person p WHERE {condition}", layout)
    assert list(found.pipeline) == [{"$match": expected}, {"$project": {"_id": 0, "name": 1}}]


def test_filters_stand_in_front_of_what_does_not_touch_their_fields(layout: DocmapLayout) -> None:
    sql = (
        "SELECT k.label FROM person p JOIN person_skill s ON s.person_id = p.id JOIN skill k ON k.id = s.skill_id "
        "JOIN town t ON t.id = p.town_id WHERE t.town_name = 'Ulm'"
    )
    assert list(compiled(sql, layout).pipeline)[:2] == [{"$match": {"town.name": "Ulm"}}, {"$unwind": "$skills"}]


def test_a_period_of_a_stored_date_is_a_range(layout: DocmapLayout) -> None:
    bounds = {"$gte": datetime(2014, 12, 1, tzinfo=UTC), "$lt": datetime(2015, 1, 1, tzinfo=UTC)}
    for condition in ("STRFTIME('%Y-%m', born) = '2014-12'", "born LIKE '2014-12-%'", "SUBSTR(born, 1, 7) = '2014-12'"):
        found = compiled(f"SELECT name FROM person WHERE {condition}", layout)
        assert found.pipeline[0] == {"$match": {"born": bounds}}


def test_a_column_that_no_copy_has_is_looked_up(layout: DocmapLayout) -> None:
    found = compiled("SELECT s.level, p.active FROM person_skill s JOIN person p ON p.id = s.person_id", layout)
    assert found.lookups == 0
    found = compiled("SELECT a.name, b.name FROM person a JOIN person b ON a.id = b.town_id", layout)
    assert found.lookups == 1


def test_transformed_values_are_compared_as_stored_and_given_back_as_they_were(layout: DocmapLayout) -> None:
    found = compiled("SELECT active, STRFTIME('%Y', born) AS y FROM person WHERE active = 'yes'", layout)
    assert found.pipeline[0] == {"$match": {"active": True}}
    assert found.pipeline[1]["$project"]["y"] == {"$dateToString": {"date": "$born", "format": "%Y"}}
    branches = found.pipeline[1]["$project"]["active"]["$switch"]["branches"]
    assert branches[0] == {"case": {"$eq": ["$active", True]}, "then": "yes"}


def test_a_day_is_compared_as_a_date(layout: DocmapLayout) -> None:
    assert (
        'born: { $gte: ISODate("2001-12-31T00:00:00Z") }'
        in compiled("SELECT name FROM person WHERE born >= '2001-12-31'", layout).text
    )


def test_evidence_gives_paths_and_stored_values(layout: DocmapLayout) -> None:
    found = restated(
        "active people refers to active = 'yes'; town_name is the town",
        sql="SELECT name FROM person JOIN town ON town.id = person.town_id WHERE active = 'yes' AND town_name = 'Ulm'",
        schema=schema(),
        layout=layout,
    )
    assert found.text == "people.active people refers to people.active = true; towns.name is the town"

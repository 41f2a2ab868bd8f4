"""What the compiler writes and refuses, the text of its queries, paths through a docmap, flags, evidence."""

from typing import Any

import pytest
from bson.int64 import Int64

from benchmark_data.docmap.queries.compile import CompiledQuery, compile_sql
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.evidence import restated
from benchmark_data.docmap.queries.layout import OneToOne
from benchmark_data.docmap.queries.leftovers import relational_leftovers
from benchmark_data.docmap.queries.schema import Affinity, Column, TableSchema, affinity_of, schema_from
from benchmark_data.docmap.queries.text import extended_json, literal_text, shell_text
from benchmark_data.docmap.queries.tidying import tidied, without_group_guard

SCHEMA = schema_from(
    (
        TableSchema(
            name="maker",
            columns=(
                Column(name="id", declared="INTEGER", nullable=False),
                Column(name="maker_name", declared="TEXT"),
                Column(name="Home Town (EU)", declared="TEXT"),
            ),
        ),
        TableSchema(
            name="toy",
            columns=(
                Column(name="id", declared="INTEGER", nullable=False),
                Column(name="maker_id", declared="INTEGER"),
                Column(name="price", declared="REAL"),
                Column(name="made", declared="DATE"),
            ),
        ),
    )
)


def compiled(sql: str) -> CompiledQuery:
    return compile_sql(sql, schema=SCHEMA)


@pytest.mark.parametrize(
    ("sql", "pipeline"),
    [
        (
            "SELECT maker_name FROM maker WHERE `Home Town (EU)` = 'Ulm' AND id > 3",
            [{"$match": {"Home Town (EU)": "Ulm", "id": {"$gt": 3}}}, {"$project": {"_id": 0, "maker_name": 1}}],
        ),
        (
            "SELECT T2.price FROM maker T1 JOIN toy T2 ON T1.id = T2.maker_id "
            "WHERE T2.price < 5 AND T1.maker_name <> 'x'",
            [
                {"$match": {"maker_name": {"$nin": ["x", None]}}},
                {"$lookup": {"from": "toy", "localField": "id", "foreignField": "maker_id", "as": "T2"}},
                {"$unwind": "$T2"},
                {"$match": {"T2.price": {"$lt": 5}}},
                {"$project": {"_id": 0, "price": "$T2.price"}},
            ],
        ),
        (
            "SELECT maker_id, COUNT(*) AS n FROM toy GROUP BY maker_id ORDER BY n DESC LIMIT 1",
            [
                {"$group": {"_id": "$maker_id", "n": {"$sum": 1}}},
                {"$sort": {"n": -1}},
                {"$limit": 1},
                {"$project": {"_id": 0, "maker_id": "$_id", "n": 1}},
            ],
        ),
    ],
)
def test_plain_questions_become_plain_pipelines(sql: str, pipeline: list[dict[str, Any]]) -> None:
    assert list(compiled(sql).pipeline) == pipeline


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ("SELECT", "syntax"),
        ("SELECT 1; SELECT 2", "syntax"),
        ("DELETE FROM toy", "statement"),
        ("SELECT * FROM nothing", "unknown_table"),
        ("SELECT nothing FROM toy", "unknown_column"),
        ("SELECT id FROM toy JOIN maker ON maker.id = toy.maker_id", "ambiguous_column"),
        ("SELECT t.id FROM toy t NATURAL JOIN maker m", "join"),
        ("SELECT t.id FROM toy t RIGHT JOIN maker m ON m.id = t.maker_id", "join"),
        ("SELECT GROUP_CONCAT(maker_name) FROM maker", "no_rule"),
        ("SELECT CAST(price AS TEXT) FROM toy", "fraction_as_text"),
        ("SELECT STRFTIME('%W', made) FROM toy", "date_format"),
        ("SELECT DATE(made, '+1 day') FROM toy", "no_rule"),
        ("SELECT id FROM maker WHERE maker_name LIKE maker_name", "like"),
        ("SELECT id FROM toy UNION SELECT id, price FROM toy", "set_operation"),
        ("SELECT SUM(price) OVER (ORDER BY id) FROM toy", "window"),
    ],
)
def test_sql_without_a_rule_is_refused_by_name(sql: str, rule: str) -> None:
    with pytest.raises(UntranslatableSqlError) as caught:
        compiled(sql)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("declared", "affinity"),
    [
        ("BIGINT", Affinity.INTEGER),
        ("varchar(10)", Affinity.TEXT),
        ("", Affinity.BLOB),
        ("DOUBLE", Affinity.REAL),
        ("DATE", Affinity.NUMERIC),
        ("FLOATING POINT", Affinity.INTEGER),
    ],
)
def test_affinity_follows_sqlites_rules(declared: str, affinity: Affinity) -> None:
    assert affinity_of(declared) is affinity


def test_text_names_odd_collections_and_keeps_large_numbers_whole() -> None:
    text = shell_text("stats", [{"$match": {"a b": 2**40, "c": None}}])
    assert (
        text
        == 'db.getCollection("stats").aggregate([\n  { $match: { "a b": NumberLong("1099511627776"), c: null } }\n])'
    )
    assert extended_json("t", [{"$limit": 1}]) == '{"collection": "t", "pipeline": [{"$limit": {"$numberInt": "1"}}]}'


@pytest.mark.parametrize(
    ("value", "text"),
    [(5, "5"), (-(2**31), "-2147483648"), (2**31, 'NumberLong("2147483648")'), (Int64(5), 'NumberLong("5")')],
)
def test_numbers_keep_their_width(value: int, text: str) -> None:
    assert literal_text(value) == text


def test_the_present_is_flagged() -> None:
    assert compiled("SELECT STRFTIME('%Y', 'now') - STRFTIME('%Y', made) FROM toy").notes == ("uses_now",)


def test_columns_that_are_not_grouped_by_are_flagged() -> None:
    found = compiled("SELECT maker_id, price FROM toy GROUP BY maker_id")
    assert found.notes == ("bare_column",)
    assert found.pipeline[0] == {"$group": {"_id": "$maker_id", "price": {"$first": "$price"}}}


@pytest.mark.parametrize(
    ("pipeline", "flags"),
    [
        ([{"$match": {"$where": "1"}}], ("javascript",)),
        ([{"$lookup": {"from": "b", "pipeline": [], "as": "x"}}], ("cross_join",)),
        ([{"$lookup": {"from": "b", "let": {"v": "$a"}, "pipeline": [], "as": "x"}}], ("unindexed_lookup",)),
        ([{"$lookup": {"from": "c", "localField": "a", "foreignField": "b", "as": "x"}}], ("embedded_lookup",)),
        ([{"$lookup": {"from": "a", "pipeline": [{"$group": {"_id": None}}], "as": "x"}}], ("self_lookup",)),
        ([{"$group": {"_id": 1, "all": {"$push": "$$ROOT"}}}], ("pushes_documents",)),
        ([{"$facet": {"a": [], "b": []}}], ("facet_as_union",)),
        ([{"$lookup": {"from": "b", "localField": "a", "foreignField": "b", "as": "x"}}, {"$limit": 1}], ()),
    ],
)
def test_relational_leftovers_are_flagged(pipeline: list[dict[str, Any]], flags: tuple[str, ...]) -> None:
    assert relational_leftovers(pipeline, collection="a", embedded=[("a", "c")]) == flags


def test_neighbouring_filters_become_one_unless_they_share_a_key() -> None:
    assert tidied([{"$match": {"a": 1}}, {"$match": {"b": 2}}]) == [{"$match": {"a": 1, "b": 2}}]
    both: list[dict[str, Any]] = [{"$match": {"a": 1}}, {"$match": {"a": {"$gt": 0}}}]
    assert tidied(both) == both


def test_the_row_for_an_empty_group_can_be_left_out() -> None:
    pipeline = list(compiled("SELECT COUNT(*) FROM toy").pipeline)
    assert without_group_guard(pipeline) == [
        {"$group": {"_id": None, "count": {"$sum": 1}}},
        {"$project": {"_id": 0, "count": 1}},
    ]


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ("the name refers to maker_name = 'maker_name'", "the name refers to maker.maker_name = 'maker_name'"),
        ("cheap means price < 5; maker.id", "cheap means toy.price < 5; maker.id"),
        ("`Home Town (EU)` is the town", "maker.Home Town (EU) is the town"),
        ("nothing to say", "nothing to say"),
        ("", ""),
    ],
)
def test_evidence_names_collections_and_paths(evidence: str, expected: str) -> None:
    sql = "SELECT price FROM toy JOIN maker ON maker.id = toy.maker_id WHERE maker_name = 'x' AND `Home Town (EU)` = ''"
    assert restated(evidence, sql=sql, schema=SCHEMA, layout=OneToOne()).text == expected


def test_a_name_of_two_tables_that_the_query_both_uses_stays_and_is_told() -> None:
    sql = "SELECT toy.id FROM toy JOIN maker ON maker.id = toy.maker_id"
    found = restated("id is the number", sql=sql, schema=SCHEMA, layout=OneToOne())
    assert (found.text, found.ambiguous) == ("id is the number", ("id",))

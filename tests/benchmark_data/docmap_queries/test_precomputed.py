"""Which groups become aggregates that documents hold already, and which stay groups."""

import sqlite3
from contextlib import closing

import pytest

from benchmark_data.docmap.check import checked
from benchmark_data.docmap.queries.alternatives import alternatives
from benchmark_data.docmap.queries.compile import compile_sql, parse_sql
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.layout import OneToOne
from benchmark_data.docmap.queries.precomputed import precomputed
from benchmark_data.docmap.queries.schema import Column, Schema, TableSchema, schema_from
from benchmark_data.docmap.queries.summaries import summaries_of
from benchmark_data.docmap.types import Docmap
from benchmark_data.faults import FaultLog

SQL = """
CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, town_id INTEGER REFERENCES town(id));
CREATE TABLE sale (id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shop(id), price REAL, day TEXT);
CREATE TABLE line (id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sale(id), pieces INTEGER);
"""
DOCMAP = """
docmap: 1
source: {db_id: shops}
collections:
  shops:
    table: shop
    _id: id
    fields:
      name: name
      town: {reference: {column: town_id, to: towns, extended: {name: name}}}
      sales: {computed: {via: sale.shop_id, op: count}}
      turnover: {computed: {via: sale.shop_id, op: sum, expr: price}}
      dearest: {computed: {via: sale.shop_id, op: max, expr: price}}
      mean: {computed: {via: sale.shop_id, op: avg, expr: price, round: 2}}
      lines: {computed: {via: [sale.shop_id, line.sale_id], op: count}}
      early: {computed: {via: sale.shop_id, op: min, expr: price, where: "day < '2000'"}}
  towns: {table: town, _id: id, fields: {name: name}}
  sales:
    table: sale
    _id: id
    fields:
      shop: shop_id
      price: price
      day: day
      lines: {embed_many: {via: line.sale_id, role: home, order_by: [id], fields: {id: id, pieces: pieces}}}
"""
JOIN = "FROM shop s JOIN sale a ON a.shop_id = s.id"


def table(named: str, rows: int, /, **columns: str) -> TableSchema:
    made = tuple(Column(name=each, declared=kind, nullable=each != "id") for each, kind in columns.items())
    return TableSchema(name=named, columns=made, primary_key=("id",), rows=rows)


SCHEMA: Schema = schema_from(
    (
        table("town", 5, id="INTEGER", name="TEXT"),
        table("shop", 20, id="INTEGER", name="TEXT", town_id="INTEGER"),
        table("sale", 1_000, id="INTEGER", shop_id="INTEGER", price="REAL", day="TEXT"),
        table("line", 3_000, id="INTEGER", sale_id="INTEGER", pieces="INTEGER"),
    )
)


@pytest.fixture(scope="module")
def docmap() -> Docmap:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SQL)
        return checked(DOCMAP, connection, FaultLog("docmap"))


def rewritten(sql: str, docmap: Docmap) -> list[str]:
    return [tree.sql(dialect="sqlite") for tree in precomputed(parse_sql(sql), SCHEMA, summaries_of(docmap))]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            f"SELECT s.name, COUNT(*) AS n {JOIN} GROUP BY s.id",
            'SELECT "s"."name" AS "name", "s"."@sales" AS "n" FROM "shop" AS "s" WHERE "s"."@sales" > 0',
        ),
        (
            f"SELECT s.name {JOIN} WHERE s.name <> 'x' GROUP BY a.shop_id HAVING SUM(a.price) > 5 "
            "ORDER BY MAX(price) DESC LIMIT 1",
            'SELECT "s"."name" AS "name" FROM "shop" AS "s" '
            'WHERE "s"."name" <> \'x\' AND "s"."@sales" > 0 AND ("s"."@turnover" > 5) '
            'ORDER BY "s"."@dearest" DESC LIMIT 1',
        ),
        (
            f"SELECT s.id, ROUND(AVG(a.price), 2) {JOIN} GROUP BY s.id",
            'SELECT "s"."id" AS "id", "s"."@mean" AS "value" FROM "shop" AS "s" WHERE "s"."@sales" > 0',
        ),
        (
            f"SELECT t.name, SUM(a.price) AS total {JOIN} JOIN town t ON t.id = s.town_id "
            "GROUP BY t.name ORDER BY total",
            'SELECT "t"."name" AS "name", SUM("s"."@turnover") AS "total" FROM "shop" AS "s" CROSS JOIN "town" AS "t" '
            'WHERE "t"."id" = "s"."town_id" AND "s"."@sales" > 0 GROUP BY "t"."name" ORDER BY SUM("s"."@turnover")',
        ),
        (
            "SELECT shop_id, COUNT(*) FROM sale GROUP BY shop_id",
            'SELECT "shop"."id" AS "shop_id", "shop"."@sales" AS "count" FROM "shop" AS "shop" '
            'WHERE "shop"."@sales" > 0',
        ),
        (
            f"SELECT COUNT(a.id) {JOIN} WHERE s.name = 'x'",
            'SELECT COALESCE(SUM("s"."@sales"), 0) AS "count" FROM "shop" AS "s" '
            'WHERE "s"."name" = \'x\' AND "s"."@sales" > 0',
        ),
        (
            f"SELECT SUM(CASE WHEN s.name = 'x' THEN a.price ELSE 0 END) {JOIN}",
            'SELECT SUM(CASE WHEN "s"."name" = \'x\' THEN "s"."@turnover" ELSE 0 END) AS "sum_price" '
            'FROM "shop" AS "s" WHERE "s"."@sales" > 0',
        ),
        (
            f"SELECT COUNT(l.id) {JOIN} JOIN line l ON l.sale_id = a.id WHERE s.id = 3",
            'SELECT COALESCE(SUM("s"."@lines"), 0) AS "count" FROM "shop" AS "s" '
            'WHERE "s"."id" = 3 AND "s"."@lines" > 0',
        ),
        (
            "SELECT a.day FROM sale a JOIN line l ON l.sale_id = a.id GROUP BY a.id ORDER BY COUNT(*) DESC LIMIT 2",
            'SELECT "a"."day" AS "day" FROM "sale" AS "a" WHERE "a"."@lines" > 0 ORDER BY "a"."@lines" DESC LIMIT 2',
        ),
    ],
)
def test_a_group_of_the_rows_below_becomes_the_field_beside_the_row(sql: str, expected: str, docmap: Docmap) -> None:
    assert expected in [text.replace(" NULLS LAST", "").replace(" NULLS FIRST", "") for text in rewritten(sql, docmap)]


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT s.name, a.day {JOIN}",
        f"SELECT s.id, COUNT(*) {JOIN} WHERE a.price > 1 GROUP BY s.id",
        f"SELECT s.id, a.day, COUNT(*) {JOIN} GROUP BY s.id, a.day",
        f"SELECT s.id, COUNT(DISTINCT a.day) {JOIN} GROUP BY s.id",
        f"SELECT s.id, AVG(a.price) {JOIN} GROUP BY s.id",
        f"SELECT s.id, MIN(a.price) {JOIN} GROUP BY s.id",
        f"SELECT s.id, SUM(a.price * 2) {JOIN} GROUP BY s.id",
        f"SELECT AVG(a.price) {JOIN}",
        f"SELECT COUNT(*) {JOIN} JOIN sale b ON b.shop_id = s.id",
        f"SELECT COUNT(*) {JOIN} JOIN town t ON t.name = s.name",
        f"SELECT COUNT(*) {JOIN} AND a.price > 3",
        "SELECT COUNT(*) FROM shop s LEFT JOIN sale a ON a.shop_id = s.id",
        "SELECT COUNT(*) FROM shop s JOIN sale a ON a.id = s.id",
        f"SELECT s.id, COUNT(*), (SELECT 1) {JOIN} GROUP BY s.id",
        f"SELECT *, COUNT(*) {JOIN} GROUP BY s.id",
        f"SELECT SUM(CASE WHEN a.day > '2000' THEN a.price ELSE 0 END) {JOIN}",
        "SELECT shop_id, price, COUNT(*) FROM sale GROUP BY shop_id",
        "SELECT RANK() OVER (ORDER BY COUNT(*)) FROM shop s JOIN sale a ON a.shop_id = s.id GROUP BY s.id",
    ],
)
def test_a_group_that_the_fields_do_not_answer_stays_a_group(sql: str, docmap: Docmap) -> None:
    assert rewritten(sql, docmap) == []


def test_a_select_inside_another_is_rewritten_in_its_place(docmap: Docmap) -> None:
    sql = f"SELECT AVG(n) FROM (SELECT COUNT(*) AS n {JOIN} GROUP BY s.id)"
    assert rewritten(sql, docmap) == [
        'SELECT AVG(n) FROM (SELECT "s"."@sales" AS "n" FROM "shop" AS "s" WHERE "s"."@sales" > 0)'
    ]


def test_the_cheaper_query_comes_first_and_is_marked(docmap: Docmap) -> None:
    layout = DocmapLayout(docmap, SCHEMA)
    sql = f"SELECT s.name {JOIN} GROUP BY s.id ORDER BY COUNT(*) DESC LIMIT 1"
    exact = compile_sql(sql, schema=SCHEMA, layout=layout)
    first, *_ = alternatives(exact, sql, schema=SCHEMA, layout=layout)
    assert first.notes == ("precomputed",)
    assert list(first.pipeline) == [
        {"$match": {"sales": {"$gt": 0}}},
        {"$sort": {"sales": -1}},
        {"$limit": 1},
        {"$project": {"_id": 0, "name": 1}},
    ]


def test_one_to_one_has_no_alternative_but_a_shorter_group() -> None:
    schema = schema_from((SCHEMA.tables["shop"],))
    sql = "SELECT COUNT(*) FROM shop"
    [only] = alternatives(compile_sql(sql, schema=schema), sql, schema=schema, layout=OneToOne())
    assert list(only.pipeline) == [
        {"$group": {"_id": None, "count": {"$sum": 1}}},
        {"$project": {"_id": 0, "count": 1}},
    ]

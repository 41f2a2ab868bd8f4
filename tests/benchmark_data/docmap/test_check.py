"""The static check: every fault at once, each with its line, before any data is read."""

from pathlib import Path

import pytest

from benchmark_data.errors import FaultyBundleError
from tests.benchmark_data.docmap.sources import HEAD, SHOP, SHOP_DOCMAP, database, docmap_of, mechanical

SOURCE = """
CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, other INTEGER REFERENCES a(id));
CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a(id), day TEXT);
CREATE TABLE "two ways" (a INTEGER REFERENCES a(id) REFERENCES b(id));
"""
A = "  as: {table: a, _id: id, fields: {name: name, n: n, other: other}}\n"
B = "  bs: {table: b, _id: id, fields: {a: a, day: day}}\n"
W = "  ws: {table: two ways, fields: {a: a}}\n"

CASES = {
    "an unknown table": (A + B + W + "  cs: {table: c, fields: {}}\n", ["7 unknown_table no table 'c'"]),
    "an unknown column": (
        A.replace("name: name", "name: nmae") + B + W,
        ["4 unknown_column no column 'nmae' in table a; did you mean 'name'?", "4 unplaced_column"],
    ),
    "an unplaced column": (
        A.replace("name: name, ", "") + B + W,
        ["4 unplaced_column the column a.name has no home: no field holds it, no position implies it, and no waiver"],
    ),
    "an unplaced table": (A + W, ["None unplaced_table the table b has no home: its 3 columns would be lost"]),
    "two homes": (
        A + B + W + B.replace("bs", "again"),
        ["7 two_homes the table b has a home in bs and another in again: one must be a copy."],
    ),
    "a copy is no home": (
        A.replace("n: n", "n: n, bs: {embed_many: {via: b.a, fields: {id: id, day: day}}}") + W,
        ["None unplaced_table the table b"],
    ),
    "a subset is no home": (
        A.replace("n: n", "n: n, bs: {embed_many: {via: b.a, role: home, limit: 3, fields: {id: id, day: day}}}") + W,
        ["4 bad_role `limit` and `where` leave rows out: the embedding can only be a copy."],
    ),
    "a cycle": (
        A.replace(
            "n: n",
            "n: n, bs: {embed_many: {via: b.a, role: home, fields: {id: id, day: day, a: {embed_one: {via: b.a, fields:"
            " {name: name}}}}}}",
        )
        + W,
        ["4 cycle cycle: b.a leads back to rows that the document is already inside of."],
    ),
    "an ambiguous link": (
        A + B + W.replace("a: a", "a: a, x: {embed_one: {via: two ways.a, fields: {id: id}}}"),
        ["6 ambiguous_link 'two ways.a' may mean several relationships; write one of: two ways.a -> a, two ways.a"],
    ),
    "a link that leads elsewhere": (
        A + B.replace("day: day", "day: day, x: {embed_many: {via: a.other, fields: {n: n}}}") + W,
        ["5 wrong_link 'a.other' leads a → a, and not from or to b."],
    ),
    "an unknown link": (
        A.replace("n: n", "n: n, x: {computed: {via: b.aa, op: count}}") + B + W,
        ["4 unknown_link no relationship 'b.aa'; did you mean 'b.a'?"],
    ),
    "a type that the column does not have": (
        A.replace("n: n", "n: {column: n, type: string}").replace("name: name", "name: {column: name, type: int}")
        + B
        + W,
        [
            "4 type_mismatch name is declared TEXT, and `type: int` expects cells stored as integer; write `stored:",
            "4 type_mismatch n is declared INTEGER, and `type: string` expects cells stored as text; write `stored:",
        ],
    ),
    "a decoding that cannot be undone": (
        A.replace("n: n", "n: {column: n, decode: {1: yes, 2: true}}") + B + W,
        ["4 bad_decode 1 and 2 both become True: it could not be undone."],
    ),
    "illegal and colliding paths": (
        A.replace("name: name, n: n", "$name: name, x: n, x.y: {const: 1}, z..: {const: 1}") + B + W,
        [
            "4 field_name the path '$name' must not have a name that begins with $.",
            "4 path_conflict 'x.y' collides with 'x' of line 4.",
            "4 field_name the path 'z..' must have a name before, between and after its dots.",
        ],
    ),
    "an illegal collection": (
        A.replace("as:", "system.as:") + B + W,
        ["4 bad_name the collection's name must not begin with \"system.\", which is the server's own."],
    ),
    "a bad expression": (
        A.replace("n: n", "n: n, x: {derive: nope + 1}, y: {computed: {via: b.a, op: max, expr: 'day('}}") + B + W,
        [
            "4 bad_expression 'nope + 1' over a: no such column: nope.",
            "4 bad_expression 'day(' over b: near \"FROM\": syntax error.",
        ],
    ),
    "words that are not in the vocabulary": (
        A.replace("n: n", "n: {column: n, typ: int, null: never}") + B + W,
        [
            "4 unknown_key is no key known here; known are column, decode, format, null, on_fail, stored, type.",
            "4 unknown_word 'never' is none of keep, omit.",
        ],
    ),
    "an unknown collection in a reference": (
        A + B.replace("a: a", "a: {reference: {column: a, to: aas}}") + W,
        ["5 unknown_collection no collection 'aas' of one table in this docmap.", "5 unplaced_column"],
    ),
    "a home inside of a copy": (
        A.replace(
            "n: n",
            "n: n, o: {embed_one: {via: a.other, fields: {bs: {embed_many: {via: b.a, role: home, fields: {id: id, day:"
            " day}}}}}}",
        )
        + W,
        [
            "4 bad_role a home cannot stand inside of a copy, nor on the other side of a junction.",
            "None unplaced_table the table b",
        ],
    ),
}


@pytest.mark.parametrize(("collections", "wanted"), CASES.values(), ids=CASES)
def test_a_fault_is_told_with_its_line(tmp_path: Path, collections: str, wanted: list[str]) -> None:
    source = database(tmp_path, SOURCE)
    with pytest.raises(FaultyBundleError) as caught:
        docmap_of(source, f"{HEAD}collections:\n{collections}")
    found = [f"{fault.line} {fault.rule} {fault.message}" for fault in caught.value.faults]
    assert len(found) == len(wanted), found
    for text in wanted:
        assert any(one.startswith(text) for one in found), (text, found)


TEXTS = {
    "an alias, which may be a cycle or a bomb": ("docmap: &x 1\nsource: *x\n", "docmap.yaml:2: the alias *x is not"),
    "no YAML": ("docmap: [1\nsource: {", "docmap.yaml:2: not YAML: "),
    "nothing": ("", "docmap.yaml: the file is empty."),
    "a list": ("- 1\n", "docmap.yaml:1: must be a mapping of keys to values."),
    "a key twice": (f"{HEAD}docmap: 1\ncollections: {{}}\n", "docmap.yaml:3: docmap: the key 'docmap' stands twice."),
    "another version": ("docmap: 2\nsource: {db_id: x}\ncollections: {}\n", "docmap.yaml:1: docmap: the version must"),
    "an object": ("docmap: !!python/object:os.system 1\n", "docmap.yaml:1: the key 'source' is missing."),
    "depth": ("[" * 100, "docmap.yaml:1: nested deeper than 60 levels."),
}


@pytest.mark.parametrize(("text", "message"), TEXTS.values(), ids=TEXTS)
def test_a_text_that_is_no_docmap_is_refused(tmp_path: Path, text: str, message: str) -> None:
    source = database(tmp_path, "CREATE TABLE t (id)")
    with pytest.raises(FaultyBundleError) as caught:
        docmap_of(source, text)
    assert any(str(fault).startswith(message) for fault in caught.value.faults), str(caught.value)


def test_good_docmaps_have_no_fault(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    assert len(docmap_of(source, SHOP_DOCMAP).collections) == 4
    assert len(mechanical(source).collections) == 6


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    text = SHOP_DOCMAP.replace("column: Sugar", "column: Shugar").replace("via: review_brand", "via: rewiev_brand")
    with pytest.raises(FaultyBundleError) as caught:
        docmap_of(source, text)
    assert [(fault.line, fault.rule) for fault in caught.value.faults] == [
        (7, "unplaced_column"),
        (12, "unknown_column"),
        (14, "unknown_link"),
        (15, "unknown_link"),
        (18, "unknown_link"),
    ]

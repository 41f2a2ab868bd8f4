"""The reader by rules makes queries of words, codes and values that cards and evidence name."""

import pytest

from benchmark_data.cards import measure
from evaluation.sample21.keyword import keyword_query
from evaluation.sample21.keyword_words import in_digits, words
from evaluation.sample21.query_text import query_text

CARDS = {
    "bakers": measure(
        [
            {
                "_id": n,
                "name": f"Baker {n}",
                "village": ("Elmstead", "Fosse")[n % 2],
                "state": "AR"[n % 2],
                "rollCount": n,
            }
            for n in range(40)
        ]
    ),
    "mills": measure(
        [
            {
                "_id": n,
                "title": f"Mill {n}",
                "baker": {"name": f"Ada {chr(65 + n)}quern"},
                **({"closed": "2020"} if n % 2 else {}),
            }
            for n in range(20)
        ]
    ),
}

CASES = [
    ("How many bakers live in Fosse?", "", 'db.bakers.countDocuments({village: "Fosse"})'),
    ("How many bakers have retired?", "`state` is 'A' for active, 'R' for retired",
     'db.bakers.countDocuments({state: "R"})'),
    ("How many retired bakers are there?", "`state` is 'A' for active, 'R' for retired",
     'db.bakers.countDocuments({state: "R"})'),
    ("How many retired bakers are there?", "", "db.bakers.countDocuments({})"),
    ("List the names of bakers with at least twelve rolls.", "",
     "db.bakers.find({rollCount: {$gte: 12}}, {_id: 0, name: 1})"),
    ("Which mills are not closed?", "an open mill has no `closed`",
     "db.mills.find({closed: null}, {_id: 0, title: 1})"),
    ("For each village, how many bakers are there?", "",
     'db.bakers.aggregate([{$group: {_id: "$village", count: {$sum: 1}}}])'),
    ("In which villages do bakers live? Name each village once.", "", 'db.bakers.distinct("village", {})'),
    ("Show title of the mill of the baker Ada Dquern.", "",
     'db.mills.find({"baker.name": "Ada Dquern"}, {_id: 0, title: 1})'),
]  # fmt: skip


@pytest.mark.parametrize(("question", "evidence", "text"), CASES, ids=[str(n) for n in range(len(CASES))])
def test_a_question_becomes_a_query(question: str, evidence: str, text: str) -> None:
    assert query_text(keyword_query(question, evidence, CARDS)) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("placedAt", ("placed", "at")),
        ("Categories of e-mails", ("category", "of", "email")),
        ("rollCount", ("roll", "count")),
        ("bus status", ("bus", "status")),
        ("boxes", ("box",)),
    ],
)
def test_words_are_brought_to_one_form(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


def test_number_words_become_digits() -> None:
    assert in_digits("More than fifteen loaves, one each, two or more") == "More than 15 loaves, one each, 2 or more"

"""Tests of the prompts of a database: what they say, what they never say, and how they are made to fit."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.bundles.generate import TINY
from benchmark_data.card_file import measure_database
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle, Item
from evaluation.prompts.build import PromptWriter, prompt_writer
from evaluation.prompts.bundles import bundle_writers
from evaluation.prompts.templates import TEMPLATES
from evaluation.prompts.tokens import estimated_tokens
from evaluation.prompts.types import PromptTooLargeError, Question, prompts_digest, question_of
from evaluation.types import Condition

BUNDLE = load_bundle(TINY)
FERRY = next(database for database in BUNDLE.databases if database.db_id == "ferry_line")
CARDS = measure_database(FERRY)
ITEMS = [item for item in BUNDLE.items if item.db_id == "ferry_line"]
QUESTIONS = [question_of(item) for item in ITEMS]
TOLD = next(item for item in ITEMS if item.evidence)


def writer(room: int | None = None, template: str = "default@1") -> PromptWriter:
    return prompt_writer(FERRY, CARDS, QUESTIONS, template=TEMPLATES[template], room=room)


def whole(item: Item, condition: Condition, made: PromptWriter) -> str:
    return "\n".join(message.content for message in made.prompt(question_of(item), condition).messages)


def test_a_prompt_has_the_question_and_every_collection_and_field() -> None:
    text = whole(TOLD, Condition.WITHOUT_EVIDENCE, writer())
    assert TOLD.question in text
    for card in CARDS:
        assert f"Collection `{card.collection}`" in text
        for field in card.card.fields:
            assert f"  - {field.path.replace('.[]', '[]')}: " in text


def test_evidence_is_in_the_condition_that_has_it_and_in_no_other() -> None:
    assert TOLD.evidence in whole(TOLD, Condition.WITH_EVIDENCE, writer())
    assert TOLD.evidence not in whole(TOLD, Condition.WITHOUT_EVIDENCE, writer())


def test_an_item_without_evidence_is_asked_alike_in_both_conditions() -> None:
    plain = next(item for item in ITEMS if not item.evidence)
    assert whole(plain, Condition.WITH_EVIDENCE, writer()) == whole(plain, Condition.WITHOUT_EVIDENCE, writer())


@pytest.mark.parametrize("template", sorted(TEMPLATES))
@pytest.mark.parametrize("condition", list(Condition))
def test_gold_sql_and_marks_of_an_item_never_enter_a_prompt(template: str, condition: Condition) -> None:
    canary = "CANARY-7f3b"
    items = tuple(
        dataclasses.replace(item, gold_query=f"{canary}-gold", sql=f"{canary}-sql", flags=(f"{canary}-flag",))
        for item in BUNDLE.items
    )
    planted = dataclasses.replace(BUNDLE, items=items)
    made = bundle_writers(planted, template=TEMPLATES[template], room=None)
    for item in items:
        prompt = made.writers[item.db_id].prompt(question_of(item), condition)
        assert canary not in repr(prompt)


def test_a_question_has_no_room_for_anything_else_of_an_item() -> None:
    assert {field.name for field in dataclasses.fields(Question)} == {"question_id", "db_id", "text", "evidence"}


def test_less_room_gives_less_detail_and_always_fits() -> None:
    details = []
    for room in (None, 1200, 900, 700, 600, 500):
        try:
            made = writer(room)
        except PromptTooLargeError:
            details.append("none")
            continue
        details.append(made.detail)
        for question in QUESTIONS:
            for condition in Condition:
                prompt = made.prompt(question, condition)
                assert room is None or prompt.tokens <= room
    assert details[0] == "full"
    assert len(set(details)) >= 3
    order = ["full", "examples", "names", "short", "none"]
    assert details == sorted(details, key=order.index)


def test_where_the_shortest_description_is_too_long_fields_are_left_out_and_counted() -> None:
    fitting = min(room for room in range(300, 1200, 20) if _fits(room))
    made = writer(fitting)
    assert made.described.left_out > 0
    assert "more fields are left out here" in made.described.text
    assert made.prompt(QUESTIONS[0], Condition.WITH_EVIDENCE).left_out == made.described.left_out


def test_a_database_that_cannot_fit_is_named_with_the_room_it_had() -> None:
    with pytest.raises(PromptTooLargeError, match="ferry_line does not fit: 100 tokens"):
        writer(100)


def test_all_items_of_a_database_get_the_same_description_in_both_conditions() -> None:
    made = writer(800)
    systems = {made.prompt(question, condition).messages[0] for question in QUESTIONS for condition in Condition}
    assert len(systems) == 1


def test_the_compact_wording_is_shorter_than_the_default() -> None:
    compact, default = writer(template="compact@1"), writer()
    for question in QUESTIONS:
        of = Condition.WITH_EVIDENCE
        assert compact.prompt(question, of).tokens < default.prompt(question, of).tokens


def test_the_digest_changes_with_any_word_and_with_nothing_else() -> None:
    question = QUESTIONS[0]
    first = writer().prompt(question, Condition.WITH_EVIDENCE)
    again = writer().prompt(question, Condition.WITH_EVIDENCE)
    other = writer().prompt(dataclasses.replace(question, text=question.text + "?"), Condition.WITH_EVIDENCE)
    assert first.digest == again.digest != other.digest
    pairs = [("1", first.digest), ("2", other.digest)]
    assert prompts_digest(pairs) == prompts_digest(reversed(pairs)) != prompts_digest(pairs[:1])


def test_cards_of_a_bundle_that_stores_none_are_measured(tmp_path: Path) -> None:
    made = bundle_writers(BUNDLE, template=TEMPLATES["default@1"], room=None, db_ids={"ferry_line"})
    assert set(made.writers) == {"ferry_line"}
    assert made.writers["ferry_line"].described == writer().described


def test_databases_that_do_not_fit_are_told_apart_from_those_that_do() -> None:
    rooms = {database.db_id: _least_room(BUNDLE, database.db_id) for database in BUNDLE.databases}
    between = sorted(rooms.values())[1]
    made = bundle_writers(BUNDLE, template=TEMPLATES["default@1"], room=between)
    assert set(made.too_large) == {db_id for db_id, room in rooms.items() if room > between}
    assert set(made.writers) == set(rooms) - set(made.too_large)


@given(st.text(max_size=200), st.text(max_size=200))
@settings(deadline=None)
def test_the_estimate_grows_with_the_text_and_is_never_below_a_token_for_three_bytes(first: str, second: str) -> None:
    joined = estimated_tokens(first + second)
    assert joined >= estimated_tokens(first)
    assert joined <= estimated_tokens(first) + estimated_tokens(second)
    assert 3 * joined >= len((first + second).encode(errors="replace"))


def _fits(room: int) -> bool:
    try:
        return writer(room) is not None
    except PromptTooLargeError:
        return False


def _least_room(bundle: Bundle, db_id: str) -> int:
    return next(
        room
        for room in range(200, 1500, 10)
        if bundle_writers(bundle, template=TEMPLATES["default@1"], room=room, db_ids={db_id}).writers
    )

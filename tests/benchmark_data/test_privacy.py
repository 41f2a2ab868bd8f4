"""Examples on cards: labels pass, and what could say who somebody is does not."""

import pytest

from benchmark_data.privacy import is_personal, number_is_harmless, text_is_harmless, tokens

HARMLESS = [
    ("status", "sailed"),
    ("status", "Open"),
    ("facilities.[]", "waiting room"),
    ("country", "South Korea"),
    ("address.city", "New York"),
    ("species.latin", "Beta vulgaris"),
    ("speciesName", "Great Tit"),
    ("country.name", "New Zealand"),
    ("country", "日本"),
    ("code", "A-17"),
    ("period", "2019/20"),
    ("rating", "3.5 of 5"),
]
HARMFUL = [
    ("who", "anna@example.org"),
    ("note", "+49 170 1234567"),
    ("note", "(555) 123-4567"),
    ("page", "https://example.org/anna"),
    ("page", "www.example.org"),
    ("server", "192.168.100.200"),
    ("who", "Anna Berg"),
    ("who", "Jean-Luc O’Neill"),
    ("who", "María José de la Cruz"),
    ("who", "王伟"),
    ("name", "anna"),
    ("teacher", "berg"),
    ("wall.name", "North"),
    ("created_by", "admin"),
    ("reviewer", "M-014"),
    ("flights.[].pilot", "Berg"),
    ("Winner", "Berg"),
    ("key", "550e8400-e29b-41d4-a716-446655440000"),
    ("key", "DE89370400440532013000"),
    ("text", "She said that she would come back on Monday evening"),
    ("text", "one two three four five six"),
    ("text", "two\nlines"),
    ("text", " "),
]


@pytest.mark.parametrize(("path", "text"), HARMLESS, ids=range(len(HARMLESS)))
def test_a_label_may_be_an_example(path: str, text: str) -> None:
    assert not is_personal(path)
    assert text_is_harmless(text, path=path)


@pytest.mark.parametrize(("path", "text"), HARMFUL, ids=range(len(HARMFUL)))
def test_what_may_be_somebodys_is_no_example(path: str, text: str) -> None:
    assert not text_is_harmless(text, path=path)


@pytest.mark.parametrize(
    ("path", "personal"),
    [
        ("email", True),
        ("contact.[].value", True),
        ("EMailAddress", True),
        ("first_name", True),
        ("firstName", True),
        ("date_of_birth", True),
        ("billing.address.street", True),
        ("billing.address.city", False),
        ("address.city.phone", True),
        ("status", False),
        ("mailing_list", False),
        ("shipment.state", False),
        ("zip", True),
    ],
)
def test_a_path_is_personal_by_its_words(path: str, personal: bool) -> None:
    assert is_personal(path) is personal


def test_words_are_found_however_they_are_joined() -> None:
    assert tokens("a.firstName") == ("a", "first", "name", "firstname")
    assert tokens("HTTPStatus_code2")[:4] == ("http", "status", "code", "2")


@pytest.mark.parametrize(("number", "harmless"), [(7, True), (-12.5, True), (123_456, True), (1_234_567, False)])
def test_long_numbers_are_no_examples(number: float, harmless: bool) -> None:
    assert number_is_harmless(number) is harmless

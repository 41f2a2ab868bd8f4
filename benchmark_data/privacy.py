"""Which values may stand as examples on a card: none that could say who somebody is.

A text is an example only where all of this holds:

- Its path does not speak of a person's data: contact, address, birth, account, credentials, … (`PERSONAL`); below
  such a name, only what says of itself that it is a place, a kind or the like (`CATEGORIES`): "address.city".
- It came at least twice, and the path's values come twice each on average: what is unique may identify.
- It has at most 40 characters, five words and one line: longer is free text, in which anything may stand.
- It is no e-mail or web address, no telephone or network address, no identifier: not an @, not "://", at most six
  digits in all, no word of letters and digits longer than twelve characters.
- Its field is not called "name", "author" or the like (`NAMING`), unless that says a place, a kind or the like too
  (`CATEGORIES`): "species_name", or "name" below "country".
- It does not look like a person's name, two to four words of letters that begin with a capital, or words of a script
  without capitals; fields that say that they are a place or a kind are believed.

Numbers and dates are examples under the first two rules, numbers with at most six digits. Object ids, binary data and
all other types never are. Ranges of numbers and dates are shown unless the path is personal, or the values are unique
numbers of more than six digits, which are identifiers. Keys that are data follow the rules for texts, except that each
comes once for each object by nature.
"""

import re
from itertools import pairwise

MOST_CHARACTERS, MOST_WORDS, MOST_DIGITS, MOST_CODE = 40, 5, 6, 12

PERSONAL = frozenset(
    """
    account address addresses bday bic birth birthdate birthday birthplace born cell cellphone contact contacts
    credential credentials dob email emails emailaddress familyname fax firstname forename fullname givenname
    homepage iban initial initials ip ipaddress lastname latitude login longitude mail maidenname middlename
    mobile nickname passport passwd password phone phones pin postalcode postcode salutation secret signature ssn
    street surname
    tel telephone telephones token twitter url user userid username website zip zipcode
    """.split()  # noqa: SIM905
)
NAMING = frozenset(
    """
    actor actress agent applicant artist assignee athlete attorney author authors borrower boss brother buyer
    by candidate captain chair chairman champion character child children client coach colleague commander
    commenter composer conductor contestant contributor creator customer cyclist daughter director doctor
    driver editor employee engineer father founder friend governor guest headmaster holder host husband
    instructor jockey judge lawyer leader lyricist manager mayor mechanic member mentor mother musician name
    names nurse officer operator opponent owner painter parent participant partner patient people performer
    perpetrator person persons physician pilot player presenter president principal prisoner producer
    professor recipient referee reporter resident reviewer rider scientist sculptor secretary seller sender
    setter singer sister skater son songwriter speaker spokesman spouse staff student supervisor surgeon
    surveyor suspect swimmer teacher tenant trainer treasurer umpire victim volunteer voter wife winner
    witness wrestler writer
    """.split()  # noqa: SIM905
)
CATEGORIES = frozenset(
    """
    area brand category chain city class club color colour company condition continent country county currency
    department district division element event format gender genre grade grades group industry kind label language
    league level locality make manufacturer material method mode month nation nationality party place port position
    product province publisher race rank rarity region role school season section sector sex size species sport stage
    state station status style subject subtype surface symbol system tag tags team territory title topic town type
    types unit venue weekday
    """.split()  # noqa: SIM905
)

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"[^\W_](?:[^\W_]|[-_:/.])*")
_PUNCTUATION = str.maketrans("", "", ".,'’-")


def tokens(path: str) -> tuple[str, ...]:
    """The words of a path in lower case, also those joined as in "firstName" and "first_name"; both forms of each."""
    found: list[str] = []
    for part in path.split("."):
        words = [word.lower() for word in _TOKEN.findall(part)]
        found.extend(words)
        if len(words) > 1:
            found.extend("".join(pair) for pair in pairwise(words))
    return tuple(found)


def is_personal(path: str) -> bool:
    """Whether a path speaks of data that belong to one person."""
    parents, _, last = path.rpartition(".")
    own = tokens(last)
    if not PERSONAL.isdisjoint(own):
        return True
    return CATEGORIES.isdisjoint(own) and not PERSONAL.isdisjoint(tokens(parents))


def text_is_harmless(text: str, *, path: str) -> bool:
    """Whether a text's shape lets it stand as an example, by the rules above; how often it came is for the caller."""
    if not text.strip() or len(text) > MOST_CHARACTERS or not text.isprintable():
        return False
    words = text.split()
    if len(words) > MOST_WORDS or "@" in text or "://" in text or text.lower().startswith("www."):
        return False
    if len(_DIGIT.findall(text)) > MOST_DIGITS or any(_is_code(word) for word in words):
        return False
    if _names_a_category(path):
        return True
    return NAMING.isdisjoint(tokens(_last(path))) and not _looks_like_a_person(words)


def number_is_harmless(number: int | float) -> bool:
    """Whether a number is short enough not to be a telephone's or an account's."""
    return len(_DIGIT.findall(repr(number))) <= MOST_DIGITS


def _is_code(word: str) -> bool:
    """A long word of letters and digits: an identifier, a key, a licence plate's longer cousin."""
    has_digits = _DIGIT.search(word) is not None
    return has_digits and len(word) > MOST_CODE and _CODE.fullmatch(word) is not None


def _looks_like_a_person(words: list[str]) -> bool:
    letters = [word.translate(_PUNCTUATION) for word in words]
    if not all(word.isalpha() for word in letters if word) or not any(letters):
        return False
    # One capital word, "Open", is a label far more often than a name; two or more, or a caseless script, are not.
    caseless = all(word.lower() == word.upper() for word in letters if word)
    capital = [word for word in letters if word and word[0] != word[0].lower()]
    return caseless or 2 <= len(capital) <= 4


def _names_a_category(path: str) -> bool:
    """Whether a path's last part says that its texts are labels; "name" says nothing, so its parent is asked."""
    last = _last(path)
    if last.lower() in {"name", "title"}:
        last = _last(path.rpartition(".")[0])
    return not CATEGORIES.isdisjoint(tokens(last))


def _last(path: str) -> str:
    """The last part of a path that is a name."""
    return next((part for part in reversed(path.split(".")) if part not in {"[]", "*"}), "")

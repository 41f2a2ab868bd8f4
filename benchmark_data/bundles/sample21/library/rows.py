"""The rows of the library database: each copy is lent again and again, some of them far more often than others."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.library.words import (
    ADJECTIVES,
    AUTHORS,
    BRANCHES,
    FIRST_NAMES,
    GENRES,
    LANGUAGES,
    LAST_NAMES,
    MAIL_HOSTS,
    NOUNS,
    WEEKDAYS,
)

Rows = list[tuple[object, ...]]
_TITLES = 170
_MEMBERS = 240
_READERS = 205
_FIRST = date(2023, 1, 2)
_LAST = date(2024, 6, 29)
_WEIGHTS = {number: branch.weight for number, branch in enumerate(BRANCHES, start=1)}


class Copy(NamedTuple):
    """A row of `copies`."""

    copy_id: str
    title_id: int | None
    branch_id: int
    acquired: str
    state: str
    price_cents: int | None
    withdrawn: str | None


class Loan(NamedTuple):
    """A row of `loans` without its key; a copy is never lent twice on one day, so that the order is total."""

    lent: str
    copy_id: str
    member_id: int
    due: str
    returned: str | None
    renewals: int


def tables(dice: Dice) -> dict[str, Rows]:
    """The rows of each table, parents first."""
    copies = list(_copies(dice))
    loans = sorted((loan for copy in copies for loan in _loans(dice, copy)), key=lambda loan: loan[:2])
    return {
        "branches": [(number, *branch.row) for number, branch in enumerate(BRANCHES, start=1)],
        "opening_hours": list(_opening_hours(dice)),
        "authors": [(number, *author) for number, author in enumerate(AUTHORS, start=1)],
        "titles": list(_titles(dice)),
        "title_authors": list(_title_authors(dice)),
        "copies": [*copies],
        "members": list(_members(dice)),
        "loans": [
            (number, loan.copy_id, loan.member_id, loan.lent, loan.due, loan.returned, loan.renewals)
            for number, loan in enumerate(loans, start=1)
        ],
        "fines": [fine for number, loan in enumerate(loans, start=1) for fine in _fine(dice, number, loan)],
        "holds": list(_holds(dice)),
    }


def _opening_hours(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number, branch in enumerate(BRANCHES, start=1):
        for weekday in WEEKDAYS:
            key = (number, weekday)
            if dice.chance(14, "closed", *key):
                continue
            early = branch.late - dice.between(0, 2, *key)
            closes = {"Thu": branch.late, "Sat": 14}.get(weekday, early)
            opens = dice.pick(("09:00", "09:30", "10:00", "12:00"), "opens", *key)
            yield number, weekday, opens, f"{closes:02d}:{dice.pick(('00', '30'), 'minutes', *key)}"


def _titles(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number in range(1, _TITLES + 1):
        isbn = None if dice.chance(7, "old", number) else f"00{dice.between(0, 9, 'isbn', number)}{number * 7919:07d}"
        genre = dice.weighted(GENRES, "genre", number)
        audience = "C" if genre == "Picture book" else dice.weighted({"A": 70, "Y": 20, "C": 10}, "audience", number)
        pages = (
            16 * dice.between(2, 4, "few", number) if genre == "Picture book" else dice.bell(90, 720, "pages", number)
        )
        yield (
            number,
            isbn,
            _name(number),
            2024 - dice.skewed(0, 70, "year", number),
            dice.weighted(LANGUAGES, "language", number),
            genre,
            audience,
            None if dice.chance(5, "unpaged", number) else pages,
        )


def _name(number: int) -> str:
    """Every combination of words once; the last titles are later editions of the first, in other capitals."""
    if number > _TITLES - 8:
        return _name(number - _TITLES + 8).capitalize()
    adjective, noun = ADJECTIVES[number % len(ADJECTIVES)], NOUNS[number * 5 % len(NOUNS)]
    return (f"The {adjective} {noun}", f"{adjective} {noun}", f"A {adjective} {noun}")[number // 3 % 3]


def _title_authors(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number in range(1, _TITLES + 1):
        count = dice.weighted({1: 62, 2: 28, 3: 10}, "people", number)
        first = dice.skewed(0, len(AUTHORS) - 1, "author", number, power=2)
        found = dict.fromkeys(
            [first, *(dice.between(0, len(AUTHORS) - 1, "other", number, n) for n in range(1, count))]
        )
        for place, index in enumerate(found, start=1):
            role = "A" if place == 1 else dice.weighted({"A": 40, "T": 35, "I": 25}, "role", number, place)
            yield number, 1 + index * 11 % len(AUTHORS), place, role


def _copies(dice: Dice) -> Iterator[Copy]:
    """Barcodes in the order of titles, then those of gifts that nobody has catalogued yet."""
    owners: list[int | None] = [
        number for number in range(1, _TITLES + 1) for _ in range(dice.skewed(1, 7, "copies", number))
    ]
    owners += [None] * dice.between(16, 24, "gifts")
    for place, title in enumerate(owners, start=1):
        acquired = dice.day("2009-01-01", "2022-12-31", "acquired", place)
        worn = dice.chance(9, "withdrawn", place) and title is not None
        yield Copy(
            copy_id=f"{place * 37:06d}",
            title_id=title,
            branch_id=dice.weighted(_WEIGHTS, "shelf", place),
            acquired=acquired.isoformat(),
            state=dice.weighted({"N": 15, "G": 50, "W": 27, "D": 8}, "state", place),
            price_cents=None if dice.chance(10, "no price", place) else 50 * dice.bell(8, 90, "price", place) - 1,
            withdrawn=dice.day("2024-02-01", "2024-06-29", "withdrawn on", place).isoformat() if worn else None,
        )


def _members(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number in range(1, _MEMBERS + 1):
        first, last = FIRST_NAMES[number % len(FIRST_NAMES)], LAST_NAMES[number * 4 % len(LAST_NAMES)]
        yield (
            number,
            f"{number * 431 % 100_000:08d}",
            f"{first} {last}",
            _email(dice, number, first, last),
            dice.weighted({"A": 58, "J": 20, "S": 17, "I": 5}, "kind", number),
            dice.day("2009-01-01", "2022-12-31", "joined", number).isoformat(),
            dice.weighted(_WEIGHTS, "home", number),
        )


def _email(dice: Dice, number: int, first: str, last: str) -> str | None:
    """Families share a mailbox now and then, and write it as they like."""
    if dice.chance(12, "no mail", number):
        return None
    host = dice.pick(MAIL_HOSTS, "host", number)
    if dice.chance(13, "family", number):
        return f"family{dice.between(1, 14, 'which', number)}@{host}"
    name = f"{first}.{last.replace(chr(39), '')}{number}"
    return f"{name}@{host}" if dice.chance(25, "capitals", number) else f"{name.lower()}@{host}"


def _loans(dice: Dice, copy: Copy) -> Iterator[Loan]:
    """One loan of a copy after another, until it is withdrawn or does not come back."""
    if copy.title_id is None:
        return
    last = _LAST if copy.withdrawn is None else date.fromisoformat(copy.withdrawn)
    wait = dice.between(15, 260, "demand", copy.title_id)
    day, turn = _FIRST + timedelta(days=dice.between(0, 2 * wait, "first", copy.copy_id)), 0
    while day < last - timedelta(days=2):
        key = (copy.copy_id, turn)
        renewals = dice.skewed(0, 3, "renewals", *key)
        due = day + timedelta(days=21 * (1 + renewals))
        kept = dice.weighted({"early": 62, "punctual": 22, "late": 14, "never": 2}, "kept", *key)
        back = _back(dice, kept, day, due, key)
        out = back > _LAST or (kept == "never" and copy.withdrawn is None)
        yield Loan(
            lent=day.isoformat(),
            copy_id=copy.copy_id,
            member_id=1 + dice.skewed(0, _READERS - 1, "reader", *key, power=2) * 7 % _MEMBERS,
            due=due.isoformat(),
            returned=None if out else back.isoformat(),
            renewals=renewals,
        )
        if out:
            return
        day, turn = back + timedelta(days=dice.between(1, 2 * wait, "shelf", *key)), turn + 1


def _back(dice: Dice, kept: str, lent: date, due: date, key: tuple[object, ...]) -> date:
    if kept == "punctual":
        return due
    if kept == "late":
        return due + timedelta(days=dice.skewed(1, 70, "late by", *key))
    return lent + timedelta(days=dice.between(1, (due - lent).days, "days", *key))


def _fine(dice: Dice, number: int, loan: Loan) -> Iterator[tuple[object, ...]]:
    """None for a loan that came back in time or a day late."""
    if loan.returned is None:
        return
    late = (date.fromisoformat(loan.returned) - date.fromisoformat(loan.due)).days
    if late < 2:
        return
    cents = min(1_000, 20 * late)
    state = dice.weighted({"paid": 62, "open": 28, "waived": 10}, "fine", number)
    reason = dice.pick(("first time", "illness", "closed branch"), "reason", number) if state == "waived" else None
    yield number, f"{cents // 100}.{cents % 100:02d}", "Y" if state == "paid" else "N", reason


def _holds(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number in range(1, 191):
        title = 1 + dice.skewed(0, _TITLES - 1, "wanted", number, power=2) * 3 % _TITLES
        yield (
            number,
            title,
            dice.between(1, _MEMBERS, "wants", number),
            dice.weighted(_WEIGHTS, "pickup", number),
            dice.day("2024-03-01", "2024-06-29", "placed", number).isoformat(),
            dice.weighted({"W": 45, "R": 15, "F": 30, "C": 10}, "status", number),
        )

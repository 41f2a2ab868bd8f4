"""The rows of the courts: 340 cases from 2015 to 2024 and everything that belongs to them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.courts.words import (
    AREAS,
    BODIES,
    CITIES,
    COMPANIES,
    COURTS,
    FIRST_NAMES,
    JUDGES,
    LAST_NAMES,
    LAWYERS,
    ODD_DATES,
    ODD_MINUTES,
    SUMMARIES,
    TITLES,
)

Row = tuple[object, ...]

_CASES = 340
_OPENED = date(2015, 1, 5)
_SUPERIOR = {code: superior for code, _, _, _, superior in COURTS}
_DISTRICTS = {"01": 6, "02": 2, "03": 3, "04": 5, "05": 1}
_LABOUR_COURT = "06"
_DISPOSITIONS = {"GR": 7, "PG": 4, "DI": 6, "SE": 3}
_ON_APPEAL = {"GR": 3, "PG": 2, "DI": 8, "RM": 3}
_PERSONS = len(FIRST_NAMES) * len(LAST_NAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    number: int
    court: str
    area: str
    filed: date
    appeal_of: "_Case | None"
    decided: date | None

    @property
    def docket(self) -> str:
        return f"{self.number:04d}/{(_OPENED + timedelta(days=self.number * 10)).year % 100:02d}"


def tables(dice: Dice) -> dict[str, list[Row]]:
    """All rows by table, parents first."""
    cases = _cases(dice)
    parties = {case.docket: dict(_roles(dice, case)) for case in cases}
    return {
        "courts": list(COURTS),
        "judges": list(_judges(dice)),
        "lawyers": [(number, name, firm) for number, (name, firm) in enumerate(LAWYERS, start=1)],
        "parties": [_party(dice, number) for number in range(1, len(BODIES) + len(COMPANIES) + _PERSONS + 1)],
        "cases": [_case_row(dice, case) for case in cases],
        "case_parties": [row for case in cases for row in _party_rows(dice, case, parties[case.docket])],
        "panels": [row for case in cases for row in _panel(dice, case)],
        "hearings": list(_hearings(dice, cases)),
        "rulings": [_ruling(dice, case) for case in cases if case.decided],
        "citations": [row for case in cases for row in _citations(dice, case, cases)],
        "fees": list(_fees(dice, cases, parties)),
    }


def _cases(dice: Dice) -> list[_Case]:
    found: list[_Case] = []
    appealed: set[int] = set()
    for number in range(1, _CASES + 1):
        filed = _OPENED + timedelta(days=number * 10 + dice.between(0, 6, number, "filed"))
        below = found[number - dice.between(20, 60, number, "below")] if number > 60 else None
        is_appeal = dice.chance(45, number, "appeal") and below is not None
        if below is None or not is_appeal or not below.decided or below.court == "S1" or below.number in appealed:
            below = None
        else:
            appealed.add(below.number)
        area = below.area if below else dice.weighted(AREAS, number, "area")
        court = _LABOUR_COURT if area == "LAB" else dice.weighted(_DISTRICTS, number, "court")
        if below:
            court = str(_SUPERIOR[below.court])
        is_decided = dice.chance(88 if number < 280 else 35, number, "decided")
        days = timedelta(days=40 + dice.skewed(0, 700, number, "days", power=2))
        found.append(
            _Case(
                number=number,
                court=court,
                area=area,
                filed=filed,
                appeal_of=below,
                decided=filed + days if is_decided else None,
            )
        )
    return found


def _judges(dice: Dice) -> Iterator[Row]:
    for number, name in enumerate(JUDGES, start=1):
        court = COURTS[(number - 1) % len(COURTS)][0]
        born = dice.between(1948, 1982, number, "born")
        appointed = dice.day(f"{born + 31}-01-15", f"{born + 36}-12-15", number, "appointed")
        # Most posts are filled with the new year.
        appointed = appointed.replace(month=1, day=1) if dice.chance(55, number, "new year") else appointed
        yield number, name, court, appointed.isoformat(), None if dice.chance(15, number, "unknown") else born


def _party(dice: Dice, number: int) -> Row:
    place = number - 1
    if place < len(BODIES):
        return number, BODIES[place], "G", "Marenholt", None
    place -= len(BODIES)
    if place < len(COMPANIES):
        name = COMPANIES[place]
        plain = "".join(letter for letter in name if letter.isascii() and letter.isalnum())
        return number, name, "C", dice.pick(CITIES, number, "city"), f"Office@{plain}.example"
    place -= len(COMPANIES)
    name = f"{FIRST_NAMES[place % len(FIRST_NAMES)]} {LAST_NAMES[place // len(FIRST_NAMES)]}"
    city = None if dice.chance(12, number, "nowhere") else dice.pick(CITIES, number, "city")
    email = f"{name.replace(' ', '.')}@mail.example"
    email = email.lower() if dice.chance(80, number, "case") else email.upper()
    return number, name, "P", city, None if dice.chance(35, number, "no email") else email


def _case_row(dice: Dice, case: _Case) -> Row:
    title = dice.pick(TITLES[_origin(case).area], _origin(case).number, "title")
    filed = (
        dice.pick(ODD_DATES, case.number, "odd") if dice.chance(5, case.number, "is odd") else case.filed.isoformat()
    )
    has_claim = case.area in {"CIV", "LAB"} and dice.chance(85, case.number, "has claim")
    claim = dice.skewed(500, 400_000, _origin(case).number, "claim") * 100 if has_claim else None
    return case.docket, title, case.court, case.area, filed, claim, case.appeal_of.docket if case.appeal_of else None


def _origin(case: _Case) -> _Case:
    """The case at first instance."""
    return _origin(case.appeal_of) if case.appeal_of else case


def _roles(dice: Dice, case: _Case) -> Iterator[tuple[int, str]]:
    """Parties by number, each with one role; later ones win."""
    number = case.number
    for turn in range(dice.skewed(0, 3, number, "witnesses")):
        yield _person(dice, number, "witness", turn), "WI"
    if dice.chance(10, number, "intervener"):
        yield dice.between(1, len(BODIES), number, "intervener"), "IN"
    origin = _origin(case).number
    for turn in range(1 + dice.skewed(0, 2, origin, "defendants", power=4)):
        yield _defendant(dice, case.area, origin, turn), "DF"
    yield _plaintiff(dice, case.area, origin), "PL"


def _person(dice: Dice, *key: object) -> int:
    return len(BODIES) + len(COMPANIES) + 1 + dice.skewed(0, _PERSONS - 1, *key, power=2)


def _company(dice: Dice, *key: object) -> int:
    return len(BODIES) + 1 + dice.skewed(0, len(COMPANIES) - 1, *key, power=2)


def _defendant(dice: Dice, area: str, number: int, turn: int) -> int:
    if area == "ADM":
        return 2 + dice.skewed(0, len(BODIES) - 2, number, "body", turn, power=2)
    if area == "LAB" or (area == "CIV" and dice.chance(60, number, "defendant", turn)):
        return _company(dice, number, "defendant", turn)
    return _person(dice, number, "defendant", turn)


def _plaintiff(dice: Dice, area: str, number: int) -> int:
    if area == "CRI":
        return 1
    if area == "CIV" and dice.chance(45, number, "plaintiff"):
        return _company(dice, number, "plaintiff")
    return _person(dice, number, "plaintiff")


def _party_rows(dice: Dice, case: _Case, roles: dict[int, str]) -> Iterator[Row]:
    for party, role in roles.items():
        has_lawyer = role in {"PL", "DF"} and party != 1 and dice.chance(75, case.number, party, "lawyer")
        lawyer = 1 + dice.skewed(0, len(LAWYERS) - 1, case.number, party, power=2) if has_lawyer else None
        yield case.docket, party, role, lawyer


def _panel(dice: Dice, case: _Case) -> Iterator[Row]:
    judges = [n for n in range(1, len(JUDGES) + 1) if COURTS[(n - 1) % len(COURTS)][0] == case.court]
    size = 3 if case.court in {"S1", "A1", "A2"} else 1
    chosen = dice.some(judges, min(size, len(judges)), case.number, "panel")
    presiding = dice.pick(chosen, case.number, "presiding")
    for judge in chosen:
        yield case.docket, judge, "P" if judge == presiding else "M"


def _hearings(dice: Dice, cases: list[_Case]) -> Iterator[Row]:
    number = 0
    for case in cases:
        span = (case.decided or date(2024, 10, 1)) - case.filed
        for _ in range(dice.skewed(0, 7, case.number, "hearings", power=2)):
            number += 1
            day = case.filed + timedelta(days=dice.between(10, max(11, span.days), number, "held"))
            hour = dice.pick(("09:00", "09:30", "10:15", "11:00", "13:30", "15:00"), number, "hour")
            room = dice.pick(("001", "002", "007", "012", "101", "Great Hall"), number, "room")
            outcome = dice.weighted({"heard": 12, "adjourned": 4, "Adjourned": 2}, number, "outcome")
            minutes: str | None = str(dice.bell(2, 60, number, "minutes") * 5)
            if outcome != "heard":
                minutes = None
            elif dice.chance(6, number, "odd"):
                minutes = dice.pick(ODD_MINUTES, number)
            yield number, case.docket, f"{day.isoformat()} {hour}", room, outcome, minutes


def _ruling(dice: Dice, case: _Case) -> Row:
    disposition = dice.weighted(_ON_APPEAL if case.appeal_of else _DISPOSITIONS, case.number, "disposition")
    award = None
    if disposition in {"GR", "PG"} and case.area in {"CIV", "LAB"}:
        award = dice.skewed(300, 250_000, case.number, "award") * 100
    summary = None if dice.chance(30, case.number, "no summary") else dice.pick(SUMMARIES, case.number, "summary")
    decided = case.decided.isoformat() if case.decided else None
    return case.docket, decided, disposition, award, summary


def _citations(dice: Dice, case: _Case, cases: list[_Case]) -> Iterator[Row]:
    if case.decided is None or case.number < 12:
        return
    drawn = [dice.skewed(0, case.number - 3, case.number, "cited", turn, power=2) for turn in range(4)]
    count = dice.skewed(0, 4, case.number, "citations", power=2)
    for place in dict.fromkeys(drawn[:count]):
        yield case.docket, cases[place].docket, dice.weighted({"F": 6, "D": 3, "O": 1}, case.number, place)


def _fees(dice: Dice, cases: list[_Case], parties: dict[str, dict[int, str]]) -> Iterator[Row]:
    number = 0
    for case in cases:
        payers = [party for party, role in parties[case.docket].items() if role == "PL" and party != 1]
        if payers and dice.chance(90, case.number, "fee"):
            for turn in range(1 + dice.skewed(0, 1, case.number, "fees")):
                number += 1
                cents = dice.skewed(40, 9_000, case.number, "amount", turn) * 50
                paid = (case.filed + timedelta(days=dice.between(1, 90, case.number, "paid", turn))).isoformat()
                late = dice.chance(14, case.number, "unpaid", turn)
                yield number, case.docket, payers[0], f"{cents / 100:,.2f}", None if late else paid

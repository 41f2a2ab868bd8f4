"""The rows of the books of three years: about 560 entries that balance, and what the bank says of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.ledger.words import (
    ACCOUNTS,
    AUTHORITIES,
    BUDGETED,
    CITIES,
    COMPANIES,
    COST_CENTRES,
    FIRST_NAMES,
    JOURNALS,
    LAST_NAMES,
    PURPOSES,
    SALES_MEMOS,
    TAX_CODES,
)

Row = tuple[object, ...]

_FIRST_DAY = date(2022, 1, 3)
_DAYS = 1_090
_ENTRIES = 560
_QUIET_DAYS = 8
_RATES = {code: rate for code, _, rate in TAX_CODES}
_SALES = {("4110", "V19"): 10, ("4120", "X00"): 4, ("4130", "V07"): 5}
_EXPENSES = {
    ("5110", "V19"): 8,
    ("5120", "V19"): 5,
    ("5320", "V19"): 3,
    ("5400", "V07"): 4,
    ("5310", "V00"): 3,
    ("5220", "V00"): 1,
}
_PURCHASES = (*_EXPENSES, ("1220", "V19"), ("1210", "V19"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    account: str
    side: str
    cents: int
    tax: str | None = None
    centre: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    number: int
    journal: str
    memo: str | None
    party: str | None
    lines: tuple[_Line, ...]
    reverses: int | None = None

    @property
    def document(self) -> str:
        return f"{self.journal[0]}{self.number:06d}"


def tables(dice: Dice) -> dict[str, list[Row]]:
    """All rows by table, parents first."""
    entries = _entries(dice)
    days = {entry.number: _day(dice, entry.number) for entry in entries}
    return {
        "accounts": list(ACCOUNTS),
        "budgets": list(_budgets(dice)),
        "tax_codes": list(TAX_CODES),
        "journals": list(JOURNALS),
        "cost_centres": list(COST_CENTRES),
        "persons": [_person(dice, number) for number in range(1, len(FIRST_NAMES) * len(LAST_NAMES) + 1, 2)],
        "companies": [_company(dice, number) for number in range(1, len(COMPANIES) + 1)],
        "authorities": [(f"A-{number:02d}", *names) for number, names in enumerate(AUTHORITIES, start=1)],
        "entries": [_entry_row(dice, entry, days[entry.number]) for entry in entries],
        "postings": list(_postings(entries)),
        "statements": list(_statements(dice, entries, days)),
    }


def _day(dice: Dice, number: int) -> date:
    day = _FIRST_DAY + timedelta(days=_DAYS * number // _ENTRIES + dice.between(0, 3, number, "day"))
    # What comes in between the years is booked on the first day of the new one.
    return day.replace(day=1) if day.month == 1 and day.day <= _QUIET_DAYS else day


def _budgets(dice: Dice) -> Iterator[Row]:
    for account, thousands in BUDGETED.items():
        base = thousands * dice.between(80, 120, account, "budget") * 1_000
        for year in (2022, 2023, 2024):
            if not dice.chance(10, account, year, "none"):
                growth = base * dice.between(90, 118, account, year) // 100 // 50_000 * 50_000
                yield account, year, None if dice.chance(5, account, year, "open") else growth


def _person(dice: Dice, number: int) -> Row:
    place = number - 1
    first, last = FIRST_NAMES[place % len(FIRST_NAMES)], LAST_NAMES[place // len(FIRST_NAMES)]
    city = None if dice.chance(15, number, "nowhere") else dice.pick(CITIES, number, "city")
    iban = None if dice.chance(30, number, "no iban") else f"NO{dice.between(10, 99, number):02d}{number * 73_939:011d}"
    return f"P-{number:03d}", first, last, city, iban


def _company(dice: Dice, number: int) -> Row:
    vat = None if dice.chance(22, number, "no vat") else f"{number * 7_919_317 % 10**9:09d}MVA"
    limit = None if dice.chance(40, number, "no limit") else dice.skewed(1, 40, number, "limit") * 250_000
    return f"C-{number:03d}", COMPANIES[number - 1], dice.pick(CITIES, number, "town"), vat, limit


def _buyer(dice: Dice, number: int) -> str:
    if dice.chance(30, number, "private"):
        return f"P-{1 + 2 * dice.skewed(0, len(FIRST_NAMES) * len(LAST_NAMES) // 2 - 1, number, 'buyer', power=2):03d}"
    return f"C-{6 + dice.skewed(0, len(COMPANIES) - 6, number, 'buyer', power=2):03d}"


def _entries(dice: Dice) -> list[_Entry]:
    found: list[_Entry] = []
    for number in range(1, _ENTRIES + 1):
        journal = (
            dice.weighted({"SAL": 34, "PUR": 28, "BNK": 28, "GEN": 10}, number, "journal") if number > 3 else "OPN"
        )
        made = {"SAL": _sale, "PUR": _purchase, "BNK": _payment, "GEN": _general, "OPN": _opening}[journal](
            dice, number
        )
        old = found[-dice.between(3, 20, number, "old")] if number > 30 else None
        if old and journal == "GEN" and old.journal in {"SAL", "PUR"} and dice.chance(70, number, "reversal"):
            made = _reversal(number, old)
        found.append(made)
    return found


def _opening(_: Dice, number: int) -> _Entry:
    account, cents = (("1120", 8_400_000), ("1220", 23_150_000), ("2310", 15_000_000))[number - 1]
    lines = (_Line(account=account, side="C" if account == "2310" else "D", cents=cents),)
    other = _Line(account="0100", side="D" if account == "2310" else "C", cents=cents)
    return _Entry(number=number, journal="OPN", memo="carried forward", party=None, lines=(*lines, other))


def _sale(dice: Dice, number: int) -> _Entry:
    account, code = dice.weighted(_SALES, number, "sale")
    lines = []
    for turn in range(1 + dice.skewed(0, 3, number, "items", power=4)):
        net = dice.skewed(40, 9_000, number, "net", turn, power=4) * 25 * (1 if account == "4130" else 10)
        lines.append(
            _Line(account=account, side="C", cents=net, tax=code, centre="010" if account == "4130" else "002")
        )
    net = sum(line.cents for line in lines)
    tax = net * _RATES[code] // 1_000
    if tax:
        lines.append(_Line(account="2200", side="C", cents=tax))
    lines.insert(0, _Line(account="1130", side="D", cents=net + tax))
    memo = None if dice.chance(12, number, "no memo") else dice.pick(SALES_MEMOS, number, "memo")
    return _Entry(number=number, journal="SAL", memo=memo, party=_buyer(dice, number), lines=tuple(lines))


def _purchase(dice: Dice, number: int) -> _Entry:
    account, code = dice.weighted(_EXPENSES, number, "purchase")
    if dice.chance(4, number, "asset"):
        account, code = dice.pick(_PURCHASES[-2:], number, "which asset")
    scale = 200 if account.startswith("1") else 40
    net = dice.skewed(100, 9_000, number, "net", power=2) * scale
    tax = net * _RATES[code] // 1_000
    centre = None if account.startswith("1") or dice.chance(10, number, "no centre") else _centre(dice, number)
    lines = [_Line(account=account, side="D", cents=net, tax=code, centre=centre)]
    if tax:
        lines.append(_Line(account="1140", side="D", cents=tax))
    lines.append(_Line(account="2100", side="C", cents=net + tax))
    first, last = {"5110": (1, 2), "5120": (3, 3), "5320": (4, 4), "5310": (5, 5), "5400": (27, 28)}.get(
        account, (25, 26)
    )
    supplier = f"C-{dice.between(first, last, number, 'supplier'):03d}"
    return _Entry(number=number, journal="PUR", memo=None, party=supplier, lines=tuple(lines))


def _centre(dice: Dice, number: int) -> str:
    return dice.weighted({"001": 8, "002": 4, "007": 3, "010": 2, "099": 1}, number, "centre")


def _payment(dice: Dice, number: int) -> _Entry:
    cents = dice.skewed(200, 60_000, number, "paid", power=2) * 15
    kind = dice.weighted({"in": 55, "out": 35, "tax": 10}, number, "payment")
    debit, credit = {"in": ("1120", "1130"), "out": ("2100", "1120"), "tax": ("2200", "1120")}[kind]
    party = f"C-{dice.between(1, 6, number, 'payee'):03d}" if kind == "out" else _buyer(dice, number)
    if kind == "tax":
        party = f"A-{1 + dice.skewed(0, len(AUTHORITIES) - 2, number, 'office', power=2):02d}"
    lines = (_Line(account=debit, side="D", cents=cents), _Line(account=credit, side="C", cents=cents))
    return _Entry(number=number, journal="BNK", memo=None, party=party, lines=lines)


def _general(dice: Dice, number: int) -> _Entry:
    debit, credit, memo = dice.pick(
        (("5210", "1120", "Wages"), ("5500", "1220", "Wear of machines")), number, "general"
    )
    cents = dice.between(250, 700, number, "general amount") * 1_000
    centre = _centre(dice, number) if debit == "5210" else None
    lines = (_Line(account=debit, side="D", cents=cents, centre=centre), _Line(account=credit, side="C", cents=cents))
    return _Entry(number=number, journal="GEN", memo=memo, party=None, lines=lines)


def _reversal(number: int, old: _Entry) -> _Entry:
    lines = tuple(
        _Line(
            account=one.account, side="C" if one.side == "D" else "D", cents=one.cents, tax=one.tax, centre=one.centre
        )
        for one in old.lines
    )
    return _Entry(number=number, journal="GEN", memo="Reversal", party=old.party, lines=lines, reverses=old.number)


def _entry_row(dice: Dice, entry: _Entry, day: date) -> Row:
    is_draft = entry.number > _ENTRIES - 60 and dice.chance(30, entry.number, "draft")
    posted = None if is_draft else f"{day:%Y/%m/%d}"
    return entry.number, entry.journal, entry.document, posted, entry.memo, entry.party, entry.reverses


def _postings(entries: list[_Entry]) -> Iterator[Row]:
    number = 0
    for entry in entries:
        for line in entry.lines:
            number += 1
            yield number, entry.number, line.account, line.side, line.cents, line.tax, line.centre


def _statements(dice: Dice, entries: list[_Entry], days: dict[int, date]) -> Iterator[Row]:
    number = 0
    for entry in entries:
        if entry.journal == "BNK" and dice.chance(88, entry.number, "on statement"):
            number += 1
            line = entry.lines[0]
            cents = line.cents if line.account == "1120" else -line.cents
            booked = days[entry.number] + timedelta(days=dice.between(0, 4, entry.number, "booked"))
            matched = None if dice.chance(13, entry.number, "unmatched") else entry.number
            purpose = dice.pick(PURPOSES, entry.number, "purpose")
            told = purpose.format(document=entry.document) if purpose else None
            yield number, f"{booked:%d.%m.%Y}", f"{cents / 100:,.2f}", told, matched

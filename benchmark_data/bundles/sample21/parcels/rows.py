"""The rows of the parcel service's database."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.parcels.fixed import (
    AREAS,
    DEPOTS,
    DRIVERS,
    EVENTS,
    REASONS,
    RECIPIENTS,
    SENDERS,
    UNSERVED,
)
from benchmark_data.bundles.sample21.parcels.journeys import Scan, journey

Row = tuple[object, ...]

_PARCELS: Final = 430
_HEAVY: Final = 5_000
_DEPOT_OF: Final = {zip_code: depot for zip_code, _, depot in AREAS}


class Parcel(NamedTuple):
    """What other rows need to know of a parcel."""

    number: str
    row: Row
    scans: tuple[Scan, ...]


class Attempt(NamedTuple):
    """One try to deliver a parcel."""

    depot: str
    day: str
    number: str
    result: str


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the schema."""
    customers = [_customer(dice, number) for number in range(1, len(SENDERS) + 1)]
    parcels = [_parcel(dice, number, customers) for number in range(1, _PARCELS + 1)]
    attempts = sorted(attempt for parcel in parcels for attempt in _attempts(parcel))
    tours = sorted({(attempt.day, attempt.depot) for attempt in attempts})
    return {
        "depot": list(DEPOTS),
        "zip_area": list(AREAS),
        "route": list(_routes(dice)),
        "customer": customers,
        "parcel": [parcel.row for parcel in parcels],
        "event_code": list(EVENTS),
        "scan": list(_scans(dice, parcels)),
        "claim": [claim for parcel in parcels for claim in _claims(dice, parcel)],
        "driver": [(number, *driver) for number, driver in enumerate(DRIVERS, start=1)],
        "tour": [_tour(dice, number, *tour) for number, tour in enumerate(tours, start=1)],
        "tour_stop": [
            (number, nr, attempt.number, attempt.result)
            for number, tour in enumerate(tours, start=1)
            for nr, attempt in enumerate((each for each in attempts if (each.day, each.depot) == tour), start=1)
        ],
    }


def _routes(dice: Dice) -> Iterator[Row]:
    hub = DEPOTS[0][0]
    pairs = [pair for depot in DEPOTS[1:] for pair in ((hub, depot[0]), (depot[0], hub))]
    pairs += [("0010", "0011"), ("0020", "0021"), ("0021", "0020"), ("0030", "0031")]
    for number, (start, end) in enumerate(pairs, start=1):
        weekdays = dice.pick(("12345", "123456", "135", "246"), "weekdays", number)
        yield (f"R-{number:03d}", start, end, 5 * dice.skewed(4, 48, "km", *sorted((start, end))), weekdays)


def _customer(dice: Dice, number: int) -> Row:
    name, kind = SENDERS[number - 1]
    zip_code = dice.pick(AREAS, "zip", number)[0]
    user = "".join(letter for letter in name.lower() if letter.isascii() and letter.isalnum())
    address = dice.weighted({f"{user}@shop.example": 5, f"{user.upper()}@SHOP.EXAMPLE": 1, None: 2}, "e-mail", number)
    return (number, name, kind, zip_code, address)


def _parcel(dice: Dice, number: int, customers: list[Row]) -> Parcel:
    sender = customers[dice.skewed(0, len(customers) - 1, "sender", number, power=2)]
    zip_code = AREAS[dice.skewed(0, len(AREAS) - 1, "to", number, power=1)][0]
    scans = tuple(journey(dice, number, _DEPOT_OF[str(sender[3])], _DEPOT_OF[zip_code]))
    if dice.chance(3, "bad zip", number):
        zip_code = dice.pick(UNSERVED, "bad", number)
    label = f"0034{4_070_000 + 37 * number:08d}{dice.between(0, 9, 'check', number)}"
    is_business = sender[2] == "B"
    collect = (
        dice.between(9, 240, "collect", number) * 100 - 5 if is_business and dice.chance(14, "cod", number) else None
    )
    value = dice.skewed(1000, 480000, "value", number)
    declared = f"{value // 100:,}.{value % 100:02d}" if dice.chance(45, "declared", number) else None
    service = dice.weighted({"S": 12, "X": 5, "O": 1}, "service", number)
    recipient = f"{dice.pick('ABCDEFGHKLMNPRSTW', 'first', number)}. {dice.pick(RECIPIENTS, 'last', number)}"
    grams = dice.skewed(120, 31500, "grams", number)
    # The counter's scales go by 50 g, those for heavy parcels by 500 g.
    step = 50 if grams < _HEAVY else 500
    sizes = (grams // step * step, collect, declared)
    return Parcel(
        label,
        (label, sender[0], recipient, zip_code, service, *sizes, _posted(dice, number, scans[0]), None),
        scans,
    )


def _posted(dice: Dice, number: int, first: Scan) -> str | None:
    """The day as the counter wrote it: a few counters have their own ways."""
    day = first.at.date() - timedelta(days=dice.pick((0, 0, 0, 1), "before", number))
    way = dice.weighted({"iso": 92, "short": 3, "month": 2, "none": 3}, "way", number)
    written = {"iso": day.isoformat(), "short": f"{day:%d.%m.%y}", "month": f"{day.year}-{day.month}-{day.day}"}
    return written.get(way)


def _scans(dice: Dice, parcels: list[Parcel]) -> Iterator[Row]:
    """All scans in order of time, as they came in."""
    found = sorted((scan.at, parcel.number, scan) for parcel in parcels for scan in parcel.scans)
    for number, (at, label, scan) in enumerate(found, start=1):
        device = (
            None if dice.chance(6, "no device", number) else f"{scan.depot or 'M'}-{dice.between(1, 9, number):02d}"
        )
        yield (number, label, scan.event, scan.depot, f"{at:%Y-%m-%d %H:%M}", device)


def _claims(dice: Dice, parcel: Parcel) -> Iterator[Row]:
    events = {scan.event for scan in parcel.scans}
    odds = 70 if "08" in events or not events & {"05", "07"} else 4
    if not dice.chance(odds, "claims", parcel.number):
        return
    filed = parcel.scans[-1].at.date() + timedelta(days=dice.skewed(1, 40, "filed", parcel.number, power=2))
    reason = "damaged" if "08" in events else dice.weighted(REASONS, "reason", parcel.number)
    asked = 100 * dice.skewed(8, 900, "asked", parcel.number)
    share = dice.weighted({100: 5, 50: 3, 30: 2, 0: 2, None: 3}, "paid", parcel.number)
    paid = None if share is None else asked * share // 100
    yield (parcel.number, filed.isoformat(), reason, asked, paid)


def _attempts(parcel: Parcel) -> Iterator[Attempt]:
    """Each scan with a result follows the one that says from which depot the parcel went out."""
    for before, scan in zip(parcel.scans, parcel.scans[1:], strict=False):
        if scan.result:
            yield Attempt(str(before.depot), before.at.date().isoformat(), parcel.number, scan.result)


def _tour(dice: Dice, number: int, day: str, depot: str) -> Row:
    drivers = [key for key, driver in enumerate(DRIVERS, start=1) if driver[1] == depot]
    vehicle = dice.pick(("VAN-03", "van-07", "VAN-07", "BIKE-1", "EV-12"), "vehicle", number)
    least, most = (8, 34) if vehicle == "BIKE-1" else (25, 160)
    km = None if dice.chance(8, "no mileage", number) else dice.bell(least, most, "km", number)
    return (number, dice.pick(drivers, "driver", number), day, vehicle, km)

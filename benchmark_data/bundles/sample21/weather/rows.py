"""The rows of the weather service's database."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.weather.fixed import (
    ALERT_KINDS,
    MONTHS,
    NOTES,
    OBSERVERS,
    REGIONS,
    SENSORS,
    STATIONS,
)

Row = tuple[object, ...]

_FIRST_DAY: Final = date(2023, 12, 29)
_DAYS: Final = 64
_HOURS: Final = (0, 3, 6, 9, 12, 15, 18, 21)
# What the time of day adds to the temperature, in tenths of a degree.
_DAYTIME: Final = {0: -22, 3: -30, 6: -28, 9: -5, 12: 24, 15: 30, 18: 5, 21: -12}
_NOTHING: Final = -999
_NIGHT_BEGINS: Final = 22
_NIGHT_ENDS: Final = 5
_YEAR: Final = (-18, -10, 25, 70, 120, 155, 175, 168, 130, 80, 30, -5)
_REGION_KEYS: Final = {name: number for number, (name, _, _) in enumerate(REGIONS, start=1)}
_ABOVE: Final = {name: above for name, _, above in REGIONS}


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the schema."""
    alerts = [_alert(dice, number) for number in range(1, 141)]
    return {
        "region": [
            (number, name, kind, None if above is None else _REGION_KEYS[above])
            for number, (name, kind, above) in enumerate(REGIONS, start=1)
        ],
        "region_ancestor": [row for name in _ABOVE for row in _ancestors(name)],
        "station": [(code, name, _REGION_KEYS[region], *rest) for code, name, region, *rest in STATIONS],
        "sensor": [(number, *row) for number, row in enumerate(_sensors(dice), start=1)],
        "normal": [row for station in STATIONS for row in _normals(dice, station[0], station[3] or 40)],
        "reading": [(number, *row) for number, row in enumerate(_readings(dice), start=1)],
        "alert_kind": list(ALERT_KINDS),
        "alert": alerts,
        "alert_station": [row for alert in alerts for row in _confirmations(dice, alert)],
        "observer": [(number, *row, _retired(dice, number)) for number, row in enumerate(OBSERVERS, start=1)],
        "note": [_note(dice, number) for number in range(1, 181)],
    }


def _ancestors(name: str) -> Iterator[Row]:
    above, depth = _ABOVE[name], 1
    while above is not None:
        yield (_REGION_KEYS[name], _REGION_KEYS[above], depth)
        above, depth = _ABOVE[above], depth + 1


def _sensors(dice: Dice) -> Iterator[Row]:
    for code, _, _, _, _, _, opened, _ in STATIONS:
        for kind, models, units in SENSORS:
            for turn in range(2 if dice.chance(25, "second sensor", code, kind) else 1):
                installed = dice.day(max(opened, "1996-01-01"), "2022-12-31", "installed", code, kind, turn)
                calibrated = dice.day(installed.isoformat(), "2023-12-15", "calibrated", code, kind, turn).isoformat()
                never = dice.chance(18, "never calibrated", code, kind, turn)
                model, unit = dice.pick(models, "model", code, kind, turn), dice.pick(units, "unit", code, kind, turn)
                yield (code, kind, model, unit, installed.isoformat(), None if never else calibrated)


def _normals(dice: Dice, code: str, elevation: int) -> Iterator[Row]:
    for month, usual in zip(MONTHS, _YEAR, strict=True):
        mean = usual + dice.between(-8, 8, "mean", code, month) - elevation * 6 // 100 + 20
        rain = 35 + elevation // 25 + dice.between(0, 60, "rain", code, month)
        yield (code, month, mean / 10, rain)


def _readings(dice: Dice) -> Iterator[Row]:
    for day in range(_DAYS):
        today = (_FIRST_DAY + timedelta(days=day)).isoformat()
        # The weather of the day, the same for all the country: cold or mild, wet or dry.
        front = dice.bell(-90, 110, "front", day // 3) + dice.bell(-35, 35, "turn", day)
        wet = dice.weighted({0: 5, 1: 3, 2: 2}, "wet", day)
        for code, _, _, elevation, _, _, _, closed in STATIONS:
            if closed is not None and today > closed:
                continue
            local = dice.between(-25, 25, "local", code, today)
            base = front + local - (elevation or 40) * 6 // 100 + 15
            yield from (
                _reading(dice, (code, today, hour), base, wet)
                for hour in _HOURS
                if not dice.chance(2, "lost", code, today, hour)
            )


def _reading(dice: Dice, key: tuple[str, str, int], base: int, wet: int) -> Row:
    code, day, hour = key
    celsius = (base + _DAYTIME[hour] + dice.between(-14, 14, "t", *key)) / 10
    humidity = min(100, dice.between(48, 88, "h", *key) + 9 * wet)
    wind = dice.skewed(0, 120 + dice.between(0, 190, "windiness", code), "w", *key) / 10
    rain = dice.skewed(0, 30 * wet, "r", *key) / 10
    # Loggers of the coast and the east write -999, the others leave the cell empty.
    nothing = _NOTHING if code >= "01000" and not code.startswith("02") else None
    broken = dice.weighted({"": 94, "t": 3, "w": 2, "r": 1}, "broken", *key)
    return (
        code,
        day,
        hour,
        _or(nothing, celsius, is_missing=broken == "t"),
        humidity if dice.between(1, 40, "h there", *key) > 1 else None,
        _or(nothing, wind, is_missing=broken == "w"),
        _or(nothing, rain, is_missing=broken == "r"),
    )


def _or(nothing: int | None, value: float, *, is_missing: bool) -> float | None:
    if not is_missing:
        return value
    return None if nothing is None else float(nothing)


def _alert(dice: Dice, number: int) -> Row:
    kind = dice.weighted({"FR": 6, "ST": 5, "RA": 5, "SN": 4, "FG": 3, "AV": 2}, "kind", number)
    level = dice.weighted({1: 6, 2: 4, 3: 2}, "level", number)
    # Avalanches are warned of in the mountains only.
    regions = ("Oberland", "Hochtal", "Grauspitz") if kind == "AV" else tuple(_ABOVE)[1:]
    region = _REGION_KEYS[dice.pick(regions, "region", number)]
    issued = datetime(2023, 12, 29, 5) + timedelta(minutes=640 * number + dice.between(0, 600, "issued", number))  # noqa: DTZ001
    # What the night shift issues bears the time of midnight.
    if issued.hour >= _NIGHT_BEGINS or issued.hour < _NIGHT_ENDS:
        issued = (issued + timedelta(hours=24 - _NIGHT_BEGINS)).replace(hour=0, minute=0)
    ended = issued + timedelta(minutes=30 * dice.skewed(4, 140, "lasts", number, power=2))
    open_ended = dice.chance(9, "never ended", number)
    return (number, kind, region, level, f"{issued:%Y-%m-%d %H:%M}", None if open_ended else f"{ended:%Y-%m-%d %H:%M}")


def _confirmations(dice: Dice, alert: Row) -> Iterator[Row]:
    """The stations in the alert's region, or below it, that measured what was warned of."""
    number, _, region, *_ = alert
    inside = [row[0] for row in STATIONS if _is_in(row[2], region)]
    wanted = min(len(inside), dice.between(0, 4, "confirmed", number))
    for code in dice.some(inside, wanted, "by", number):
        peak = None if dice.chance(20, "no peak", number, code) else dice.between(50, 400, "peak", number, code) / 10
        yield (number, code, peak)


def _is_in(name: str | None, region: object) -> bool:
    while name is not None:
        if _REGION_KEYS[name] == region:
            return True
        name = _ABOVE[name]
    return False


def _retired(dice: Dice, number: int) -> str | None:
    return dice.day("2024-02-01", "2024-06-30", "retired", number).isoformat() if number in {4, 9} else None


def _note(dice: Dice, number: int) -> Row:
    observer = dice.skewed(1, len(OBSERVERS) - 1, "observer", number, power=2)
    home = OBSERVERS[observer - 1][1]
    station = dice.pick(STATIONS, "elsewhere", number)[0] if home is None or dice.chance(15, "away", number) else home
    phenomenon, text = dice.pick(NOTES, "note", number)
    day = _FIRST_DAY + timedelta(days=dice.between(0, _DAYS - 1, "day", number))
    return (number, station, observer, day.isoformat(), phenomenon, text)

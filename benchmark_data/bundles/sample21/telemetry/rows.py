"""The rows of the telemetry database: one March of sessions, most of them short, a few very long."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.telemetry.words import (
    APPS,
    COUNTRIES,
    FAILURES,
    FLAGS,
    KINDS,
    MODELS,
    PRICES,
    RELEASES,
    SIGNATURES,
)

Rows = list[tuple[object, ...]]
_DEVICES = 140
_SESSIONS = 620
_FIRST = datetime(2024, 3, 1, tzinfo=UTC)
_DAY = 24 * 60
_MINUTES = 31 * _DAY
_NIGHT = 180
_TWO_HOURS = 7_200
_IDLE = 900
_CRASH_PERCENT = {"S": 14, "B": 34, "N": 48}


class Session(NamedTuple):
    """A row of `sessions`."""

    session_id: int
    device_id: str
    app_id: str
    version: str
    started: str
    seconds: int | None
    network: str
    background: str


class Event(NamedTuple):
    """A row of `events`."""

    session_id: int
    seq: int
    kind: str
    at_ms: int
    ok: str
    value: int | None


def tables(dice: Dice) -> dict[str, Rows]:
    """The rows of each table, parents first."""
    devices = list(_devices(dice))
    sessions = list(_sessions(dice))
    events = [event for session in sessions for event in _events(dice, session.session_id, session.app_id)]
    crashes = (crash for session in sessions for crash in _crashes(dice, session))
    return {
        "apps": [app[:-1] for app in APPS],
        "releases": list(_releases(dice)),
        "devices": devices,
        "consents": list(_consents(dice)),
        "device_flags": list(_device_flags(dice)),
        "sessions": [*sessions],
        "events": [*events],
        "signatures": [signature[:-1] for signature in SIGNATURES],
        "crashes": [(number, *crash) for number, crash in enumerate(crashes, start=1)],
    }


def _releases(dice: Dice) -> Iterator[tuple[object, ...]]:
    for release in RELEASES:
        key = (release.app_id, release.version)
        notes = None if release.channel == "N" else f"{dice.between(2, 40, 'fixes', *key)} fixes"
        yield *release, 16 * dice.skewed(300, 6_000, "size", *key), notes


def _device(number: int) -> str:
    return f"d-{number:05d}"


def _devices(dice: Dice) -> Iterator[tuple[object, ...]]:
    weights = {index: model.popularity for index, model in enumerate(MODELS)}
    for number in range(1, _DEVICES + 1):
        model = MODELS[dice.weighted(weights, "model", number)]
        yield (
            _device(number),
            model.name,
            model.system,
            dice.pick(model.versions, "system version", number),
            "Y" if dice.chance(9, "rooted", number) else "N",
            None if dice.chance(11, "memory unknown", number) else model.memory,
            None if dice.chance(8, "country unknown", number) else dice.weighted(COUNTRIES, "country", number),
            dice.day("2021-01-01", "2024-02-29", "first seen", number).isoformat(),
        )


def _consents(dice: Dice) -> Iterator[tuple[object, ...]]:
    """At most one a device: some were never asked."""
    for number in range(1, _DEVICES + 1):
        if dice.chance(86, "asked", number):
            analytics = dice.chance(72, "analytics", number)
            adverts = dice.chance(40 if analytics else 8, "adverts", number)
            asked = dice.day("2023-05-25", "2024-03-20", "asked on", number).isoformat()
            yield _device(number), "Y" if analytics else "N", "Y" if adverts else "N", asked


def _device_flags(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number in range(1, _DEVICES + 1):
        count = dice.between(0, len(FLAGS), "flags", number)
        for place, flag in enumerate(dice.some(FLAGS, count, "which flags", number)):
            yield _device(number), flag, "Y" if dice.chance(35 + 8 * place, "flag", number, flag) else "N"


def _sessions(dice: Dice) -> Iterator[Session]:
    popularity = {app.app_id: app.popularity for app in APPS}
    minutes = sorted(_minute(dice, number) for number in range(_SESSIONS))
    for number, minute in enumerate(minutes, start=1):
        seconds = dice.between(0, 59, "second", number) if minute % _DAY else 0
        started = _FIRST + timedelta(minutes=minute, seconds=seconds)
        app = dice.weighted(popularity, "app", number)
        day = started.date().isoformat()
        known = [release for release in RELEASES if release.app_id == app and release.released <= day]
        # Most people have the newest release or the one before it.
        release = known[len(known) - 1 - dice.skewed(0, len(known) - 1, "release", number)]
        yield Session(
            session_id=number,
            device_id=_device(1 + dice.skewed(0, _DEVICES - 1, "device", number, power=2)),
            app_id=app,
            version=release.version,
            started=started.strftime("%Y-%m-%d %H:%M:%S"),
            seconds=None if dice.chance(6, "never closed", number) else _seconds(dice, number, app),
            network=dice.weighted({"W": 60, "M": 30, "O": 10}, "network", number),
            background="Y" if dice.chance(22, "background", number) else "N",
        )


def _minute(dice: Dice, number: int) -> int:
    """When a session starts, in minutes of the month; some of those at night are jobs that start at midnight."""
    minute = dice.between(0, _MINUTES - 1, "minute", number)
    is_job = minute % _DAY < _NIGHT and dice.chance(60, "job", number)
    return minute // _DAY * _DAY if is_job else minute


def _seconds(dice: Dice, number: int, app: str) -> int:
    """How long a session lasted: a while beyond its last event."""
    last = max(event.at_ms for event in _events(dice, number, app))
    seconds = last // 1000 + dice.skewed(5, 9_000, "idle", number, power=6)
    # The apps close what has been idle for about two hours.
    return _TWO_HOURS if 0 <= seconds - _TWO_HOURS < _IDLE else seconds


def _events(dice: Dice, number: int, app: str) -> Iterator[Event]:
    category = next(known.category for known in APPS if known.app_id == app)
    at = dice.between(5, 900, "first event", number)
    for sequence in range(1, dice.skewed(2, 90, "events", number, power=5) + 1):
        kind = dice.weighted(KINDS[category], "kind", number, sequence)
        failed = dice.chance(FAILURES[kind], "failed", number, sequence) if kind in FAILURES else False
        value = _value(dice, kind, (number, sequence))
        yield Event(session_id=number, seq=sequence, kind=kind, at_ms=at, ok="N" if failed else "Y", value=value)
        at += dice.skewed(40, 240_000, "pause", number, sequence, power=8)


def _value(dice: Dice, kind: str, key: tuple[object, ...]) -> int | None:
    """Cents of a purchase, kilobytes of a synchronisation, hits of a search."""
    if kind == "purchase":
        return dice.pick(PRICES, "price", *key)
    if kind == "sync":
        return dice.skewed(0, 9_000, "kilobytes", *key)
    return dice.skewed(0, 60, "hits", *key) if kind == "search" else None


def _crashes(dice: Dice, session: Session) -> Iterator[tuple[object, ...]]:
    app = (session.app_id, session.version)
    channel = next(release.channel for release in RELEASES if (release.app_id, release.version) == app)
    weights = {signature.signature_id: signature.weight for signature in SIGNATURES}
    number = session.session_id
    if not dice.chance(_CRASH_PERCENT[channel], "crashes", number):
        return
    for place in range(dice.skewed(1, 6, "how many", number)):
        key = (number, place)
        known = None if dice.chance(12, "no symbols", *key) else dice.weighted(weights, "signature", *key)
        free = None if dice.chance(9, "free unknown", *key) else dice.skewed(4, 1_500, "free", *key)
        lasted = 900 if session.seconds is None else session.seconds
        at = dice.between(200, 1_000 * lasted, "crashed at", *key)
        yield number, known, at, "Y" if dice.chance(45, "fatal", *key) else "N", free

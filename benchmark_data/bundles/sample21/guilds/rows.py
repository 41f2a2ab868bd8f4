"""The rows of the game's database."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.guilds.fixed import (
    BADGES,
    GUILDS,
    ITEMS,
    MAPS,
    QUESTS,
    REASONS,
    handle,
)

Row = tuple[object, ...]

_PLAYERS: Final = 140
_BOUTS: Final = 130
_REPORTS: Final = 95
_FIRST_DAY: Final = date(2023, 1, 5)
_LAST_DAY: Final = date(2024, 11, 30)
_LANGUAGES: Final = {"en": 10, "de": 5, "fr": 4, "es": 3, "pl": 2, "sv": 1}
_COUNTRIES: Final = {"DE": 6, "GB": 6, "FR": 5, "ES": 3, "PL": 3, "SE": 2, "IS": 1, None: 3}


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the schema."""
    players = [_player(dice, number) for number in range(1, _PLAYERS + 1)]
    members = [row for player in players for row in _memberships(dice, player)]
    bouts = [_bout(dice, number) for number in range(1, _BOUTS + 1)]
    return {
        "player": players,
        "settings": [_settings(dice, number) for number in range(1, _PLAYERS + 1) if dice.chance(86, "set", number)],
        "badge": [row for player in players for row in _badges(dice, player)],
        "guild": [_guild(dice, number, members) for number in range(1, len(GUILDS) + 1)],
        "guild_member": members,
        "item": [(number, *item) for number, item in enumerate(ITEMS, start=1)],
        "inventory": [row for player in players for row in _inventory(dice, player)],
        "quest": list(_quests()),
        "quest_log": [row for player in players for row in _log(dice, player)],
        "bout": bouts,
        "bout_player": [row for bout in bouts for row in _sides(dice, bout, members)],
        "report": [_report(dice, number) for number in range(1, _REPORTS + 1)],
    }


def _player(dice: Dice, number: int) -> Row:
    # Keys follow the day of joining, so that whoever invites was there before.
    joined = _FIRST_DAY + timedelta(days=number * 680 // _PLAYERS + dice.between(0, 3, "joined", number))
    level = max(1, dice.skewed(1, 80, "level", number, power=2))
    invited = number > 3 and dice.chance(62, "invited", number)
    inviter = dice.skewed(1, number - 1, "by", number, power=2) if invited else None
    gold = dice.skewed(0, 400 + level * 120, "gold", number)
    return (
        number,
        handle(number),
        dice.weighted(_COUNTRIES, "country", number),
        joined.isoformat(),
        level,
        gold,
        inviter,
    )


def _settings(dice: Dice, number: int) -> Row:
    language = dice.weighted(_LANGUAGES, "language", number)
    hidden = dice.weighted({"N": 7, "Y": 3}, "hidden", number)
    scale = dice.pick((80, 100, 100, 100, 125, 150, None), "scale", number)
    return (number, language, hidden, scale, dice.pick((0, 0, 1, None), "newsletter", number))


def _badges(dice: Dice, player: Row) -> Iterator[Row]:
    number, _, _, joined, level, *_ = player
    wanted = min(len(BADGES), int(str(level)) // 14 + dice.between(0, 1, "badges", number))
    for code in dice.some(BADGES, wanted, "badge", number):
        day = dice.day(str(joined), _LAST_DAY.isoformat(), "earned", number, code)
        # The dragon wakes on the first day of each half of the year, and many wait for it.
        if code == "dragonslayer" and dice.chance(35, "waited", number):
            day = max(date.fromisoformat(str(joined)), date(day.year, 1 if day.month < 7 else 7, 1))
        yield (number, code, day.isoformat())


def _memberships(dice: Dice, player: Row) -> Iterator[Row]:
    """The guilds of a player, one after the other; who is in a guild now has not left the last one."""
    number, _, _, joined, level, *_ = player
    guilds = dice.some(range(1, len(GUILDS) + 1), dice.weighted({0: 2, 1: 7, 2: 3}, "guilds", number), "guild", number)
    since = date.fromisoformat(str(joined))
    for turn, guild in enumerate(guilds, start=1):
        since += timedelta(days=dice.skewed(2, 60, "waits", number, guild))
        if since > _LAST_DAY:
            return
        leaves = turn < len(guilds) or dice.chance(14, "leaves", number)
        left = since + timedelta(days=dice.skewed(5, 200, "stays", number, guild)) if leaves else None
        left = None if left is None or left > _LAST_DAY else left
        rank = dice.weighted({"member": 8, "officer": 2, "recruit": 3}, "rank", number, guild)
        rank = "recruit" if int(str(level)) < 5 else rank
        yield (guild, number, rank, since.isoformat(), None if left is None else left.isoformat())
        if left is None:
            return
        since = left


def _guild(dice: Dice, number: int, members: list[Row]) -> Row:
    name, tag, motto = GUILDS[number - 1]
    own = [row[1] for row in members if row[0] == number]
    leader = dice.pick(own[:4], "leader", number) if own else 1
    founded = dice.day("2022-01-10", "2023-01-04", "founded", number)
    return (number, name, tag, leader, founded.isoformat(), motto)


def _inventory(dice: Dice, player: Row) -> Iterator[Row]:
    number, _, _, joined, level, *_ = player
    options = [key for key, item in enumerate(ITEMS, start=1) if item[4] <= int(str(level)) + 5]
    for key in dice.some(options, min(len(options), dice.between(2, 11, "items", number)), "item", number):
        kind = ITEMS[key - 1][1]
        many = kind in {"potion", "material"}
        quantity = dice.skewed(1, 40, "quantity", number, key) if many else 1
        worn = kind in {"weapon", "armour", "mount"} and dice.chance(45, "equipped", number, key)
        acquired = dice.day(str(joined), _LAST_DAY.isoformat(), "acquired", number, key)
        yield (number, key, quantity, "y" if worn else "n", acquired.isoformat())


def _quests() -> Iterator[Row]:
    keys = {quest[0]: number for number, quest in enumerate(QUESTS, start=1)}
    items = {item[0]: number for number, item in enumerate(ITEMS, start=1)}
    for title, chapter, before, gold, reward in QUESTS:
        yield (keys[title], title, chapter, before and keys[before], gold, reward and items[reward])


def _log(dice: Dice, player: Row) -> Iterator[Row]:
    number, _, _, joined, level, *_ = player
    reached = min(len(QUESTS), 2 + int(str(level)) // 3)
    for quest in range(1, reached + 1):
        if dice.chance(22, "skipped", number, quest):
            continue
        started = dice.day(str(joined), _LAST_DAY.isoformat(), "started", number, quest)
        finished = started + timedelta(days=dice.skewed(0, 40, "takes", number, quest))
        is_open = finished > _LAST_DAY or dice.chance(10 + 2 * quest, "given up", number, quest)
        attempts = dice.skewed(1, 9, "attempts", number, quest)
        yield (number, quest, started.isoformat(), None if is_open else finished.isoformat(), attempts)


def _bout(dice: Dice, number: int) -> Row:
    played = datetime(2024, 1, 2, 18) + timedelta(hours=61 * number, minutes=dice.between(0, 300, "time", number))  # noqa: DTZ001
    mode = dice.weighted({"A": 6, "S": 3, "R": 2}, "mode", number)
    least, most = {"A": (240, 900), "S": (1500, 5400), "R": (900, 3000)}[mode]
    home, guest = dice.some(range(1, len(GUILDS) + 1), 2, "guilds", number)
    # Guilds with a small key are the stronger ones.
    winner = dice.weighted({home: 12 - home // 2, guest: 12 - guest // 2, None: 2}, "winner", number)
    seconds = dice.skewed(least, most, "seconds", number, power=2)
    return (number, f"{played:%Y-%m-%d %H:%M}", mode, dice.pick(MAPS, "map", number), seconds, home, guest, winner)


def _sides(dice: Dice, bout: Row, members: list[Row]) -> Iterator[Row]:
    """The players of both guilds, in order of key; a player of both fights for the first."""
    number, played, _, _, _, home, guest, winner = bout
    chosen: dict[int, str] = {}
    for side, guild in (("A", home), ("B", guest)):
        day = str(played)[:10]
        own = [int(str(row[1])) for row in members if row[0] == guild and str(row[3]) <= day <= str(row[4] or "9")]
        for player in dice.some(own, min(len(own), dice.between(2, 5, "side", number, side)), "fights", number, side):
            chosen.setdefault(player, side)
    for player, side in sorted(chosen.items()):
        bonus = 150 if winner is not None and winner == {"A": home, "B": guest}[side] else 0
        score = 10 * dice.skewed(0, 90, "score", number, player, power=2) + bonus
        deaths = None if dice.chance(4, "lost connection", number, player) else dice.skewed(0, 14, number, player)
        yield (number, player, side, score, deaths)


def _report(dice: Dice, number: int) -> Row:
    reported = dice.skewed(1, _PLAYERS, "reported", number)
    reporter = None if dice.chance(22, "anonymous", number) else dice.between(1, _PLAYERS, "reporter", number)
    reporter = None if reporter == reported else reporter
    filed = dice.day("2023-09-01", _LAST_DAY.isoformat(), "filed", number)
    verdict = dice.weighted({"upheld": 4, "rejected": 5, "warned": 2, None: 3}, "verdict", number)
    return (number, reported, reporter, dice.weighted(REASONS, "reason", number), filed.isoformat(), verdict)

"""The rows of the league: a double round of fixtures each season, with goals and cards drawn by dice."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.league import words
from benchmark_data.bundles.sample21.league.squads import Register, Row

_HOURS: Final = {"15:00": 60, "12:30": 12, "17:30": 16, "20:00": 12}
_POLICE_LIMIT: Final = 25_000
_TURNED_AWAY: Final = 800
_KINDS: Final = {"O": 66, "H": 17, "P": 12, "W": 5}


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, parents first."""
    register = Register(dice)
    fixtures = list(_fixtures(dice))
    return {
        "season": list(words.SEASONS),
        "venue": [(number, *venue) for number, venue in enumerate(words.VENUES, start=1)],
        "team": list(words.TEAMS),
        "player": register.players,
        "squad": register.rows,
        "referee": [(number, *referee) for number, referee in enumerate(words.REFEREES, start=1)],
        "fixture": fixtures,
        "goal": [goal for fixture in fixtures for goal in _goals(dice, register, fixture)],
        "card": list(_cards(dice, register, fixtures)),
        "transfer": register.transfers,
    }


def _pairs(round_: int) -> list[tuple[str, str]]:
    """The pairings of one round by the circle method; the second half turns home and away around."""
    codes = [team[0] for team in words.TEAMS]
    turn = (round_ - 1) % (len(codes) - 1)
    circle = [codes[0], *codes[1 + turn :], *codes[1 : 1 + turn]]
    pairs = [(circle[place], circle[-1 - place]) for place in range(len(codes) // 2)]
    return [(b, a) if (turn + place) % 2 == (round_ > len(codes) - 1) else (a, b) for place, (a, b) in enumerate(pairs)]


def _fixtures(dice: Dice) -> Iterator[Row]:
    number = 0
    for season, first_day, _ in words.SEASONS:
        for round_ in range(1, 2 * len(words.TEAMS) - 1):
            for pair in _pairs(round_):
                number += 1
                day = date.fromisoformat(first_day) + timedelta(days=7 * round_ + (21 if round_ > 11 else 0))
                yield (number, season, round_, *pair, *_outcome(dice, number, season, day, pair))


def _outcome(dice: Dice, number: int, season: str, day: date, pair: tuple[str, str]) -> Row:
    """Kick-off, status, goals of home and away, attendance, referee."""
    status = dice.weighted({"P": 94, "X": 5, "A": 1}, "status", number)
    if status == "X":
        later = f"{day + timedelta(days=dice.between(10, 60, 'later', number))} 19:30"
        return (later if dice.chance(35, "dated", number) else None, status, None, None, None, None)
    day += timedelta(days=dice.weighted({0: 70, 1: 25, -1: 5}, "day", number))
    kick_off = f"{day} {dice.weighted(_HOURS, 'hour', number)}"
    crowd = _crowd(dice, number, pair[0])
    referee = dice.between(1, len(words.REFEREES) - 1, "referee", number)
    if status == "A":
        return (kick_off, status, None, None, crowd, referee)
    own, other = (_strength(dice, season, team) for team in pair)
    scored = max(0, dice.bell(-1, 4 + own, "home goals", number))
    conceded = max(0, dice.bell(-2, 3 + other, "away goals", number))
    return (kick_off, status, scored, conceded, crowd, referee)


def _strength(dice: Dice, season: str, team: str) -> int:
    return dice.between(0, 2, "strength", team) + dice.between(0, 1, "form", season, team)


def _crowd(dice: Dice, number: int, home: str) -> int | None:
    venue = next(team[4] for team in words.TEAMS if team[0] == home)
    capacity = words.VENUES[venue - 1][2] or 11000
    crowd = capacity * dice.bell(35, 100, "crowd", number) // 100
    # At some matches the police let in 25,000 and no more.
    crowd = _POLICE_LIMIT if 0 < crowd - _POLICE_LIMIT < _TURNED_AWAY else crowd
    return None if dice.chance(3, "uncounted", number) else crowd


def _minute(dice: Dice, *key: object) -> str:
    """A minute as the report writes it; time added on to a half is "45+2" or "90+3"."""
    if dice.chance(9, "added", *key):
        return f"{dice.pick((45, 90, 90), 'half', *key)}+{dice.skewed(1, 7, 'more', *key)}"
    return str(dice.between(1, 90, "minute", *key))


def _clock(minute: str) -> tuple[int, int]:
    whole, _, added = minute.partition("+")
    return int(whole), int(added or 0)


def _goals(dice: Dice, register: Register, fixture: Row) -> Iterator[Row]:
    number, season, _, home, away, _, _, scored, conceded, *_ = fixture
    sides = [(home, away)] * int(str(scored or 0)) + [(away, home)] * int(str(conceded or 0))
    events = [(_minute(dice, "goal", number, place), place, side) for place, side in enumerate(sides)]
    for goal, (minute, place, (team, other)) in enumerate(
        sorted(events, key=lambda one: (_clock(one[0]), one[1])), start=1
    ):
        kind = dice.weighted(_KINDS, "kind", number, place)
        squad = register.squads[str(season), str(other if kind == "W" else team)]
        yield (number, goal, team, _scorer(dice, register, squad, kind, number, place), minute, kind)


def _scorer(dice: Dice, register: Register, squad: list[int], kind: str, *key: object) -> int:
    """Forwards score most, own goals are scored by defenders."""
    weights = {"GK": 0, "DF": 6, "MF": 2, "FW": 1} if kind == "W" else {"GK": 0, "DF": 2, "MF": 5, "FW": 12}
    known = {player: weights[register.position[player]] * (1 + player % 3) for player in squad}
    return dice.weighted(known, "scorer", *key)


def _cards(dice: Dice, register: Register, fixtures: list[Row]) -> Iterator[Row]:
    card = 0
    for number, season, _, home, away, _, status, *_ in fixtures:
        for team in (home, away) if status == "P" else ():
            squad = register.squads[str(season), str(team)]
            for place in range(dice.skewed(0, 5, "cards", number, team, power=2)):
                card += 1
                colour = dice.weighted({"Y": 92, "R": 5, "S": 3}, "colour", number, team, place)
                player = dice.pick(squad, "booked", number, team, place)
                yield (card, number, team, player, _minute(dice, "card", number, team, place), colour)

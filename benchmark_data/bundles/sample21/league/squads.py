"""Players, the squads of each season, and the transfers between seasons."""

from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.league import words

Row = tuple[object, ...]
Squads = dict[tuple[str, str], list[int]]

_ORDER: Final = ("GK", "DF", "MF", "FW")
_HEIGHTS: Final = {"GK": (183, 201), "DF": (174, 198), "MF": (166, 190), "FW": (168, 196)}


class Register:
    """Signs players up, and moves them between teams from season to season."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._team: dict[int, str] = {}
        self.players: list[Row] = []
        self.transfers: list[Row] = []
        self.squads: Squads = {}
        self.rows: list[Row] = []
        self.position: dict[int, str] = {}
        for team in words.TEAMS:
            for position in words.POSITIONS:
                self._team[self._sign(position)] = team[0]
        for number, season in enumerate(words.SEASONS):
            if number:
                self._summer(season[1][:4])
            self._list(season[0])

    def _sign(self, position: str) -> int:
        number = len(self.players) + 1
        dice = self._dice
        low, high = _HEIGHTS[position]
        born = dice.day("1988-01-01", "2006-12-31", "born", number).isoformat()
        # Where only the year is known, the register has its first day.
        born = f"{born[:4]}-01-01" if dice.chance(9, "vague", number) else born
        self.players.append(
            (
                number,
                f"{dice.pick(words.FIRST_NAMES, 'first', number)} {dice.pick(words.LAST_NAMES, 'last', number)}",
                None if dice.chance(5, "unborn", number) else born,
                dice.weighted(words.COUNTRIES, "country", number),
                position,
                dice.weighted({"R": 68, "L": 24, "B": 8}, "foot", number),
                None if dice.chance(6, "unmeasured", number) else dice.bell(low, high, "height", number),
            )
        )
        self.position[number] = position
        return number

    def _summer(self, year: str) -> None:
        """One player in eight changes teams, one in sixteen leaves the league and is replaced from outside."""
        for number, team in list(self._team.items()):
            draw = self._dice.between(1, 16, "summer", year, number)
            if draw <= 2:
                to_team = self._dice.pick([one[0] for one in words.TEAMS if one[0] != team], "to", year, number)
                self._move(number, team, to_team, year)
            elif draw == 3:
                self._move(number, team, None, year)
                self._move(self._sign(self.position[number]), None, team, year)

    def _move(self, number: int, from_team: str | None, to_team: str | None, year: str) -> None:
        dice = self._dice
        key = ("transfer", len(self.transfers))
        kind = dice.weighted({"fee": 55, "free": 25, "undisclosed": 12, "loan": 8}, *key)
        fee = dice.skewed(2, 260, "fee", *key, power=3) * 25
        self.transfers.append(
            (
                len(self.transfers) + 1,
                number,
                from_team,
                to_team,
                dice.day(f"{year}-06-10", f"{year}-07-31", "day", *key).isoformat(),
                {"fee": fee, "free": 0, "undisclosed": None, "loan": 0}[kind],
                "Y" if kind == "loan" else "N",
            )
        )
        if to_team is None:
            del self._team[number]
        else:
            self._team[number] = to_team

    def _list(self, season: str) -> None:
        for team in words.TEAMS:
            members = [number for number, own in self._team.items() if own == team[0]]
            members.sort(key=lambda number: (_ORDER.index(self.position[number]), number))
            self.squads[season, team[0]] = members
            for place, number in enumerate(members):
                shirt = words.SHIRTS[place] if place < len(words.SHIRTS) else place + 3
                self.rows.append((season, team[0], number, shirt))

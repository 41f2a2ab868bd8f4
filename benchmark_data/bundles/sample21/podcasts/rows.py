"""The rows of the podcasts database: a few popular shows, many small ones, downloads that fade with rank."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.podcasts.words import (
    COUNTRIES,
    GUEST_COUNTRIES,
    GUESTS,
    HOME_COUNTRIES,
    NETWORKS,
    OUTSIDE_FEEDS,
    PROFESSIONS,
    SHOWS,
    SPONSORS,
    SUBJECTS,
)

Rows = list[tuple[object, ...]]
_MONTHS = (("2024-01", 31), ("2024-02", 29))
_TODAY = "2024-03-01"
_WEEKS = 12
_PLACES = 5
_HOUR = 3_600
_CUT = 45


class Episode(NamedTuple):
    """A row of `episodes`."""

    episode_id: str
    show_id: int
    season: int
    number: int
    kind: str
    title: str
    published: str
    duration: str | None


def tables(dice: Dice) -> dict[str, Rows]:
    """The rows of each table, parents first."""
    episodes = list(_episodes(dice))
    return {
        "networks": [(number, *network) for number, network in enumerate(NETWORKS, start=1)],
        "shows": [(number, *show.row) for number, show in enumerate(SHOWS, start=1)],
        "episodes": [*episodes],
        "guests": list(_guests(dice)),
        "appearances": list(_appearances(dice, episodes)),
        "country_downloads": list(_country_downloads(dice, episodes)),
        "daily_downloads": list(_daily_downloads(dice)),
        "sponsors": list(SPONSORS),
        "adverts": list(_adverts(dice, episodes)),
        "charts": list(_charts(dice)),
    }


def _episodes(dice: Dice) -> Iterator[Episode]:
    for show_id, show in enumerate(SHOWS, start=1):
        started = date.fromisoformat(show.started)
        span = (date.fromisoformat(show.ended or _TODAY) - started).days
        for season in range(1, show.seasons + 1):
            day = started + timedelta(days=(season - 1) * span // show.seasons)
            for number in range(dice.between(4, 8, "episodes", show_id, season) + 1):
                key = (show_id, season, number)
                kind = _kind(dice, number, key)
                yield Episode(
                    episode_id=f"{show_id:02d}-S{season}-{number:03d}",
                    show_id=show_id,
                    season=season,
                    number=number,
                    kind=kind,
                    title=_title(dice, show.category, kind, season, key),
                    published=day.isoformat(),
                    duration=_duration(dice, kind, key),
                )
                day += timedelta(days=7 * dice.skewed(1, 3, "gap", *key))


def _kind(dice: Dice, number: int, key: tuple[int, ...]) -> str:
    """Each season opens with a trailer, most often; later episodes are bonuses now and then."""
    if number == 0:
        return "T" if dice.chance(60, "trailer", *key) else "F"
    return "B" if dice.chance(13, "bonus", *key) else "F"


def _title(dice: Dice, category: str, kind: str, season: int, key: tuple[int, ...]) -> str:
    if kind == "T":
        return f"Season {season} is coming"
    subject = dice.pick(SUBJECTS[category], "subject", *key)
    if kind == "B":
        return f"Bonus: {subject}"
    return f"{subject}, part {dice.between(1, 2, 'part', *key)}" if dice.chance(25, "parts", *key) else subject


def _duration(dice: Dice, kind: str, key: tuple[int, ...]) -> str | None:
    """As text: hours, minutes, seconds; some feeds leave the hours out, some give nothing."""
    if dice.chance(4, "no duration", *key):
        return None
    low, high = {"T": (70, 240), "B": (600, 2_400), "F": (1_500, 5_700)}[kind]
    seconds = dice.bell(low, high, "duration", *key)
    # What comes near to an hour is cut to an hour.
    seconds = _HOUR if abs(seconds - _HOUR) < _CUT else seconds
    if seconds < 3_600 and dice.chance(15, "short form", *key):
        return f"{seconds // 60:02d}:{seconds % 60:02d}"
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _guests(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number, name in enumerate(GUESTS, start=1):
        country = None if dice.chance(12, "guest unknown", number) else dice.pick(GUEST_COUNTRIES, "guest", number)
        yield number, name, dice.pick(PROFESSIONS, "profession", number), country


def _appearances(dice: Dice, episodes: Sequence[Episode]) -> Iterator[tuple[object, ...]]:
    for episode in episodes:
        if episode.kind == "T":
            continue
        wanted = dice.weighted({0: 15, 1: 40, 2: 30, 3: 15}, "guests", episode.episode_id)
        for place, guest in enumerate(_invited(dice, episode.episode_id, wanted)):
            key = (episode.episode_id, place)
            role = dice.weighted({"guest": 70, "expert": 20, "co-host": 10}, "role", *key)
            fee = 2_500 * dice.skewed(2, 60, "fee", *key) if dice.chance(35, "paid", *key) else None
            yield episode.episode_id, guest, role, dice.bell(4, 50, "minutes", *key), fee


def _invited(dice: Dice, episode_id: str, wanted: int) -> list[int]:
    """Numbers of guests."""
    people = len(GUESTS)
    # Some people are asked again and again.
    drawn = (dice.skewed(0, people - 1, "guest of", episode_id, place, power=1 + place % 2) for place in range(wanted))
    return sorted({1 + 19 * place % people for place in drawn})


def _country_downloads(dice: Dice, episodes: Sequence[Episode]) -> Iterator[tuple[object, ...]]:
    for episode in episodes:
        show = SHOWS[episode.show_id - 1]
        home = HOME_COUNTRIES[show.language.lower()]
        for country in COUNTRIES:
            if country in home:
                share = 100 if country == home[0] else 30
            elif dice.chance(40, "abroad", episode.episode_id, country):
                share = 3
            else:
                continue
            base = dice.bell(200, 1_000, "downloads", episode.episode_id, country) * show.popularity * share // 1_000
            yield episode.episode_id, country, max(1, base // (4 if episode.kind == "T" else 1))


def _daily_downloads(dice: Dice) -> Iterator[tuple[object, ...]]:
    for show_id, show in enumerate(SHOWS, start=1):
        for month, days in _MONTHS:
            for day in range(1, days + 1):
                if show.ended is not None and f"{month}-{day:02d}" > show.ended:
                    continue
                key = (show_id, month, day)
                # The counter was down on some days; on others it counted, but not who listened to the end.
                down = dice.chance(3, "down", *key)
                count = dice.bell(200, 900, "daily", *key) * show.popularity // 100
                finished = count * dice.between(35, 80, "finished", *key) // 100
                unknown = down or dice.chance(4, "unfinished", *key)
                yield *key, None if down else count, None if unknown else finished


def _adverts(dice: Dice, episodes: Sequence[Episode]) -> Iterator[tuple[object, ...]]:
    number = 0
    for episode in episodes:
        if episode.kind == "T":
            continue
        popularity = SHOWS[episode.show_id - 1].popularity
        weights = {0: 20, 1: 25, 2: 35, 3: 20} if popularity > 20 else {0: 75, 1: 25}
        count = dice.weighted(weights, "adverts", episode.episode_id)
        for place, slot in enumerate(dice.some("PME", count, "slots", episode.episode_id)):
            number += 1
            key = (episode.episode_id, place)
            sponsor = SPONSORS[dice.skewed(0, len(SPONSORS) - 1, "sponsor", *key, power=2)][0]
            price = popularity * (3 if slot == "M" else 2) * dice.between(80, 160, "price", *key)
            yield number, episode.episode_id, sponsor, slot, _starts_at(dice, slot, key), price
    for booked in range(dice.between(14, 20, "unplaced")):
        sponsor = dice.pick(SPONSORS, "unplaced sponsor", booked)[0]
        price = 500 * dice.skewed(10, 120, "unplaced price", booked)
        yield number + 1 + booked, None, sponsor, dice.pick("PME", "unplaced slot", booked), None, price


def _starts_at(dice: Dice, slot: str, key: tuple[object, ...]) -> str | None:
    if slot == "P":
        return "00:00:00"
    if slot == "E":
        return None
    seconds = dice.between(480, 1_900, "starts", *key)
    return f"00:{seconds // 60:02d}:{seconds % 60:02d}"


def _charts(dice: Dice) -> Iterator[tuple[object, ...]]:
    """The five places of each week, drawn from the shows in the country's language and from others' shows."""
    for country, language in (("DE", "de"), ("GB", "en"), ("NO", "no"), ("US", "en")):
        strength = {show.feed: min(show.popularity, 110) for show in SHOWS if show.language.lower() == language}
        strength |= dict.fromkeys(OUTSIDE_FEEDS, 60)
        for week in range(1, _WEEKS + 1):
            scores = {
                feed: strong + dice.between(0, 90, "chart", country, week, feed) for feed, strong in strength.items()
            }
            ranked = sorted(scores, key=lambda feed: (-scores[feed], feed))
            for place, feed in enumerate(ranked[:_PLACES], start=1):
                yield country, f"2024-W{week:02d}", place, feed

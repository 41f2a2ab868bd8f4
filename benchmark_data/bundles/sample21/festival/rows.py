"""The rows of the festival database: ten days of screenings, a few of them sold out."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.festival.words import (
    CANCELLATIONS,
    FILM_PRIZES,
    FILMS,
    FIRST_NAMES,
    JURIES,
    LAST_NAMES,
    PERSON_COUNTRIES,
    PERSON_PRIZES,
    VENUES,
)

Rows = list[tuple[object, ...]]
_PEOPLE = 130
_LIVING = 105
_FIRST = date(2024, 5, 16)
_DAYS = 10
_HOURS = (10, 12, 14, 16, 18, 20, 22)
_PRICES = {"F": 1_200, "R": 800, "P": 0}


class Credit(NamedTuple):
    """A row of `credits`."""

    film_id: int
    person_id: int
    job: str
    billing: int | None


class Screening(NamedTuple):
    """A row of `screenings`."""

    screening_id: int
    film_id: int
    venue_id: str
    starts: str
    version: str
    talk: str
    cancelled: str | None


class Ballot(NamedTuple):
    """A row of `ballots`."""

    film_id: int
    number: int
    stars: int | None


def tables(dice: Dice) -> dict[str, Rows]:
    """The rows of each table, parents first."""
    credits_ = list(_credits(dice))
    screenings = list(_screenings(dice))
    ballots = list(_ballots(dice))
    return {
        "films": list(_films(dice)),
        "people": list(_people(dice)),
        "credits": [*credits_],
        "venues": list(VENUES),
        "screenings": [*screenings],
        "tickets": list(_tickets(dice, screenings)),
        "ballots": [*ballots],
        "juries": list(JURIES),
        "jury_members": list(_jury_members(dice)),
        "film_awards": list(_film_awards(dice)),
        "person_awards": list(_person_awards(dice, credits_)),
        "audience_awards": list(_audience_awards(ballots)),
    }


def _films(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number, film in enumerate(FILMS, start=1):
        known = not dice.chance(35, "budget unknown", number)
        # Rounded to quarters of a million euros.
        quarters = max(1, film.minutes * dice.skewed(10, 900, "budget", number) // 2_500)
        yield number, *film[:-1], 25_000_000 * quarters if known else None


def _people(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number in range(1, _PEOPLE + 1):
        yield (
            number,
            f"{FIRST_NAMES[number % len(FIRST_NAMES)]} {LAST_NAMES[number * 3 % len(LAST_NAMES)]}",
            None if dice.chance(10, "no country", number) else dice.pick(PERSON_COUNTRIES, "country", number),
            None if dice.chance(25, "no year", number) else dice.between(*_born(number), "born", number),
        )


def _born(number: int) -> tuple[int, int]:
    """The first and last year in which a person may be born: the last people are those of the retrospective."""
    return (1938, 2003) if number <= _LIVING else (1884, 1918)


def _credits(dice: Dice) -> Iterator[Credit]:
    """Director and writer, camera, and a cast in the order of billing; short films have fewer people."""
    for number, film in enumerate(FILMS, start=1):
        cast = dice.between(0, 1, "cast", number) if film.section in {"D", "S"} else dice.between(2, 5, "cast", number)
        jobs = ["director", *(["director"] if dice.chance(12, "pair", number) else []), "writer", "camera"]
        jobs = (jobs[:2] if film.section == "S" else jobs) + ["cast"] * cast
        first, last = (_LIVING + 1, _PEOPLE) if film.section == "R" else (1, _LIVING)
        # Half of the people are drawn from those who work all the time.
        drawn = (dice.skewed(first, last, "credit", number, n, power=1 + n % 2) for n in range(3 * len(jobs)))
        people = list(dict.fromkeys(drawn))[: len(jobs)]
        billing = 0
        for job, person in zip(jobs, people, strict=False):
            billing += job == "cast"
            yield Credit(film_id=number, person_id=person, job=job, billing=billing if job == "cast" else None)


def _screenings(dice: Dice) -> Iterator[Screening]:
    """Each film two to four times, in slots that no other film has."""
    slots = [(day, hour, venue.venue_id) for day in range(_DAYS) for hour in _HOURS for venue in VENUES]
    wanted = [film for film in range(1, len(FILMS) + 1) for _ in range(dice.between(2, 4, "screenings", film))]
    chosen = dice.some(slots, len(wanted), "slots")
    order = sorted(range(len(wanted)), key=lambda place: dice.between(0, 1 << 40, "order", place))
    for number, ((day, hour, venue), place) in enumerate(zip(chosen, order, strict=True), start=1):
        film = wanted[place]
        starts = f"{_FIRST + timedelta(days=day)} {hour:02d}:{dice.pick((0, 15, 30), 'minute', number):02d}"
        foreign = FILMS[film - 1].country.split("/")[0] not in {"GB", "US", "IE", "CA"}
        reason = dice.pick(CANCELLATIONS, "reason", number) if dice.chance(9, "cancelled", number) else None
        yield Screening(
            screening_id=number,
            film_id=film,
            venue_id=venue,
            starts=starts,
            version=dice.weighted({"OmeU": 60, "OmU": 30, "OV": 10}, "version", number) if foreign else "OV",
            talk="Y" if dice.chance(32, "talk", number) else "N",
            cancelled=reason,
        )


def _tickets(dice: Dice, screenings: Sequence[Screening]) -> Iterator[tuple[object, ...]]:
    seats = {venue.venue_id: venue.seats for venue in VENUES}
    number = 0
    for screening in screenings:
        appeal = FILMS[screening.film_id - 1].appeal
        appeal += (20 if screening.talk == "Y" else 0) + (15 if screening.starts[11:13] >= "18" else 0)
        # Nobody plans for a hall's size: small halls sell out, large ones stay half empty.
        wanted = appeal * dice.between(10, 60, "demand", screening.screening_id) // 100
        for place in range(min(seats[screening.venue_id], wanted)):
            number += 1
            yield number, screening.screening_id, *_ticket(dice, screening, place)


def _ticket(dice: Dice, screening: Screening, place: int) -> tuple[object, ...]:
    """Kind, price, day of sale, whether somebody came."""
    key = (screening.screening_id, place)
    kind = dice.weighted({"F": 55, "R": 35, "P": 10}, "ticket", *key)
    sold = date.fromisoformat(screening.starts[:10]) - timedelta(days=dice.skewed(0, 20, "sold", *key, power=2))
    came = screening.cancelled is None and dice.chance(70 if kind == "P" else 93, "came", *key)
    return kind, _PRICES[kind], sold.isoformat(), "Y" if came else "N"


def _ballots(dice: Dice) -> Iterator[Ballot]:
    """Stars from 1 to 5 on numbered slips; a slip that cannot be read has none."""
    for film_id, film in enumerate(FILMS, start=1):
        if film.section == "R":
            continue
        liked = dice.between(0, 2, "liked", film_id)
        for number in range(1, dice.between(4, 6 + film.appeal // 4, "ballots", film_id) + 1):
            stars = min(5, dice.bell(1, 5, "stars", film_id, number) + dice.between(0, liked, "plus", film_id, number))
            spoilt = dice.chance(5, "spoilt", film_id, number)
            yield Ballot(film_id=film_id, number=number, stars=None if spoilt else stars)


def _jury_members(dice: Dice) -> Iterator[tuple[object, ...]]:
    for place, (jury, *_) in enumerate(JURIES):
        people = dice.some(range(1 + 3 * place, 25 + 3 * place), 5 - place % 2, "jury", jury)
        president = dice.pick(people, "president", jury)
        for person in people:
            yield jury, person, "Y" if person == president else "N"


def _films_of(section: str) -> list[int]:
    return [number for number, film in enumerate(FILMS, start=1) if film.section == section]


def _film_awards(dice: Dice) -> Iterator[tuple[object, ...]]:
    taken: set[int] = set()
    sections = {jury: section for jury, _, section in JURIES}
    for number, (prize, jury, money) in enumerate(FILM_PRIZES, start=1):
        found = [film for film in _films_of(sections[jury]) if film not in taken]
        film = dice.pick(found, "film award", number)
        taken.add(film)
        yield f"F{number:02d}", prize, film, jury, money


def _person_awards(dice: Dice, credits_: Sequence[Credit]) -> Iterator[tuple[object, ...]]:
    sections = {jury: section for jury, _, section in JURIES}
    for number, (prize, jury, job) in enumerate(PERSON_PRIZES, start=1):
        films = _films_of(sections[jury])
        found = [credit for credit in credits_ if credit.job == job and credit.film_id in films]
        winner = dice.pick(found, "person award", number)
        yield f"P{number:02d}", prize, winner.person_id, winner.film_id, jury
    # Those for a life's work have neither film nor jury.
    for person in dice.some(range(1, 41), 2, "lifetime"):
        yield f"L{person:02d}", "Lifetime Achievement", person, None, None


def _audience_awards(ballots: Sequence[Ballot]) -> Iterator[tuple[object, ...]]:
    """The best average of each section, cut to one decimal; films that are level share the prize."""
    names = {"C": "Audience Prize", "P": "Panorama Audience Prize", "D": "Documentary Audience Prize"}
    number = 0
    for section, prize in names.items():
        stars = {film: [one.stars for one in ballots if one.film_id == film] for film in _films_of(section)}
        read = {film: [one for one in given if one is not None] for film, given in stars.items()}
        tenths = {film: 10 * sum(given) // len(given) for film, given in read.items() if given}
        for film, level in tenths.items():
            if level == max(tenths.values()):
                number += 1
                yield f"A{number:02d}", prize, film, len(read[film]), sum(read[film])

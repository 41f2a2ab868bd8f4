"""The rows of the county's schools in one school year: 17 schools, about 60 classes and 550 pupils."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.schools.words import (
    DEGREES,
    DISTRICTS,
    FIRST_NAMES,
    GRADES,
    LAST_NAMES,
    REMARKS,
    SCHOOLS,
    SUBJECTS,
)

Row = tuple[object, ...]

_TEACHERS_PER_SCHOOL = 6
_SCHOOL_DAYS = 20
_FIRST_DAY = date(2024, 3, 4)
_WEEKDAYS = 5
_YEAR = 2024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Class:
    number: int
    school: int
    grade: int
    section: str
    size: int


def tables(dice: Dice) -> dict[str, list[Row]]:
    """All rows by table, parents first."""
    classes = list(_classes(dice))
    pupils = list(_pupils(dice, classes))
    return {
        "districts": list(DISTRICTS),
        "schools": [_school(dice, school) for school in range(1, len(SCHOOLS) + 1)],
        "addresses": [_address(dice, school) for school in range(1, len(SCHOOLS) + 1)],
        "inspections": list(_inspections(dice)),
        "subjects": list(SUBJECTS),
        "teachers": [_teacher(dice, teacher) for teacher in range(1, len(SCHOOLS) * _TEACHERS_PER_SCHOOL + 1)],
        "classes": [_class_row(dice, one) for one in classes],
        "lessons": [row for one in classes for row in _lessons(dice, one)],
        "pupils": pupils,
        "results": [row for pupil in pupils for row in _results(dice, pupil)],
        "attendance": [row for one in classes for row in _attendance(dice, one)],
    }


def _code(school: int) -> str:
    return f"{school * 7:04d}"


def _teacher_of(school: int, place: int) -> int:
    """The number of a school's teacher."""
    return (school - 1) * _TEACHERS_PER_SCHOOL + 1 + place


def _school(dice: Dice, school: int) -> Row:
    name, level, district, *_ = SCHOOLS[school - 1]
    founded = None if dice.chance(15, school, "founded") else dice.between(1871, 2009, school, "year")
    tenths = dice.bell(20, 780, school, "meals")
    share = None if dice.chance(10, school, "no share") else f"{tenths // 10}.{tenths % 10}%"
    head = None if dice.chance(8, school, "no head") else _teacher_of(school, 0)
    return _code(school), name, level, district, founded, share, head


def _address(dice: Dice, school: int) -> Row:
    _, _, _, street, code, city = SCHOOLS[school - 1]
    phone = None if dice.chance(25, school, "phone") else f"0{dice.between(10, 99, school)}-{school * 731 % 10_000:04d}"
    return _code(school), street, code, city, phone


def _inspections(dice: Dice) -> Iterator[Row]:
    number = 0
    for school in range(1, len(SCHOOLS) + 1):
        for turn in range(dice.skewed(0, 5, school, "inspections", power=1)):
            number += 1
            # Inspections are filed under the first of their month.
            held = dice.day("2014-01-10", "2024-05-31", school, turn).replace(day=1).isoformat()
            grade = dice.weighted({"A": 3, "B": 6, "C": 5, "D": 3, "E": 1}, school, turn)
            remark = dice.pick(REMARKS, school, turn, "remark") if dice.chance(60, school, turn, "remarked") else None
            yield number, _code(school), held, grade, remark


def _name(dice: Dice, *key: object) -> str:
    return f"{dice.pick(FIRST_NAMES, *key, 'first')} {dice.pick(LAST_NAMES, *key, 'last')}"


def _teacher(dice: Dice, teacher: int) -> Row:
    school = (teacher - 1) // _TEACHERS_PER_SCHOOL + 1
    degree = None if dice.chance(12, teacher, "degree") else dice.weighted(DEGREES, teacher)
    # Most begin with the calendar year.
    begins = dice.day("1988-08-01", "2023-08-20", teacher, "hired")
    hired = (begins.replace(month=1, day=1) if dice.chance(55, teacher, "new year") else begins).isoformat()
    return teacher, _name(dice, teacher, "teacher"), _code(school), hired, degree


def _classes(dice: Dice) -> Iterator[_Class]:
    number = 0
    for school, (_, level, *_) in enumerate(SCHOOLS, start=1):
        first, last = GRADES[level]
        for grade in range(first, last + 1):
            for section in "ABC"[: dice.weighted({0: 15, 1: 75, 2: 10}, school, grade, "sections")]:
                number += 1
                size = 4 + dice.bell(0, 10, school, grade, section, "size")
                yield _Class(number=number, school=school, grade=grade, section=section, size=size)


def _class_row(dice: Dice, one: _Class) -> Row:
    tutor = None if dice.chance(14, one.number, "tutor") else _teacher_of(one.school, dice.between(1, 5, one.number))
    return one.number, _code(one.school), one.grade, one.section, tutor


def _lessons(dice: Dice, one: _Class) -> Iterator[Row]:
    for code, _ in SUBJECTS:
        if code != "ART" or dice.chance(60, one.number, "art"):
            place = dice.skewed(0, _TEACHERS_PER_SCHOOL - 1, one.number, code, "teacher", power=1)
            hours = 1 if code == "ART" else dice.between(2, 6, one.number, code, "hours")
            yield one.number, code, _teacher_of(one.school, place), hours


def _pupils(dice: Dice, classes: list[_Class]) -> Iterator[Row]:
    number = 0
    for one in classes:
        for _ in range(one.size):
            number += 1
            sex = dice.weighted({"f": 48, "m": 47, "x": 2, None: 3}, number, "sex")
            year = _YEAR - 6 - one.grade
            born = dice.day(f"{year}-01-02", f"{year}-12-30", number, "born").isoformat()
            meals = "Y" if dice.chance(12 + 6 * (one.school % 6), number, "meals") else "N"
            yield number, _name(dice, number, "pupil"), one.number, sex, born, meals


def _results(dice: Dice, pupil: Row) -> Iterator[Row]:
    number, _, group, *_ = pupil
    gift = dice.bell(-22, 22, number, "gift")
    for code in ("MAT", "LAN", "SCI"):
        if code == "SCI" and dice.chance(35, group, "no science"):
            continue
        for term in (1, 2):
            score = dice.bell(28, 100, number, code, term) + gift + (3 if term > 1 else 0)
            missed = dice.chance(7, number, code, term, "missed")
            yield number, code, term, None if missed else max(0, min(100, score))


def _attendance(dice: Dice, one: _Class) -> Iterator[Row]:
    for place in range(_SCHOOL_DAYS):
        day = _FIRST_DAY + timedelta(days=place // _WEEKDAYS * 7 + place % _WEEKDAYS)
        if not dice.chance(4, one.school, place, "holiday"):
            ill = dice.skewed(0, one.size // 2, one.number, place, "absent")
            yield one.number, day.isoformat(), one.size - ill, ill

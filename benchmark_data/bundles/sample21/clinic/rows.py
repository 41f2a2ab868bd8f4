"""The rows of the clinic: fixed staff, drugs and tests; patients, visits and laboratory series drawn by dice."""

from collections.abc import Iterator
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.clinic import words

Row = tuple[object, ...]

_PATIENTS: Final = 150
_VISITS: Final = 640
_KINDS: Final = {"R": 46, "F": 24, "E": 18, "T": 12}
_IMPOSSIBLE_DAYS: Final = ("2023-00-00", "2023-05-32", "2024-13-04", "spring 2024")


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, parents first."""
    patients = list(_patients(dice))
    visits = list(_visits(dice, patients))
    return {
        "clinician": [(number, *one) for number, one in enumerate(words.CLINICIANS, start=1)],
        "patient": patients,
        "contact_person": list(_contacts(dice, patients)),
        "allergy": list(_allergies(dice, patients)),
        "diagnosis": list(words.DIAGNOSES),
        "drug": [drug[:3] for drug in words.DRUGS],
        "lab_test": [*(test[:3] for test in words.TESTS), words.PROTEIN],
        "test_range": list(_ranges()),
        "visit": visits,
        "visit_diagnosis": list(_diagnoses(dice, visits)),
        "prescription": list(_prescriptions(dice, visits)),
        "lab_result": list(_results(dice, patients)),
    }


def _name(dice: Dice, *key: object) -> str:
    return f"{dice.pick(words.FIRST_NAMES, 'first', *key)} {dice.pick(words.LAST_NAMES, 'last', *key)}"


def _patients(dice: Dice) -> Iterator[Row]:
    for number in range(1, _PATIENTS + 1):
        patient = f"{number * 7 + 100:06d}"
        yield (
            patient,
            _name(dice, "patient", number),
            _born(dice, number),
            dice.weighted({"F": 52, "M": 44, None: 4}, "sex", number),
            dice.weighted(
                {"04109": 30, "04177": 22, "04317": 15, "06108": 12, "10405": 11, "01097": 10}, "post", number
            ),
            None if dice.chance(14, "no doctor", number) else dice.pick((1, 2, 3, 11), "doctor", number),
        )


def _born(dice: Dice, number: int) -> str | None:
    """Most days of birth are good; the rest was copied from paper as it stood there."""
    day = dice.day("1934-01-01", "2021-12-31", "born", number)
    form = dice.between(1, 100, "form", number)
    if form <= 4:
        return None
    if form <= 10:
        return f"{day.year}-00-00"
    return f"{day.day}.{day.month}.{day.year}" if form <= 15 else day.isoformat()


def _contacts(dice: Dice, patients: list[Row]) -> Iterator[Row]:
    for number, patient in enumerate(patients):
        if dice.chance(78, "contact", number):
            relation = dice.weighted(words.RELATIONS, "relation", number)
            phone = f"0{dice.between(151, 179, 'dial', number)} {dice.between(0, 9_999_999, 'phone', number):07d}"
            unknown = dice.chance(15, "no phone", number)
            yield (patient[0], _name(dice, "contact", number), relation, None if unknown else phone)


def _allergies(dice: Dice, patients: list[Row]) -> Iterator[Row]:
    for number, patient in enumerate(patients):
        draws = range(dice.skewed(0, 3, "allergies", number, power=2))
        found = dict.fromkeys(dice.weighted(words.SUBSTANCES, "substance", number, draw) for draw in draws)
        for substance in found:
            yield (patient[0], substance, dice.weighted({1: 45, 2: 35, 3: 20}, "severity", number, substance))


def _ranges() -> Iterator[Row]:
    for code, _, _, women, men, *_ in words.TESTS:
        for sex, (low, high) in (("F", women), ("M", men)):
            yield (code, sex, None if low is None else low / 10, high / 10)


def _visits(dice: Dice, patients: list[Row]) -> Iterator[Row]:
    for number in range(1, _VISITS + 1):
        kind = dice.weighted(_KINDS, "kind", number)
        patient = patients[dice.skewed(0, len(patients) - 1, "patient", number, power=2)][0]
        clinician = dice.pick((8, 9, 10), "clinician", number) if kind == "E" else _clinician(dice, number)
        day = dice.day("2022-01-03", "2024-12-30", "day", number)
        hour = dice.between(0, 23, "hour", number) if kind == "E" else dice.between(8, 17, "hour", number)
        quarter = dice.between(0, 3, "quarter", number) * 15
        # New Year's Eve fills the emergency room.
        if kind == "E" and dice.chance(14, "new year", number):
            day, hour, quarter = day.replace(month=1, day=1), 0, 0
        minutes = dice.skewed(40, 320, "long", number) if kind == "E" else dice.skewed(5, 60, "short", number, power=2)
        yield (
            number,
            patient,
            clinician,
            f"{day} {hour:02d}:{quarter:02d}",
            kind,
            None if dice.chance(30 if kind == "T" else 7, "unclocked", number) else minutes,
            dice.weighted({"home": 70, "referred": 14, "admitted": 8, None: 8}, "outcome", number),
        )


def _clinician(dice: Dice, number: int) -> int:
    return dice.weighted({1: 18, 2: 16, 3: 14, 4: 9, 5: 7, 6: 8, 7: 5, 11: 9, 12: 6, 13: 8}, "clinician", number)


def _diagnoses(dice: Dice, visits: list[Row]) -> Iterator[Row]:
    for visit, *_ in visits:
        draws = range(dice.weighted({0: 11, 1: 40, 2: 31, 3: 18}, "diagnoses", visit))
        last = len(words.DIAGNOSES) - 1
        # A stride of seven spreads the frequent diagnoses over the chapters.
        places = dict.fromkeys(
            dice.skewed(0, last, "diagnosis", visit, draw, power=2) * 7 % (last + 1) for draw in draws
        )
        for rank, place in enumerate(places):
            yield (visit, words.DIAGNOSES[place][0], int(rank == 0))


def _prescriptions(dice: Dice, visits: list[Row]) -> Iterator[Row]:
    for visit, _, _, _, kind, *_ in visits:
        for line in range(1, dice.weighted({0: 50, 1: 30, 2: 15, 3: 5}, "prescriptions", visit, kind) + 1):
            drug = dice.pick(words.DRUGS, "drug", visit, line)
            days = dice.pick((3, 5, 7, 7, 10, 14, 28, 56, 90), "days", visit, line)
            yield (
                visit,
                line,
                drug[0],
                dice.pick(drug[3], "dose", visit, line),
                None if dice.chance(18, visit, line) else days,
            )


def _results(dice: Dice, patients: list[Row]) -> Iterator[Row]:
    result = 0
    codes = (*words.TESTS, (*words.PROTEIN, None, None, None, ()))
    for number, patient in enumerate(patients):
        for test in dice.some(codes, dice.skewed(0, 6, "tests", number, power=1), "tests", number):
            for sample in range(dice.skewed(1, 26, "series", number, test[0], power=3)):
                result += 1
                value = _value(dice, test, number, sample)
                day = _taken(dice, result, number, test[0], sample)
                yield (result, patient[0], test[0], day, value, _flag(test, patient[3], value))


def _taken(dice: Dice, result: int, number: int, code: object, sample: int) -> str:
    """Once a month from the start of the series on; now and then a day that no calendar has."""
    if dice.chance(2, "odd day", result):
        return dice.pick(_IMPOSSIBLE_DAYS, "odd", result)
    month = dice.between(0, 8, "start", number, code) + sample
    return f"{2022 + month // 12}-{month % 12 + 1:02d}-{dice.between(1, 28, 'taken', result):02d}"


def _value(dice: Dice, test: tuple[object, ...], number: int, sample: int) -> str:
    if test[0] == "GLU" and dice.chance(24, "ate", number, sample):
        return "not fasted"
    if dice.chance(4, "spoilt", number, test[0], sample):
        return dice.pick(("haemolysed", "n/a"), "spoilt as", number, test[0], sample)
    spread, limits = test[5], test[6]
    if not isinstance(spread, tuple) or not isinstance(limits, tuple):
        return dice.weighted(words.PROTEIN_VALUES, "protein", number, sample)
    if limits and dice.chance(12, "limit", number, test[0], sample):
        return str(dice.pick(limits, "which limit", number, test[0], sample))
    low, high = spread
    level = dice.bell(low, high, "level", number, test[0])
    drift = (high - low) // 8
    return str(max(low, level + dice.between(-drift, drift, "drift", number, test[0], sample)) / 10)


def _flag(test: tuple[object, ...], sex: object, value: str) -> str | None:
    """High or low against the range of the patient's sex; texts and patients of unknown sex have no flag."""
    bounds = {"F": test[3], "M": test[4]}.get(str(sex))
    if not isinstance(bounds, tuple) or not value[0].isdigit():
        return None
    low, high = bounds
    if low is not None and float(value) < low / 10:
        return "L"
    return "H" if float(value) > high / 10 else None

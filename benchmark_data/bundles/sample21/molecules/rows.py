"""The rows of the laboratory: 165 molecules of about 17 atoms, and what was measured of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.molecules.words import (
    CHAIN,
    ELEMENTS,
    ENDS,
    LABS,
    PREFIXES,
    PROPERTIES,
    SERIES,
    STEMS,
    SUPPLIERS,
    TARGETS,
)

Row = tuple[object, ...]

_MOLECULES = 165
_DOSES = (5, 10, 25, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000)
_RESULTS = {"P": 38, "N": 52, "E": 10}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Atom:
    place: int
    element: str
    charge: int | None
    aromatic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bond:
    start: int
    end: int
    kind: str | None


def tables(dice: Dice) -> dict[str, list[Row]]:
    """All rows by table, parents first."""
    numbers = range(1, _MOLECULES + 1)
    graphs = {number: _graph(dice, number) for number in numbers}
    return {
        "elements": list(ELEMENTS),
        "labs": list(LABS),
        "suppliers": [(number, *names) for number, names in enumerate(SUPPLIERS, start=1)],
        "targets": [(number, *names) for number, names in enumerate(TARGETS, start=1)],
        "series": list(SERIES),
        "molecules": [_molecule(dice, number) for number in numbers],
        "atoms": [_atom_row(number, atom) for number in numbers for atom in graphs[number][0]],
        "bonds": [_bond_row(number, bond) for number in numbers for bond in graphs[number][1]],
        "assays": [_assay(dice, number) for number in numbers if dice.chance(86, number, "assayed")],
        "properties": [row for number in numbers for row in _properties(dice, number)],
        "activities": [row for number in numbers for row in _activities(dice, number)],
        "batches": list(_batches(dice)),
    }


def _key(number: int) -> str:
    return f"M{number:04d}"


def _molecule(dice: Dice, number: int) -> Row:
    stem, prefix = STEMS[number % len(STEMS)], PREFIXES[number // len(STEMS) % len(PREFIXES)]
    name = f"{prefix}{stem}" if number <= len(STEMS) * len(PREFIXES) else f"{prefix}{stem}".upper()
    check = sum(int(digit) * place for place, digit in enumerate(f"{number * 97:06d}", start=1)) % 10
    registry = f"{number * 97:06d}-{number % 90 + 10}-{check}"
    series = SERIES[dice.skewed(0, len(SERIES) - 1, number, "series", power=2)][0]
    return _key(number), registry, None if dice.chance(14, number, "unnamed") else name, series


def _graph(dice: Dice, number: int) -> tuple[list[_Atom], list[_Bond]]:
    """Atoms and bonds: a ring or none, a chain that grows from it, and ends."""
    ring = dice.weighted({0: 25, 5: 20, 6: 55}, number, "ring")
    aromatic = ring > 0 and dice.chance(70, number, "aromatic")
    size = ring + 2 + dice.skewed(0, 22, number, "size", power=2)
    atoms: list[_Atom] = []
    bonds: list[_Bond] = []
    free: dict[int, int] = {}
    for place in range(1, size + 1):
        element = _element(dice, number, place, ring)
        atoms.append(
            _Atom(
                place=place, element=element, charge=_charge(dice, number, place), aromatic=aromatic and place <= ring
            )
        )
        if place > 1:
            start = place - 1 if place <= ring else _anchor(dice, number, place, free)
            free[start] -= 1
            bonds.append(
                _Bond(start=start, end=place, kind=_kind(dice, number, place, element, aromatic and place <= ring))
            )
        free[place] = (
            {"C": 3, "N": 2, "P": 3, "S": 1, "O": 1}.get(element, 0) if place <= ring or element in CHAIN else 0
        )
    if ring:
        bonds.append(_Bond(start=1, end=ring, kind=":" if aromatic else "-"))
    return atoms, bonds


def _element(dice: Dice, number: int, place: int, ring: int) -> str:
    if place <= ring or place == 1:
        return dice.weighted({"C": 82, "N": 12, "O": 4, "S": 2}, number, place, "ring")
    if dice.chance(55, number, place, "end"):
        return dice.weighted(ENDS, number, place, "end of chain")
    if number % 41 == 0 and place == ring + 2:
        return "Se"
    return dice.weighted(CHAIN, number, place, "chain")


def _anchor(dice: Dice, number: int, place: int, free: dict[int, int]) -> int:
    """An atom that still has a place for a bond; the first one where there is none."""
    open_places = [one for one in free if free[one] > 0]
    return dice.pick(open_places or [1], number, place, "anchor")


def _charge(dice: Dice, number: int, place: int) -> int | None:
    if dice.chance(3, number, "no charges"):
        return None
    return dice.weighted({0: 985, 1: 8, -1: 7}, number, place, "charge")


def _kind(dice: Dice, number: int, place: int, element: str, aromatic: bool) -> str | None:
    if aromatic:
        return ":"
    if dice.chance(2, number, place, "unknown bond"):
        return None
    if element == "O":
        return "=" if dice.chance(45, number, place, "bond") else "-"
    if element in {"C", "N"}:
        return dice.weighted({"-": 82, "=": 14, "#": 4}, number, place, "bond")
    return "-"


def _atom_row(number: int, atom: _Atom) -> Row:
    key = _key(number)
    return f"{key}_{atom.place}", key, atom.place, atom.element, atom.charge, int(atom.aromatic)


def _bond_row(number: int, bond: _Bond) -> Row:
    key = _key(number)
    return f"{key}_{bond.start}_{bond.end}", key, f"{key}_{bond.start}", f"{key}_{bond.end}", bond.kind


def _assay(dice: Dice, number: int) -> Row:
    lab = dice.weighted({"01": 9, "02": 6, "03": 4, "07": 2, "11": 3}, number, "lab")
    wanted = 5 + dice.skewed(0, 399, number, "dose", power=2) * 5
    dose = None if dice.chance(9, number, "no dose") else max(one for one in _DOSES if one <= wanted)
    run = dice.day("2018-03-01", "2024-09-30", number, "run").isoformat()
    return _key(number), lab, dice.weighted(_RESULTS, number, "result"), dose, run


def _properties(dice: Dice, number: int) -> Iterator[Row]:
    for name, low, high in PROPERTIES:
        if dice.chance(74, number, name, "known"):
            tenths = dice.bell(low, high, number, name)
            unit = {"meltingPoint": "°C", "solubility": "mg/L"}.get(name)
            if name == "meltingPoint" and dice.chance(20, number, "kelvin"):
                tenths, unit = tenths + 2_731, "K"
            yield _key(number), name, tenths / 10, unit


def _activities(dice: Dice, number: int) -> Iterator[Row]:
    for target in range(1, len(TARGETS) + 1):
        if dice.chance(60 // target + 8, number, target, "tried"):
            tenths = dice.skewed(8, 90_000, number, target, "potency")
            potency = f"{tenths / 10}"
            if dice.chance(14, number, target, "bounded"):
                potency = dice.pick((">10000", "<1", "n.d."), number, target, "bound")
            yield _key(number), target, potency, 1 + dice.skewed(0, 5, number, target, "runs")


def _batches(dice: Dice) -> Iterator[Row]:
    batch = 0
    for number in range(1, _MOLECULES + 1):
        for turn in range(dice.skewed(0, 4, number, "batches", power=2)):
            batch += 1
            supplier = 1 + dice.skewed(0, len(SUPPLIERS) - 1, number, turn, "supplier", power=2)
            received = None if dice.chance(9, batch, "undated") else dice.day("2017-06-01", "2024-08-31", batch)
            purity = f"{(1_000 - dice.skewed(1, 180, batch, 'purity')) / 10}%"
            milligrams = dice.skewed(2, 400, batch, "milligrams") * 25
            yield (
                f"B-{batch:04d}",
                _key(number),
                supplier,
                received.isoformat() if received else None,
                purity,
                milligrams,
            )

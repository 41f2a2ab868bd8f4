"""References between collections are guessed where values and names agree, and only there."""

from typing import Any

from bson.int64 import Int64
from bson.objectid import ObjectId

from benchmark_data.card import RelationCard
from benchmark_data.cards import CollectionProfile
from benchmark_data.references import guess_relations


def guesses(**collections: list[dict[str, Any]]) -> dict[str, set[tuple[str, str, str]]]:
    profiles = {name: CollectionProfile() for name in collections}
    for name, documents in collections.items():
        for document in documents:
            profiles[name].add(document)
    found = guess_relations(profiles)
    return {name: {(r.path, r.collection, r.field) for r in relations} for name, relations in found.items()}


def oid(number: int) -> ObjectId:
    return ObjectId(number.to_bytes(12))


def test_a_named_reference_is_found_in_objects_and_arrays() -> None:
    found = guesses(
        vessels=[{"_id": oid(n)} for n in range(20)],
        categories=[{"_id": n, "label": f"l{n}"} for n in range(5)],
        trips=[
            {"_id": n, "vessel": oid(n % 7), "stops": [{"category_id": Int64(n % 5)}], "label": f"l{n % 5}"}
            for n in range(30)
        ],
    )
    assert found["trips"] == {
        ("vessel", "vessels", "_id"),
        ("stops.[].category_id", "categories", "_id"),
        ("label", "categories", "label"),
    }


def test_values_alone_or_names_alone_are_no_reference() -> None:
    found = guesses(
        vessels=[{"_id": n} for n in range(20)],
        trips=[{"_id": n, "minutes": n % 9, "vessel": 1_000 + n, "ship": f"{n}"} for n in range(30)],
    )
    assert found == {"vessels": set(), "trips": set()}


def test_large_collections_are_compared_by_their_sketches() -> None:
    found = guesses(
        people=[{"_id": f"p{n}"} for n in range(3_000)],
        visits=[{"_id": n, "person": "", "people_id": f"p{n % 2_000}"} for n in range(4_000)],
    )
    assert found["visits"] == {("people_id", "people", "_id")}


def test_a_guess_says_that_it_is_one() -> None:
    profiles = {"ports": CollectionProfile(), "trips": CollectionProfile()}
    for number in range(4):
        profiles["ports"].add({"_id": number})
        profiles["trips"].add({"_id": f"t{number}", "port": number})
    assert guess_relations(profiles)["trips"] == (
        RelationCard(path="port", collection="ports", field="_id", guessed=True),
    )

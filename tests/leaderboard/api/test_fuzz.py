"""Whatever is sent to the API, it answers as its schema says: never a fault of ours, and every refusal a problem."""

import json
import uuid
from collections.abc import Mapping
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from leaderboard.models.submissions import Submission
from leaderboard.services.tokens import token_create
from tests.leaderboard.described import describe

pytestmark = [pytest.mark.site, pytest.mark.django_db]

GENERATOR: Final[Any] = SchemaGenerator
SCHEMA: Final[Mapping[str, Any]] = GENERATOR().get_schema(request=None, public=True)
OPERATIONS: Final = sorted((path, verb) for path, verbs in SCHEMA["paths"].items() for verb in verbs)

TEXTS: Final = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        [
            "",
            "\0",
            "\ud800",
            "tiny@1.0",
            "tiny@\0",
            "@",
            "a@b@c",
            "' OR 1=1 --",
            "NaN",
            "-1",
            "1e999",
            "9" * 400,
            "x" * 2000,
        ]
    ),
)
SCALARS: Final = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.integers(-(10**30), 10**30), TEXTS)
ANYTHING: Final = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)


PREDICTIONS: Final = {"predictions": {"100": "db.things.find({})"}, "condition": "with_evidence"}
GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "validate": PREDICTIONS,
    "submit": {"entry": "Model A", **PREDICTIONS},
    "submit_endpoint": {"entry": "Model A", "model": "m", "address": "https://models.example.org/v1"},
}
"""Bodies that are accepted, to be changed in a member or two."""


def standing_alone(part: Any) -> Any:
    """A part of an OpenAPI 3.0 document as JSON Schema: null is a type of its own there."""
    if isinstance(part, list):
        return [standing_alone(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain = {key: standing_alone(value) for key, value in part.items() if key != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if part.get("nullable") is True else plain


COMPONENTS: Final = standing_alone(SCHEMA["components"])


def fits(body: Any, schema: Mapping[str, Any]) -> None:
    Draft202012Validator({**standing_alone(schema), "components": COMPONENTS}).validate(body)


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = schema.get("$ref")
    return SCHEMA["components"]["schemas"][name.rpartition("/")[2]] if name else schema


def fitting(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values of about the right kind for a schema, so that more than the first check is reached."""
    schema = resolved(schema)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "oneOf" in schema or "allOf" in schema:
        return st.one_of(*(fitting(one) for one in (schema.get("oneOf") or schema["allOf"])))
    kinds: Mapping[str, st.SearchStrategy[Any]] = {
        "integer": st.integers(-2, 2**40),
        "number": st.floats(-2, 1e6),
        "boolean": st.booleans(),
        "string": st.sampled_from(["a", "tiny@1.0", "https://models.example.org/v1", "1.5"]) | TEXTS,
    }
    kind = schema.get("type", "")
    if kind == "array":
        return st.lists(fitting(schema["items"]), max_size=3)
    if kind == "object":
        return members(schema)
    return kinds.get(kind, ANYTHING)


def members(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with some of the members that a schema names, most of them fitting, and some that it does not name."""
    known = schema.get("properties", {})
    one = {name: fitting(part) | ANYTHING for name, part in known.items() if not part.get("readOnly")}
    named = st.fixed_dictionaries({}, optional=one)
    needed = st.fixed_dictionaries({name: fitting(known[name]) for name in schema.get("required", ())})
    return st.builds(lambda a, b, c: {**a, **b, **c}, named, needed, st.dictionaries(TEXTS, SCALARS, max_size=1))


def bodies(operation: Mapping[str, Any]) -> st.SearchStrategy[tuple[str, bytes]]:
    """Content types and bodies: good ones with a member or two changed, and things that are none."""
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return st.just(("application/json", b""))
    known = resolved(content["application/json"]["schema"])["properties"]
    changes = st.lists(st.sampled_from(sorted(known)), max_size=2, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: fitting(known[name]) | ANYTHING for name in names})
    )
    good = GOOD[operation["operationId"]]
    fit = changes.map(lambda changed: ("application/json", json.dumps({**good, **changed}).encode()))
    kinds = st.sampled_from(
        ["application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data", ""]
    )
    broken = st.tuples(kinds, st.binary(max_size=60) | ANYTHING.map(lambda value: json.dumps(value).encode()))
    return fit | fit | fit | broken


@pytest.fixture
def anns(ann: User) -> Client:
    secret = token_create(ann, name="fuzz")[1]
    return Client(raise_request_exception=False, headers={"Authorization": f"Bearer {secret}"})


@pytest.mark.parametrize(("path", "verb"), OPERATIONS, ids=" ".join)
def test_every_operation_answers_as_the_schema_says(anns: Client, scored: Submission, path: str, verb: str) -> None:
    describe(scored.release)
    operation = SCHEMA["paths"][path][verb]
    asked = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    places = st.sampled_from([str(scored.pk), str(scored.pk), str(uuid.uuid4())])
    keys = st.none() | st.sampled_from(["k1", "k2", "a b", "x" * 300, "é"])

    @given(
        place=places,
        query=st.fixed_dictionaries({}, optional=dict.fromkeys(asked, TEXTS)),
        sent=bodies(operation),
        key=keys,
    )
    @hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    def ask(place: str, query: dict[str, str], sent: tuple[str, bytes], key: str | None) -> None:
        given_query = {name: value.encode("utf-8", "replace").decode() for name, value in query.items()}
        answer = anns.generic(
            verb.upper(),
            path.replace("{submission_id}", place),
            sent[1],
            content_type=sent[0],
            query_params=given_query,
            headers={} if key is None else {"Idempotency-Key": key},
        )
        told = operation["responses"]
        assert str(answer.status_code) in told, (answer.status_code, answer.content)
        ((kind, shape),) = told[str(answer.status_code)]["content"].items()
        assert answer.headers["Content-Type"] == kind
        body = answer.json()
        fits(body, shape["schema"])
        if answer.status_code >= 400:
            assert body["request_id"] == answer.headers["X-Request-ID"]
            assert body["status"] == answer.status_code

    ask()

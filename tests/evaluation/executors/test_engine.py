"""A bundle's needs are compared with the engine."""

import pytest

from benchmark_data.types import EngineRequirements
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.executors.engine import engine_problem, unmet_requirement
from evaluation.types import EngineIdentity

CASES = [
    ("MongoDB", "7.0.14", "6.0", False),
    ("MongoDB", "6.0.0", "6.0", False),
    ("MongoDB", "10.0", "6.0", False),
    ("MongoDB", "5.0.31", "6.0", True),
    ("MongoDB", "6.0.9-rc1", "6.0.10", True),
    ("MongoDB", "4.4", "", False),
    ("SecantusDB", "0.7", "6.0", True),
]


@pytest.mark.parametrize(("name", "version", "wanted", "told"), CASES)
def test_an_engine_that_may_be_too_old_is_told(name: str, version: str, wanted: str, told: bool) -> None:
    engine = EngineIdentity(name=name, version=version, demo=False)
    problem = unmet_requirement(engine, EngineRequirements(mongodb=wanted, features=("$densify",)))
    assert (problem is not None) is told
    if problem is not None:
        assert f"MongoDB {wanted} and $densify" in problem
        assert f"{name} {version}" in problem


@pytest.mark.engine
def test_the_server_is_asked_only_where_something_is_needed(document_database: DocumentDatabaseUrls) -> None:
    assert engine_problem("mongodb://127.0.0.1:1/", EngineRequirements()) is None
    problem = engine_problem(document_database.reader, EngineRequirements(mongodb="999.0"))
    assert problem is not None
    assert "999.0" in problem

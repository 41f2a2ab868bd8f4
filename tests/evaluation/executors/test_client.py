"""Connections over forks."""

import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.embedded.document_database import DocumentDatabaseUrls

pytestmark = pytest.mark.engine

PROJECT = Path(__file__).resolve().parents[3]
# In a process of its own: forking one that has threads is what newer versions of Python warn of, and what workers do.
FORKING = """
import os, sys
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import Answer, Limits, Operation, Query

executor = MongoExecutor(sys.argv[1])
query = Query(collection="c", operation=Operation.COUNT, arguments={})

def works():
    return isinstance(executor.execute(query, database="test", limits=Limits()), Answer)

before = works()
child = os.fork()
if child == 0:
    os._exit(0 if works() else 1)
_, status = os.waitpid(child, 0)
sys.exit(0 if before and works() and os.waitstatus_to_exitcode(status) == 0 else 1)
"""


def test_an_executor_that_was_used_before_a_fork_works_in_both_processes(
    document_database: DocumentDatabaseUrls,
) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKING, document_database.reader],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr

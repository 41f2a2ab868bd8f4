"""The execution cache: results of queries, kept in PostgreSQL for all workers, bounded in size."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Q
from django.db.models.functions import Now

from leaderboard.models.executions import Execution

USE_NOTED_AFTER: Final = timedelta(hours=1)
"""A use is noted at most this often: a read should not be a write each time."""

SAMPLED_BYTES: Final = 64 * 1024**2
"""Of the table, which are read to estimate the whole; a smaller table is read as a whole."""

TRIMMED_TO: Final = 0.9
"""Share of the bound that trimming leaves, so that it is not needed again at once."""


def executions_find(keys: Collection[str]) -> dict[str, bytes]:
    """The packed results that are known, by key."""
    if not keys:
        return {}
    rows = list(
        Execution.objects.filter(pk__in=keys)
        .annotate(use_is_noted=Q(used_at__gte=Now() - USE_NOTED_AFTER))
        .values_list("pk", "content", "use_is_noted")
    )
    unnoted = sorted(key for key, _, is_noted in rows if not is_noted)
    if unnoted:
        Execution.objects.filter(pk__in=unnoted).update(used_at=Now())
    return {key: bytes(content) for key, content, _ in rows}


def executions_keep(results: Mapping[str, bytes]) -> None:
    """Keep packed results; one that is there already, or is too large, is left out.

    Workers that keep the same keys at once do no harm: the keys are sorted, so none waits for one that waits for it.
    """
    rows = [
        Execution(key=key, content=content, size=len(content), used_at=Now())
        for key, content in sorted(results.items())
        if len(content) <= settings.EXECUTION_ANSWER_BYTES
    ]
    Execution.objects.bulk_create(rows, ignore_conflicts=True)


def executions_trim() -> int:
    """Delete what was not used for longest until the rest is within the bound; returns how many."""
    with connection.cursor() as cursor:
        if _estimated_bytes(cursor) <= settings.EXECUTION_BYTES:
            return 0
        cursor.execute(_TRIM, [settings.EXECUTION_BYTES * TRIMMED_TO])
        return int(cursor.rowcount)


def _estimated_bytes(cursor: CursorWrapper) -> float:
    """The size of all contents: every worker asks at every sweep, so that of a large table is taken from a sample."""
    cursor.execute("SELECT pg_total_relation_size('leaderboard_execution')")
    (table_bytes,) = cursor.fetchone()
    if table_bytes <= settings.EXECUTION_BYTES:
        return float(table_bytes)
    share: float = min(1.0, SAMPLED_BYTES / table_bytes)
    cursor.execute("SELECT sum(size) FROM leaderboard_execution TABLESAMPLE SYSTEM (%s)", [100 * share])
    (sampled,) = cursor.fetchone()
    return int(sampled or 0) / share


# Rows that another sweep is deleting are skipped.
_TRIM: Final = """
DELETE FROM leaderboard_execution WHERE key IN (
    SELECT key FROM leaderboard_execution WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(size) OVER (ORDER BY used_at DESC, key) AS kept FROM leaderboard_execution
        ) ranked WHERE kept > %s
    ) FOR UPDATE SKIP LOCKED
)
"""

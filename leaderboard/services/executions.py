"""The execution cache: results of queries, kept in PostgreSQL for all workers, bounded in size."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import Q, Sum
from django.db.models.functions import Now

from leaderboard.models.executions import Execution

USE_NOTED_AFTER: Final = timedelta(hours=1)
"""A use is noted at most this often: a read should not be a write each time."""

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
        # The contents are compressed already: a table that is no larger holds no more. Adding up reads all of it.
        cursor.execute("SELECT pg_table_size('leaderboard_execution')")
        if cursor.fetchone()[0] <= settings.EXECUTION_BYTES:
            return 0
    total = Execution.objects.aggregate(total=Sum("size"))["total"] or 0
    if total <= settings.EXECUTION_BYTES:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_TRIM, [settings.EXECUTION_BYTES * TRIMMED_TO])
        return int(cursor.rowcount)


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

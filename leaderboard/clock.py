"""The one clock by which leases, pauses and deadlines are reckoned: that of the site's database."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Q


def database_now() -> datetime:
    """The time of PostgreSQL, aware.

    Workers run on many machines: a lease that one machine's clock dated must not have lapsed by another's.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def is_up(field: str, now: datetime, *, longest: timedelta) -> Q:
    """The condition that the moment in a field has come.

    One that lies further ahead than the longest pause can be was noted before the clock was set back: it has come too,
    else a clock that was a day ahead for a minute would keep a run waiting for a day.

    Args:
        field: the name of a column with a moment.
        now: as `database_now` tells it.
        longest: what is ever added to the present moment for that column.
    """
    return Q(**{f"{field}__lte": now}) | Q(**{f"{field}__gt": now + longest})

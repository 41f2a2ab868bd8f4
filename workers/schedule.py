"""What beat starts, and how often."""

from django.conf import settings

from leaderboard.queue import SWEEP

SCHEDULE = {
    "sweep": {
        "task": SWEEP,
        "schedule": settings.SWEEP_SECONDS,
        # A sweep that nobody took before the next one is due is not worth keeping.
        "options": {"expires": settings.SWEEP_SECONDS},
    }
}

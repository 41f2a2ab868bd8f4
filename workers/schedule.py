"""What beat starts, and how often."""

from typing import Any

from django.conf import settings

from leaderboard.queue import RECHECK_GOLD, RESCORE, SEND_DUE_NOTICES, SEND_DUE_WEBHOOKS, SWEEP, SWEEP_GENERATIONS


def every(seconds: float, task: str) -> dict[str, Any]:
    """A round of a task that nobody took before the next one is due is not worth keeping."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


SCHEDULE = {
    "sweep": every(settings.SWEEP_SECONDS, SWEEP),
    "generations": every(settings.SWEEP_SECONDS, SWEEP_GENERATIONS),
    "notices": every(settings.CHORES_SECONDS, SEND_DUE_NOTICES),
    "webhooks": every(settings.CHORES_SECONDS, SEND_DUE_WEBHOOKS),
    "gold": every(settings.CHORES_SECONDS, RECHECK_GOLD),
    "rescoring": every(settings.CHORES_SECONDS, RESCORE),
}

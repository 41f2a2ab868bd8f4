"""How many bodies one client may send in a minute: reading them costs time even where nothing is stored."""

from typing import Final

from django.conf import settings
from rest_framework.throttling import UserRateThrottle

MINUTE: Final = 60


class BodiesThrottle(UserRateThrottle):
    """Counts what a user sends, by whichever token."""

    scope = "bodies"

    def get_rate(self) -> str | None:
        """The rate as the settings have it now; None for any."""
        return f"{settings.BODIES_PER_MINUTE}/min" if settings.BODIES_PER_MINUTE else None

"""How many bodies one client may send in a minute: reading them costs time even where nothing is stored."""

import logging
from typing import Final

from django.conf import settings
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

logger = logging.getLogger(__name__)

MINUTE: Final = 60


class BodiesThrottle(UserRateThrottle):
    """Counts what a user sends, by whichever token; where Redis does not answer, everything is let in."""

    scope = "bodies"

    def get_rate(self) -> str | None:
        """The rate as the settings have it now; None for any."""
        return f"{settings.BODIES_PER_MINUTE}/min" if settings.BODIES_PER_MINUTE else None

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is room for one more."""
        try:
            return super().allow_request(request, view)
        except RedisError as error:
            # PostgreSQL is the truth, and the quota is there: without Redis the site goes on.
            logger.warning("requests are not counted: %s", type(error).__name__)
            return True

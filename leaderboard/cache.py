"""The cache: counts of attempts and requests in Redis, without which the site goes on."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

Found = TypeVar("Found")


class ForgivingRedisCache(RedisCache):
    """Redis, and an empty cache while it does not answer.

    What is in it bounds guessing of passwords and floods of requests. PostgreSQL is the truth and holds the quota, so
    that nobody has to be kept out, nor shown an error, because Redis is away.
    """

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """The value, or the default."""
        return _tried(lambda: super(ForgivingRedisCache, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep a value."""
        _tried(lambda: super(ForgivingRedisCache, self).set(key, value, timeout, version), None)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep a value where there is none; True where this call did."""
        return _tried(lambda: super(ForgivingRedisCache, self).add(key, value, timeout, version), True)

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget a value; True where there was one."""
        return _tried(lambda: super(ForgivingRedisCache, self).delete(key, version), False)


def _tried(act: Callable[[], Found], otherwise: Found) -> Found:
    try:
        return act()
    except RedisError as error:
        logger.warning("attempts and requests are not counted: %s", type(error).__name__)
        return otherwise

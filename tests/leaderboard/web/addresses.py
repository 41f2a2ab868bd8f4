"""Every address of the site, found in the URL configuration, so that a new one cannot be forgotten by a test."""

import re
import uuid
from collections.abc import Iterator, Mapping
from typing import Final

from django.urls import URLPattern, URLResolver, get_resolver


def routes(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[str]:
    """The routes of all pages and endpoints, without those of Django's admin; API twins with a slash are one."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            if entry.namespace != "admin":
                yield from routes(entry, route)
        elif isinstance(entry, URLPattern):
            yield route.removesuffix("/") if entry.name is None else route


NOBODYS: Final = {"invitation_id": str(uuid.UUID(int=7)), "key": "no-key", "uidb36": "1", "user_id": "0"}
"""Parameters that lead to nothing."""


def admin_routes() -> Iterator[str]:
    """The routes of Django's admin, without the one that catches all others."""
    (resolver,) = (one for one in get_resolver().url_patterns if getattr(one, "namespace", None) == "admin")
    assert isinstance(resolver, URLResolver)
    yield from (route for route in _below(resolver, str(resolver.pattern)) if not route.endswith("$"))


def _below(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _below(entry, route)
        else:
            yield route


def filled(route: str, values: Mapping[str, str]) -> str:
    """The address of a route with its parameters filled in; those of `NOBODYS` need not be given."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: {**NOBODYS, **values}[match.group(1)], route)

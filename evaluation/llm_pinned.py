"""A transport for a model client that only reaches the one server that an endpoint's address was checked to be."""

import httpx

from evaluation.addresses import AddressPolicy, ForbiddenAddressError, Resolver, Target, resolved, target_of


class PinnedTransport(httpx.AsyncBaseTransport):
    """Connects to a checked numeric address, whatever the name says later; the certificate is checked for the name.

    Attack: an endpoint's name is public when it is checked and private when it is called (DNS rebinding), or another
    address is reached by a redirect or a rewritten URL. Here the name is resolved once for all calls.

    Args:
        target: of `evaluation.addresses.target_of`.
        connections: open at once, at most.
    """

    def __init__(self, target: Target, *, connections: int = 64) -> None:
        self._target = target
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._inner = httpx.AsyncHTTPTransport(limits=limits, trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the pinned address.

        Raises:
            ForbiddenAddressError: the request is for another server.
        """
        target = self._target
        url = request.url
        port = url.port or {"https": 443, "http": 80}.get(url.scheme)
        if (url.scheme, url.host.removesuffix("."), port) != (target.scheme, target.host, target.port):
            raise ForbiddenAddressError(f"Only {target.host} is called.")
        return await self._inner.handle_async_request(
            httpx.Request(
                request.method,
                url.copy_with(host=target.address),
                headers=request.headers.raw,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": target.host},
            )
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


def pinned_transport(
    address: str, *, policy: AddressPolicy, resolve: Resolver = resolved, connections: int = 64
) -> PinnedTransport:
    """Check an endpoint's base address, resolve it once, and pin it.

    Raises:
        ForbiddenAddressError: it must not be called.
        AddressUnavailableError: its name has no numeric address.
    """
    return PinnedTransport(target_of(address, policy=policy, resolve=resolve), connections=connections)

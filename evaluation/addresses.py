"""Calls to addresses that users give, which must never reach anything but public servers.

Attack: server-side request forgery. A user's address, or what its name resolves to, points into our own network. The
answers to it: the name is resolved once, every address that it has must be public, and the connection goes to the
address that was checked, whatever the name says a moment later. Redirects are not followed, no proxy of the
environment is used, and time and size are bounded whatever the server does.
"""

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

import httpcore
import httpx

from benchmark_data.errors import InfrastructureError, SubmissionError
from evaluation.public_networks import IpAddress, is_public

Resolver = Callable[[str, int], tuple[str, ...]]

LONGEST_URL: Final = 500
HOST: Final = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
"""Names with a dot whose last label is no number: a name without one may be completed by our own search domain, and
what ends in a number ("2130706433", "0x7f.1", "127.1") is read as an address by some and as a name by others."""


class ForbiddenAddressError(SubmissionError):
    """The address must not be called; the message is a sentence for the user and tells nothing of our network."""


class AddressUnavailableError(InfrastructureError):
    """The address gave no answer that could be used: not found, refused, too slow, too long, no valid certificate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressPolicy:
    """What an operator allows beyond public https.

    Args:
        loopback: this machine's own servers, also by http: for development, tests, and a model beside the site.
    """

    loopback: bool = False


PUBLIC_ONLY: Final = AddressPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a checked address leads: the name for Host and certificate, and the numeric address to connect to."""

    scheme: str
    host: str
    port: int
    address: str


def resolved(host: str, port: int) -> tuple[str, ...]:
    """The numeric addresses of a name, each once.

    Raises:
        AddressUnavailableError: the name has none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressUnavailableError(f"{host} cannot be resolved") from error
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def target_of(url: str, *, policy: AddressPolicy = PUBLIC_ONLY, resolve: Resolver = resolved) -> Target:
    """Check an address and resolve it once.

    Raises:
        ForbiddenAddressError: its form, scheme, name or one of its numeric addresses is not allowed.
        AddressUnavailableError: its name has no numeric address.
    """
    scheme, host, port = address_parts(url, policy=policy)
    numbers = (host,) if _literal(host) else resolve(host, port)
    if not numbers:
        raise AddressUnavailableError(f"{host} has no address")
    # All of them, not the first: a name with one public and one private address is an attempt.
    for number in numbers:
        _check_address(ipaddress.ip_address(number), host, scheme=scheme, policy=policy)
    return Target(scheme=scheme, host=host, port=port, address=numbers[0])


def _check_address(address: IpAddress, host: str, *, scheme: str, policy: AddressPolicy) -> None:
    if not is_public(address) and not (policy.loopback and address.is_loopback):
        raise ForbiddenAddressError(f"{host} is no public server, so it is not called.")
    if scheme == "http" and not address.is_loopback:
        raise ForbiddenAddressError("Only https is called.")


def address_parts(url: str, *, policy: AddressPolicy = PUBLIC_ONLY) -> tuple[str, str, int]:
    """Scheme, host and port of an address that is allowed as it stands; asks no name server.

    Raises:
        ForbiddenAddressError: its form, or the number in it, is not allowed.
    """
    if len(url) > LONGEST_URL or not re.fullmatch(r"[\x21-\x7e]+", url) or set(url) & set('\\"<>^`{|}'):
        raise ForbiddenAddressError(f"Write an address of at most {LONGEST_URL} visible ASCII characters.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ForbiddenAddressError("This is no address of a web server.") from None
    if parts.scheme not in ({"https", "http"} if policy.loopback else {"https"}):
        raise ForbiddenAddressError("Only https is called.")
    if "@" in parts.netloc or "#" in url:
        raise ForbiddenAddressError("Leave user name, password and fragment out of the address.")
    host = _host(parts)
    literal, local = _literal(host), policy.loopback and host == "localhost"
    if literal is not None:
        _check_address(literal, host, scheme=parts.scheme, policy=policy)
    elif not local and not HOST.fullmatch(host):
        raise ForbiddenAddressError("Name the server by a full host name, such as hooks.example.org.")
    port = port if port is not None else {"https": 443, "http": 80}[parts.scheme]
    if port != 443 and port < 1024 and not policy.loopback:
        raise ForbiddenAddressError("Only port 443 and ports from 1024 on are called.")
    return parts.scheme, host, port


def _host(parts: SplitResult) -> str:
    """The name of the server, where the client that is to call it reads the same one.

    Attack: "https://[2606:4700::1111]x" and "https://xn--a.example.org" (no name that IDNA knows) pass `urlsplit`, and
    raise in the client what no caller expects: such a webhook stopped the round of all others.
    """
    host = (parts.hostname or "").removesuffix(".")
    try:
        url = httpx.URL(parts.geturl())
        known = url.host and url.raw_host.decode("ascii").strip("[]").removesuffix(".")
    except (httpx.InvalidURL, UnicodeError):
        known = None
    if host != known:
        raise ForbiddenAddressError("This is no address of a web server.")
    return host


def _literal(host: str) -> IpAddress | None:
    """The numeric address that is written out; only the one form that every reader takes alike."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None:
        raise ForbiddenAddressError("An address with a zone is not called.")
    return address


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long and how much one call may take: `until` on the monotonic clock, bytes read with headers."""

    until: float
    read_bytes: int

    def left(self, asked: float | None) -> float:
        """Seconds that the next step may take.

        Raises:
            httpcore.ReadTimeout: none are left.
        """
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            raise httpcore.ReadTimeout("the call took too long")
        return seconds if asked is None else min(seconds, asked)


class BoundedStream(httpcore.NetworkStream):
    """A connection that keeps to its budget however slowly the server drips."""

    def __init__(self, stream: httpcore.NetworkStream, budget: Budget) -> None:
        self._stream, self._budget, self._read = stream, budget, 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Some bytes, within time and size."""
        content = self._stream.read(max_bytes, self._budget.left(timeout))
        self._read += len(content)
        if self._read > self._budget.read_bytes:
            raise httpcore.ReadError(f"the answer is longer than {self._budget.read_bytes} bytes")
        return content

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """All bytes, a part at a time: the time left is looked at between parts."""
        for start in range(0, len(buffer), 16_384):
            self._stream.write(buffer[start : start + 16_384], self._budget.left(timeout))

    def close(self) -> None:
        """Hang up."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The same connection encrypted, its certificate checked against the name."""
        inner = self._stream.start_tls(ssl_context, server_hostname, self._budget.left(timeout))
        return BoundedStream(inner, self._budget)

    def get_extra_info(self, info: str) -> object:
        """What httpcore asks of a connection."""
        return self._stream.get_extra_info(info)


class PinnedBackend(httpcore.NetworkBackend):
    """Connects to the address that was checked, whatever name it is asked for."""

    def __init__(self, target: Target, budget: Budget) -> None:
        self._target, self._budget = target, budget

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: object = None,
    ) -> httpcore.NetworkStream:
        """A connection to the pinned address."""
        stream = httpcore.SyncBackend().connect_tcp(
            self._target.address, self._target.port, timeout=self._budget.left(timeout)
        )
        return BoundedStream(stream, self._budget)


class GuardedTransport(httpx.BaseTransport):
    """A transport for an `httpx.Client`: every request is checked, resolved once, pinned and bounded.

    Args:
        policy: what the operator allows.
        seconds: of one call in all, from connecting to the last byte.
        read_bytes: of one answer with its headers.
        resolve: how names are resolved.
        certificates: whom to trust; the usual authorities where not given.

    Its `handle_request` raises ForbiddenAddressError, or AddressUnavailableError for every failure on the way.
    """

    def __init__(
        self,
        *,
        policy: AddressPolicy = PUBLIC_ONLY,
        seconds: float = 30.0,
        read_bytes: int = 1_000_000,
        resolve: Resolver = resolved,
        certificates: ssl.SSLContext | None = None,
    ) -> None:
        self._policy, self._seconds, self._read_bytes, self._resolve = policy, seconds, read_bytes, resolve
        self._certificates = certificates or httpx.create_ssl_context(trust_env=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request over a connection of its own and read the whole answer."""
        budget = Budget(until=time.monotonic() + self._seconds, read_bytes=self._read_bytes)
        target = target_of(str(request.url), policy=self._policy, resolve=self._resolve)
        request.read()
        try:
            with httpcore.ConnectionPool(
                ssl_context=self._certificates, network_backend=PinnedBackend(target, budget), max_connections=1
            ) as pool:
                reply = pool.request(
                    request.method,
                    httpcore.URL(
                        scheme=target.scheme, host=target.host, port=request.url.port, target=request.url.raw_path
                    ),
                    headers=[*_sendable(request.headers.raw)],
                    content=request.content,
                )
        except httpcore.TimeoutException as error:
            raise AddressUnavailableError(f"{target.host}: no whole answer within {self._seconds:g} s") from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise AddressUnavailableError(f"{target.host}: {str(error)[:120] or type(error).__name__}") from error
        if any(name.lower() == b"content-encoding" for name, _ in reply.headers):
            # httpx would unpack it; a megabyte can hold a gigabyte.
            raise AddressUnavailableError(f"{target.host}: the answer is compressed although that was not asked for")
        return httpx.Response(reply.status, headers=reply.headers, content=reply.content, request=request)


def _sendable(headers: list[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """The headers, asking for an answer that is not compressed: a small one could unpack to any size."""
    yield from ((name, value) for name, value in headers if name.lower() != b"accept-encoding")
    yield b"Accept-Encoding", b"identity"


def guarded_client(transport: httpx.BaseTransport) -> httpx.Client:
    """A client whose requests all go through the guard; a redirect is an answer like any other."""
    return httpx.Client(transport=transport, follow_redirects=False, trust_env=False)

"""Addresses that must not be called, in every disguise; and servers that do not want the call to end."""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpcore
import httpx
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from evaluation.addresses import (
    AddressPolicy,
    AddressUnavailableError,
    Budget,
    ForbiddenAddressError,
    GuardedTransport,
    PinnedBackend,
    Target,
    address_parts,
    guarded_client,
    target_of,
)
from evaluation.public_networks import is_public

PUBLIC = "93.184.216.34"
LOOPBACK = AddressPolicy(loopback=True)


def names_nothing(host: str, port: int) -> tuple[str, ...]:
    raise AssertionError(f"{host} was asked of a name server")


def names(*numbers: str) -> Callable[[str, int], tuple[str, ...]]:
    return lambda _host, _port: numbers


BAD_FORMS = [
    # scheme
    "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "dict://example.com:11211/",
    "//example.com/", "example.com", "", "https:example.com", "https:///x", "HTTPS//example.com", "javascript:alert(1)",
    # what one reader takes for an address, and the client does not
    "https://[2606:4700::1111]x/", "https://x[2606:4700::1111]/", "https://[2606:4700::1111]]/", "https://1.1.1.1[::1]/",
    "https://xn--a.example.org/", "https://xn--zzzzz99999.example.org/",
    # this machine
    "https://127.0.0.1/", "https://127.0.0.1:8000/", "https://127.255.255.254/", "https://[::1]/", "https://0.0.0.0/",
    "https://[::]/", "https://localhost/", "https://localhost./", "https://LOCALHOST/",
    # private, shared, link-local, metadata
    "https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.1.1/", "https://100.64.0.1/",
    "https://100.100.100.200/", "https://169.254.169.254/latest/meta-data/", "https://168.63.129.16/", "https://192.0.0.192/",
    "https://[fd00:ec2::254]/", "https://[fd20:ce::254]/", "https://[fe80::1]/", "https://[fec0::1]/", "https://[fc00::1]/",
    "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
    # one address inside another
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:169.254.169.254]/", "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/", "https://[64:ff9b::127.0.0.1]/", "https://[64:ff9b:1::a9fe:a9fe]/",
    "https://[2002:7f00:1::]/", "https://[2002:a9fe:a9fe::1]/", "https://[2001:0:7f00:1::]/",
    # other spellings of a number
    "https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://127.1/",
    "https://127.0.1/", "https://017700000001/", "https://0/", "https://127.0.0.1./", "https://00000127.0.0.1/",
    "https://127.0.0.1.1/", "https://1.2.3.4.5/", "https://example.1/", "https://example.0x7f/",
    "https://１２７.0.0.1/", "https://127。0。0。1/", "https://ⓛocalhost/", "https://%31%32%37.0.0.1/", "https://exa%6dple.com/",
    # multicast, broadcast, documentation, benchmarking, reserved
    "https://224.0.0.1/", "https://239.255.255.250/", "https://255.255.255.255/", "https://[ff02::1]/", "https://240.0.0.1/",
    "https://192.0.2.1/", "https://198.51.100.1/", "https://203.0.113.1/", "https://198.18.0.1/", "https://192.88.99.1/",
    "https://[2001:db8::1]/", "https://[100::1]/", "https://[3fff::1]/", "https://[5f00::1]/", "https://[4000::1]/",
    # names that a resolver may complete, and parts that parsers read differently
    "https://metadata/", "https://redis/", "https://postgres:5432/", "https://user@example.com/", "https://user:pw@example.com/",
    "https://example.com@127.0.0.1/", "https://127.0.0.1#@example.com/", "https://127.0.0.1\\@example.com/",
    "https://example.com\\.evil.com/", "https://example.com/#x", "https://exa mple.com/", "https://example.com\t/",
    "https://example.com\r\nHost: x/", "https://exa\x00mple.com/", "https://[::1/", "https://::1/", "https://[example.com]/",
    "https://example.com:0x50/", "https://example.com:99999/", "https://example.com:22/", "https://example.com:25/",
    "https://example.com:0/", "https://.example.com/", "https://example..com/", "https://-example.com/", "https://example.com-/",
    "https://" + "a" * 64 + ".com/", "https://example.com/" + "x" * 500,
]  # fmt: skip


def as_id(text: str) -> str:
    return ascii(text)[1:60]


@pytest.mark.parametrize("url", BAD_FORMS, ids=as_id)
def test_an_address_that_is_forbidden_as_it_stands_is_refused_before_any_name_is_asked(url: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        target_of(url, resolve=names_nothing)


PIECES = (
    "hooks.example.org", "xn--a", "xn--bcher-kva", ".", "-", "_", "[2606:4700::1111]", "[", "]", "1.1.1.1", ":", ":443",
    ":99999", ":0", "/", "/%", "?q", "%00", ";", "'", "&", "=", "A.ORG",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join))
@hypothesis_settings(max_examples=150, deadline=None)
def test_whatever_is_allowed_as_it_stands_can_be_asked_by_the_client(rest: str) -> None:
    url = f"https://{rest}"
    try:
        address_parts(url)
    except ForbiddenAddressError:
        return
    with guarded_client(httpx.MockTransport(lambda _: httpx.Response(204))) as client:
        assert client.post(url).status_code == 204


def test_the_corpus_is_not_small() -> None:
    assert len(set(BAD_FORMS)) >= 100


PRIVATE = [
    "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.20.0.1", "169.254.169.254", "100.64.1.1", "0.0.0.0", "224.0.0.251",
    "168.63.129.16", "::1", "::", "::ffff:10.0.0.1", "fe80::1", "fd12:3456::1", "64:ff9b::a00:1", "2002:a00:1::",
    "ff02::fb",
]  # fmt: skip


@pytest.mark.parametrize("number", PRIVATE)
@pytest.mark.parametrize("beside", [(), (PUBLIC,)], ids=["alone", "beside a public one"])
def test_a_name_that_leads_inside_is_refused_even_if_it_leads_outside_as_well(
    number: str, beside: tuple[str, ...]
) -> None:
    for numbers in ((number, *beside), (*beside, number)):
        with pytest.raises(ForbiddenAddressError, match=r"hooks\.example\.org is no public server"):
            target_of("https://hooks.example.org/x", resolve=names(*numbers))


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("https://hooks.example.org/a?b=c", "hooks.example.org", 443),
        ("https://HOOKS.example.org:8443/", "hooks.example.org", 8443),
        ("https://hooks.example.org./", "hooks.example.org", 443),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443),
        ("https://a_b.example.org", "a_b.example.org", 443),
        (f"https://{PUBLIC}/", PUBLIC, 443),
        ("https://[2606:2800:220:1:248:1893:25c8:1946]/", "2606:2800:220:1:248:1893:25c8:1946", 443),
    ],
)
def test_a_public_server_may_be_called(url: str, host: str, port: int) -> None:
    target = target_of(url, resolve=names(PUBLIC))
    assert (target.scheme, target.host, target.port) == ("https", host, port)
    assert target.address in {PUBLIC, host}


def test_a_name_without_an_address_is_nobodys_attack() -> None:
    with pytest.raises(AddressUnavailableError):
        target_of("https://hooks.example.org/", resolve=names())
    with pytest.raises(AddressUnavailableError):
        target_of("https://no-such-name.invalid/")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://localhost:9/", "https://[::1]:9/"])
def test_an_operator_may_allow_this_machine_and_nothing_else_with_it(url: str) -> None:
    address_parts(url, policy=LOOPBACK)
    for other in ("http://10.0.0.1/", "https://169.254.169.254/", "http://example.org/", "http://[::ffff:127.0.0.1]/"):
        with pytest.raises(ForbiddenAddressError):
            target_of(other, policy=LOOPBACK, resolve=names(PUBLIC))
    with pytest.raises(ForbiddenAddressError):
        target_of("http://hooks.example.org/", policy=LOOPBACK, resolve=names(PUBLIC))


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.ip_addresses())
def test_what_python_calls_private_is_never_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if address.is_private or address.is_multicast or address.is_reserved or address.is_link_local:
        assert not is_public(address)


@hypothesis_settings(max_examples=200, deadline=None)
@given(st.ip_addresses(v=4))
def test_no_form_of_ipv6_carries_an_ipv4_address(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    for prefix in (0, 0xFFFF << 32, 0xFFFF << 48, 0x64FF9B << 96, 0x64FF9B0001 << 80):
        assert not is_public(ipaddress.IPv6Address(prefix | number))
    assert not is_public(ipaddress.IPv6Address((0x2002 << 112) | (number << 80)))


@hypothesis_settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_an_address_or_a_refusal(text: str) -> None:
    for url in (text, f"https://{text}/"):
        try:
            scheme, host, port = address_parts(url)
        except ForbiddenAddressError:
            continue
        assert (scheme, host.isascii(), 0 < port < 65536) == ("https", True, True)


def whole_request(connection: socket.socket) -> bytes:
    """What was sent, to the end of its body."""
    content = b""
    while not (content.endswith(b"body") if content.startswith(b"POST") else content.endswith(b"\r\n\r\n")):
        content += connection.recv(65_536) or b"\r\n\r\n"
    return content


Answering = Callable[[socket.socket, threading.Event], None]


@contextmanager
def server(answer: Answering, *, tls: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[bytes]]]:
    """A server on a port of this machine that notes what it was sent; ends with the test."""
    over, heard = threading.Event(), []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)

        def serve() -> None:
            while not over.is_set():
                try:
                    connection, _ = listening.accept()
                except TimeoutError:
                    continue
                connection.settimeout(5)
                try:
                    with tls.wrap_socket(connection, server_side=True) if tls else connection as spoken:
                        heard.append(whole_request(spoken))
                        answer(spoken, over)
                except OSError:
                    continue

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listening.getsockname()[1], heard
        finally:
            over.set()
            thread.join()


def says(content: bytes) -> Answering:
    return lambda connection, _over: connection.sendall(content)


def drips(content: bytes) -> Answering:
    def drip(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(content)
        while not over.wait(0.05):
            connection.sendall(b"x")

    return drip


def silent(_connection: socket.socket, over: threading.Event) -> None:
    over.wait(10)


def call(port: int, *, host: str = "localhost", seconds: float = 5, read_bytes: int = 10_000) -> httpx.Response:
    transport = GuardedTransport(policy=LOOPBACK, seconds=seconds, read_bytes=read_bytes, resolve=names("127.0.0.1"))
    with guarded_client(transport) as client:
        return client.post(f"http://{host}:{port}/hook?a=b", content=b"body", headers={"x-a": "b"})


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_a_call_arrives_with_its_name_and_its_body() -> None:
    with server(says(OK)) as (port, heard):
        assert call(port).content == b"ok"
    sent = heard[0].lower()
    assert sent.startswith(b"post /hook?a=b http/1.1\r\n")
    for line in (f"host: localhost:{port}".encode(), b"x-a: b", b"accept-encoding: identity", b"body"):
        assert line in sent
    assert sent.count(b"accept-encoding") == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (silent, "no whole answer within"),
        (drips(b"HTTP/1.1 200 OK\r\nX: "), "no whole answer within"),
        (drips(b"HTTP/1.1 200 OK\r\n\r\n"), "no whole answer within"),
        (says(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 20_000), "longer than 10000 bytes"),
        (says(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 20_000 + b"\r\n\r\n"), "longer than 10000 bytes"),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx"), "closed connection"),
        (says(b"SSH-2.0-OpenSSH\r\n"), "localhost: "),
        (says(b""), "disconnected"),
        (says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx"), "compressed"),
    ],
    ids=[
        "silent",
        "endless header",
        "endless body",
        "long body",
        "long header",
        "cut body",
        "no http",
        "hangs up",
        "packed",
    ],
)
def test_a_server_cannot_hold_a_call_or_fill_our_memory(answer: Answering, words: str) -> None:
    with server(answer) as (port, _), pytest.raises(AddressUnavailableError, match=words):
        call(port, seconds=0.4)


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    reply = b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
    with server(says(reply)) as (port, heard):
        assert call(port).status_code == 302
    assert len(heard) == 1


CERTIFICATE = Path(__file__).with_name("hooks_example_org.pem")
"""A certificate and its key for hooks.example.org, made for this test, valid for a hundred years."""


@pytest.mark.parametrize(("host", "trusted"), [("hooks.example.org", True), ("other.example.org", False)])
def test_the_certificate_must_be_that_of_the_name_not_of_the_address(host: str, trusted: bool) -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(CERTIFICATE)
    named: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: named.append(name)
    transport = GuardedTransport(
        policy=LOOPBACK,
        resolve=names("127.0.0.1"),
        certificates=ssl.create_default_context(cafile=str(CERTIFICATE)),
    )
    with server(says(OK), tls=serving) as (port, _), guarded_client(transport) as client:
        if trusted:
            assert client.get(f"https://{host}:{port}/").status_code == 200
        else:
            with pytest.raises(AddressUnavailableError, match="certificate"):
                client.get(f"https://{host}:{port}/")
    assert named == [host]


def test_no_proxy_of_the_environment_takes_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(says(OK)) as (port, heard), server(says(OK)) as (proxy, asked):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy}")
        call(port)
    assert (len(heard), asked) == (1, [])


def test_a_name_that_leads_elsewhere_a_moment_later_is_asked_once() -> None:
    asked: list[str] = []

    def rebinding(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        return ("127.0.0.1",) if len(asked) == 1 else ("169.254.169.254",)

    with server(says(OK)) as (port, _):
        transport = GuardedTransport(policy=LOOPBACK, resolve=rebinding)
        with guarded_client(transport) as client:
            assert client.get(f"https://hooks.example.org:{port}/".replace("https", "http")).status_code == 200
    assert asked == ["hooks.example.org"]


def test_a_connection_goes_to_the_address_that_was_checked_whatever_it_is_asked_for() -> None:
    with server(says(OK)) as (port, _):
        target = Target(scheme="https", host="hooks.example.org", port=port, address="127.0.0.1")
        backend = PinnedBackend(target, Budget(until=time.monotonic() + 5, read_bytes=100))
        stream = backend.connect_tcp("169.254.169.254", 80)
        assert stream.get_extra_info("server_addr") == ("127.0.0.1", port)
        stream.close()
        with pytest.raises(NotImplementedError):
            backend.connect_unix_socket("/var/run/docker.sock")


def test_a_budget_that_is_used_up_ends_the_next_step() -> None:
    with pytest.raises(httpcore.ReadTimeout):
        Budget(until=0.0, read_bytes=1).left(None)


def test_a_forbidden_address_is_never_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr("evaluation.addresses.httpcore.ConnectionPool", never)
    with guarded_client(GuardedTransport(resolve=names("10.0.0.1"))) as client, pytest.raises(ForbiddenAddressError):
        client.get("https://hooks.example.org/")

"""Which numeric addresses belong to servers on the public internet."""

import ipaddress
from typing import Final

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

FORBIDDEN: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        # IANA's special-purpose registry of IPv4, multicast and the reserved rest.
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        # A cloud's metadata service at an address that looks public (Azure's wire server).
        "168.63.129.16/32",
        # Of IPv6, what is not global unicast, and the parts of it that carry or stand for other addresses: Teredo and
        # the rest of 2001::/23, documentation, 6to4.
        "::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    )
)  # fmt: skip
"""`::/3` holds the mapped and translated forms of IPv4 ("::ffff:10.0.0.1", "64:ff9b::a00:1"), `8000::/1` the unique
local, link-local and multicast addresses."""


def is_public(address: IpAddress) -> bool:
    """Whether an address belongs to a server on the public internet."""
    listed = any(address in network for network in FORBIDDEN if network.version == address.version)
    return address.is_global and not address.is_multicast and not listed

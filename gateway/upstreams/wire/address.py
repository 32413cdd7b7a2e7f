"""From a host name to the addresses that we connect to: looked up once, checked, and used as they are."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""From (host, port) to numeric addresses, best first. Raises OSError when the name is unknown."""

_LOCAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
"""Loopback, private and link-local. Spelled out, since `is_private` differs between Python versions and includes 0.0.0.0/8."""


def is_local_address(address: str) -> bool:
    """Whether a numeric address (with or without a zone) is loopback, private or link-local; IPv4 in IPv6 counts as IPv4."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or ipaddress.IPv6Address(int(parsed))
    return any(parsed in network for network in _LOCAL)


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host by the system's resolver, in its order; a numeric host is its own address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))
    return [host]

"""IP and MAC addresses."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_IPV4 = re.compile(r"(?<![\w.\-])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d|-\w)")
_IPV6 = re.compile(
    r"(?<![\w:.])(?=[0-9a-fA-F:]{0,40}:[0-9a-fA-F:]{0,40}:)[0-9a-fA-F:]{3,45}(?:\d{1,3}(?:\.\d{1,3}){3})?(?:%\w{1,15})?(?![\w:])"
)
_DOTTED = re.compile(r"\.\d{1,3}\.\d")
_COLONS = re.compile(r":[0-9a-fA-F]{0,4}:")
_DASHES = re.compile(r"-[0-9a-fA-F]{2}-")
_DOTS = re.compile(r"\.[0-9a-fA-F]{4}\.")
_MAC = re.compile(
    r"(?<![\w:.\-])(?:[0-9a-fA-F]{2}([:\-]))(?:[0-9a-fA-F]{2}\1){4}[0-9a-fA-F]{2}(?![\w:\-])|"
    r"(?<![\w.])(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}(?![\w.])"
)
_VERSION_WORD = re.compile(
    r"(?:\bv|\bversions?|\brelease|\bver\.?|\bbuild|\brev|==|>=|<=|~=|\^|upgrade(?:d)? to|update(?:d)? to|"
    r"firmware|driver|oid|section|chapter|§|chrome/|[a-z]/)\W{0,6}$",
    re.IGNORECASE,
)
_IP_WORDS = vocabulary(
    "ip ips ipv4 host server gateway router subnet ping ssh dns nameserver bastion vm address adresse "
    "dirección indirizzo address: proxy vpn listen"
)
_PUBLIC_DNS = frozenset(
    (
        *("8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "208.67.222.222", "208.67.220.220", "169.254.169.254", "1.2.3.4"),
        *("2606:4700:4700::1111", "2606:4700:4700::1001", "2001:4860:4860::8888", "2001:4860:4860::8844", "2620:fe::fe"),
    )
)
_RESERVED = tuple(
    ipaddress.ip_network(net)
    for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8")
)


def find_addresses_of_machines(view: View) -> Iterator[Span]:
    """IP_ADDRESS and MAC_ADDRESS spans: no loopback, no documentation ranges, no versions."""
    yield from _ip_addresses(view)
    text = view.text
    if _COLONS.search(text) or _DASHES.search(text) or _DOTS.search(text):
        for found in _MAC.finditer(text):
            if len(set(found[0].lower())) > 3:
                yield Span(*found.span(), "MAC_ADDRESS", 0.8)


def _ip_addresses(view: View) -> Iterator[Span]:
    text = view.text
    if _DOTTED.search(text):
        for found in _IPV4.finditer(text):
            if _is_ipv4(view, found):
                yield Span(*found.span(), "IP_ADDRESS", 0.85)
    if _COLONS.search(text):
        for found in _IPV6.finditer(text):
            if _is_ipv6(found[0]):
                yield Span(*found.span(), "IP_ADDRESS", 0.85)


def _is_ipv4(view: View, found: re.Match[str]) -> bool:
    try:
        address = ipaddress.IPv4Address(found[0])
    except ValueError:
        return False
    if (
        address.is_loopback
        or address.is_unspecified
        or found[0] in _PUBLIC_DNS
        or any(address in net for net in _RESERVED if net.version == 4)
    ):
        return False
    if str(found[0]).startswith(("255.", "0.")) or _VERSION_WORD.search(view.text[max(0, found.start() - 24) : found.start()]):
        return False
    if int(found[0].split(".", 1)[0]) >= 10:
        return True
    return view.text[found.end() : found.end() + 1] in {":", "/"} or _IP_WORDS.near(view, *found.span(), before=40, after=16)


def _is_ipv6(text: str) -> bool:
    try:
        address = ipaddress.IPv6Address(text.split("%")[0])
    except ValueError:
        return False
    short = len(text.replace(":", "")) <= 4
    return text not in _PUBLIC_DNS and not (
        address.is_loopback or address.is_unspecified or short or any(address in net for net in _RESERVED if net.version == 6)
    )


MACHINE_ADDRESSES = Finder(("IP_ADDRESS", "MAC_ADDRESS"), find_addresses_of_machines)

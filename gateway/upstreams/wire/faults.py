"""The sentences for what can go wrong on the way to a model server: each names the upstream and the next step, never a key."""

from __future__ import annotations

from gateway.errors import NotLocal, UpstreamBroken, UpstreamTimeout, UpstreamUnavailable


def unreachable(name: str, where: str, error: OSError) -> UpstreamUnavailable:
    """No connection: refused, no route, or a name that does not resolve."""
    reason = error.strerror or type(error).__name__
    return UpstreamUnavailable(f"Upstream {name!r} cannot be reached at {where} ({reason}). Is it running, and is its url right?")


def untrusted(name: str, where: str, reason: str) -> UpstreamUnavailable:
    """TLS failed: most often a certificate of an unknown authority."""
    return UpstreamUnavailable(f"No trusted TLS connection to upstream {name!r} at {where} ({reason}). Check its url and ca_file.")


def slow_to_connect(name: str, where: str) -> UpstreamTimeout:
    """The connect timeout is over."""
    return UpstreamTimeout(f"Upstream {name!r} did not accept a connection at {where} in time. Is it running, and is its url right?")


def refused_by_proxy(name: str, status: str) -> UpstreamUnavailable:
    """The proxy answered CONNECT with something other than success."""
    return UpstreamUnavailable(f"The proxy of upstream {name!r} refused the tunnel ({status}). Check its proxy setting.")


def busy(name: str) -> UpstreamTimeout:
    """All connections stayed taken for as long as a first byte may take."""
    return UpstreamTimeout(f"All connections to upstream {name!r} are in use. Try again, or raise its max_connections.", retry_after=1)


def not_local(name: str, host: str) -> NotLocal:
    """A declared-local upstream has none but public addresses."""
    return NotLocal(
        f"Upstream {name!r} is declared local, but {host} has no loopback or private address. Nothing was sent. "
        "Correct its url, or set local: false."
    )


def hung_up(name: str) -> UpstreamUnavailable:
    """The connection closed before the head of an answer was complete."""
    return UpstreamUnavailable(f"Upstream {name!r} closed the connection without an answer. See its log, then try again.")


def slow_to_answer(name: str) -> UpstreamTimeout:
    """No head of an answer within the first-byte (or total) timeout."""
    return UpstreamTimeout(f"Upstream {name!r} did not begin to answer in time. Try again, or raise its timeouts.first_byte.")


def not_http(name: str) -> UpstreamUnavailable:
    """What came instead of a head is not HTTP, or is over the limit for a head."""
    return UpstreamUnavailable(f"Upstream {name!r} did not answer in HTTP/1.1. Check the scheme and the port of its url.")


def cut_short(name: str) -> UpstreamBroken:
    """The connection closed in the middle of a body."""
    return UpstreamBroken(f"Upstream {name!r} broke off in the middle of its answer. Try again.")


def garbled(name: str) -> UpstreamBroken:
    """The framing of a body is wrong."""
    return UpstreamBroken(f"Upstream {name!r} sent an answer that is not valid HTTP/1.1. See its log, then try again.")


def stalled(name: str) -> UpstreamBroken:
    """A body stopped coming, or took longer than the total timeout."""
    return UpstreamBroken(f"Upstream {name!r} stalled in the middle of its answer. Try again, or raise its timeouts.")


def closed_here(name: str) -> UpstreamBroken:
    """We let go of the answer before all of it was read."""
    return UpstreamBroken(f"The answer of upstream {name!r} was closed before its end.")

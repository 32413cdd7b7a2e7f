"""What no single key can tell: names that must exist elsewhere, and combinations that are not safe."""

from __future__ import annotations

import re
from collections import Counter
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gateway.cache import CACHES
from gateway.egress.policy import CLASS_OF, CLASSES, ner_installed
from gateway.errors import BadRequest, ConfigError
from gateway.identity import ANY_USER, USER_RULE, valid_user
from gateway.settings.problems import Problem, did_you_mean
from gateway.settings.upstreams import BUILT_IN, upstream_problems
from gateway.upstreams.presets import PRESETS
from gateway.upstreams.wire.address import is_local_address
from providers import PROVIDERS
from providers.mem0.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.settings.model import KeySettings, Mem0Settings, Settings

SHORTEST_KEY = 16
"""Characters below which a key is called easy to guess."""
_SENDABLE = re.compile(r"[!-~]+")
_NEAR = (".local", ".lan", ".home.arpa", ".internal", ".localhost")
_LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})


def problems_of(settings: Settings) -> Iterator[Problem]:
    """Every contradiction."""
    yield from upstream_problems(settings.upstreams)
    yield from _route_problems(settings)
    yield from _memory_problems(settings)
    yield from _egress_problems(settings)
    if settings.cache.backend not in CACHES:
        yield Problem("cache.backend", f"there is no backend {settings.cache.backend!r}. {did_you_mean(settings.cache.backend, CACHES)}")
    yield from _server_problems(settings)
    yield from _key_problems(settings)


def warnings_of(settings: Settings) -> Iterator[str]:
    """What is allowed and perhaps not meant."""
    for kind, given in (("classes", settings.egress.classes), ("entities", settings.egress.entities)):
        for name, action in given.items():
            if action == "allow":
                yield f"egress.{kind}.{name} is allow: it leaves unmasked to every cloud upstream"
    yield from _server_warnings(settings)
    if settings.memory.provider == "mem0":
        yield from _mem0_warnings(settings.memory.mem0)
    for number, key in enumerate(settings.keys):
        if len(key.key.get_secret_value()) < SHORTEST_KEY:
            yield f"keys.{number}.key ({key.name}) is short and may be guessed: `eluvix keys add` makes a long one"
    yield from _unreached_routes(settings)


def is_loopback(host: str) -> bool:
    """Whether listening on `host` reaches this machine only."""
    if host.lower() in _LOOPBACK_NAMES:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_open(settings: Settings, *, has_keys: bool) -> None:
    """Raises ConfigError when others than this machine could come in without a key. `has_keys`: in the configuration or database."""
    if is_loopback(settings.server.host):
        return
    missing = []
    if not has_keys:
        missing.append("a key: run `eluvix keys add <name>`, or list one under `keys`")
    if not settings.admin_password:
        missing.append("an admin password: set ELUVIX_ADMIN_PASSWORD or `admin_password`")
    if missing:
        host = settings.server.host or "every address"
        message = f"Refusing to listen on {host} for everyone. It needs {' and '.join(missing)}. Or listen on 127.0.0.1."
        raise ConfigError(message)


def _route_problems(settings: Settings) -> Iterator[Problem]:
    for number, route in enumerate(settings.routes):
        for place, target in enumerate(route.to):
            if target.upstream not in (*settings.upstreams, *BUILT_IN):
                text = f"the route for {route.model!r} {_unknown_upstream(settings, target.upstream)}"
                yield Problem(f"routes.{number}.to.{place}", text)


def _unknown_upstream(settings: Settings, name: str) -> str:
    if name in PRESETS:
        return f"leads to the upstream {name!r}, which is not configured. Add it: `upstreams: {{{name}: {{preset: {name}}}}}`."
    return f"leads to the upstream {name!r}, which is not configured. {did_you_mean(name, settings.upstreams)}"


def _unreached_routes(settings: Settings) -> Iterator[str]:
    seen: set[str] = set()
    for number, route in enumerate(settings.routes):
        if route.model in seen or "*" in seen:
            yield f"routes.{number} ({route.model}) is never reached: an earlier route matches first"
        seen.add(route.model)


def _memory_problems(settings: Settings) -> Iterator[Problem]:
    memory = settings.memory
    if memory.provider not in PROVIDERS:
        yield Problem("memory.provider", f"there is no provider {memory.provider!r}. {did_you_mean(memory.provider, PROVIDERS)}")
    if memory.mem0.dialect not in DIALECTS:
        yield Problem("memory.mem0.dialect", f"there is no dialect {memory.mem0.dialect!r}. {did_you_mean(memory.mem0.dialect, DIALECTS)}")
    if not _is_url(memory.mem0.url):
        yield Problem("memory.mem0.url", "must be the URL of a Mem0 server, such as http://127.0.0.1:8888.")
    if memory.summarizer and memory.summarizer.upstream not in settings.upstreams:
        yield Problem("memory.summarizer.upstream", f"it {_unknown_upstream(settings, memory.summarizer.upstream)}")


def _mem0_warnings(mem0: Mem0Settings) -> Iterator[str]:
    if not mem0.local:
        yield "memory.mem0.local is false: what is stored there is masked, and highly sensitive memories are not stored"
    elif not _seems_near(host := urlsplit(mem0.url).hostname or ""):
        yield f"memory.mem0.local is true, and {host} seems to be elsewhere: memories go there unmasked; set it to false if so"


def _seems_near(host: str) -> bool:
    """Whether a host is on this machine or network, as far as its name tells."""
    named_near = "." not in host and ":" not in host
    return named_near or host.endswith(_NEAR) or is_loopback(host) or is_local_address(host)


def _egress_problems(settings: Settings) -> Iterator[Problem]:
    if settings.egress.ner == "on" and not ner_installed():
        yield Problem("egress.ner", "is on, but no language model is installed. Run `pip install 'eluvix[ner]'`, or set it to auto or off.")
    for name in settings.egress.classes:
        if name not in CLASSES:
            yield Problem(f"egress.classes.{name}", f"there is no such class. {did_you_mean(name, CLASSES)}")
    for name in settings.egress.entities:
        if name not in CLASS_OF:
            yield Problem(f"egress.entities.{name}", f"there is no such entity. {did_you_mean(name, CLASS_OF)}")


def _server_problems(settings: Settings) -> Iterator[Problem]:
    server = settings.server
    if (server.certificate is None) != (server.certificate_key is None):
        given, missing = ("certificate", "certificate_key") if server.certificate else ("certificate_key", "certificate")
        yield Problem(f"server.{given}", f"needs server.{missing} as well. Set both, or neither for a self-signed certificate.")
    for number, origin in enumerate(server.cors_origins):
        if origin != "*" and not _is_origin(origin):
            yield Problem(f"server.cors_origins.{number}", "must be an origin: scheme, host and port, such as http://localhost:5173.")


def _server_warnings(settings: Settings) -> Iterator[str]:
    server = settings.server
    if server.tls == "off" and not is_loopback(server.host):
        yield f"server.tls is off and server.host is {server.host}: keys and memories cross the network in the clear"
    if "*" in server.allowed_hosts:
        yield "server.allowed_hosts has *: a web page that points its own name at this machine can call the gateway"
    if "*" in server.cors_origins:
        yield "server.cors_origins has *: every web page may call the gateway from its visitor's browser"
    if "*" in server.trusted_proxies:
        yield "server.trusted_proxies has *: every client may pretend to have another address"


def _key_problems(settings: Settings) -> Iterator[Problem]:
    password = settings.admin_password.get_secret_value() if settings.admin_password else ""
    if password != password.strip():
        yield Problem("admin_password", "begins or ends with white space, which cannot be sent. Take it away.")
    names = Counter(key.name for key in settings.keys)
    secrets = Counter([password, *(key.key.get_secret_value() for key in settings.keys)])
    for number, key in enumerate(settings.keys):
        if names[key.name] > 1:
            yield Problem(f"keys.{number}.name", f"the name {key.name!r} is given to several keys. Names tell keys apart: choose another.")
        yield from _user_problems(f"keys.{number}.user", key)
        secret = key.key.get_secret_value()
        if not _SENDABLE.fullmatch(secret):
            yield Problem(f"keys.{number}.key", "must be printable ASCII without spaces, else it cannot be sent in a header.")
        elif secrets[secret] > 1:
            yield Problem(f"keys.{number}.key", "is also another key or the admin password. Give each its own.")


def _user_problems(path: str, key: KeySettings) -> Iterator[Problem]:
    try:
        if key.user != ANY_USER:
            valid_user(key.user)
    except BadRequest:
        yield Problem(path, f"is no user name. A user name has {USER_RULE}; * stands for any user.")


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_origin(text: str) -> bool:
    return "://" in text and bool(urlsplit(text).netloc) and text.rstrip("/").count("/") == 2

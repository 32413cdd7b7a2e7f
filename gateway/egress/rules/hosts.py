"""Names of hosts that only an internal network knows."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, any_in, vocabulary, word_list
from gateway.egress.rules.labels import Labels
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_SUFFIX = (
    r"(?:internal|intern|local|lan|corp|home|home\.arpa|intranet|intra|private|priv|localdomain|localnet|"
    r"domain|ad|mgmt|prod|prd|stage|staging|stg|test|qa|uat|svc|consul|cluster\.local|vpc|dc|lab|box|nas|"
    r"ts\.net|tailnet|onion)"
)
_HOST = re.compile(
    rf"(?<![\w.\-$])(?<![^/:]/)(?:[a-zA-Z0-9](?:[\w\-]{{0,62}})\.){{1,8}}{_SUFFIX}(?![\w\-(]|\.\w)(?::\d{{2,5}})?", re.IGNORECASE
)
_SUFFIX_WORDS = frozenset(
    word_list(
        "internal intern local lan corp home arpa intranet intra private priv localdomain localnet domain ad "
        "mgmt prod prd stage staging stg test qa uat svc consul cluster vpc dc lab box nas "
        "tailnet ts onion"
    )
)
_INNER_WORDS = frozenset(word_list("internal intranet intra corp int priv private lan mgmt infra oob"))
_STRONG_SUFFIX = re.compile(
    r"\.(?:internal|intern|lan|corp|home\.arpa|intranet|intra|localdomain|localnet|private|priv|consul|"
    r"cluster\.local|svc|ts\.net|onion)(?::\d+)?$",
    re.IGNORECASE,
)
_LOCAL_SUFFIX = re.compile(r"\.(?:local|home|mgmt|ad|lab|vpc|dc|office|box|nas)(?::\d+)?$", re.IGNORECASE)
_INSIDE = re.compile(
    r"(?<![\w.\-$])(?<![^/:]/)(?:[a-zA-Z0-9][\w\-]{0,62}\.){0,6}(?:internal|intranet|intra|corp|int|priv|"
    r"private|lan|mgmt|infra|vpn|bastion|jump|jumphost|oob|ad|ldap|git-?lab|jira|confluence|jenkins|"
    r"vault|grafana|kibana|nexus|artifactory|sonar|wiki|backoffice|admin|db|prod|stg|staging|preprod|"
    r"uat)[\w\-]{0,20}\.(?:[a-zA-Z0-9][\w\-]{0,62}\.){1,5}[a-zA-Z]{2,15}(?![\w\-(]|\.\w)(?::\d{2,5})?",
    re.IGNORECASE,
)
_INNER_LABEL = re.compile(r"(?:^|[.\-])(?:internal|intranet|intra|corp|int|priv|private|lan|mgmt|infra|oob)\.", re.IGNORECASE)
_CLOUD_HOST = re.compile(
    r"(?<![\w.\-])[\w\-]{1,63}(?:\.[\w\-]{1,63}){0,3}\.(?:(?:rds|cache|elb|docdb|neptune|es|"
    r"redshift)\.amazonaws\.com|(?:[\w\-]+\.)?(?:database\.windows\.net|redis\.cache\.windows\.net|"
    r"vault\.azure\.net|postgres\.database\.azure\.com|privatelink\.[\w.]+)|compute\.internal)(?![\w])",
    re.IGNORECASE,
)
_URL_HOST = re.compile(
    r"\b(?:https?|ssh|ftp|sftp|smb|ldaps?|rdp|vnc|nfs|postgres(?:ql)?|mysql|mongodb|redis|amqp|jdbc:\w+|"
    r"git)://(?:[^\s/@\"']{1,80}@)?(?P<t>(?=[a-zA-Z0-9\-]*[\d\-])[a-zA-Z][a-zA-Z0-9\-]{2,62})(?=[:/\s]|$)",
    re.IGNORECASE,
)
_UNC = re.compile(r"\\\\(?!x[0-9a-f]{2}|u[0-9a-f]{4}|[nrtb0]\\)(?P<t>[A-Za-z0-9][\w.\-]{1,62})\\[\w$.\-]{1,60}")
_HOST_WORDS = word_list(
    "host hosts hostname hostnames host_name host_names internal_host internal_hosts server servers machine "
    "machines node nodes bastion bastion_host jump_host jump_box workstation "
    "workstations domain_controller domain_controllers rechnername serveur servidor "
    "сервер хост ホスト ホスト名 サーバー サーバ 主机 主机名 服务器 서버 호스트"
)
_NAMED = re.compile(
    r"(?: (?:is|are|called|named|name|ist|heißt|heisst|est|es|"
    r":)){0,2}[\s:=は是为은는]{1,3}[\"'`]?(?P<t>(?=[a-zA-Z0-9\-]{0,40}\d)[a-zA-Z][a-zA-Z0-9]{1,20}(?:-[a-zA-Z0-9]"
    r"{1,20}){1,5}"
    r"|[A-Z]{2,}(?:-?[A-Z0-9]{1,15}){0,3}\d{1,4})(?![\w\-.])"
)
_PRODUCT = re.compile(r"(?:http|node|version|python|ubuntu|debian|windows|utf|sha|es|php|jdk|java|k8s|v|ipv)-?\d", re.IGNORECASE)
_FILE = re.compile(
    r"(?:^|/)(?:\.?env|settings|config|application|docker-compose|compose|appsettings|package|tsconfig|vite|"
    r"next|webpack|values|user|default|main|index|app|theme|threading|this|self|com|org|java|sun|node|module|"
    r"pkg|window|document|state|scope|vars?)\.(?:\w+\.)?(?:local|dev|test|prod|private|internal|home|staging|"
    r"domain|site|box|office|lab|inc)$",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"^(?:host\.docker\.internal|gateway\.docker\.internal|kubernetes\.docker\.internal|"
    r"metadata\.google\.internal|kubernetes(?:\.default)?\.svc(?:\.cluster\.local)?|cluster\.local|"
    r"localhost\.localdomain|svc\.cluster\.local)(?::\d+)?$",
    re.IGNORECASE,
)
_NET_WORDS = vocabulary(
    "http https ssh host server hosts servers via connect ping url endpoint database db api runs running "
    "port vpn dns reach deploy deploys login share mount proxy nas printer router node machine"
)


@lru_cache(maxsize=1)
def _host_words() -> Labels:
    return Labels(_HOST_WORDS)


def find_internal_hosts(view: View) -> Iterator[Span]:
    """INTERNAL_HOST spans."""
    if "." in view.text:
        yield from _with_suffix(view)
        yield from _with_inner_label(view)
    if any_in(("amazonaws", "windows.net", "azure", "compute.internal"), view.tokens):
        for found in _CLOUD_HOST.finditer(view.text):
            yield Span(*found.span(), "INTERNAL_HOST", 0.7)
    for pattern, mark in ((_URL_HOST, "://"), (_UNC, "\\\\")):
        for found in pattern.finditer(view.text) if mark in view.text else ():
            yield Span(found.start("t"), found.end("t"), "INTERNAL_HOST", 0.7)
    yield from _after_labels(view)


def _with_suffix(view: View) -> Iterator[Span]:
    """Names that end in a domain of internal networks: `db-3.prod.internal`."""
    if not _SUFFIX_WORDS.isdisjoint(view.words):
        for found in _HOST.finditer(view.text):
            if _is_internal(view, found):
                yield Span(found.start(), found.start() + len(found[0].split(":")[0]), "INTERNAL_HOST", 0.8)


def _with_inner_label(view: View) -> Iterator[Span]:
    """Names with such a label inside: `bastion.corp.acme.com`."""
    if _INNER_WORDS.isdisjoint(view.words):
        return
    for found in _INSIDE.finditer(view.text):
        host = found[0].split(":")[0]
        if _INNER_LABEL.search(host) and not re.search(r"(?:^|\.)example\.(?:com|org|net)$", host):
            yield Span(found.start(), found.start() + len(host), "INTERNAL_HOST", 0.7)


def _after_labels(view: View) -> Iterator[Span]:
    for label in _host_words().finditer(view):
        named = _NAMED.match(view.text, label.end())
        if named and not _PRODUCT.match(named["t"]):
            yield Span(named.start("t"), named.end("t"), "INTERNAL_HOST", 0.6)


def _is_internal(view: View, found: re.Match[str]) -> bool:
    host = found[0]
    bare = host.split(":")[0]
    if _KNOWN.match(host) or _FILE.search(bare) or bare[0] == "." or re.match(r"\d+(?:\.\d+)*\.\w+$", bare):
        return False
    labels = bare.split(".")
    named = view.text[max(0, found.start() - 3) : found.start()].endswith(("://", "//", "@")) or ":" in host
    if _STRONG_SUFFIX.search(host):
        return len(labels) >= 3 or named or re.search(r"[\d\-]", labels[0]) is not None or _NET_WORDS.near(view, *found.span())
    machine = re.search(r"\d|-", labels[0]) is not None
    if _LOCAL_SUFFIX.search(host):
        return named or machine or (len(labels) >= 3 and labels[0].islower()) or _NET_WORDS.near(view, *found.span(), before=32, after=12)
    return (named and len(labels) >= 3) or (
        machine and any(map(str.isdigit, labels[0])) and len(labels) >= 3 and _NET_WORDS.near(view, *found.span())
    )


INTERNAL_HOSTS = Finder(("INTERNAL_HOST",), find_internal_hosts, exact=False)

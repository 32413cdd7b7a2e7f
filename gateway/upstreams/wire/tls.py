"""TLS towards an upstream: which authorities are trusted, and one remembered session so that reconnecting is cheap."""

from __future__ import annotations

import ssl
from pathlib import Path

import certifi


class SessionContext(ssl.SSLContext):
    """A client context for one upstream that offers the last session it saw. Nothing in it comes from the environment."""

    session: ssl.SSLSession | None = None

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        """As the parent's, with the remembered session: event loops have no way to name one."""
        return super().wrap_bio(incoming, outgoing, server_side, server_hostname, session or self.session)

    def remember(self, connection: ssl.SSLObject) -> None:
        """Keeps the session of a connection of this context (TLS 1.3 sends its tickets after the handshake: call this late)."""
        self.session = connection.session or self.session


def client_context(ca_file: str | None = None) -> SessionContext:
    """Trusts `ca_file`, else the system's authorities, else certifi's. Reads files (call it off the loop). Raises OSError."""
    context = SessionContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    if ca_file is not None:
        context.load_verify_locations(cafile=ca_file)
    elif not _trust_system(context):
        context.load_verify_locations(cafile=certifi.where())
    return context


def _trust_system(context: ssl.SSLContext) -> bool:
    """The paths that OpenSSL was built with, not those that SSL_CERT_FILE and SSL_CERT_DIR name."""
    paths = ssl.get_default_verify_paths()
    if not Path(paths.openssl_cafile).is_file():
        return False
    context.load_verify_locations(cafile=paths.openssl_cafile)
    return bool(context.cert_store_stats()["x509_ca"])

"""The gateway's certificate: its own, made at the first start, or one that the user brings."""

from __future__ import annotations

import os
import secrets
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from filelock import FileLock, Timeout

from gateway.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

CERTIFICATE_NAME, KEY_NAME = "certificate.pem", "certificate.key"
VALID_FOR = timedelta(days=820)
"""Below the 825 days that some verifiers accept at the most."""
RENEW_BEFORE = timedelta(days=30)
_CLOCK_SKEW = timedelta(days=1)
LOCK_WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """A certificate and its key, both PEM."""

    certificate: Path
    key: Path
    expires: datetime
    """Aware, UTC."""
    created: bool = False
    """Made just now."""
    warning: str | None = None
    """What a person should do soon."""


def ensure_certificate(home: Path, now: datetime | None = None) -> CertificateFiles:
    """The self-signed certificate in `home`, made anew when there is none that will do for another 30 days. Raises ConfigError.

    It is for localhost, 127.0.0.1 and ::1. A new one comes with a new key, and clients have to be told to trust it again.
    """
    now = now or datetime.now(UTC)
    certificate, key = home / CERTIFICATE_NAME, home / KEY_NAME
    try:
        with FileLock(home / f".{CERTIFICATE_NAME}.lock", timeout=LOCK_WAIT_S):  # two gateways that start at once must not mix their pairs
            expires = _usable_until(certificate, key, now)
            if expires is None or expires - now <= RENEW_BEFORE:
                return _make(certificate, key, now)
            key.chmod(0o600)
            return CertificateFiles(certificate, key, expires)
    except (OSError, Timeout) as error:
        reason = getattr(error, "strerror", None) or "another process holds it"
        message = f"The certificate cannot be written to {home}: {reason}. Mend its permissions, or use `tls: off`."
        raise ConfigError(message) from None


def own_certificate(certificate: Path, key: Path, now: datetime | None = None) -> CertificateFiles:
    """The user's own certificate. Raises ConfigError when a file is missing, they do not fit, or it is not valid now.

    With fewer than 30 days left, `warning` says so.
    """
    now = now or datetime.now(UTC)
    parsed = _parsed(certificate)
    _check_pair(certificate, key)
    begins, expires = parsed.not_valid_before_utc, parsed.not_valid_after_utc
    if expires <= now:
        message = f"server.certificate {certificate} expired on {expires:%Y-%m-%d}. Renew it, or remove both keys to use a self-signed one."
        raise ConfigError(message)
    if begins > now:
        message = f"server.certificate {certificate} is valid only from {begins:%Y-%m-%d %H:%M} UTC. Check this machine's clock."
        raise ConfigError(message)
    soon = f"server.certificate {certificate} expires on {expires:%Y-%m-%d}: renew it and restart"
    return CertificateFiles(certificate, key, expires, warning=soon if expires - now <= RENEW_BEFORE else None)


def _parsed(certificate: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(certificate.read_bytes())
    except OSError as error:
        message = f"server.certificate {certificate} cannot be read: {error.strerror}. Check the path and its permissions."
        raise ConfigError(message) from None
    except ValueError:
        message = f"server.certificate {certificate} holds no PEM certificate. Give the file that begins with BEGIN CERTIFICATE."
        raise ConfigError(message) from None


def _check_pair(certificate: Path, key: Path) -> None:
    """Raises ConfigError when OpenSSL does not take the two together."""

    def encrypted() -> str:  # OpenSSL would ask on the terminal
        message = f"server.certificate_key {key} is encrypted. Give a key without a passphrase that only this user can read."
        raise ConfigError(message)

    try:
        key.read_bytes()
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, encrypted)
    except ssl.SSLError as error:
        fits = "they do not belong together" if error.reason == "KEY_VALUES_MISMATCH" else "one of them is not PEM"
        message = f"server.certificate {certificate} and server.certificate_key {key} cannot be used: {fits}. Check both paths."
        raise ConfigError(message) from None
    except OSError as error:
        message = f"server.certificate_key {key} cannot be read: {error.strerror}. Check the path and its permissions."
        raise ConfigError(message) from None


def _usable_until(certificate: Path, key: Path, now: datetime) -> datetime | None:
    """When the pair expires; None where there is none that can be used now."""
    try:
        parsed = _parsed(certificate)
        _check_pair(certificate, key)
    except ConfigError:
        return None
    return parsed.not_valid_after_utc if parsed.not_valid_before_utc <= now else None


def _make(certificate: Path, key: Path, now: datetime) -> CertificateFiles:
    private = ec.generate_private_key(ec.SECP256R1())
    signed = _signed(private, now)
    pem = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    _replace(key, pem, 0o600)  # a crash in between leaves a pair that does not fit: the next start makes another
    _replace(certificate, signed.public_bytes(serialization.Encoding.PEM), 0o644)
    return CertificateFiles(certificate, key, signed.not_valid_after_utc, created=True)


def _signed(private: ec.EllipticCurvePrivateKey, now: datetime) -> x509.Certificate:
    """Signed by itself and its own authority, so that a client can trust this one file (curl, Python and Node take it so)."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Eluvix on this machine")])
    public = private.public_key()
    addresses = [x509.IPAddress(ip_address(address)) for address in ("127.0.0.1", "::1")]
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SKEW)
        .not_valid_after(now + VALID_FOR)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost"), *addresses]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(private, hashes.SHA256())
    )


def _replace(path: Path, content: bytes, mode: int) -> None:
    """Writes a file with its mode from the start, and puts it in place in one step."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise

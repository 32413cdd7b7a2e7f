import asyncio
import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from filelock import FileLock

from gateway.errors import ConfigError
from gateway.tls import ensure_certificate, own_certificate

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


def parsed(files) -> x509.Certificate:
    return x509.load_pem_x509_certificate(files.certificate.read_bytes())


def mode(path) -> int:
    return path.stat().st_mode & 0o777


def own_pair(folder, *, begins=NOW - DAY, ends=NOW + 90 * DAY, passphrase=None):
    """A certificate and its key as a user may bring them."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "gateway.example")])
    signed = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .sign(private, hashes.SHA256())
    )
    kept = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    folder.mkdir(exist_ok=True)
    certificate, key = folder / "own.pem", folder / "own.key"
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, kept))
    return certificate, key


def test_the_first_start_makes_a_certificate_that_only_this_user_can_use(tmp_path):
    files = ensure_certificate(tmp_path)
    assert files.created
    assert mode(files.key) == 0o600
    certificate = parsed(files)
    assert files.expires == certificate.not_valid_after_utc
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= 825 * DAY
    assert certificate.not_valid_before_utc < NOW < files.expires
    assert certificate.public_key().curve.name == "secp256r1"


def test_it_names_this_machine_and_nothing_else(tmp_path):
    names = parsed(ensure_certificate(tmp_path)).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(address) for address in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1", "::1"]


def test_it_may_be_named_as_an_authority_since_some_clients_trust_only_those(tmp_path):
    extensions = parsed(ensure_certificate(tmp_path)).extensions
    assert extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    usage = extensions.get_extension_for_class(x509.KeyUsage).value
    assert usage.key_cert_sign
    assert usage.digital_signature


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
@pytest.mark.parametrize("strict", [False, True])
async def test_a_client_that_trusts_the_file_accepts_the_server(tmp_path, host, strict):
    files = ensure_certificate(tmp_path)
    context = ssl.create_default_context(cafile=files.certificate)
    if strict:  # the default from Python 3.13 on
        context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
    await handshake(files, context, host)


async def test_a_client_that_does_not_trust_the_file_or_asks_for_another_name_refuses(tmp_path):
    files = ensure_certificate(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError):
        await handshake(files, ssl.create_default_context(), "localhost")
    with pytest.raises(ssl.SSLCertVerificationError):
        await handshake(files, ssl.create_default_context(cafile=files.certificate), "gateway.example")


async def handshake(files, context: ssl.SSLContext, name: str) -> None:
    """Connects to a server that has the certificate, over memory: no socket, and nothing that is left open."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(files.certificate, files.key)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_side = context.wrap_bio(to_client, to_server, server_hostname=name)
    server_side = server.wrap_bio(to_server, to_client, server_side=True)
    waiting = [client_side, server_side]
    while waiting:
        for side in list(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                await asyncio.sleep(0)


def test_the_next_start_uses_the_same_certificate(tmp_path):
    first, second = ensure_certificate(tmp_path), ensure_certificate(tmp_path)
    assert not second.created
    assert (second.certificate, second.key, second.expires) == (first.certificate, first.key, first.expires)


def test_a_certificate_is_renewed_thirty_days_before_it_expires_and_not_earlier(tmp_path):
    first = ensure_certificate(tmp_path)
    serial = parsed(first).serial_number
    assert not ensure_certificate(tmp_path, first.expires - 31 * DAY).created
    renewed = ensure_certificate(tmp_path, first.expires - 30 * DAY)
    assert renewed.created
    assert parsed(renewed).serial_number != serial
    assert renewed.expires > first.expires


def test_a_certificate_from_the_future_is_made_anew(tmp_path):
    ensure_certificate(tmp_path, NOW + 100 * DAY)  # the clock was wrong
    assert ensure_certificate(tmp_path, NOW).created


@pytest.mark.parametrize("damage", ["no key", "no certificate", "empty key", "broken certificate", "another key"])
def test_a_pair_that_cannot_be_used_is_made_anew(tmp_path, damage):
    files = ensure_certificate(tmp_path)
    other = ensure_certificate(make(tmp_path / "other"))
    {
        "no key": files.key.unlink,
        "no certificate": files.certificate.unlink,
        "empty key": lambda: files.key.write_bytes(b""),
        "broken certificate": lambda: files.certificate.write_bytes(files.certificate.read_bytes()[:100]),
        "another key": lambda: files.key.write_bytes(other.key.read_bytes()),
    }[damage]()
    again = ensure_certificate(tmp_path)
    assert again.created
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(again.certificate, again.key)
    assert mode(again.key) == 0o600


def make(folder):
    folder.mkdir()
    return folder


def test_a_key_that_others_can_read_is_closed_again(tmp_path):
    files = ensure_certificate(tmp_path)
    files.key.chmod(0o644)
    ensure_certificate(tmp_path)
    assert mode(files.key) == 0o600


def test_nothing_but_the_pair_and_its_lock_is_left_in_the_folder(tmp_path):
    files = ensure_certificate(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} - {".certificate.pem.lock"} == {files.certificate.name, files.key.name}


def test_a_folder_that_cannot_be_written_is_an_error_with_the_next_step(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="use `tls: off`"):
        ensure_certificate(tmp_path / "file")


def test_a_failed_write_leaves_no_scraps(tmp_path):
    (tmp_path / "certificate.pem").mkdir()  # a folder stands in the way
    with pytest.raises(ConfigError, match="cannot be written"):
        ensure_certificate(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".certificate.pem.") and path.suffix != ".lock"] == []


def test_a_second_start_waits_for_the_first_and_gives_up_at_last(tmp_path, monkeypatch):
    monkeypatch.setattr("gateway.tls.LOCK_WAIT_S", 0.01)
    with FileLock(tmp_path / ".certificate.pem.lock"), pytest.raises(ConfigError, match="another process holds it"):
        ensure_certificate(tmp_path)


def test_a_certificate_of_your_own_is_used_as_it_is(tmp_path):
    certificate, key = own_pair(tmp_path)
    files = own_certificate(certificate, key)
    assert (files.certificate, files.key, files.created, files.warning) == (certificate, key, False, None)
    assert files.expires == parsed(files).not_valid_after_utc


def test_your_own_certificate_is_warned_about_in_its_last_thirty_days(tmp_path):
    pair = own_pair(tmp_path, ends=NOW + 31 * DAY)
    assert own_certificate(*pair, NOW).warning is None
    assert "renew it and restart" in own_certificate(*pair, NOW + 2 * DAY).warning


@pytest.mark.parametrize(
    ("begins", "ends", "said"),
    [(NOW - 3 * DAY, NOW - DAY, "expired on"), (NOW + DAY, NOW + 99 * DAY, "Check this machine's clock")],
)
def test_your_own_certificate_must_be_valid_now(tmp_path, begins, ends, said):
    with pytest.raises(ConfigError, match=said):
        own_certificate(*own_pair(tmp_path, begins=begins, ends=ends))


def test_a_certificate_and_a_key_that_do_not_belong_together_are_refused(tmp_path):
    certificate, _ = own_pair(tmp_path / "a")
    _, key = own_pair(tmp_path / "b")
    with pytest.raises(ConfigError, match="do not belong together"):
        own_certificate(certificate, key)


def test_a_key_with_a_passphrase_is_refused_without_asking_for_it(tmp_path):
    with pytest.raises(ConfigError, match="is encrypted"):
        own_certificate(*own_pair(tmp_path, passphrase=b"words"))


@pytest.mark.parametrize("missing", ["certificate", "key"])
def test_a_missing_file_is_named(tmp_path, missing):
    certificate, key = own_pair(tmp_path)
    gone = {"certificate": certificate, "key": key}[missing]
    gone.unlink()
    with pytest.raises(ConfigError, match=f"{gone.name} cannot be read: No such file"):
        own_certificate(certificate, key)


@pytest.mark.parametrize(("broken", "said"), [("certificate", "holds no PEM certificate"), ("key", "one of them is not PEM")])
def test_a_file_that_holds_something_else_is_refused(tmp_path, broken, said):
    certificate, key = own_pair(tmp_path)
    {"certificate": certificate, "key": key}[broken].write_text("something else")
    with pytest.raises(ConfigError, match=said):
        own_certificate(certificate, key)

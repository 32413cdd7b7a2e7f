"""Random values near a word that says what they are, and random values that need no word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary
from gateway.egress.rules.checksums import base58check, safely
from gateway.egress.rules.randomness import entropy, kind
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

SECRET_WORDS = vocabulary(
    "token tokens key keys apikey apikeys appkey authkey accesskey secretkey secret secrets credential "
    "credentials creds auth authorization "
    "authentication password passwords passwd pwd passphrase bearer pat jwt psk hmac licence license webhook cookie session sessionid sid "
    "csrf login otp totp sas signature salt dsn connection "
    "passwort schlüssel zugangsschlüssel geheimnis clé clef jeton clave llave secreto contraseña chiave "
    "segreto gettone chave segredo senha "
    "sleutel wachtwoord geheim klucz hasło sekret ключ ключа токен токена секрет пароль anahtar anahtarı "
    "jetonu şifre şifresi parola nyckel "
    "lösenord nøgle nøkkel passord avain salasana heslo klíč kulcs jelszó κλειδί κωδικός κωδικό "
    "密钥 密鑰 令牌 密码 密碼 口令 キー トークン パスワード 秘密 鍵 토큰 키 비밀번호 암호 مفتاح رمز كلمة_المرور कुंजी टोकन पासवर्ड מפתח סיסמה"
)
VENDORS = vocabulary(
    "algolia datadog heroku cloudflare fastly twilio mailchimp mandrill pagerduty opsgenie rollbar bugsnag amplitude mixpanel segment "
    "intercom zendesk freshdesk hubspot airtable dropbox okta auth0 plaid coinbase binance kraken bitfinex kucoin adyen paypal braintree "
    "razorpay postmark sparkpost sonarqube sonarcloud newrelic splunk honeycomb snowflake confluent pinecone cohere mistral assemblyai "
    "deepgram elevenlabs wandb snyk circleci travis codecov coveralls buildkite linode hetzner vultr scaleway alibaba tencent yandex "
    "artifactory nexus vault consul nomad launchdarkly statsig posthog typeform contentful sanity etherscan infura alchemy mapbox maptiler "
    "openweathermap trello jira bitbucket zoom messagebird sinch vonage nexmo plivo telnyx sendinblue mailjet klaviyo pusher ably "
    "cloudinary imgix bunnycdn backblaze wasabi squarespace wix shippo lob clearbit fullcontact hunter rapidapi openrouter together "
)
OTHER_WORDS = vocabulary(
    "commit commits sha sha1 sha224 sha256 sha384 sha512 md5 crc crc32 blake2 hash hashes hashed digest checksum etag uuid guid trace "
    "traceid span request requestid correlation id ids fingerprint thumbprint integrity image layer blob object tree parent revision rev "
    "build version release snapshot block tx transaction txid contract address public pubkey cursor order ticket invoice tracking serial "
    "issue job run task message msgid container pod instance volume node device asset file filename path branch merge head ref refs "
    "tenant model dataset artifact package bundle chunk asset index module import url svn git hg gist pin_digest "
    "prüfsumme empreinte suma somma soma хэш хеш коммит 哈希 校验 提交 ハッシュ コミット 해시 커밋"
)
HASH_WORDS = vocabulary(
    "sha sha1 sha224 sha256 sha384 sha512 md5 hash hashes digest checksum etag integrity fingerprint thumbprint public pubkey cursor "
    "prüfsumme empreinte хэш хеш 哈希 ハッシュ 해시"
)
_NOT_SECRET = re.compile(
    r"(?:primary|foreign|public|cache|partition|sort|row|object|index|idempotency|natural|composite|dedup\w*|"
    r"routing|shard|map|dict|sorting|"
    r"hot|short|page|continuation|next|csrf_header|cancellation|lookup|join|unique)[\s_-]*(?:key|token)s?\b"
    r"|(?:key|token|secret|license|session)[\s_-]*(?:id|ids|name|type|version|count|length|size|hash|"
    r"fingerprint|uri|url|path|file|vault|ring)\b"
    r"|(?:max|min|num|n|input|output|prompt|completion|total)[\s_-]*tokens?\b"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PREFIXED_HEX = re.compile(r"[A-Za-z]{2,12}(?:[_\-][a-z0-9]{1,8}){0,3}[_\-](?:[0-9a-f]{28,128})")
_PUBLIC = re.compile(r"AAAA[BCE]3NzaC1|AAAAE2VjZHNh|MII[A-Z]|sha(?:1|256|384|512)[:\-]|iVBORw0|R0lGOD|/9j/|JVBERi|UEsDB|PHN2Zy|d09G")
_BEFORE_PUBLIC = re.compile(
    r"(?:sha(?:1|224|256|384|512)[-:=]|base64,|integrity[\"':= ]+|ssh-[\w]+ |ecdsa-[\w-]+ |[/@#]|v=|\.|"
    r"etag\W+)$",
    re.IGNORECASE,
)
_CERTIFICATE = re.compile(
    r"-----BEGIN (?:CERTIFICATE|PUBLIC KEY|PGP PUBLIC|PGP SIGNED|PGP SIGNATURE|PGP MESSAGE|X509|RSA PUBLIC|SSH2 PUBLIC)"
)
_DATA_URI = re.compile(r"data:[\w/+.\-]{1,60}(?:;[\w=\-]{1,40})?;base64(?:,|%2C)[A-Za-z0-9+/=%\s]{0,60000}")
_FILE_END = re.compile(
    r"\.(?:js|css|html?|png|jpe?g|svg|py|go|rs|java|ts|tsx|json|ya?ml|toml|md|txt|zip|gz|whl|jar|so|map|"
    r"woff2?|lock)$",
    re.IGNORECASE,
)


def find_keyed(view: View) -> Iterator[Span]:
    """SECRET where a word nearby says so, HIGH_ENTROPY where the run alone does; CRYPTO for addresses of wallets."""
    if not view.blobs:
        return
    public = list(_public_stretches(view))
    for start, end in view.blobs:
        run = view.text[start:end].rstrip(".-/")
        shape = kind(run)
        if not (shape or _PREFIXED_HEX.fullmatch(run)) or _is_public(view, start, run):
            continue
        if any(first <= start < last for first, last in public):
            continue
        entity = _verdict(view, start, run, shape)
        if entity:
            yield Span(start, start + len(run), entity, 0.8)


def _public_stretches(view: View) -> Iterator[tuple[int, int]]:
    """Certificates, public keys and pictures inside the text."""
    if "-----BEGIN" in view.text:
        for found in _CERTIFICATE.finditer(view.text):
            end = view.text.find("-----END", found.end())
            yield found.start(), end if end >= 0 else len(view.text)
    if "data:" in view.lower:
        for found in _DATA_URI.finditer(view.text):
            yield found.span()


def _is_public(view: View, start: int, run: str) -> bool:
    """Hashes with their name, public keys, certificates, pictures, file names."""
    before = view.text[max(0, start - 24) : start]
    return bool(_PUBLIC.match(run) or _BEFORE_PUBLIC.search(before) or _FILE_END.search(run))


def _verdict(view: View, start: int, run: str, shape: str) -> str:
    if run[0] in "13" and 26 <= len(run) <= 35 and safely(base58check, run):
        return "CRYPTO"
    words = _nearest(view, start, start + len(run))
    if words == "other" and (shape != "mixed" or HASH_WORDS.near(view, start, start + len(run), before=40, after=0)):
        return ""
    if words == "secret" and _long_enough(run, shape):
        return "SECRET"
    if not shape:
        return "HIGH_ENTROPY" if not OTHER_WORDS.inside(run.lower()) else ""
    return "HIGH_ENTROPY" if shape == "mixed" and _bare(run) else ""


def _long_enough(run: str, shape: str) -> bool:
    return len(run) >= {"hex": 20, "": 28, "mixed": 12, "lower": 14, "upper": 14, "uuid": 36}[shape]


def _bare(run: str) -> bool:
    """Strict: there is nothing but the run to go by."""
    digits = sum(char.isdigit() for char in run)
    return len(run) >= 24 and digits >= 2 and entropy(run) >= (3.9 if len(run) >= 28 else 4.0) and run.count("/") <= 3


def _nearest(view: View, start: int, end: int) -> str:
    """`secret` or `other`: which kind of word stands nearest before the run, else after it; "" for none."""
    window = _CAMEL.sub(" ", view.text[max(0, start - 64) : start]).lower().split("\n\n")[-1]
    window = _NOT_SECRET.sub(lambda found: " id".rjust(len(found[0])), window)
    secret = max(SECRET_WORDS.last(window), VENDORS.last(window))
    other = OTHER_WORDS.last(window)
    if secret >= 0 or other >= 0:
        return "secret" if secret > other else "other"
    after = re.split(r"[\n.;,]", view.lower[end : end + 48], maxsplit=1)[0]
    if OTHER_WORDS.inside(after):
        return "other"
    return "secret" if SECRET_WORDS.inside(after) else ""


KEYED_VALUES = Finder(("SECRET", "HIGH_ENTROPY", "CRYPTO"), find_keyed, exact=False)

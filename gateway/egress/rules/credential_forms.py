"""How credentials stand in URLs, headers, command lines, program calls and files of programs: the table of `credentials.py`."""

from __future__ import annotations

FORMS: tuple[tuple[str, str, str], ...] = (
    # `=` and words of which one must occur, or a literal, in lower case; entity; expression whose group `t` is the secret
    (
        "://",
        "URL_CREDENTIAL",
        r"://[^\s:/@\"'<>?#]{0,120}:(?P<t>[^\s/\"'<>]{1,200})@(?![\w.\-]{0,60}\bexample\.(?:com|org|"
        r"net))(?=[\w\[%$.\-])",
    ),
    ("://", "URL_CREDENTIAL", r"://(?P<t>(?=[^\s@/]{0,80}\d)[A-Za-z0-9_\-.~]{16,200})@(?=[\w\[])"),
    ("://", "URL_CREDENTIAL", r"://[^\s:/@\"'<>?#]{1,120}:(?P<t>[^\s@\"'<>]{1,200})@(?=[\w\[%$.\-]+[:/?]|[\w.\-]+\.\w)"),
    (
        "@",
        "URL_CREDENTIAL",
        r"(?<![\w/:])[A-Za-z_][\w.\-]{1,30}:(?P<t>(?=[^\s@]{0,60}\d)[^\s@/:\"'<>,;]{5,80})@(?:\d{1,3}(?:\.\d{1,3})"
        r"{3}|[\w\-]+(?:\.[\w\-]+)*)(?::\d{2,5}|/)",
    ),
    (
        "=",
        "URL_CREDENTIAL",
        r"[?&;](?:password|passwd|pwd|pass|token|access_token|refresh_token|id_token|api_?key|apikey|key|secret|"
        r"client_secret|auth|auth_token|code|sig|signature|session|sid|jwt|otp|ticket|credential|sv|"
        r"subscription-key|x-api-key|appid|app_key)=(?P<t>[^&\s\"'<>#;]{6,2000})",
    ),
    ("=pwd", "PASSWORD", r"(?<![a-z])pwd\s?=\s?\{?(?P<t>[^;\s\"'{}&]{2,120})"),
    (
        "=authorization|proxyauthorization",
        "AUTH_HEADER",
        r"(?:proxy-)?authorization[\"']?\s{0,4}[:=,]\s{0,4}[\"'`]?\s{0,2}(?:\w+[\"'`]?\s+)?(?P<t>[A-Za-z0-9+/=_.~\-:]"
        r"{8,4000})",
    ),
    (
        "=authorization|proxyauthorization",
        "AUTH_HEADER",
        r"authorization[\"']?\s{0,4}[:=]\s{0,4}[\"'`]?(?:digest|aws4-hmac-sha256|hawk|oauth|"
        r"signature)\s(?P<t>[^\n\"'`]{20,2000})",
    ),
    ("=bearer", "AUTH_HEADER", r"bearer[\s:=+]{1,3}[\"'`]?(?P<t>(?=[A-Za-z_.\-]{0,200}\d)[A-Za-z0-9+/=_.~\-:]{8,4000})"),
    ("=basic", "AUTH_HEADER", r"basic\s(?P<t>(?=[A-Za-z0-9+/]{0,80}[A-Z0-9])[A-Za-z0-9+/]{10,400}={0,2})(?![\w=])"),
    (
        "=cookie|cookies",
        "AUTH_HEADER",
        r"(?:set-)?cookies?[\"']?\s{0,2}[:=]\s{0,2}[\"'`]?(?P<t>[\w.\-]{2,40}=[^\s;\"']{8,2000}(?:;\s?[\w.\-]{2,40}=[^\s;\"']"
        r"{1,2000}){0,20})",
    ),
    (
        "sess",
        "AUTH_HEADER",
        r"(?:php|asp\.net_|j|connect\.|_)?sess(?:ion)?(?:_?id|_token|_key|"
        r"\.sid)?\s?[=:]\s?[\"']?(?P<t>(?=[A-Za-z_%.\-]{0,60}\d)[\w%.\-+/]{16,400})",
    ),
    (
        "x-",
        "AUTH_HEADER",
        r"(?:x-[a-z\-]{0,30}(?:key|token|secret|auth|signature|password)|private-token|job-token|api-key|"
        r"xi-api-key|ocp-apim-subscription-key|dd-api-key|dd-application-key|"
        r"x-vault-token)[\"']?\s{0,3}[:=]\s{0,3}[\"'`]?(?P<t>[A-Za-z0-9+/=_.~\-]{8,2000})",
    ),
    (
        "-token",
        "AUTH_HEADER",
        r"(?:private|job|deploy|csrf|auth|"
        r"access)-token[\"']?\s{0,3}[:=]\s{0,3}[\"'`]?(?P<t>[A-Za-z0-9+/=_.~\-]{8,2000})",
    ),
    ("api-key", "AUTH_HEADER", r"api-key[\"']?\s{0,3}[:=]\s{0,3}[\"'`]?(?P<t>[A-Za-z0-9+/=_.~\-]{8,2000})"),
    ("=curl", "PASSWORD", r"curl\b[^\n]{0,300}?\s(?:-u|--user|--proxy-user|-U)[\s=]?[\"']?[^\s:\"']{1,80}:(?P<t>[^\s\"']{2,120})"),
    ("=wget", "PASSWORD", r"wget\b[^\n]{0,200}?--(?:http-|ftp-|proxy-)?password[= ][\"']?(?P<t>[^\s\"']{2,120})"),
    ("=sshpass", "PASSWORD", r"sshpass\s+-p\s?[\"']?(?P<t>[^\s\"']{2,120})"),
    (
        "=mysql|mysqldump|mysqladmin|mariadb",
        "PASSWORD",
        r"(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,160}?\s-p(?P<t>[^\s\"'\-][^\s\"']{1,80})",
    ),
    ("=sqlcmd|bcp|osql", "PASSWORD", r"(?:sqlcmd|bcp|osql)\b[^\n|;]{0,160}?\s-P\s?[\"']?(?P<t>[^\s\"']{2,120})"),
    ("=psexec", "PASSWORD", r"psexec(?:64)?(?:\.exe)?\b[^\n]{0,200}?\s[-/]p\s+[\"']?(?P<t>[^\s\"']{2,120})"),
    ("=net", "PASSWORD", r"net\s+use\b[^\n]{0,160}?\\\\\S{1,80}\s+(?!/)[\"']?(?P<t>[^\s\"'/*][^\s\"']{2,80})"),
    ("=net", "PASSWORD", r"net\s+use\b[^\n]{0,160}?/user:\S{1,60}\s+[\"']?(?P<t>[^\s\"'/*][^\s\"']{2,80})"),
    ("=net", "PASSWORD", r"net\s+user\s+\S{1,60}\s+[\"']?(?P<t>[^\s\"'/*][^\s\"']{3,80})"),
    ("/pass:", "PASSWORD", r"/pass(?:word)?:[\"']?(?P<t>[^\s\"']{3,80})"),
    ("=cmdkey", "PASSWORD", r"cmdkey\b[^\n]{0,160}?/pass:[\"']?(?P<t>[^\s\"']{2,80})"),
    ("=schtasks", "PASSWORD", r"schtasks\b[^\n]{0,300}?\s/rp\s+[\"']?(?P<t>[^\s\"']{2,80})"),
    ("=wmic", "PASSWORD", r"wmic\b[^\n]{0,200}?/password:[\"']?(?P<t>[^\s\"']{2,80})"),
    ("=xfreerdp", "PASSWORD", r"xfreerdp\b[^\n]{0,200}?/p:[\"']?(?P<t>[^\s\"']{2,80})"),
    ("=rdesktop", "PASSWORD", r"rdesktop\b[^\n]{0,200}?\s-p\s+[\"']?(?P<t>[^\s\"']{2,80})"),
    (
        "=docker|podman|helm|oc|az|registry|buildah|skopeo",
        "PASSWORD",
        r"(?:docker|podman|helm|oc|az|registry|buildah|"
        r"skopeo)\b[^\n]{0,160}?login\b[^\n]{0,160}?\s-p[\s=]?[\"']?(?P<t>[^\s\"']{3,200})",
    ),
    ("=redis", "PASSWORD", r"redis-cli\b[^\n]{0,160}?\s-a\s+[\"']?(?P<t>[^\s\"']{2,120})"),
    (
        "=mongo|mongosh|mongodump|mongorestore",
        "PASSWORD",
        r"mongo(?:sh|dump|restore|export|import)?\b[^\n]{0,160}?\s-p\s+[\"']?(?P<t>[^\s\"']{2,120})",
    ),
    (
        "=ldapsearch|ldapmodify|ldapadd|ldapwhoami|ldappasswd|ldapdelete",
        "PASSWORD",
        r"ldap(?:search|modify|add|whoami|passwd|delete)\b[^\n]{0,200}?\s-w\s+[\"']?(?P<t>[^\s\"']{2,120})",
    ),
    (
        "=smbclient|rpcclient|smbmap|crackmapexec|impacket|mount|winrm",
        "PASSWORD",
        r"(?:smbclient|rpcclient|smbmap|crackmapexec|evil-winrm|impacket-\w+|mount)\b[^\n]{0,200}?(?:%|"
        r"\s-p\s+[\"']?|-U\s?\S+%)(?P<t>[^\s\"']{3,80})",
    ),
    ("=passin|passout|pass", "PASSWORD", r"-pass(?:in|out)?\s+(?:pass:)(?P<t>[^\s\"']{2,120})"),
    ("pass:", "PASSWORD", r"(?<!\w)pass:(?P<t>(?=[^\s\"']{0,40}\d)[^\s\"']{5,120})"),
    ("=keytool", "PASSWORD", r"keytool\b[^\n]{0,200}?-(?:store|key)pass\s+[\"']?(?P<t>[^\s\"']{2,120})"),
    ("-storepass", "PASSWORD", r"-(?:src|dest)?(?:store|key)pass\s+[\"']?(?P<t>[^\s\"']{2,120})"),
    (
        "=zip|unzip|rar|unrar|z|za",
        "PASSWORD",
        r"\b(?:zip|unzip|7z|7za|rar|unrar)\b[^\n]{0,100}?\s-(?:P\s?|p)[\"']?(?P<t>[^\s\"'\-][^\s\"']{2,80})",
    ),
    ("=chpasswd", "PASSWORD", r"echo\s+[\"']?\w[\w.\-]{0,40}:(?P<t>[^\s\"']{2,120})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd"),
    ("=sudo", "PASSWORD", r"echo\s+[\"']?(?P<t>[^\s\"'|]{3,80})[\"']?\s*\|\s*sudo\s+-S"),
    ("=htpasswd", "PASSWORD", r"htpasswd\s+-\w*b\w*\s+(?:\S{1,80}\s+)?\S{1,60}\s+[\"']?(?P<t>[^\s\"']{3,80})"),
    ("networkcredential", "PASSWORD", r"NetworkCredential\(\s*[\"'][^\"'\n]{0,120}[\"']\s*,\s*@?[\"'](?P<t>[^\"'\n]{2,160})[\"']"),
    (
        "basiccredentials",
        "PASSWORD",
        r"Basic(?:AWS|Session)?Credentials?\(\s*[\"'][^\"'\n]{0,120}[\"']\s*,\s*[\"'](?P<t>[^\"'\n]{2,160})[\"']",
    ),
    (
        "authentication(",
        "PASSWORD",
        r"(?:Password|Basic|Digest|"
        r"\w+)Authentication\(\s*[\"'][^\"'\n]{0,120}[\"']\s*,\s*[\"'](?P<t>[^\"'\n]{2,160})[\"']",
    ),
    (
        "auth",
        "PASSWORD",
        r"(?:HTTP(?:Basic|Digest)Auth|basic_auth|basicAuth|BasicAuth|SetBasicAuth|\.auth|login|authenticate|"
        r"auth)\(\s*[\"'][^\"'\n]{1,120}[\"']\s*,\s*[\"'](?P<t>[^\"'\n]{3,160})[\"']",
    ),
    ("auth", "PASSWORD", r"auth\s{0,2}[=:]\s{0,2}[(\[]\s{0,2}[\"'][^\"'\n]{1,120}[\"']\s{0,2},\s{0,2}[\"'](?P<t>[^\"'\n]{2,160})[\"']"),
    ("login(", "PASSWORD", r"\.login\(\s*[\"'][^\"'\n]{1,120}[\"']\s*,\s*[\"'](?P<t>[^\"'\n]{3,160})[\"']"),
    ("getconnection", "PASSWORD", r"getConnection\([^)\n]{0,200},\s*[\"'][^\"'\n]{1,80}[\"']\s*,\s*[\"'](?P<t>[^\"'\n]{2,120})[\"']"),
    (
        "connect(",
        "PASSWORD",
        r"(?:mysqli?_connect|mysqli|PDO|pg_connect|oci_connect|ldap_bind|ssh2_auth_password|"
        r"connect)\([^)\n]{0,160}?,\s*[\"'][^\"'\n]{1,80}[\"']\s*,\s*[\"'](?P<t>[^\"'\n]{3,120})[\"']",
    ),
    ("convertto-securestring", "PASSWORD", r"ConvertTo-SecureString\s+(?:-String\s+)?[\"'](?P<t>[^\"'\n]{2,200})[\"']"),
    ("pscredential", "PASSWORD", r"PSCredential\s*\(\s*[\"'][^\"'\n]{0,80}[\"']\s*,\s*\(?[^)\n]{0,60}?[\"'](?P<t>[^\"'\n]{2,160})[\"']"),
    ("=identified", "PASSWORD", r"identified\s+(?:with\s+\w+\s+)?by\s+(?:password\s+)?[\"'](?P<t>[^\s\"';]{2,120})[\"']"),
    ("=machine", "PASSWORD", r"machine\s+\S{1,120}\s+login\s+\S{1,120}\s+password\s+(?P<t>\S{2,200})"),
    ("=login", "PASSWORD", r"login\s+\S{1,120}\s+(?:password|pass)\s+(?P<t>\S{2,200})"),
    (":", "PASSWORD", r"(?m)^[\w.\-*]{1,80}:(?:\d{2,5}|\*):[\w\-*]{1,60}:[\w.\-*]{1,60}:(?P<t>\S{2,120})$"),
    ("_auth", "SECRET", r"_auth(?:Token)?\s?[=:]\s?[\"']?(?P<t>[A-Za-z0-9+/=_\-.]{8,400})"),
    ('"auth"', "SECRET", r"\"(?:auth|identitytoken|registrytoken)\"\s?:\s?\"(?P<t>[A-Za-z0-9+/=_\-.]{8,2000})\""),
    ("_password", "SECRET", r":_password\s?=\s?[\"']?(?P<t>[A-Za-z0-9+/=]{6,200})"),
    (
        "accountkey",
        "SECRET",
        r"(?:AccountKey|SharedAccessKey|SharedSecretValue|"
        r"SharedAccessSignature)\s?=\s?(?P<t>[A-Za-z0-9+/%\-_]{16,400}={0,2})",
    ),
    ("endpoint=", "SECRET", r";\s?(?:AccessKey|accesskey|Secret)\s?=\s?(?P<t>[A-Za-z0-9+/]{16,200}={0,2})"),
    ("privatekey", "PRIVATE_KEY", r"PrivateKey\s?[=:]\s?[\"']?(?P<t>[A-Za-z0-9+/]{42,43}=?)"),
    ("presharedkey", "PRIVATE_KEY", r"PresharedKey\s?[=:]\s?(?P<t>[A-Za-z0-9+/]{42,43}=?)"),
    ("=snmp", "PASSWORD", r"snmp-server\s+community\s+(?P<t>\S{3,60})"),
    ("=enable", "PASSWORD", r"enable\s+secret\s+(?:\d\s+)?(?P<t>\S{3,120})"),
    ("=community", "PASSWORD", r"community(?:\s+string)?\s*(?:is|=|:)\s*[\"']?(?P<t>(?=[^\s\"']{0,30}[\d!@#$%_\-])[^\s\"',;]{4,60})"),
    ("=username", "PASSWORD", r"username\s+\S{1,60}\s+(?:privilege\s+\d+\s+)?(?:password|secret)\s+(?:\d\s+)?(?P<t>\S{3,120})"),
    ("=wpa|psk|passphrase", "PASSWORD", r"(?:psk|wpa_?psk|wpa-psk|passphrase)\s?[=:]\s?[\"']?(?P<t>[^\s\"']{8,64})"),
    ("wifi:", "PASSWORD", r"WIFI:[^\n]{0,80}?;?P:(?P<t>[^;\n]{3,80});"),
    (
        "login|logins:|zugangsdaten|identifiants|credenciales|credenziali|acesso|user:|user=|username:|username=|"
        "acceso:|usuario:|benutzer:|identifiant:|identifiant :|zugang:|utente:|логин:|credential|creds",
        "PASSWORD",
        r"(?<!/)(?:login|logins|user|username|acceso|usuario|benutzer|identifiant|zugang|zugangsdaten|"
        r"identifiants|accès|credenciales|credenziali|acesso|utente|логин|credentials?|"
        r"creds)(?:\s[\w.\-]{1,20}){0,2}\s?[:=]\s?[\w.@\-\\]{1,60}\s?(?:/|\||:|,\s?(?:pw|"
        r"pass)?:?)\s?(?P<t>(?=[^\s\"',;]{0,60}[\d!@#$%&*?])[^\s\"',;|]{4,80})",
    ),
    (
        "credential|creds|login|log in|logging in|sign in",
        "PASSWORD",
        r"(?:credentials?|creds|login|log in|logging in|sign in)(?:\s+(?:are|is|for|with|as|to|the|"
        r"using)){0,3}[\w\s.\-]{0,30}?[:\s]\s?[\"'`]?[\w.@\-\\]{2,60}[\"'`]?\s?(?:/|:|"
        r"\s/\s)\s?[\"'`]?(?P<t>(?=[^\s\"'`,;]{0,60}\d)(?=[^\s\"'`,;]{0,60}[A-Za-z!@#$%&*?])[^\s\"'`,;/]{4,80})",
    ),
    (
        "login as|log in as|log-in as|signin as|sign in as|login with|log in with|sign in with|connect as|"
        "connect with|authenticate as|authenticate with",
        "PASSWORD",
        r"(?:log[\s-]?in|sign[\s-]?in|connect|authenticate)\s+(?:as|with)\s+[\w.@\-\\]{2,60}\s?(?:/|:|and|with|"
        r"using)\s?(?:password\s)?(?P<t>(?=[^\s\"',;]{0,60}[\d!@#$%&*?])[^\s\"',;]{5,80})",
    ),
    (
        "=gradle|signing|keypassword|storepassword",
        "PASSWORD",
        r"(?:signing\.(?:password|keyPassword)|\w*[pP]assword)\s?[= ]\s?[\"']?(?P<t>[^\s\"'()]{3,120})",
    ),
)

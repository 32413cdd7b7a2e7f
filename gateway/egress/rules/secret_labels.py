"""What people call their secrets in many languages, and the words by which a value follows."""

from __future__ import annotations

from gateway.egress.rules.base import word_list

PASSWORD_LABELS = word_list(
    "password passwords passwd passwort passwörter kennwort zugangscode zugangsdaten losungswort passcode "
    "pass_code passphrase pass_phrase pwd passwrd psswd pword pw pass "
    "requirepass masterauth psk wpa_passphrase login_code "
    "mot_de_passe mdp code_secret code_d'accès code_d'acces phrase_secrète phrase_de_passe contraseña "
    "contrasena contraseñas clave clave_de_acceso palabra_clave "
    "palabra_de_paso frase_de_paso código_secreto contrasenya parola_d'ordine parola_chiave codice_segreto codice_di_accesso senha "
    "palavra-passe palavra_passe código_de_acesso frase_secreta wachtwoord wachtwoordzin toegangscode "
    "geheime_code hasło haslo hasła hasłem "
    "kod_dostępu пароль пароля паролем парола пароли кодовое_слово код_доступа şifre şifresi şifrem şifremiz sifre sifresi parola parolası "
    "parolam lösenord lösenordet adgangskode adgangskoden passord passordet kodeord kodeordet salasana "
    "salasanani heslo hesla jelszó jelszava "
    "jelszo parolă κωδικός κωδικός_πρόσβασης συνθηματικό סיסמה סיסמא הסיסמה mật_khẩu kata_sandi sandi "
    "lozinka zaporka geslo slaptažodis parool "
    "contrasinal pasahitza lykilorð focalfaire "
    "密码 密碼 口令 通行码 暗号 暗證 パスワード 暗証番号 合言葉 パスコード 비밀번호 패스워드 암호 كلمة_المرور كلمة_السر كلمة_مرور "
    "الرمز_السري الرقم_السري पासवर्ड कूटशब्द รหัสผ่าน"
)
SECRET_LABELS = word_list(
    "secret secrets token tokens apikey api_key api-key apitoken access_key accesskey access-key secret_key "
    "secretkey private_key privatekey client_secret "
    "shared_key sharedaccesskey account_key accountkey encryption_key encryptionkey signing_key signingkey "
    "master_key license_key licence_key "
    "licence licensekey auth_key authkey credential credentials creds auth_token authtoken app_key appkey "
    "consumer_key bot_token webhook_secret "
    "session_key storage_key service_key product_key activation_key hmac_key webhook_url recovery_key "
    "wallet_key wif security_key rails_master_key "
    "schlüssel api-schlüssel zugangsschlüssel geheimnis clé_api clé_secrète clé_d'api jeton jeton_d'accès "
    "clave_api clave_secreta llave_secreta "
    "token_de_acceso chiave_api chiave_segreta gettone chave_api chave_secreta chave_de_api segredo sleutel "
    "api-sleutel klucz_api klucz tajny_klucz sekret "
    "ключ api-ключ секрет секретный_ключ токен токен_доступа anahtar api_anahtarı gizli_anahtar nyckel "
    "api-nyckel api-nøgle api-nøkkel nøkkel "
    "api-avain avain api_klíč tajný_klíč api_kulcs titkos_kulcs cheie_api κλειδί_api κλειδί "
    "密钥 密鑰 秘钥 令牌 访问令牌 金鑰 apiキー トークン 秘密鍵 シークレット アクセスキー "
    "api_키 토큰 시크릿 비밀키 액세스_키 "
    "مفتاح_api المفتاح_السري المفتاح رمز_الوصول कुंजी एपीआई_कुंजी "
    "टोकन מפתח_api טוקן khóa_api kunci_api"
)
PIN_LABELS = word_list(
    "pin pin-code pincode pin_code pins passcode pass_code access_code door_code gate_code alarm_code "
    "entry_code unlock_code safe_code lock_code security_code "
    "keypad_code garage_code voicemail_code vault_code screen_lock lock_combination safe_combination combination "
    "otp one-time_code one_time_code verification_code 2fa_code mfa_code sms_code login_code auth_code puk puk_code "
    "geheimzahl geheimnummer türcode tür-code alarmcode zugangscode code_pin code_secret digicode "
    "code_d'accès código_pin código_de_acceso clave_pin codice_pin pincode kod_pin "
    "pin-код пин-код пинкод пин код_от_домофона pin_kodu pin-kod pinkoodi 暗証番号 pinコード 密码锁 핀번호 핀_번호 الرقم_السري पिन बैंक_पिन"
)

LINKS = (
    r", (?:it's|it is|which is|that's|namely)\b|=>|:=|==?|:|->|→|-{1,2}>|\bis\b|\bwas\b|\bare\b|\breads?\b|"
    r"\bset to\b|\bchanged to\b|\bnow\b|\bbecomes?\b|\bequals?\b|"
    r"\blautet\b|\bist\b|\bheißt\b|\bheisst\b|\bwar\b|\best\b|\bes\b|\bsería\b|(?<= )è |\bé\b|\bto\b|\bbrzmi\b|"
    r"\bjest\b|\b(?:wachtwoord )?luidt\b|"
    r"\bär\b|\ber\b|\bon\b|\bje\b|\bвот\b|\bэто\b|(?:は|が|是|为|為|는|은|이|가)|\bهي\b|\bهو\b|\bहै\b|\beste\b|\bείναι\b|\blà\b|\badalah\b"
)
"""Alternatives of an expression: what may stand between a label and its value."""

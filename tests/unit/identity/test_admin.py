"""The admin password: who holds it, how often one may guess, and where it comes from."""

import pytest
from filelock import FileLock

from gateway.errors import ConfigError, TooManyRequests, Unauthorized
from gateway.identity import Admin, ensure_admin_password

PASSWORD = "correct " + "horse"


class Clock:
    """Seconds that only pass when told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def admin(clock):
    return Admin(PASSWORD, clock)


def guess(admin, client, times=1, sent="Bearer wrong"):
    for _ in range(times):
        with pytest.raises(Unauthorized):
            admin.check(sent, client)


@pytest.mark.parametrize("sent", [f"Bearer {PASSWORD}", f"bearer {PASSWORD}", f"Bearer   {PASSWORD} ", f" Bearer {PASSWORD}"])
def test_the_password_opens(admin, sent):
    admin.check(sent, "10.0.0.1")


@pytest.mark.parametrize(
    "sent",
    [
        *(None, "", "Bearer", "Bearer ", PASSWORD, f"Basic {PASSWORD}", f"Bearer{PASSWORD}"),
        *("Bearer correct", f"Bearer {PASSWORD.upper()}", f"Bearer {PASSWORD}x", "Bearer None", "Bearer \x00", f"Bearer {PASSWORD}\xa0"),
    ],
)
def test_nothing_else_does(admin, sent):
    guess(admin, "10.0.0.1", sent=sent)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_password_with_umlauts_opens_in_either_encoding(encoding):
    header = b"Bearer " + "schlüssel".encode(encoding)
    Admin("schlüssel").check(header.decode("latin-1"), "10.0.0.1")


def test_a_header_with_characters_beyond_latin_1_is_a_wrong_password(admin):
    guess(admin, "10.0.0.1", sent="Bearer п\u2603")


@pytest.mark.parametrize("none", [None, ""])
def test_without_a_password_nobody_is_admin_and_the_answer_says_how_to_set_one(none):
    with pytest.raises(Unauthorized, match="ELUVIX_ADMIN_PASSWORD"):
        Admin(none).check("Bearer ", "10.0.0.1")
    with pytest.raises(Unauthorized, match="ELUVIX_ADMIN_PASSWORD"):
        Admin(none).check("Bearer None", "10.0.0.1")


def test_ten_wrong_passwords_close_the_door_also_for_the_right_one(admin):
    guess(admin, "10.0.0.1", 9)
    admin.check(f"Bearer {PASSWORD}", "10.0.0.1")
    guess(admin, "10.0.0.1")
    with pytest.raises(TooManyRequests):
        admin.check(f"Bearer {PASSWORD}", "10.0.0.1")


def test_the_door_is_closed_to_that_address_only(admin):
    guess(admin, "10.0.0.1", 10)
    admin.check(f"Bearer {PASSWORD}", "10.0.0.2")


def test_the_door_opens_again_a_minute_after_the_first_wrong_password(admin, clock):
    guess(admin, "10.0.0.1")
    clock.now += 45
    guess(admin, "10.0.0.1", 9)
    with pytest.raises(TooManyRequests, match="Wait 15 seconds") as caught:
        admin.check(f"Bearer {PASSWORD}", "10.0.0.1")
    assert caught.value.retry_after == 15
    clock.now += 15.1
    admin.check(f"Bearer {PASSWORD}", "10.0.0.1")
    guess(admin, "10.0.0.1", 10)  # and the counting begins anew


def test_tries_at_a_closed_door_do_not_keep_it_closed(admin, clock):
    guess(admin, "10.0.0.1", 10)
    for _ in range(6):
        clock.now += 9.9
        with pytest.raises(TooManyRequests):
            admin.check("Bearer wrong", "10.0.0.1")
    clock.now += 1
    admin.check(f"Bearer {PASSWORD}", "10.0.0.1")


def test_a_request_without_a_password_is_no_wrong_password(admin):
    guess(admin, "10.0.0.1", 50, sent=None)
    admin.check(f"Bearer {PASSWORD}", "10.0.0.1")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("somewhere", "elsewhere", False),
        ("", "", True),
    ],
)
def test_addresses_of_one_network_of_version_6_count_as_one(admin, one, other, same):
    guess(admin, one, 10)
    if same:
        with pytest.raises(TooManyRequests):
            admin.check(f"Bearer {PASSWORD}", other)
    else:
        admin.check(f"Bearer {PASSWORD}", other)


def test_guessing_from_very_many_addresses_takes_no_more_memory(admin):
    for number in range(5000):
        guess(admin, f"client-{number}")
    assert len(admin._failures) <= 4096


def test_no_answer_repeats_the_password_that_was_sent(admin):
    with pytest.raises(Unauthorized) as caught:
        admin.check("Bearer SECRET", "10.0.0.1")
    assert "SECRET" not in str(caught.value)
    assert PASSWORD not in repr(vars(admin))


def test_the_first_start_makes_a_long_password_that_only_this_user_can_read(tmp_path):
    password, file, created = ensure_admin_password(tmp_path)
    assert created
    assert len(password) >= 24
    assert file.read_text() == password + "\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} - {".admin_password.lock"} == {"admin_password"}


def test_the_next_start_reads_it_again_and_another_home_has_another(tmp_path):
    first = ensure_admin_password(tmp_path)
    assert ensure_admin_password(tmp_path) == (first[0], first[1], False)
    (tmp_path / "other").mkdir()
    assert ensure_admin_password(tmp_path / "other")[0] != first[0]


def test_a_password_written_by_hand_is_taken_and_closed_to_others(tmp_path):
    (tmp_path / "admin_password").write_text("  by hand \n")
    (tmp_path / "admin_password").chmod(0o644)
    assert ensure_admin_password(tmp_path)[0] == "by hand"
    assert (tmp_path / "admin_password").stat().st_mode & 0o777 == 0o600


def test_an_empty_file_gets_a_password(tmp_path):
    (tmp_path / "admin_password").write_text("\n")
    password, _, created = ensure_admin_password(tmp_path)
    assert created
    assert ensure_admin_password(tmp_path)[0] == password


def test_a_file_that_cannot_be_used_is_an_error_with_the_next_step(tmp_path):
    (tmp_path / "admin_password").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="or set ELUVIX_ADMIN_PASSWORD"):
        ensure_admin_password(tmp_path)
    with pytest.raises(ConfigError, match="or set ELUVIX_ADMIN_PASSWORD"):
        ensure_admin_password(tmp_path / "admin_password")  # a file in place of the home folder


def test_two_starts_at_once_do_not_make_two_passwords(tmp_path, monkeypatch):
    monkeypatch.setattr("gateway.identity.LOCK_WAIT_S", 0.01)
    with FileLock(tmp_path / ".admin_password.lock"), pytest.raises(ConfigError, match="Timeout"):
        ensure_admin_password(tmp_path)

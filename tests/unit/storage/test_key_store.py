"""Named keys in state.db."""

import re
import sqlite3

import pytest

from gateway.errors import BadRequest, Conflict, Forbidden, NotFound, Unauthorized
from gateway.identity import Identity, NamedKey, key_digest
from gateway.storage import STATE_NAME, state_database
from gateway.storage.keys import KeyStore, new_key


@pytest.fixture
async def state(tmp_path):
    database = state_database(tmp_path)
    await database.open()
    yield database
    await database.close()


@pytest.fixture
def store(state):
    return KeyStore(state)


async def identity(store):
    return Identity([stored.key for stored in await store.all()], open_access=False)


def bearer(key):
    return [(b"authorization", f"Bearer {key}".encode())]


async def test_a_new_key_is_long_random_and_recognisable(store):
    first, second = await store.add("one", None), await store.add("two", None)
    assert first != second
    for key in (first, second):
        assert re.fullmatch(r"elx_[A-Za-z0-9]{40}", key)


async def test_a_new_key_opens_for_its_user_alone(store):
    key = await store.add("bobs", "bob", top_k=5, max_tokens=0)
    who = await identity(store)
    principal = who.principal(bearer(key))
    assert (principal.user, principal.key_name, principal.top_k, principal.max_tokens) == ("bob", "bobs", 5, 0)
    with pytest.raises(Forbidden):
        who.principal([*bearer(key), (b"x-eluvix-user", b"alice")])


async def test_a_key_for_any_user_acts_for_whom_the_request_names(store):
    key = await store.add("app", None)
    assert (await identity(store)).principal([*bearer(key), (b"x-eluvix-user", b"alice")]).user == "alice"


async def test_keys_are_listed_by_name_without_the_keys_themselves(store):
    second, first = await store.add("b", "bob"), await store.add("a", None, top_k=1)
    listed = await store.all()
    assert [stored.key for stored in listed] == [NamedKey("a", key_digest(first), None, 1), NamedKey("b", key_digest(second), "bob")]
    assert [stored.hint for stored in listed] == [first[-4:], second[-4:]]
    assert first not in repr(listed)
    assert second not in repr(listed)


async def test_the_file_holds_no_key(store, state, tmp_path):
    key = await store.add("a", None)
    await state.close()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert key.encode() not in content
    assert key[:20].encode() not in content
    assert key_digest(key) in content


async def test_two_keys_of_one_name_are_refused_and_the_first_stays(store):
    key = await store.add("a", "bob")
    with pytest.raises(Conflict, match="rotate"):
        await store.add("a", None)
    assert (await identity(store)).principal(bearer(key)).user == "bob"


async def test_a_rotated_key_is_new_and_the_old_one_is_worth_nothing(store):
    old = await store.add("a", "bob", top_k=2)
    new = await store.rotate("a")
    who = await identity(store)
    assert (who.principal(bearer(new)).user, who.principal(bearer(new)).top_k) == ("bob", 2)
    with pytest.raises(Unauthorized):
        who.principal(bearer(old))
    assert [stored.hint for stored in await store.all()] == [new[-4:]]


async def test_a_revoked_key_is_worth_nothing_and_its_name_is_free_again(store):
    key = await store.add("a", None)
    await store.add("b", None)
    await store.revoke("a")
    with pytest.raises(Unauthorized):
        (await identity(store)).principal(bearer(key))
    assert [stored.key.name for stored in await store.all()] == ["b"]
    await store.add("a", None)


async def test_what_is_not_there_can_be_neither_rotated_nor_revoked(store):
    await store.add("a", None)
    for change in (store.rotate, store.revoke):
        with pytest.raises(NotFound, match="eluvix keys list"):
            await change("A")


@pytest.mark.parametrize("name", ["", " ", "a b", "-a", ".a", "a/b", "a\n", "é", "a" * 65, "*"])
async def test_a_key_must_have_a_plain_name(store, name):
    with pytest.raises(BadRequest) as caught:
        await store.add(name, None)
    assert caught.value.param == "name"


@pytest.mark.parametrize("name", ["a", "A.b_c-1", "9", "a" * 64])
async def test_plain_names_are_taken(store, name):
    await store.add(name, None)


@pytest.mark.parametrize("user", ["", "*", "..", "../bob", "a b", "é"])
async def test_a_key_cannot_be_bound_to_an_impossible_user(store, user):
    with pytest.raises(BadRequest):
        await store.add("a", user)
    assert await store.all() == []


@pytest.mark.parametrize("limits", [{"top_k": 0}, {"top_k": 101}, {"max_tokens": -1}, {"max_tokens": 32769}])
async def test_limits_keep_within_what_the_settings_allow(store, limits):
    with pytest.raises(BadRequest, match="must be from"):
        await store.add("a", None, **limits)


async def test_every_change_changes_the_version_and_reading_does_not(store, tmp_path):
    seen = [await store.version()]
    await store.add("a", None)
    seen.append(await store.version())
    await store.rotate("a")
    seen.append(await store.version())
    await store.all()
    assert await store.version() == seen[-1]
    await store.revoke("a")
    seen.append(await store.version())
    assert len(set(seen)) == 3  # none, one, the same name anew, none again
    assert seen[0] == seen[-1]


async def test_a_change_by_another_process_is_seen(store, tmp_path):
    before = await store.version()
    other = state_database(tmp_path)
    await other.open()
    key = await KeyStore(other).add("a", "bob")
    await other.close()
    assert await store.version() != before
    assert (await identity(store)).principal(bearer(key)).user == "bob"


def test_no_two_of_many_keys_begin_or_end_alike():
    keys = [new_key() for _ in range(500)]
    assert len({key[:16] for key in keys}) == len({key[-12:] for key in keys}) == 500
    assert set("".join(key[4:] for key in keys)) == set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


async def test_the_state_has_both_tables_and_survives_being_opened_again(store, state, tmp_path):
    key = await store.add("a", "bob")
    await state.close()
    again = state_database(tmp_path)
    await again.open()
    assert (await identity(KeyStore(again))).principal(bearer(key)).user == "bob"
    await again.close()
    connection = sqlite3.connect(tmp_path / STATE_NAME)
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    assert {"keys", "outbox", "schema_version"} <= tables
    assert (tmp_path / STATE_NAME).stat().st_mode & 0o777 == 0o600

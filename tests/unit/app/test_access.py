"""Who may come in, as keys come and go while the gateway runs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from gateway.app.build import Access
from gateway.errors import Unauthorized
from gateway.settings import Settings
from gateway.storage import state_database
from gateway.storage.keys import KeyStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

OPEN = Settings()
KEY = "-".join(("a", "configured", "key"))
CONFIGURED = Settings.model_validate({"keys": [{"name": "team", "key": KEY}]})


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[KeyStore]:
    database = state_database(tmp_path)
    await database.open()
    yield KeyStore(database)
    await database.close()


def _bearer(key: str) -> list[tuple[bytes, bytes]]:
    return [(b"authorization", f"Bearer {key}".encode())]


async def test_without_a_key_this_machine_is_let_in_and_others_are_not(store: KeyStore) -> None:
    assert (await Access(store, loopback=True).identity(OPEN)).principal([]).user is None
    with pytest.raises(Unauthorized):
        (await Access(store, loopback=False).identity(OPEN)).principal([])


async def test_revoking_the_last_key_opens_nothing(store: KeyStore) -> None:
    access = Access(store, loopback=True)
    key = await store.add("laptop", None)
    await access.identity(OPEN)
    await store.revoke("laptop")
    identity = await access.identity(OPEN)
    for headers in ([], _bearer(key)):
        with pytest.raises(Unauthorized):
            identity.principal(headers)


async def test_taking_the_last_key_out_of_the_configuration_opens_nothing(store: KeyStore) -> None:
    access = Access(store, loopback=True)
    assert (await access.identity(CONFIGURED)).principal(_bearer(KEY)).key_name == "team"
    with pytest.raises(Unauthorized):
        (await access.identity(OPEN)).principal(_bearer(KEY))


async def test_the_version_changes_with_each_change(store: KeyStore) -> None:
    access = Access(store, loopback=True)
    versions = [await access.version()]
    await store.add("laptop", None)
    versions.append(await access.version())
    await store.rotate("laptop")
    versions.append(await access.version())
    await store.revoke("laptop")
    versions.append(await access.version())
    assert all(before != after for before, after in pairwise(versions))

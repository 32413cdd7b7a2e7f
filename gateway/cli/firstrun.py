"""What the first start makes: the admin password, and in a container the first key."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.app.named_keys import configured_keys
from gateway.identity import ensure_admin_password
from gateway.settings import is_loopback
from gateway.storage import state_database
from gateway.storage.keys import KeyStore

if TYPE_CHECKING:
    from gateway.settings import Loaded

FIRST_KEY = "first"


@dataclass(frozen=True, slots=True)
class AdminPassword:
    """The admin password and, where it was not configured, the file that holds it."""

    value: str
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """Whether any key exists, and the one that was made just now."""

    any: bool
    created: str | None = None


def admin_password(loaded: Loaded) -> AdminPassword:
    """The configured password, else the one in the home folder, made when it is not there. Raises ConfigError."""
    if loaded.settings.admin_password is not None and loaded.settings.admin_password.get_secret_value():
        return AdminPassword(loaded.settings.admin_password.get_secret_value())
    password, file, _ = ensure_admin_password(loaded.home)
    return AdminPassword(password, file)


async def first_key_in_container(loaded: Loaded) -> Keys:
    """Whether there is a key. In a container that listens to its network and has none, the first one is made. Raises ProviderError."""
    if configured_keys(loaded.settings):
        return Keys(any=True)
    database = state_database(loaded.home)
    await database.open()
    try:
        store = KeyStore(database)
        if await store.all():
            return Keys(any=True)
        if not in_container() or is_loopback(loaded.settings.server.host):
            return Keys(any=False)
        return Keys(any=True, created=await store.add(FIRST_KEY, None))
    finally:
        await database.close()


def in_container() -> bool:
    """Whether this is the container image of the project, which says so. Other containers (a CI job, say) get no key unasked."""
    return os.environ.get("ELUVIX_CONTAINER") == "1"

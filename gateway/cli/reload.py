"""Hot reload: the configuration is read again at SIGHUP and when its file changes. A bad one keeps the old one, and says why."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import structlog
from pydantic import SecretStr

from gateway.errors import ConfigError, EluvixError
from gateway.settings import load
from providers.base import ProviderError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from gateway.app.gateway import Gateway
    from gateway.settings import Loaded, Settings

log = structlog.get_logger()

_LOOK_EVERY_S = 0.5

Mark = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Reload:
    """Reads the configuration again and hands it to the gateway."""

    gateway: Gateway
    config: Path | None
    """As given on the command line."""
    flags: dict[str, Any]
    started_with: Path | None
    """The file that was read at the start."""
    password: str
    """The admin password that holds where none is configured."""
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self) -> None:
        """Never raises: the gateway goes on with what it has."""
        async with self._one:
            try:
                loaded = await asyncio.to_thread(self._read)
                waiting = await self.gateway.reload(with_password(loaded.settings, self.password))
            except (EluvixError, ProviderError) as error:
                log.error("the configuration was not reloaded; the old one stays in use", problem=str(error))
            except Exception as error:
                log.error("the configuration was not reloaded; the old one stays in use", error=type(error).__name__)
            else:
                for warning in loaded.warnings:
                    log.warning(warning)
                log.info("configuration reloaded", after_restart=list(waiting))

    def _read(self) -> Loaded:
        if self.started_with is not None and not self.started_with.is_file():
            message = f"{self.started_with} is gone. Put it back, or restart to go on without it."
            raise ConfigError(message)
        return load(self.config, environ=os.environ, overrides=self.flags)


async def watch(file: Path, changed: Callable[[], Awaitable[None]], every_s: float = _LOOK_EVERY_S) -> None:
    """Calls `changed` when the file has changed and has then stayed the same for `every_s` seconds: it may be half written before.

    It is looked at rather than listened to: that works on every file system, through links, and when the file is replaced.
    """
    known = before = await asyncio.to_thread(_mark, file)
    while True:
        await asyncio.sleep(every_s)
        now = await asyncio.to_thread(_mark, file)
        if now == before and now != known:
            known = now
            await changed()
        before = now


def with_password(settings: Settings, password: str) -> Settings:
    """The settings with this admin password where they have none."""
    if settings.admin_password is not None and settings.admin_password.get_secret_value():
        return settings
    return settings.model_copy(update={"admin_password": SecretStr(password)})


def _mark(file: Path) -> Mark | None:
    """What changes when a file is written or replaced; None when it is not there."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

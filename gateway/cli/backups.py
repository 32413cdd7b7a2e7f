"""Backups of a home folder's databases as files: which there are, how one is packed, checked and put back."""

from __future__ import annotations

import asyncio
import shutil
import tarfile
import tempfile
import zlib
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gateway.app.provider import make_provider
from gateway.errors import ConfigError
from gateway.storage import STATE_NAME, state_database
from providers.base import ProviderError
from providers.database import Database
from providers.sqlite import SqliteProvider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from gateway.settings import Loaded

FOLDER = "backups"
MEMORY_NAME = "memory.db"
_SIDE_FILES = ("", "-wal", "-shm")


def new_backup(home: Path) -> Path:
    """Where the next backup goes; its folder is made."""
    folder = home / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"eluvix-{_now()}.tar.gz"


def backups_in(loaded: Loaded) -> list[Path]:
    """Every backup that we know of: those of `create`, those made before a migration, and what a restore has set aside."""
    folders = {loaded.home, *(database.path.parent for database in databases(loaded).values())}
    beside = [path for folder in sorted(folders) for path in folder.glob("*.bak")]
    return sorted([*(loaded.home / FOLDER).glob("*.tar.gz"), *beside, *loaded.home.glob("before-restore-*")])


def databases(loaded: Loaded) -> dict[str, Database]:
    """Name in the backup -> database, not opened. A provider elsewhere has its own backups."""
    found = {STATE_NAME: state_database(loaded.home)}
    provider = make_provider(loaded.settings, loaded.home)
    return found | {MEMORY_NAME: provider.database} if isinstance(provider, SqliteProvider) else found


async def back_up(loaded: Loaded, target: BinaryIO) -> None:
    """Writes every database into one archive while they are in use. Raises ConfigError, ProviderError or OSError."""
    with tempfile.TemporaryDirectory(dir=loaded.home) as folder:
        for name, database in databases(loaded).items():
            copy = Path(folder) / name
            try:
                await database.open()
                await database.backup_to(copy)
            finally:
                await database.close()
            if problem := await _problem(name, copy):
                message = f"{database.path} {problem}. No backup was made. Stop the gateway and restore an older backup."
                raise ConfigError(message)
        await asyncio.to_thread(_pack, Path(folder), target)


async def put_back(loaded: Loaded, file: Path) -> Path | None:
    """Puts the databases of a backup in place. Returns the folder with what was there before, None when nothing was.

    Raises ConfigError for a file that is no backup of ours, and changes nothing then.
    """
    places = {name: database.path for name, database in databases(loaded).items()}
    with tempfile.TemporaryDirectory(dir=loaded.home) as folder:
        found = await asyncio.to_thread(_unpack, file, Path(folder), set(places))
        for path in found:
            if problem := await _problem(path.name, path):
                message = f"{path.name} in this backup {problem}. Nothing was changed. Use another backup."
                raise ConfigError(message)
        kept = _set_aside(loaded.home, [places[path.name] for path in found])
        for path in found:
            places[path.name].parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.move(path, places[path.name])
    return kept


def _pack(folder: Path, target: BinaryIO) -> None:
    with tarfile.open(fileobj=target, mode="w|gz") as archive:
        for path in sorted(folder.iterdir()):
            archive.add(path, path.name)


def _unpack(file: Path, folder: Path, names: set[str]) -> list[Path]:
    """The databases in a backup. Nothing but plain files with the names that we know is taken out."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            members = {member.name: member for member in archive.getmembers() if member.isfile() and member.name in names}
            for member in members.values():
                archive.extract(member, folder, filter="data")
    except (tarfile.TarError, EOFError, zlib.error) as error:
        message = f"{file} cannot be read as a backup ({type(error).__name__}). Name a file that `eluvix backup create` wrote."
        raise ConfigError(message) from None
    if not members:
        message = f"{file} holds no database of ours. Name a file that `eluvix backup create` wrote."
        raise ConfigError(message)
    for name in members:
        (folder / name).chmod(0o600)
    return [folder / name for name in members]


async def _problem(name: str, path: Path) -> str | None:
    """What is wrong with a copy of a database, None when it is sound and of this release or an older one."""
    async with _as_ours(name, path) as database:
        try:
            await database.open()
            return "is damaged" if await database.integrity() else None
        except ProviderError as error:
            return str(error).removeprefix(str(path)).strip().partition(";")[0]


@asynccontextmanager
async def _as_ours(name: str, path: Path) -> AsyncIterator[Database]:
    """The copy as the database that it should be."""
    database = SqliteProvider(path).database if name == MEMORY_NAME else state_database(path.parent)
    try:
        yield database
    finally:
        await database.close()
        for left in path.parent.glob(f"{name}.v*.bak"):  # it was migrated: the copy is not what was asked for
            left.unlink()


def _set_aside(home: Path, paths: list[Path]) -> Path | None:
    """Moves the databases of now into a folder of their own, side files included."""
    present = [path.with_name(path.name + suffix) for path in paths for suffix in _SIDE_FILES]
    present = [path for path in present if path.exists()]
    if not present:
        return None
    folder = Path(tempfile.mkdtemp(prefix=f"before-restore-{_now()}-", dir=home))
    for path in present:
        shutil.move(path, folder / path.name)
    return folder


def _now() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"

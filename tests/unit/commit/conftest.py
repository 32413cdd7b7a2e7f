import pytest

from gateway.storage import state_database


@pytest.fixture
async def state(tmp_path):
    database = state_database(tmp_path)
    await database.open()
    yield database
    await database.close()

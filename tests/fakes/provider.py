"""A memory provider in a dict, for tests."""

from datetime import UTC, datetime

from providers.base import Health, Memory, Page


class DictProvider:
    """Keeps memories per user. `problems` are raised, one at each write, before anything is stored."""

    name = "dict"

    def __init__(self, *, digests_turns=False, local=True):
        self.digests_turns = digests_turns
        self.local = local
        self.kept = {}
        self.turns = []
        self.problems = []

    async def open(self):
        """Nothing to open."""

    async def close(self):
        """Nothing to close."""

    async def search(self, user, query, limit):
        words = set(query.lower().split())
        return [m for m in self.kept.get(user, []) if words & set(m.text.lower().split())][:limit]

    async def add(self, user, memories):
        self._trouble()
        stored = self.kept.setdefault(user, [])
        return [self._one(user, stored, new) for new in memories]

    async def commit(self, user, turn):
        self._trouble()
        self.turns.append((user, turn))
        return []

    async def get(self, user, memory_id):
        return next((m for m in self.kept.get(user, []) if m.id == memory_id), None)

    async def list(self, user, limit, cursor=None):
        start = int(cursor or 0)
        memories = self.kept.get(user, [])
        end = start + limit
        return Page(tuple(memories[start:end]), str(end) if end < len(memories) else None)

    async def update(self, user, memory_id, patch):
        for number, memory in enumerate(self.kept.get(user, [])):
            if memory.id == memory_id:
                changes = {k: v for k in ("text", "category", "metadata", "l0", "l1", "verdict") if (v := getattr(patch, k)) is not None}
                self.kept[user][number] = memory._replace(**changes)
                return self.kept[user][number]
        return None

    async def delete(self, user, memory_id):
        before = self.kept.get(user, [])
        self.kept[user] = [m for m in before if m.id != memory_id]
        return len(self.kept[user]) < len(before)

    async def clear(self, user):
        return len(self.kept.pop(user, []))

    async def stale(self, policy, limit):
        everything = [memory for memories in self.kept.values() for memory in memories]
        return [m for m in everything if m.verdict is None or m.verdict.policy != policy][:limit]

    async def stamp(self, judged):
        for memory, verdict in judged:
            self.kept[memory.user] = [
                m._replace(verdict=verdict) if (m.id, m.text) == (memory.id, memory.text) else m for m in self.kept[memory.user]
            ]

    async def users(self):
        return sorted(self.kept)

    async def health(self):
        return Health(True, "in memory")

    def _trouble(self):
        if self.problems:
            raise self.problems.pop(0)

    def _one(self, user, stored, new):
        for memory in stored:
            if memory.text == new.text:
                return memory
        when = new.created_at or datetime.now(UTC)
        memory = Memory(
            f"{user}-{len(stored)}", user, new.text, new.category, when, when, new.metadata, new.l0, new.l1, new.session, 0.0, new.verdict
        )
        stored.append(memory)
        return memory

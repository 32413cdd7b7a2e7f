import asyncio
import contextlib
import os
import socket
import sys
from pathlib import Path

import psutil
import pytest

from gateway.worker import Worker, WorkerFailed
from gateway.worker.frames import frame

CHILD = """
import sys, os, time, signal
from gateway.worker import child
mod = sys.modules["tasks"] = type(sys)("tasks")
def echo(payload): return {"got": payload, "pid": os.getpid()}
def fail(payload): raise ValueError("SECRET text")
def hang(payload): time.sleep(60)
def die(payload): os._exit(3)
def chat(payload): print("noise on standard output"); return {}
def look(payload):
    links = (f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd"))
    return {"files": [os.readlink(link) for link in links if os.path.lexists(link)]}
def interrupt(payload): os.kill(os.getpid(), signal.SIGINT); return {"alive": True}
def gate(payload): open(payload["began"], "w").close(); open(payload["gate"]).read(); return {"pid": os.getpid()}
tasks = (echo, fail, hang, die, chat, look, interrupt, gate)
for f in tasks: setattr(mod, f.__name__, f)
child.TASKS = {f.__name__: f"tasks:{f.__name__}" for f in tasks}
child.main()
"""


@pytest.fixture
async def worker():
    worker = Worker((sys.executable, "-c", CHILD))
    yield worker
    await worker.close()


async def test_a_task_takes_and_returns_json(worker):
    assert (await worker.call("echo", {"texts": ["å", "🦜"]}, 10))["got"] == {"texts": ["å", "🦜"]}


async def test_lone_surrogates_do_not_break_it(worker):
    assert (await worker.call("echo", {"texts": ["cut \ud83d"]}, 10))["got"] == {"texts": ["cut ?"]}


async def test_one_child_serves_many_callers_in_order(worker):
    answers = await asyncio.gather(*(worker.call("echo", {"n": n}, 10) for n in range(20)))
    assert [answer["got"]["n"] for answer in answers] == list(range(20))
    assert len({answer["pid"] for answer in answers}) == 1


async def test_a_failure_is_told_by_its_class_without_its_message(worker):
    with pytest.raises(WorkerFailed, match="ValueError") as caught:
        await worker.call("fail", {}, 10)
    assert "SECRET" not in str(caught.value)
    assert await worker.call("echo", {}, 10)


async def test_a_task_that_overruns_is_killed_and_the_next_call_gets_a_new_child(worker):
    first = (await worker.call("echo", {}, 10))["pid"]
    with pytest.raises(WorkerFailed, match="more than"):
        await worker.call("hang", {}, 0.05)
    second = (await worker.call("echo", {}, 10))["pid"]
    assert second != first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


async def test_a_child_that_dies_fails_the_call_and_not_the_next(worker):
    with pytest.raises(WorkerFailed, match="died"):
        await worker.call("die", {}, 10)
    assert await worker.call("echo", {}, 10)


async def test_a_caller_that_gives_up_leaves_the_child_its_work_and_the_next_call_its_own_answer(worker, tmp_path):
    began, gate = tmp_path / "began", tmp_path / "gate"
    os.mkfifo(gate)
    os.mkfifo(began)
    call = asyncio.ensure_future(worker.call("gate", {"began": str(began), "gate": str(gate)}, 30))
    await asyncio.to_thread(began.read_bytes)  # the task runs now
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    pid = worker.pid
    following = asyncio.ensure_future(worker.call("echo", {"n": 1}, 10))
    await asyncio.to_thread(gate.write_bytes, b"")
    assert await following == {"got": {"n": 1}, "pid": pid}


async def test_a_caller_that_gives_up_in_the_queue_is_never_served(worker, tmp_path):
    gate, never = tmp_path / "gate", tmp_path / "never"
    os.mkfifo(gate)
    first = asyncio.ensure_future(worker.call("gate", {"began": os.devnull, "gate": str(gate)}, 30))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(worker.call("gate", {"began": str(never), "gate": os.devnull}, 30))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.to_thread(gate.write_bytes, b"")
    await first
    await worker.call("echo", {}, 10)
    assert not never.exists()


async def test_a_closed_worker_starts_no_child_again(worker, tmp_path, monkeypatch):
    monkeypatch.setattr("gateway.worker._STOP_S", 0.05)
    began, gate = tmp_path / "began", tmp_path / "gate"
    os.mkfifo(began)
    os.mkfifo(gate)
    hanging = asyncio.ensure_future(worker.call("gate", {"began": str(began), "gate": str(gate)}, 30))
    waiting = asyncio.ensure_future(worker.call("echo", {}, 30))
    await asyncio.to_thread(began.read_bytes)
    await worker.close()
    with pytest.raises(WorkerFailed, match="died"):
        await hanging
    with pytest.raises(WorkerFailed, match="closed"):
        await waiting
    with pytest.raises(WorkerFailed, match="closed"):
        await worker.call("echo", {}, 10)
    assert worker.pid is None


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")
async def test_the_child_has_none_of_our_sockets(worker):
    with socket.create_server(("127.0.0.1", 0)):
        files = (await worker.call("look", {}, 10))["files"]
    assert not [name for name in files if name.startswith("socket:")]


async def test_an_interrupt_at_the_terminal_does_not_end_the_child(worker):
    assert await worker.call("interrupt", {}, 10) == {"alive": True}


async def test_the_child_is_found_whatever_the_working_directory_holds(tmp_path, monkeypatch):
    (tmp_path / "gateway").mkdir()
    (tmp_path / "gateway" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    monkeypatch.chdir(tmp_path)
    worker = Worker()
    answer = await worker.call("levels", {"texts": ["tea"]}, 30)
    await worker.close()
    assert len(answer["levels"]) == 1


PARENT = """
import asyncio, sys
from gateway.worker import Worker
async def main():
    worker = Worker((sys.executable, "-c", sys.argv[1]))
    call = asyncio.ensure_future(worker.call("hang", {}, 0.2))
    while worker.pid is None: await asyncio.sleep(0.01)
    print("child", worker.pid, flush=True)
    import os, signal; os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


async def test_a_busy_child_whose_parent_was_killed_ends_itself():
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, CHILD, stdout=asyncio.subprocess.PIPE)
    said, _ = await parent.communicate()
    pid = int(said.split(b"child ")[1])
    _, alive = await asyncio.to_thread(psutil.wait_procs, _living(pid), 30)
    assert alive == []


def _living(pid):
    with contextlib.suppress(psutil.NoSuchProcess):
        return [psutil.Process(pid)]
    return []


async def test_a_request_that_is_too_long_fails_and_leaves_the_child_alone(worker, monkeypatch):
    await worker.call("echo", {}, 10)
    pid = worker.pid
    monkeypatch.setattr("gateway.worker.frames.MAX_FRAME", 100)
    with pytest.raises(WorkerFailed, match="bytes"):
        await worker.call("echo", {"text": "x" * 200}, 10)
    assert worker.pid == pid


async def test_too_many_waiting_calls_fail_at_once():
    worker = Worker((sys.executable, "-c", CHILD), max_waiting=2)
    calls = [asyncio.ensure_future(worker.call("echo", {}, 10)) for _ in range(3)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    await worker.close()
    assert sum(isinstance(result, WorkerFailed) for result in results) == 1


async def test_what_a_task_prints_does_not_disturb_the_pipe(worker):
    assert await worker.call("chat", {}, 10) == {}


async def test_a_child_that_cannot_start_fails_the_call():
    with pytest.raises(WorkerFailed):
        await Worker(("/nonexistent/python",)).call("echo", {}, 1)


async def test_the_child_ends_when_its_parent_closes_the_pipe(worker):
    pid = (await worker.call("echo", {}, 10))["pid"]
    await worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_frame_is_a_length_and_json():
    assert frame({"a": 1}) == b"\x00\x00\x00\x07" + b'{"a":1}'

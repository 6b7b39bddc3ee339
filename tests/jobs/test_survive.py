"""Jobs that are killed, interrupted, starved and refused, in processes of their own, and what comes after."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import resource
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from job_desk import StoreAt, lines_schema, plain
from job_process import JobFiles
from line_model import LineModel, answer, many
from loopback_model import Answer, Loopback, Seen, error

from schemacast import Workspace, ingest, sync
from schemacast.episode import Episode

SCHEMA = lines_schema()
CONCURRENCY = 4


@pytest.fixture
def files(tmp_path: Path, store: StoreAt, loopback: Loopback) -> JobFiles:
    loopback.respond = answer
    return JobFiles(tmp_path, store.address(), loopback)


@pytest.fixture
def store(file_store: StoreAt) -> StoreAt:
    return file_store


def kept_replies(workspace: Path) -> int:
    with contextlib.closing(sqlite3.connect(workspace)) as file:
        count: int = file.execute("SELECT count(*) FROM replies").fetchone()[0]
        return count


def is_whole(seen: Seen) -> bool:
    """Whether a request arrived in full: its sender may have been killed while it sent."""
    return len(seen.raw) == int(seen.headers["content-length"])


def whole_requests(files: JobFiles) -> list[Seen]:
    return [seen for seen in list(files.model.requests) if is_whole(seen)]


def undisturbed(files: JobFiles, tmp_path: Path) -> dict[str, object]:
    """The graph of the same job in one go."""
    with Loopback(respond=answer) as model:
        folder = tmp_path / "undisturbed"
        folder.mkdir()
        other = StoreAt(folder)
        job = JobFiles(folder, other.address(), model)
        (folder / "schema.yaml").write_bytes((files.folder / "schema.yaml").read_bytes())
        (folder / "episodes.jsonl").write_bytes((files.folder / "episodes.jsonl").read_bytes())
        assert job.run(job.ingest()).returncode == 0
        return plain(other.read(SCHEMA), SCHEMA)


@pytest.mark.slow
def test_a_job_killed_at_random_instants_loses_nothing_and_asks_for_nothing_twice(
    files: JobFiles, store: StoreAt, tmp_path: Path
) -> None:
    files.model.respond = lambda seen: Answer(answer(seen).reply, delay=0.03) if is_whole(seen) else Answer()
    files.write(many(500))
    chance = random.Random(7)
    kills = lost = stored = 0
    while kills < 20:
        before = len(whole_requests(files))
        process = files.start(files.ingest("--concurrency", CONCURRENCY))
        while len(whole_requests(files)) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.25))
        assert process.poll() is None, process.communicate()
        process.kill()
        process.communicate()
        time.sleep(0.1)  # what was on its way has arrived
        kills += 1
        now = kept_replies(files.workspace)
        in_flight = len(whole_requests(files)) - before - (now - stored)
        assert 0 <= in_flight <= CONCURRENCY
        lost, stored = lost + in_flight, now
    done = files.run(files.ingest("--concurrency", CONCURRENCY))
    assert done.returncode == 0, done.stderr
    asked = Counter(seen.raw for seen in whole_requests(files))
    assert len(asked) == 550
    assert sum(asked.values()) == len(asked) + lost
    assert plain(store.read(SCHEMA), SCHEMA) == undisturbed(files, tmp_path)
    again = files.run(files.ingest())
    assert "nothing to do" in again.stdout


@pytest.mark.slow
def test_a_job_killed_while_it_writes_leaves_a_store_that_the_next_run_completes(
    files: JobFiles, store: StoreAt, tmp_path: Path
) -> None:
    files.write(many(400))
    expected = undisturbed(files, tmp_path)
    chance = random.Random(11)
    # Casts everything and stops short of the store, whose folder is held.
    with folder_held(tmp_path):
        assert files.run(files.ingest("--wait", 0)).returncode == 3
    asked = len(files.model.requests)
    for _ in range(8):
        process = files.start(files.ingest())
        time.sleep(chance.uniform(0.3, 1.2))
        process.kill()
        process.communicate()
    assert files.run(files.ingest()).returncode == 0
    assert plain(store.read(SCHEMA), SCHEMA) == expected
    assert len(files.model.requests) == asked


@contextlib.contextmanager
def folder_held(folder: Path) -> Iterator[None]:
    """Keep everyone else from writing graph files in a folder, as another job that writes does."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@pytest.mark.slow
def test_while_the_store_is_away_casting_goes_on_and_the_exit_says_to_try_again(
    files: JobFiles, store: StoreAt, tmp_path: Path
) -> None:
    files.write(many(20))
    with folder_held(tmp_path):
        done = files.run(files.ingest("--wait", 1))
    assert done.returncode == 3
    assert "the store is away, trying for 1 s" in done.stderr
    assert "Traceback" not in done.stderr
    with Workspace(files.workspace) as workspace:
        assert (workspace.status().done, workspace.status().waiting) == (20, 0)
    asked = len(files.model.requests)
    assert files.run(files.ingest()).returncode == 0
    assert len(files.model.requests) == asked
    assert len(store.read(SCHEMA).entities) == 20 + 7 + 5


@pytest.mark.slow
def test_a_store_that_comes_back_in_time_is_written(files: JobFiles, store: StoreAt, tmp_path: Path) -> None:
    files.write(many(5))
    released = threading.Event()

    def hold() -> None:
        with folder_held(tmp_path):
            held.set()
            released.wait(60)

    held = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    process = files.start(files.ingest())
    assert process.stderr is not None
    assert "the store is away" in process.stderr.readline()
    released.set()
    _, err = process.communicate(timeout=60)
    holder.join()
    assert process.returncode == 0
    assert "the store is back" in err
    assert len(store.read(SCHEMA).entities) == 5 + 5 + 5


@pytest.mark.slow
def test_an_endpoint_that_is_busy_for_a_while_fails_nothing(files: JobFiles, store: StoreAt) -> None:
    began: list[float] = []

    def busy(seen: Seen) -> Answer:
        began.append(seen.arrived)
        return error(503, "overloaded") if 1 < seen.arrived - began[0] < 14 else Answer(answer(seen).reply, delay=0.05)

    files.model.respond = busy
    files.write(many(120))
    done = files.run(files.ingest("--concurrency", CONCURRENCY))
    assert done.returncode == 0, done.stderr
    assert "the model is away" in done.stderr
    assert "the model is back" in done.stderr
    with Workspace(files.workspace) as workspace:
        assert dict(workspace.status().states) == {"ok": 120}
    assert len(store.read(SCHEMA).entities) == 120 + 7 + 5


@pytest.mark.slow
def test_an_endpoint_that_stays_away_ends_the_job_and_leaves_the_rest_waiting(files: JobFiles) -> None:
    answers = [0]

    def gone(seen: Seen) -> Answer:
        answers[0] += 1
        return answer(seen) if answers[0] <= 10 else error(503, "overloaded")

    files.model.respond = gone
    files.write(many(30))
    done = files.run(files.ingest("--concurrency", 2, "--wait", 1))
    assert done.returncode == 3
    with Workspace(files.workspace) as workspace:
        status = workspace.status()
        assert status.failed == 0
        assert 0 < status.done < 30
        assert status.waiting == 30 - status.done
    files.model.respond = answer
    assert files.run(files.ingest()).returncode == 0


def test_a_wrong_key_costs_one_request_and_needs_a_person(files: JobFiles) -> None:
    files.model.respond = lambda _: error(401, "wrong key")
    files.write(many(20))
    done = files.run(files.ingest())
    assert (done.returncode, len(files.model.requests)) == (4, 1)
    assert done.stderr.splitlines()[-1].startswith("schemacast: openai/lines:")


@pytest.mark.parametrize("asked_by", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_in_order_and_the_next_run_goes_on(
    files: JobFiles, store: StoreAt, asked_by: signal.Signals
) -> None:
    files.model.respond = lambda seen: Answer(answer(seen).reply, delay=0.2)
    files.write(many(100))
    process = files.start(files.ingest("--concurrency", 2))
    while len(files.model.requests) < 5:
        time.sleep(0.01)
    process.send_signal(asked_by)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stopping" in err
    assert "Traceback" not in err
    assert "left for the next run" in out
    # What had been asked when the interrupt came has arrived and is written.
    assert kept_replies(files.workspace) == len(files.model.requests)
    assert len(store.read(SCHEMA).entities) > 0
    files.model.respond = answer
    assert files.run_here(files.ingest()).returncode == 0
    assert len({seen.raw for seen in files.model.requests}) == len(files.model.requests) == 110


def test_a_second_interrupt_ends_at_once(files: JobFiles) -> None:
    files.model.respond = lambda seen: Answer(answer(seen).reply, delay=30)
    files.write(many(10))
    process = files.start(files.ingest())
    while not files.model.requests:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert "stopping" in process.stderr.readline()
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 5
    assert "Traceback" not in err


def test_two_jobs_on_one_workspace_exclude_each_other_and_the_lock_dies_with_its_process(files: JobFiles) -> None:
    files.model.respond = lambda seen: Answer(answer(seen).reply, delay=0.3)
    files.write(many(20))
    first = files.start(files.ingest("--concurrency", 1))
    while not files.model.requests:
        time.sleep(0.01)
    second = files.run(files.ingest())
    assert second.returncode == 3
    assert "another job is using it" in second.stderr
    status = files.run_here([*files.ingest()[:3], "status", "--workspace", str(files.workspace)])
    assert status.returncode == 0
    assert "running" in status.stdout
    first.kill()
    first.communicate()
    files.model.respond = answer
    assert files.run_here(files.ingest()).returncode == 0


@pytest.mark.slow
def test_a_full_disk_stops_the_job_and_loses_nothing_that_was_kept(
    files: JobFiles, store: StoreAt, tmp_path: Path
) -> None:
    files.write(many(300))

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))

    done = files.run(files.ingest(), preexec_fn=little_room)
    assert done.returncode == 3
    assert "work.db: cannot be written" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    kept = kept_replies(files.workspace)
    assert 0 < kept < 330
    assert files.run(files.ingest()).returncode == 0
    assert plain(store.read(SCHEMA), SCHEMA) == undisturbed(files, tmp_path)
    # In flight when the disk was full: each of the workers' one request at most.
    assert len(files.model.requests) - 330 <= 8
    with contextlib.closing(sqlite3.connect(files.workspace)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.slow
def test_a_retraction_and_a_sync_killed_at_random_instants_are_completed_by_the_next(
    files: JobFiles, store: StoreAt, tmp_path: Path
) -> None:
    given = many(120)
    files.write(given)
    assert files.run(files.ingest()).returncode == 0
    chance = random.Random(5)
    at = ["--workspace", str(files.workspace), "--to", files.store]
    for number in range(8):
        names = [f"s{chance.randrange(len(given))}" for _ in range(5)]
        what = chance.choice([["retract", *names], ["retract", "--purge", *names], ["sync"]])
        process = files.start([*files.ingest()[:3], *what, *at])
        time.sleep(chance.uniform(0.2, 1.0))
        process.kill()
        process.communicate()
        done = files.run([*files.ingest()[:3], *chance.choice([["sync"], what]), *at])
        assert done.returncode == 0, done.stderr
        with Workspace(files.workspace) as workspace:
            gone = {row["source_id"] for row in workspace.withdrawn()}
        rest = [Episode(source_id=name, text=text) for name, text in given.items() if name not in gone]
        fresh = store.address(f"fresh{number}")
        ingest(SCHEMA, rest, model=LineModel(), to=fresh, workspace=tmp_path / f"fresh{number}.db")
        assert plain(store.read(SCHEMA), SCHEMA) == plain(store.read(SCHEMA, f"fresh{number}"), SCHEMA)
        assert sync(files.workspace, to=files.store, check=True).same

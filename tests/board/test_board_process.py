"""The board as a process: start, requests, changes, exit."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import httpx
import pytest

from lightboard.testing.event_files import scalar_record, scalar_records, version_record, write_events
from support.board_process import TIMEOUT_SECS, LightboardProcess


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """One run with three points."""
    folder = tmp_path / "logs" / "train"
    folder.mkdir(parents=True)
    write_events(folder / "events.out.tfevents.1", scalar_records("loss", [(s, float(s), 1.0) for s in range(3)]))
    return tmp_path / "logs"


def test_the_start_prints_one_line_with_the_url(logdir: pathlib.Path) -> None:
    """On stderr, after notes."""
    with LightboardProcess("--logdir", str(logdir), "--port", "0", "--path_prefix", "/l b?") as board:
        assert board.lines[-1].endswith(f" at http://localhost:{board.port}/l%20b%3F/ (Ctrl+C to quit)")
        assert [line for line in board.lines[:-1] if not line.startswith("note: ")] == []
        assert board.json("/l%20b%3F/data/runs") == ["train"]


def test_reload_task_blocking_reads_before_serving(logdir: pathlib.Path) -> None:
    """--reload_task blocking."""
    with LightboardProcess(str(logdir), "--port", "0", "--reload_task", "blocking") as board:
        status = board.json("/api/v1/status")

    assert (status["loading"], status["points"]) == (False, 3)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_with_open_streams(logdir: pathlib.Path, how: signal.Signals) -> None:
    """Exit code 0, no traceback."""
    with LightboardProcess(str(logdir), "--port", "0") as board:
        stream = board.open("/api/v1/events")
        assert stream.readline() == b"event: change\n"
        kept = board.connect()

        assert board.end(how) == (0, "")

        kept.close()
        stream.close()


def test_signals_end_it_while_reading(tmp_path: pathlib.Path) -> None:
    """Half-read files are no reason to stay."""
    record = scalar_record("loss", 1, 1.0)
    (tmp_path / "events.out.tfevents.1").write_bytes(version_record() + record * (20_000_000 // len(record)))
    with LightboardProcess(str(tmp_path), "--port", "0") as board:
        assert board.end(signal.SIGINT) == (0, "")


def test_signals_end_it_during_the_start(logdir: pathlib.Path) -> None:
    """Even while the server is being loaded."""
    program = (
        "import _thread, sys, lightboard.board.start as s\n"
        "s.load_and_serve = lambda *a: _thread.interrupt_main()\n"
        "from lightboard.cli.main import main\n"
        f"sys.exit(main([{str(logdir)!r}, '--port', '0']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT_SECS)

    assert (done.returncode, done.stderr) == (0, "")


def test_changes_reach_open_pages(logdir: pathlib.Path) -> None:
    """A new point becomes an event and is in the response."""
    file = logdir / "train" / "events.out.tfevents.1"
    with LightboardProcess(str(logdir), "--port", "0", "--reload_task", "blocking") as board:
        stream = board.open("/api/v1/events")
        for _ in range(3):
            stream.readline()
        with file.open("ab") as writer:
            writer.write(scalar_record("loss", 3, 0.5, 3.0))

        deadline = time.monotonic() + TIMEOUT_SECS
        rows: list[object] = []
        while len(rows) < 4 and time.monotonic() < deadline:
            line = stream.readline()
            if line.startswith(b"data: ") and json.loads(line[6:])["runs"]:
                rows = board.json("/data/plugin/scalars/scalars?run=train&tag=loss")
        stream.close()

    assert rows[3:] == [[3.0, 3, 0.5]]


def test_a_busy_port_is_reported_at_once(logdir: pathlib.Path) -> None:
    """With its owner; nothing is started."""
    with (
        LightboardProcess(str(logdir), "--port", "0") as first,
        LightboardProcess(str(logdir), "--port", str(first.port)) as second,
    ):
        code = second.process.wait(TIMEOUT_SECS)

    assert code == 1
    assert second.lines[0].startswith(f"lightboard: port {first.port} is taken")
    assert second.lines[1].startswith("hint: ")


def test_many_requests_on_one_connection(logdir: pathlib.Path) -> None:
    """In order."""
    request = b"GET /data/runs HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with LightboardProcess(str(logdir), "--port", "0", "--reload_task", "blocking") as board, board.connect() as line:
        line.sendall(request * 50)
        received = b""
        while received.count(b'["train"]') < 50:
            piece = line.recv(65536)
            assert piece
            received += piece

    assert received.count(b"HTTP/1.1 200 OK") == 50


def test_foreign_hosts_are_refused_by_the_process(logdir: pathlib.Path) -> None:
    """Against DNS rebinding."""
    with LightboardProcess(str(logdir), "--port", "0") as board, board.connect() as line:
        line.sendall(b"GET /api/v1/runs HTTP/1.1\r\nHost: evil.com\r\n\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ([], [b"200", b"200", b"200", b"200"]),
        (["--allowed_hosts", "board.example.com"], [b"200", b"403", b"200", b"403"]),
    ],
)
def test_all_interfaces_accept_all_names(logdir: pathlib.Path, flags: list[str], expected: list[bytes]) -> None:
    """Unless --allowed_hosts restricts them."""
    answers = []
    with LightboardProcess(str(logdir), "--port", "0", "--host", "0.0.0.0", *flags) as board:
        for host in (b"192.0.2.7:6006", b"tensorboard:6006", b"board.example.com", b"a_b.svc.cluster.local"):
            with board.connect() as line:
                line.sendall(b"GET /data/runs HTTP/1.1\r\nHost: %b\r\n\r\n" % host)
                answers.append(line.recv(65536).split()[1])

    assert answers == expected


def test_invalid_http_is_not_logged(logdir: pathlib.Path) -> None:
    """It gets a 400."""
    with LightboardProcess(str(logdir), "--port", "0") as board:
        with board.connect() as line:
            line.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
            answer = line.recv(65536)
        ended = board.end(signal.SIGINT)

    assert (answer.split()[1], ended) == (b"400", (0, ""))


def test_the_instance_file_exists_while_running(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With TensorBoard's keys."""
    with LightboardProcess(str(logdir), "--port", "0", folder=tmp_path) as board:
        board.json("/data/runs")
        file = tmp_path / ".tensorboard-info" / f"pid-{board.process.pid}.info"
        info = json.loads(file.read_text())
        board.end(signal.SIGINT)

    assert sorted(info) == ["cache_key", "db", "logdir", "path_prefix", "pid", "port", "start_time", "version"]
    assert (info["pid"], info["port"], info["logdir"]) == (board.process.pid, board.port, str(logdir))
    assert not file.exists()


def test_a_logdir_may_appear_later(tmp_path: pathlib.Path) -> None:
    """Nothing there at start is no error."""
    later = tmp_path / "later"
    with LightboardProcess(str(later), "--port", "0", "--reload_interval", "0.2") as board:
        said = board.lines[0]
        later.mkdir()
        write_events(later / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
        deadline = time.monotonic() + TIMEOUT_SECS
        runs: object = []
        while not runs and time.monotonic() < deadline:
            runs = board.json("/data/runs")

    assert "is not there yet" in said
    assert runs == ["."]


def test_the_demo_shows_finished_runs_and_one_that_trains(tmp_path: pathlib.Path) -> None:
    """And leaves no files behind."""
    with LightboardProcess("demo", "--port", "0", folder=tmp_path) as board:
        deadline = time.monotonic() + TIMEOUT_SECS
        names: list[str] = []
        while "live/training-now" not in names and time.monotonic() < deadline:
            names = board.json("/data/runs")
        ended = board.end(signal.SIGINT)

    assert ended == (0, "")
    assert len(names) == 8
    assert [name for name in os.listdir(tmp_path) if name.startswith("lightboard-demo")] == []


def test_a_killed_demo_is_cleaned_up_by_the_next(tmp_path: pathlib.Path) -> None:
    """A running one is not touched."""
    with LightboardProcess("demo", "--port", "0", folder=tmp_path) as living:
        with LightboardProcess("demo", "--port", "0", folder=tmp_path) as killed:
            killed.end(signal.SIGKILL)
        left = set(tmp_path.glob("lightboard-demo-*"))
        with LightboardProcess("demo", "--port", "0", folder=tmp_path) as third:
            now = set(tmp_path.glob("lightboard-demo-*"))
            third.end(signal.SIGINT)
        living.end(signal.SIGINT)

    assert (len(left), len(now), len(left & now)) == (2, 2, 1)


@pytest.mark.parametrize("gone", ["stdout", "stderr"])
def test_a_closed_stderr_does_not_matter(logdir: pathlib.Path, gone: str) -> None:
    """Neither while serving nor for the exit code."""
    program = f"import os, sys; os.close({1 if gone == 'stdout' else 2}); os.execv(sys.executable, sys.argv[1:])"
    words = [sys.executable, "-m", "lightboard", str(logdir), "--port", "0"]
    info = logdir.parent / ".tensorboard-info"
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(logdir.parent)},
    ) as board:
        deadline = time.monotonic() + TIMEOUT_SECS
        while not list(info.glob("*.info")):
            assert time.monotonic() < deadline, "it does not serve"
            time.sleep(0.01)
        board.send_signal(signal.SIGINT)
        said = board.communicate(timeout=TIMEOUT_SECS)[1].decode()

    assert (board.returncode, "Traceback" in said) == (0, False)


def test_a_tag_of_64_kib_can_be_read(tmp_path: pathlib.Path) -> None:
    """The query is sent as a body."""
    tag = "é" * 32_768
    write_events(tmp_path / "events.out.tfevents.1", scalar_records(tag, [(0, 1.0, 0.5)]))

    with LightboardProcess(str(tmp_path), "--port", "0", "--reload_task", "blocking") as board:
        (listed,) = board.json("/api/v1/tags?plugin=scalars")["tags"]
        with httpx.Client(base_url=board.url, trust_env=False, headers={"x-http-method-override": "GET"}) as http:
            answer = http.post("api/v1/scalars/series", data={"run": ".", "tag": listed["tag"]})
            likewise = http.post("data/plugin/scalars/scalars", data={"run": ".", "tag": listed["tag"]})

    assert answer.json() == {"run": ".", "tag": tag, "points": [[1.0, 0, 0.5]]}
    assert likewise.json() == [[1.0, 0, 0.5]]

"""Expensive, abandoned and unfinished requests do not delay other users."""

import json
import os
import pathlib
import socket

import httpx

from lightboard.testing.event_files import scalar_records, write_events
from support.attacker import Attacker, write_run
from support.hub_process import HubProcess, wait_for

CHARTS = "api/v1/scalars/chart"
RUNS, TAGS, STEPS = 30, 10, 200
FLOOD = 60


def write_logs(folder: pathlib.Path) -> None:
    """Enough that the largest request within the limits takes a second."""
    points = [(step, float(step), step % 7 / 7) for step in range(STEPS)]
    records = [record for tag in range(TAGS) for record in scalar_records(f"tag{tag}", points)]
    for run in range(RUNS):
        write_events(folder / f"run{run}" / "events.out.tfevents.1", records)


def heavy() -> dict[str, object]:
    """Hardly within the limits: 2,000 charts of thirty runs."""
    return {"px": 4000, "smoothing": 0.9, "charts": [{"tag": f"tag{i % TAGS}"} for i in range(2_000)]}


def sent(attacker: Attacker, path: str, body: bytes, *, length: int | None = None) -> socket.socket:
    """A request on a connection of its own, whose answer nobody reads."""
    line = socket.create_connection(("127.0.0.1", attacker.hub.port))
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {attacker.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body) if length is None else length}\r\n\r\n"
    )
    line.sendall(head.encode() + body)
    return line


def cpu_secs(pid: int) -> float:
    """Processor time that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Quiet:
    """How often in a row it was looked without any of these processes having worked meanwhile."""

    def __init__(self, pids: list[int]) -> None:
        self.pids = pids
        self.before = -1.0
        self.looks = 0

    def look(self) -> int:
        now = sum(map(cpu_secs, self.pids))
        self.looks = self.looks + 1 if now == self.before else 0
        self.before = now
        return self.looks


def test_abandoned_chart_requests_are_cancelled(attacker: Attacker) -> None:
    """Another board of the same worker responds meanwhile, and the worker is idle soon after."""
    write_logs(attacker.folder / "much")
    write_run(attacker.folder / "little", "own")
    much, little = attacker.create_board(attacker.folder / "much"), attacker.create_board(attacker.folder / "little")
    wait_for(lambda: attacker.get(much, "api/v1/status").json(), lambda told: not told["loading"], "the logs")
    body = json.dumps(heavy()).encode()

    lines = [sent(attacker, f"/tb/{much['id']}/{CHARTS}", body) for _ in range(FLOOD)]
    beside = [attacker.get(board, path).status_code for board in (little, much) for path in ("api/v1/status", "")]
    chart = attacker.hub.request(
        "POST", f"/tb/{little['id']}/{CHARTS}", {"px": 100, "charts": [{"tag": "loss"}]}, attacker.token
    )
    for line in lines:
        line.close()

    assert (beside, chart.status_code) == ([200] * 4, 200)
    wait_for(Quiet(attacker.hub.worker_pids()).look, lambda looks: looks >= 5, "the workers to rest")


def test_unread_streams_of_logs_hold_nothing_up(attacker: Attacker) -> None:
    """As many as an account may have, of a job that prints 100 MB: others are answered, and memory is bounded."""
    hub = attacker.hub
    token = hub.create_account("printer", "editor")
    command = ["sh", "-c", f"yes {'x' * 1000} | head -c 100000000; sleep 1000"]
    id = str(hub.json("POST", "/api/v1/jobs", {"command": command}, token)["id"])
    hub.wait_for_job(id, "Running", token)
    wait_for(lambda: hub.json("GET", f"/api/v1/jobs/{id}/logs", token=token)["lines"], bool, "the first lines")
    path = f"/api/v1/jobs/{id}/logs/stream"
    before = resident_bytes(hub.process.pid)

    lines = [unread(hub, f"{path}?max_bytes=1048576", token) for _ in range(20)]
    refused = hub.request("GET", path, token=token).status_code
    answers = [hub.request("GET", "/api/v1/jobs", token=attacker.token).status_code for _ in range(100)]
    grown = resident_bytes(hub.process.pid) - before
    for line in lines:
        line.close()
    hub.json("DELETE", f"/api/v1/jobs/{id}", token=token)
    hub.wait_for_job(id, "Deleted", token)

    assert (refused, answers) == (429, [200] * 100)
    assert grown < 20 * MAX_UNREAD_BYTES


MAX_UNREAD_BYTES = 16 << 20
"""Of one stream: a part of a log and its event, a few times over."""


def unread(hub: HubProcess, path: str, token: str) -> socket.socket:
    """A request whose answer has begun, and is not read any further."""
    line = socket.create_connection(("127.0.0.1", hub.port))
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    assert line.recv(12) == b"HTTP/1.1 200"
    return line


def resident_bytes(pid: int) -> int:
    """The memory of a process."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_requests_over_budget_are_refused(attacker: Attacker) -> None:
    """Through the hub, with the usual error body."""
    write_logs(attacker.folder)
    board = attacker.create_board(attacker.folder)
    attacker.wait_for_runs(board, *(f"run{run}" for run in range(RUNS)))
    groups = [{"id": group, "runs": list(range(RUNS))} for group in range(5_000)]
    question = {"px": 100, "charts": [{"tag": "tag0", "runs": [], "groups": groups}]}

    answer = attacker.hub.request("POST", f"/tb/{board['id']}/{CHARTS}", question, attacker.token)

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "over_budget")


def test_unfinished_requests_do_not_block_others(attacker: Attacker) -> None:
    """Headers and bodies that never end, sent to boards and to the hub."""
    write_run(attacker.folder, "own")
    board = attacker.create_board(attacker.folder)
    attacker.wait_for_runs(board, "own")
    lines = [sent(attacker, f"/tb/{board['id']}/{CHARTS}", b"{", length=1_000) for _ in range(100)]
    for _ in range(100):
        line = socket.create_connection(("127.0.0.1", attacker.hub.port))
        line.sendall(b"GET /api/v1/me HTTP/1.1\r\nHost: local")
        lines.append(line)
    answers = [attacker.get(board, "api/v1/status"), attacker.hub.request("GET", "/api/v1/me", token=attacker.token)]
    for line in lines:
        line.close()

    assert [answer.status_code for answer in answers] == [httpx.codes.OK] * 2

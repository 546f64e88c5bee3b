"""Sends requests about the corpus to the real TensorBoard, and records its responses.

    python record_answers.py LOGS OUT.json.gz [PYTHON]        (with tensorboard==2.21.0)

Every request is sent to a server with the Python loader (--load_fast=false) and to one with the data server
(--load_fast=true); a few to one under a path prefix. PYTHON is an interpreter that also has tensorflow-cpu==2.21.0,
without which TensorBoard cannot read checkpoints. OUT has the format

    {"tensorboard": version, "machine": {what was replaced by a <name>},
     "plain": [exchange], "prefix": [exchange],
     "kinds": [exchange], "kinds_flag": flag of the server of these exchanges,
     "folders": {folder of LOGS that was served alone: [exchange]},
     "with_tensorflow": [exchange about the projector]}

    exchange = {"method", "url", "headers"?, "form"?, "body"?, "entry"?, and either "answer" or "python" and "fast"}
    answer   = {"status", "headers", and one of "json", "text", "bytes", "json_cut", "text_cut", "html": true}

`json_cut` and `text_cut` are truncated responses: {"length", "first", "last"}; `bytes` is {"length", "sha256"}.
Requests for kinds of data other than scalars (`ask_kinds.py`) are only sent to the Python loader. Names of blobs are
left out: `entry` of an exchange says which entry of which list has the name.
"""

import argparse
import gzip
import hashlib
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from ask_kinds import FOLDERS, kinds, of_folder, projector

KEPT_HEADERS = ("content-type", "content-encoding", "location", "allow", "x-content-type-options", "cache-control")
LONG = 500
SCALARS = "/data/plugin/scalars"
SERIES = "/data/plugin/timeseries"
EVERY_VALUE = (
    "--samples_per_plugin=images=500,audio=500,histograms=500,distributions=500,text=500,pr_curves=500,mesh=500"
)
"""Return all values, since samples are chosen at random."""
LIKE_A_BROWSER = {"Accept-Encoding": "gzip"}
TEXTS = ("text/", "application/json", "application/x-latex")


class Server:
    """A running TensorBoard on a free port."""

    def __init__(self, logs: Path, *flags: str, python: str = sys.executable) -> None:
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            self.port = probe.getsockname()[1]
        command = [python, "-m", "tensorboard.main", "--logdir", str(logs), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--reload_interval=0", "--reload_task=blocking", *flags], stderr=subprocess.DEVNULL
        )

    def wait(self, path: str) -> None:
        """Wait until the response to `path` has not changed for three seconds."""
        before, since, deadline = b"", time.monotonic(), time.monotonic() + 120
        while time.monotonic() < deadline:
            time.sleep(0.5)
            try:
                now = self.raw("GET", path)[2]
            except ConnectionRefusedError:
                continue
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > 3:
                return
        raise TimeoutError(path)

    def raw(
        self, method: str, url: str, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("localhost", self.port, timeout=60)
        connection.request(method, url, body=body, headers=headers or {})
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, content

    def json(self, url: str) -> Any:
        return json.loads(self.raw("GET", url)[2])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def ask(method: str, url: str, **extra: Any) -> dict[str, Any]:
    return {"method": method, "url": url, **extra}


def get(path: str, **query: str) -> dict[str, Any]:
    return ask("GET", path + ("?" + urlencode(query, quote_via=quote) if query else ""))


def post(path: str, *pairs: tuple[str, str]) -> dict[str, Any]:
    return ask("POST", path, form=[list(pair) for pair in pairs])


def core() -> list[dict[str, Any]]:
    data = ("environment", "logdir", "runs", "window_properties", "experiments", "experiment_runs", "plugins_listing")
    asked = [get(f"/data/{name}") for name in data]
    asked += [get(f"/experiment/some-id/data/{name}") for name in data]
    asked += [
        get("/data/runs/"),
        get("/data/plugins_listing", experimentalPlugin="nothing"),
        get("/"),
        get("/index.html"),
        get("/experiment/some-id/"),
        get("/data/plugin_entry.html", name="scalars"),
        get("/data/plugin_entry.html", name="projector"),
        get("/data/plugin_entry.html"),
        get("/data/plugin_entry.html", name="nothing"),
        get("/data/notifications"),
        *(get(f"/{old}") for old in ("audio", "events", "graphs", "histograms", "images", "scalars")),
        *(get(f"/{old}/") for old in ("audio", "events")),
    ]
    return asked


def wrong() -> list[dict[str, Any]]:
    good = {"run": "torch/plain", "tag": "loss/train"}
    return [
        get("/nothing"),
        get("/data"),
        get("/data/"),
        get("/data/nothing"),
        get("/data/plugin/scalars"),
        get("/data/plugin/scalars/nothing"),
        get("/data/plugin/nothing/tags"),
        get("//data/runs"),
        get("/experiment/some-id"),
        get("/experiment/some-id/data/nothing"),
        get("/experiment//data/runs"),
        get(f"{SCALARS}/scalars"),
        get(f"{SCALARS}/scalars", run="torch/plain"),
        get(f"{SCALARS}/scalars", tag="loss/train"),
        get(f"{SCALARS}/scalars", run="", tag=""),
        get(f"{SCALARS}/scalars", run="nothing", tag="loss/train"),
        get(f"{SCALARS}/scalars", run="torch/plain", tag="nothing"),
        get(f"{SCALARS}/scalars", run="torch/everything", tag="weights"),
        get(f"{SCALARS}/scalars", run="torch/everything", tag="tensor/float32"),
        get(f"{SCALARS}/scalars", **good, format="xml"),
        get(f"{SCALARS}/scalars", **good, format="CSV"),
        get(f"{SCALARS}/scalars", **good, format="json"),
        get(f"{SCALARS}/scalars", **good, more="1"),
        get(f"{SCALARS}/scalars/", **good),
        ask("GET", f"{SCALARS}/scalars?run=torch/plain&run=torch/again&tag=loss/train"),
        *(ask(m, f"{SCALARS}/scalars?" + urlencode(good)) for m in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS")),
        *(ask(m, "/data/runs") for m in ("HEAD", "POST", "PUT", "OPTIONS")),
        *(ask(m, f"{SCALARS}/scalars_multirun") for m in ("GET", "PUT", "HEAD")),
        get(f"{SCALARS}/scalars_multirun", **good),
        post(f"{SCALARS}/scalars_multirun"),
        post(f"{SCALARS}/scalars_multirun", ("runs", "torch/plain")),
        post(f"{SCALARS}/scalars_multirun", ("tag", "loss/train")),
        post(f"{SCALARS}/scalars_multirun", ("tag", "loss"), ("tag", "lr"), ("runs", "torch/plain")),
        post(f"{SCALARS}/scalars_multirun", ("tag", "loss/train"), ("runs", "nothing")),
        post(f"{SCALARS}/scalars_multirun", ("tag", "nothing"), ("runs", "torch/plain")),
        post(f"{SERIES}/tags"),
        get(f"{SERIES}/timeSeries"),
        post(f"{SERIES}/timeSeries"),
        post(f"{SERIES}/timeSeries", ("requests", "")),
        post(f"{SERIES}/timeSeries", ("requests", "[]")),
        post(f"{SERIES}/timeSeries", ("requests", "not json")),
        post(f"{SERIES}/timeSeries", ("requests", "{}")),
        post(f"{SERIES}/timeSeries", ("requests", "[{}]")),
        post(f"{SERIES}/timeSeries", ("requests", "[]"), ("requests", "[]")),
        get(f"{SERIES}/nothing"),
        get(f"{SERIES}/imageData"),
    ]


def several(asked: list[dict[str, Any]]) -> dict[str, Any]:
    return post(f"{SERIES}/timeSeries", ("requests", json.dumps(asked, ensure_ascii=False)))


def together(tags: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Requests for several runs, and for Time Series, with the runs and tags of the corpus."""
    runs = sorted(tags)
    losses = [run for run in runs if "loss" in tags[run]]
    one = {"plugin": "scalars", "tag": "loss"}
    return [
        post(f"{SCALARS}/scalars_multirun", ("tag", "loss"), *(("runs", run) for run in [*losses, "nothing"])),
        post(f"/experiment/some-id{SCALARS}/scalars_multirun", ("tag", "loss"), ("runs", losses[0])),
        several([one]),
        several([one | {"run": losses[0]}]),
        several([one | {"run": "nothing"}]),
        several([one | {"run": "torch/plain", "tag": "not finite"}]),
        several([one | {"tag": "损失/训练集"}, one | {"tag": "nothing"}, one | {"plugin": "nothing"}]),
        several([{"plugin": "scalars"}, {"tag": "loss"}, one | {"sample": 0}, one | {"more": 1}]),
        several(
            [
                {"plugin": "histograms", "tag": "weights"},
                {"plugin": "histograms", "tag": "raw", "run": "torch/everything"},
            ]
        ),
        several(
            [{"plugin": "images", "tag": "image"}, {"plugin": "images", "tag": "image", "run": "torch/everything"}]
        ),
        several([{"plugin": "images", "tag": "image", "run": "nothing", "sample": 0}]),
        get(f"{SERIES}/timeSeries", requests=json.dumps([one | {"run": "torch/again"}])),
        ask("POST", f"/experiment/defaultExperimentId{SERIES}/timeSeries", form=[["requests", json.dumps([one])]]),
    ]


def everything(tags: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Each series as JSON; each folder's first as CSV; the tables of contents; the same packed."""
    pairs = [(run, tag) for run in sorted(tags) for tag in sorted(tags[run])]
    firsts = {run.split("/")[0]: (run, tag) for run, tag in reversed(pairs)}
    odd = [(run, tag) for run, tag in pairs if run.startswith("hand/names") or tag in ("not finite", "odd steps")]
    csv = [*firsts.values(), *odd]
    first = {"run": pairs[0][0], "tag": pairs[0][1]}
    return [
        get(f"{SCALARS}/tags"),
        get(f"{SERIES}/tags"),
        get(f"/experiment/some-id{SCALARS}/tags"),
        get(f"/experiment/some-id{SERIES}/tags"),
        get(f"/experiment/some-id{SCALARS}/scalars", **first),
        *(get(f"{SCALARS}/scalars", run=run, tag=tag) for run, tag in pairs),
        *(get(f"{SCALARS}/scalars", run=run, tag=tag, format="csv") for run, tag in csv),
        get(f"{SCALARS}/tags") | {"headers": LIKE_A_BROWSER},
        get(f"{SCALARS}/scalars", **first) | {"headers": LIKE_A_BROWSER},
        get(f"{SCALARS}/scalars", **first, format="csv") | {"headers": LIKE_A_BROWSER},
        get("/data/nothing") | {"headers": LIKE_A_BROWSER},
        get("/data/logdir") | {"headers": {"Accept-Encoding": "identity"}},
        get("/data/logdir") | {"headers": {"Accept-Encoding": "br, gzip;q=0.5"}},
        get("/data/logdir") | {"headers": {"Accept-Encoding": "gzip;q=0"}},
    ]


def under_prefix() -> list[dict[str, Any]]:
    return [
        *(get(f"/some/prefix{path}") for path in ("", "/", "/index.html", "/data/runs", "/data/logdir", "/events")),
        get("/some/prefix/experiment/some-id/data/logdir"),
        get("/some/prefix/data/nothing"),
        get(f"/some/prefix{SCALARS}/scalars", run="torch/again", tag="loss"),
        *(get(path) for path in ("/", "/data/runs", "/some", "/some/", "/some/prefixed/data/runs", "/events")),
    ]


def answer(server: Server, question: dict[str, Any], replaced: dict[str, str]) -> dict[str, Any]:
    headers, body = dict(question.get("headers", {})), None
    if "form" in question:
        body = urlencode([tuple(pair) for pair in question["form"]]).encode()
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    elif "body" in question:
        body = question["body"].encode()
    status, got, content = server.raw(question["method"], address(server, question), headers, body)
    if got.get("content-encoding") == "gzip":
        content = gzip.decompress(content)
    kept = {name: got[name] for name in KEPT_HEADERS if name in got}
    whole = {"status": status, "headers": kept} | read(kept.get("content-type", ""), content)
    text = json.dumps(whole, ensure_ascii=False)
    for machine, name in replaced.items():
        text = text.replace(machine, name)
    return json.loads(text)


def address(server: Server, question: dict[str, Any]) -> str:
    """The URL of a request. The name of a blob, from an entry of a list, is appended."""
    if "entry" not in question:
        return str(question["url"])
    listing, place = question["entry"]
    found = server.json(listing)
    if "timeSeries" in listing:
        (series,) = found[0]["runToSeries"].values()
        return f"{question['url']}?imageId={quote(series[place]['imageId'])}"
    return f"{question['url']}?{found[place]['query']}"


def unnamed(value: Any) -> Any:
    """A response without names of blobs."""
    if isinstance(value, list):
        return [unnamed(one) for one in value]
    if isinstance(value, dict):
        return {k: "<name>" if k in ("query", "imageId") else unnamed(v) for k, v in value.items()}
    return value


def read(kind: str, raw: bytes) -> dict[str, Any]:
    if kind and not kind.startswith(TEXTS):
        return {"bytes": {"length": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}}
    content = raw.decode()
    if "html" in kind and len(content) > 1000:
        return {"html": True}
    if "json" not in kind:
        lines = content.splitlines(keepends=True)
        if len(lines) > LONG:
            return {"text_cut": {"length": len(lines), "first": lines[:3], "last": lines[-1]}}
        return {"text": content}
    value = unnamed(json.loads(content)) if content else None
    if isinstance(value, list) and len(value) > LONG:
        return {"json_cut": {"length": len(value), "first": value[:3], "last": value[-1]}}
    return {"json": value}


def alone(
    logs: Path,
    ask_about: Callable[[Callable[[str], Any]], Iterable[dict[str, Any]]],
    python: str = sys.executable,
    *flags: str,
) -> list[dict[str, Any]]:
    """The responses of a separate server for a log directory."""
    server = Server(logs, "--load_fast=false", *flags, python=python)
    try:
        server.wait(f"{SCALARS}/tags")
        replaced = {str(logs): "<logdir>", f"localhost:{server.port}": "<host>"}
        return [q | {"answer": answer(server, q, replaced)} for q in ask_about(server.json)]
    finally:
        server.stop()


def both(python: dict[str, Any], fast: dict[str, Any]) -> dict[str, Any]:
    return {"answer": python} if python == fast else {"python": python, "fast": fast}


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("logs", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("python", nargs="?", default=sys.executable)
    options = arguments.parse_args()
    servers = [
        Server(options.logs, "--load_fast=false"),
        Server(options.logs, "--load_fast=true"),
        Server(options.logs, "--load_fast=false", "--path_prefix=/some/prefix"),
    ]
    python, fast, prefixed = servers
    try:
        python.wait(f"{SCALARS}/tags")
        fast.wait(f"{SCALARS}/tags")
        prefixed.wait(f"/some/prefix{SCALARS}/tags")
        replaced = [
            {str(options.logs): "<logdir>", f"localhost:{server.port}": "<host>", f'"port": {server.port}': '"port": 0'}
            for server in servers
        ]
        tags = json.loads(python.raw("GET", f"{SCALARS}/tags")[2])
        questions = [*core(), *wrong(), *everything(tags), *together(tags)]
        found = {
            "tensorboard": json.loads(python.raw("GET", "/data/environment")[2])["version"],
            "machine": {"<logdir>": "the log directory", "<host>": "host and port of the server"},
            "plain": [q | both(answer(python, q, replaced[0]), answer(fast, q, replaced[1])) for q in questions],
            "prefix": [q | {"answer": answer(prefixed, q, replaced[2])} for q in under_prefix()],
            "kinds": alone(options.logs, kinds, sys.executable, EVERY_VALUE),
            "kinds_flag": EVERY_VALUE,
            "folders": {folder: alone(options.logs / folder, of_folder) for folder in FOLDERS},
            "with_tensorflow": alone(options.logs, projector, options.python),
        }
    finally:
        for server in servers:
            server.stop()
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    # the data server listens on another port
    text = re.sub(r"addr='localhost:\d+'", "addr='<host>'", text)
    options.out.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()

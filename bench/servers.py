"""The servers that are compared, and how to send each the same requests over HTTP."""

import http.client
import json
import os
import sys
import tempfile
import time
import urllib.parse

from process import ProcessTree, free_port

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


class Server:
    """A started server. Results of requests are (seconds, status, bytes)."""

    name = ""

    def __init__(self, logdir, python):
        self.port = free_port()
        self.home = tempfile.TemporaryDirectory(prefix="bench-home-")  # instead of the user's own
        self.tree = ProcessTree(self.command(python, logdir), env={**os.environ, "LIGHTBOARD_HOME": self.home.name})
        self.connection = None

    def command(self, python, logdir):
        raise NotImplementedError

    def request(self, path, body=None, headers=None):
        began = time.perf_counter()
        for last_try in (False, True):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
            try:
                self.connection.request("GET" if body is None else "POST", path, body, headers or {})
                answer = self.connection.getresponse()
                data = answer.read()
            except (OSError, http.client.HTTPException):
                self.connection.close()
                self.connection = None
                if last_try:
                    raise
                continue
            if answer.will_close:
                self.connection.close()
                self.connection = None
            return time.perf_counter() - began, answer.status, data
        raise RuntimeError("unreachable")

    def wait_first_answer(self, timeout_secs=60):
        """Seconds from exec to the first HTTP 200."""
        while self.tree.age() < timeout_secs:
            try:
                if self.request("/")[1] == 200:
                    return self.tree.age()
            except OSError:
                time.sleep(0.003)
            if self.tree.process.poll() is not None:
                break
        raise RuntimeError(f"{self.name} gave no answer: {self.tree.output()[-500:]}")

    def runs(self):
        return json.loads(self.request("/data/runs")[2])

    def last_step(self, run, tag):
        query = urllib.parse.urlencode({"run": run, "tag": tag})
        _, status, data = self.request(f"/data/plugin/scalars/scalars?{query}")
        points = json.loads(data) if status == 200 else []
        return points[-1][1] if points else None

    def wait_loaded(self, made, timeout_secs=120, quiet_secs=0.5):
        """Watch without sending requests, so that loading is not disturbed, until the process tree is idle; then
        confirm.

        Returns seconds from exec to that moment, processor seconds, peak megabytes.
        """
        first = self.wait_first_answer()
        history = []
        while self.tree.age() < timeout_secs:
            now = (self.tree.age(), self.tree.cpu_secs())
            history.append(now)
            before = [h for h in history if h[0] <= now[0] - quiet_secs]
            if before and now[1] - before[-1][1] <= 0.02:
                settled = next(t for t, cpu in history if cpu >= before[-1][1] - 0.011)
                if self.has_all(made):
                    peak = self.tree.memory_mb("VmHWM")
                    return {"secs": max(settled, first), "cpu_secs": now[1], "peak_mb": peak}
                history.clear()
            time.sleep(0.01)
        raise RuntimeError(f"{self.name} did not finish loading in {timeout_secs} s")

    def has_all(self, made):
        names = [f"run_{i:04d}" for i in range(made["runs"])]
        if not set(names) <= set(self.runs()):
            return False
        sample = {*names[:: max(1, len(names) // 8)], names[-1]}
        return all(self.last_step(run, made["tags"][-1]) == made["steps"] for run in sample)

    def end(self):
        if self.connection:
            self.connection.close()
        self.tree.end()
        self.home.cleanup()


class Lightboard(Server):
    name = "lightboard"

    def command(self, python, logdir):  # noqa: ARG002  the peer's Python is not ours
        return [sys.executable, "-m", "lightboard", "--logdir", logdir, "--port", str(self.port)]

    def chart(self, tags, px, runs=None, smoothing=0.0, x0=None, x1=None):
        charts = [{"tag": tag, "runs": runs, "x0": x0, "x1": x1} for tag in tags]
        body = {"axis": "step", "px": px, "smoothing": smoothing, "aux": False, "charts": charts}
        return self.request("/api/v1/scalars/chart", json.dumps(body), JSON)


class TensorBoard(Server):
    name = "tensorboard"
    extra = ()

    def command(self, python, logdir):
        program = str(python).rsplit("/", 1)[0] + "/tensorboard"
        return [program, "--logdir", logdir, "--port", str(self.port), "--host", "127.0.0.1",
                "--load_fast=true", *self.extra]  # fmt: skip

    def time_series(self, tags):
        requests = json.dumps([{"plugin": "scalars", "tag": tag} for tag in tags])
        path = "/experiment/defaultExperimentId/data/plugin/timeseries/timeSeries"
        return self.request(path, urllib.parse.urlencode({"requests": requests}), FORM)

    def scalars(self, run, tag):
        return self.request("/data/plugin/scalars/scalars?" + urllib.parse.urlencode({"run": run, "tag": tag}))

    def multirun(self, tag, runs):
        body = urllib.parse.urlencode([("tag", tag), *(("runs", run) for run in runs)])
        return self.request("/data/plugin/scalars/scalars_multirun", body, FORM)


class TensorBoardAll(TensorBoard):
    name = "tensorboard, every point"
    extra = ("--samples_per_plugin", "scalars=1000000")

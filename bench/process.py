"""Observes a server's process tree from outside: processor time, memory, and when it becomes idle."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    """A port below those that the kernel gives to clients.

    While a server starts, its client tries to connect again and again. If it does so from the very port of the server,
    it is connected to itself, and the server cannot have the port.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class ProcessTree:
    """A started command and all its descendants."""

    def __init__(self, command, env=None):
        self.log = tempfile.TemporaryFile()  # noqa: SIM115  lives as long as the tree
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, env=env)

    def age(self):
        return time.perf_counter() - self.started

    def pids(self):
        found = [self.process.pid]
        for pid in found:
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{task}/children") as file:
                        found += [int(child) for child in file.read().split()]
            except OSError:
                continue
        return found

    def cpu_secs(self):
        total = 0
        for pid in self.pids():
            try:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += sum(map(int, fields[11:15]))
        return total / TICK

    def memory_mb(self, key="VmRSS", pids=None):
        """Resident megabytes of the tree, or a part of it, now (VmRSS) or at each process's peak (VmHWM)."""
        total = 0
        for pid in self.pids() if pids is None else pids:
            try:
                with open(f"/proc/{pid}/status") as file:
                    total += sum(int(line.split()[1]) for line in file if line.startswith(key + ":"))
            except OSError:
                continue
        return total / 1024

    def output(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def end(self):
        pids = self.pids()
        for number in (signal.SIGINT, signal.SIGKILL):
            for pid in pids:
                try:
                    os.kill(pid, number)
                except OSError:
                    continue
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                continue
        self.log.close()

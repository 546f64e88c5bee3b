"""Faults for the soak test: what happens to hubs and their logs in production, from a seeded sequence."""

import asyncio
import contextlib
import os
import random
import resource
import signal
from pathlib import Path

SPARED_SECS = 120.0
"""The pause between two kills of workers. More frequent kills are a crash loop, after which a hub gives up on purpose.
"""
PAUSE_SECS = 2.0
"""How long a process is stopped or has no descriptors, and a folder is missing."""
FEW_DESCRIPTORS = 24


class Faults:
    """Causes one fault after another, selected by `seed`, and counts them in `done`.

    `hub` is the hub process, `sources` the folders with a live writer each.
    """

    def __init__(self, hub, sources, http, boards, seed):
        self.hub, self.sources, self.http, self.boards = hub, sources, http, boards
        self.random = random.Random(seed)
        self.done = {}
        self.spared_until = 0.0

    async def go_on(self, every_secs, until):
        """Cause a fault about every `every_secs` until the time `until` of the loop's clock."""
        loop = asyncio.get_running_loop()
        while loop.time() + every_secs + PAUSE_SECS < until:
            await asyncio.sleep(every_secs * self.random.uniform(0.5, 1.5))
            spared = loop.time() < self.spared_until
            fault = self.random.choice([each for each in FAULTS if not spared or each is not Faults.kill_worker])
            await fault(self)
            self.done[fault.__name__] = self.done.get(fault.__name__, 0) + 1

    def worker(self):
        """The process id of a board worker; None if there is none."""
        workers = [pid for pid in self.hub.tree.pids()[1:] if "board.worker" in command_of(pid)]
        return self.random.choice(workers) if workers else None

    async def kill_worker(self):
        """Kill a worker."""
        self.spared_until = asyncio.get_running_loop().time() + SPARED_SECS
        send(self.worker(), signal.SIGKILL)

    async def freeze_worker(self):
        """Stop a worker for a while, as on a machine that swaps."""
        pid = self.worker()
        send(pid, signal.SIGSTOP)
        await asyncio.sleep(PAUSE_SECS)
        send(pid, signal.SIGCONT)

    async def exhaust_descriptors(self):
        """Take a worker's descriptors away for a while."""
        pid = self.worker()
        if pid is None:
            return
        with contextlib.suppress(ProcessLookupError):
            before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (FEW_DESCRIPTORS, before[1]))
            await asyncio.sleep(PAUSE_SECS)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)

    async def damage_record(self):
        """Write a record with an invalid checksum."""
        self.random.choice(self.sources).write_damage()

    async def truncate_file(self):
        """Truncate a file to its first half, as after a crash of its machine. The writer continues after that."""
        self.random.choice(self.sources).truncate()

    async def replace_file(self):
        """Replace a file by another of the same name."""
        self.random.choice(self.sources).replace()

    async def move_folder(self):
        """Make a source unavailable for a while, like a share that is not mounted."""
        source = self.random.choice(self.sources)
        async with source.lock:
            away = source.folder.with_name(f"{source.folder.name}.away")
            source.folder.rename(away)
            await asyncio.sleep(PAUSE_SECS)
            away.rename(source.folder)

    async def restart_board(self):
        """Stop a board and start it again."""
        board = self.random.choice(self.boards)
        for verb in ("stop", "start"):
            async with self.http.put(f"/api/v1/tensorboards/{board}/{verb}") as answer:
                await answer.read()
            await asyncio.sleep(PAUSE_SECS / 4)


FAULTS = (
    Faults.kill_worker,
    Faults.freeze_worker,
    Faults.exhaust_descriptors,
    Faults.damage_record,
    Faults.truncate_file,
    Faults.replace_file,
    Faults.move_folder,
    Faults.restart_board,
)


def command_of(pid):
    """The command line of a process; "" if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def send(pid, number):
    """Send a signal to a process if it exists."""
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)

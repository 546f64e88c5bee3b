"""Starts and stops the processes of boards, which outlive the kernel that started them."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

from lightboard.board.announcement import Address, find_address
from lightboard.config import PROXY_URLS
from lightboard.errors import LaunchError
from lightboard.notebook.board_record import (
    OUTPUT,
    BoardCommand,
    BoardRecord,
    records_folder,
    remove_record,
    running_boards,
    write_record,
)
from lightboard.notebook.process_start import machine_name, process_start

POLL_SECS = 0.02
STOP_SECS = 10.0
"""How long a board may take to end before it is killed."""
SHOWN_LINES = 20

_children: list["subprocess.Popen[bytes]"] = []
"""Boards that this kernel has started, so that the system can forget those that have ended."""


class EndedError(Exception):
    """The command has ended before it served anything: its exit code, and what it has printed."""

    def __init__(self, code: int, output: str) -> None:
        super().__init__(output)
        self.code = code
        self.output = output


def find_or_start(command: BoardCommand) -> BoardRecord:
    """The board of this command, which is started unless it runs.

    Raises:
        EndedError: it has ended instead of serving.
        LaunchError: its files cannot be written.
    """
    reap()
    return next((board for board in running_boards(records_folder()) if board.command == command), None) or start(
        command
    )


def start(command: BoardCommand) -> BoardRecord:
    """Start a board and wait until it accepts requests. Raises as `find_or_start`.

    A KeyboardInterrupt while waiting ends the board.
    """
    folder = records_folder()
    descriptor, output = tempfile.mkstemp(dir=folder, suffix=OUTPUT)  # mode 0600
    try:
        with open(descriptor, "wb") as file:
            process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                # -P: files beside a notebook are not modules of the board.
                [sys.executable, "-P", "-m", "lightboard", *command.words],
                cwd=command.folder,
                env={**os.environ, **({PROXY_URLS[0]: command.proxy} if command.proxy else {})},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # signals for the kernel and its terminal do not reach it
            )
        _children.append(process)
        try:
            address = wait_for_address(process, output)
            record = BoardRecord(command, machine_name(), process.pid, process_start(process.pid), address)
            write_record(folder, record)
        except BaseException:
            process.kill()
            process.wait()
            raise
        os.replace(output, os.path.join(folder, record.stem + OUTPUT))
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(output)
        raise
    return record


def wait_for_address(process: "subprocess.Popen[bytes]", output: str) -> Address:
    """The address that the board prints once it accepts requests. Raises EndedError."""
    while True:
        code = process.poll()
        with open(output, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if code is not None:
            raise EndedError(code, text.strip())
        if address := find_address(text):
            return address
        time.sleep(POLL_SECS)


def stop(board: BoardRecord) -> None:
    """End a board and wait until it has ended. Raises LaunchError if it belongs to another user."""
    deadline, ending = time.monotonic() + STOP_SECS, signal.SIGTERM
    while board.running:
        try:
            os.kill(board.pid, ending)
        except ProcessLookupError:
            break
        except PermissionError:
            raise LaunchError(f"process {board.pid} belongs to another user", hint="that user can end it") from None
        while board.running and time.monotonic() < deadline:
            time.sleep(POLL_SECS)
        ending, deadline = signal.SIGKILL, time.monotonic() + STOP_SECS
    reap()
    remove_record(records_folder(), board)


def reap() -> None:
    """Let the system forget the children that have ended."""
    _children[:] = [child for child in _children if child.poll() is None]


def failure(ended: EndedError) -> LaunchError:
    """The error for a command that has failed, with the end of its output."""
    lines = ended.output.splitlines()[-SHOWN_LINES:]
    hint = lines.pop().removeprefix("hint: ") if lines and lines[-1].startswith("hint: ") else ""
    text = "\n".join(lines).removeprefix("lightboard: ")
    return LaunchError(text or f"lightboard has ended with code {ended.code} and printed nothing", hint=hint)

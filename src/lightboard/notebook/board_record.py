"""Records of the boards that notebooks have started, in the user's own folder: what is running, and for which command.

One JSON file for each board, which only this user can read, beside a file with its output.
"""

import contextlib
import dataclasses
import json
import os
import tempfile
from dataclasses import dataclass

from lightboard.board.announcement import Address
from lightboard.errors import LaunchError
from lightboard.home import VARIABLE, create_private, own_folder
from lightboard.notebook.process_start import machine_name, process_start

FOLDER = "notebooks"
RECORD, OUTPUT = ".json", ".log"


@dataclass(frozen=True)
class BoardCommand:
    """What a notebook asks for. Equal commands share a board.

    `words` are the arguments, `folder` is the working directory, and `proxy` the URL of a proxy that the board
    trusts ("" if none).
    """

    version: str
    folder: str
    words: tuple[str, ...]
    proxy: str


@dataclass(frozen=True)
class BoardRecord:
    """One board. `machine` is its machine_name, since several may share a home; `started` is its process_start."""

    command: BoardCommand
    machine: str
    pid: int
    started: str
    address: Address

    @property
    def running(self) -> bool:
        """Whether the process runs on this machine."""
        return self.machine == machine_name() and process_start(self.pid) == self.started

    @property
    def stem(self) -> str:
        """Name of its files, without the ending."""
        return f"{self.machine}-{self.pid}"


def records_folder() -> str:
    """The folder, which is created if missing. Raises LaunchError."""
    home = own_folder()
    folder = os.path.join(home, FOLDER)
    try:
        if not home:
            raise FileNotFoundError("this user has no home directory")
        create_private(folder)
    except OSError as error:
        raise LaunchError(
            f"there is no place to note which boards are running: {error}",
            hint=f"set {VARIABLE} to a folder that you can write",
        ) from None
    return folder


def write_record(folder: str, record: BoardRecord) -> None:
    """Write the file of a board atomically. Raises OSError."""
    descriptor, temporary = tempfile.mkstemp(dir=folder)  # mode 0600
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(dataclasses.asdict(record), file, indent=2)
    os.replace(temporary, os.path.join(folder, record.stem + RECORD))


def remove_record(folder: str, record: BoardRecord) -> None:
    """Remove the files of a board, if they exist."""
    for ending in (RECORD, OUTPUT):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, record.stem + ending))


def running_boards(folder: str) -> list[BoardRecord]:
    """The boards that run on this machine, by port. Removes the records of those that have ended."""
    here, found = machine_name(), []
    for name in os.listdir(folder):
        record = read_record(os.path.join(folder, name)) if name.endswith(RECORD) else None
        if record is None or record.machine != here:
            continue
        if record.running:
            found.append(record)
        else:
            remove_record(folder, record)
    return sorted(found, key=lambda record: record.address.port)


def read_record(path: str) -> BoardRecord | None:
    """The record in a file; None if it is gone, or was written by another version."""
    try:
        with open(path, encoding="utf-8") as file:
            fields = json.load(file)
        command = fields.pop("command")
        words, address = tuple(command.pop("words")), Address(*fields.pop("address"))
        return BoardRecord(command=BoardCommand(words=words, **command), address=address, **fields)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None

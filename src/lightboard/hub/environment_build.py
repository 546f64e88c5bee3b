"""Builds one environment in a process of its own, which ends with the hub: `python -m ... FOLDER SECONDS [BYTES]`.

The process reads from stdin, which the hub closes when it ends, however that happens; then it kills pip and whatever
pip has started. It exits with 0 if the environment is complete, and otherwise prints why it is not, and
leaves nothing but the log. With BYTES, a larger container image is not unpacked.
"""

import contextlib
import ctypes
import importlib.util
import os
import platform
import select
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from lightboard.counts import counted
from lightboard.hub.container_engine import (
    ContainerEngine,
    EngineError,
    extraction,
    find_engine,
    parse_config,
    parse_size,
)
from lightboard.hub.container_image import ContainerImage
from lightboard.hub.container_reference import ContainerReference
from lightboard.hub.environment_folder import GRANTED, NEEDED, NO_ROOM_CODE, EnvironmentFolder
from lightboard.hub.installed_packages import count_packages
from lightboard.hub.resources.images import BuiltEnvironment
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.command_process import log_streams, popen
from lightboard.hub.runners.line_log import LineLogWriter
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.sizes import size_text

LOG_FILE_BYTES, LOG_FILES = 512 << 10, 4
TAIL_BYTES = 1 << 20
READ_BYTES = 1 << 16
PAUSE_SECS = 0.1
NOT_OF_PIP = ("PYTHONPATH", "PYTHONHOME")
"""Packages that these variables show are not in the environment."""
UMASK = 0o022
"""Jobs may run as another user. The folder above is private."""
NICENESS = 10
"""Compilers must not slow down boards."""
PR_SET_CHILD_SUBREAPER = 36
"""See prctl(2)."""
STDIN = 0
INSTALL = ("--no-input", "--no-color", "--progress-bar", "off", "--disable-pip-version-check", "--requirement")
NOT_WRITABLE, READABLE = 0o555, 0o444


class BuildError(Exception):
    """Why an environment could not be built, for people."""


class TooLarge(BuildError):
    """It would take more disk than it may."""


def commands(folder: EnvironmentFolder, python: str, *, has_pip: bool) -> list[tuple[str, ...]]:
    """What is run, in order, beside the list.

    The pip of the hub's Python installs what is in the list; if it has none, one in the environment.
    """
    environment, requirements = str(folder.environment), folder.list.name
    if has_pip:
        return [
            (python, "-m", "venv", "--without-pip", environment),
            (python, "-m", "pip", "--python", environment, "install", *INSTALL, requirements),
        ]
    return [
        (python, "-m", "venv", environment),
        (f"{environment}/bin/python3", "-m", "pip", "install", *INSTALL, requirements),
    ]


def failure_line(output: str) -> str:
    """The line of its output that says why a program failed: its last error, or else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["it has printed nothing"])[-1]


class Build:
    """One build, with a limit of time, and one of disk unless that is None."""

    def __init__(self, folder: EnvironmentFolder, limit_secs: float, limit_bytes: int | None = None) -> None:
        self._folder = folder
        self._limit_secs = limit_secs
        self._limit_bytes = limit_bytes
        self._deadline = time.monotonic() + limit_secs
        self._log = LineLogWriter(folder.log, file_bytes=LOG_FILE_BYTES, max_files=LOG_FILES)
        self._tail = b""
        self._pulled = ""

    def run(self) -> None:
        """Builds the environment and marks it as complete. Raises BuildError and OSError."""
        reference = self._folder.read_reference()
        built = self._install() if reference is None else self._unpack(reference)
        self._folder.write(built)
        self.say(f"complete; packages: {built.packages:,}, bytes: {built.size_bytes:,}")

    def _install(self) -> BuiltEnvironment:
        """Builds a virtual environment. Raises BuildError and OSError."""
        has_pip = importlib.util.find_spec("pip") is not None
        for command in commands(self._folder, sys.executable, has_pip=has_pip):
            self._need(command)
        return BuiltEnvironment(
            python=platform.python_version(),
            packages=count_packages(self._folder.environment),
            size_bytes=protect(self._folder.environment),
            built_at=time.time(),
        )

    def _unpack(self, reference: ContainerReference) -> BuiltEnvironment:
        """Unpacks a container image, which its engine has or gets. Raises BuildError and OSError."""
        try:
            engine = find_engine()
            name = self._fetch(engine, reference)
            inspected = self._need(engine.inspect(name))
            config = parse_config(inspected)
            self._check_size(inspected)
            archive = str(self._folder.temporary / "image.tar")
            self._export(engine, name, archive)
            self._folder.environment.mkdir()
            self._need(extraction(archive, str(self._folder.environment)))
            os.unlink(archive)
        except EngineError as error:
            raise BuildError(str(error)) from None
        finally:
            if self._pulled:  # the hub has its own copy, or will not have one
                self._run(engine.remove_image(self._pulled))
        size = protect(self._folder.environment)
        found = ContainerImage(str(self._folder.environment), config.environment).read()
        return BuiltEnvironment(
            python=found.version,
            packages=len(found.packages),
            size_bytes=size,
            built_at=time.time(),
            container=config,
        )

    def _check_size(self, inspected: str) -> None:
        """Raises TooLarge, and EngineError if the size of the image is not known but limited."""
        limit = self._limit_bytes
        if limit is not None and (size := parse_size(inspected)) > limit:
            raise TooLarge(f"its {size_text(size)} are more than the {size_text(limit)} that are left")
        if limit is not None:
            self._ask_for_room(size)

    def _ask_for_room(self, size: int) -> None:
        """Waits until the hub has removed what it has to. Raises TooLarge if it could not."""
        sys.stdout.write(f"{NEEDED}{size}\n")
        sys.stdout.flush()
        answer = os.read(STDIN, READ_BYTES).decode().strip()
        if not answer:
            raise BuildError("the hub has ended")
        if answer != GRANTED:
            raise TooLarge(f"its {size_text(size)} are more than what is left")

    def _export(self, engine: ContainerEngine, image: str, archive: str) -> None:
        """Writes the file system of an image to a file. Raises BuildError."""
        container = f"lightboard-{self._folder.path.name}"
        self._run(engine.remove(container))  # left by an earlier build
        try:
            self._need(engine.create(container, image))
            self._need(engine.export(container, archive))
        finally:
            self._run(engine.remove(container))

    def _fetch(self, engine: ContainerEngine, reference: ContainerReference) -> str:
        """The name under which the engine has an image, after it has got it if it had not. Raises BuildError."""
        if reference.archive:
            return engine.loaded_name(self._need(engine.load(reference.text)))
        if self._run(engine.inspect(reference.name)):
            self._need(engine.pull(reference.name))
            self._pulled = reference.name
        return reference.name

    def clean(self) -> None:
        """Removes all but the log, after the build has failed. Raises OSError."""
        remove_tree(self._folder.environment)
        remove_tree(self._folder.temporary)

    def _need(self, command: tuple[str, ...]) -> str:
        """The end of the output of a command that must succeed. Raises BuildError."""
        code = self._run(command)
        output = self._tail.decode(errors="replace")
        if code:
            raise BuildError(f"{failure_line(output)} (exit code {code})")
        return output

    def say(self, line: str) -> None:
        """Adds a line to the log."""
        with contextlib.suppress(OSError):  # a full disk
            self._log.write(f"lightboard: {line}\n".encode())

    def _run(self, command: tuple[str, ...]) -> int:
        """The exit code of a command, of which no process is left. Raises BuildError at the end of the time limit."""
        self.say(f"running {' '.join(command).replace(f'{self._folder.path}/', '')}")
        output, output_end = os.pipe()
        own = {"TMPDIR": str(self._folder.temporary), "PYTHONUNBUFFERED": "1", "PIP_ROOT_USER_ACTION": "ignore"}
        environment = {name: value for name, value in os.environ.items() if name not in NOT_OF_PIP} | own
        self._tail = b""
        try:
            process = popen(command, environment, str(self._folder.requirements), log_streams(output_end), umask=UMASK)
        finally:
            os.close(output_end)
        watched = [output, STDIN]
        while process.poll() is None:
            for fd in select.select(watched, [], [], PAUSE_SECS)[0]:
                if fd == STDIN:
                    raise BuildError("the hub has ended")
                if not self._copy(output):
                    watched.remove(output)
            if time.monotonic() > self._deadline:
                raise BuildError(f"it took longer than {counted(self._limit_secs, 'second')}")
        kill_children()
        while self._copy(output):
            pass
        os.close(output)
        return process.returncode

    def _copy(self, output: int) -> bool:
        """Stores available output; False at its end."""
        chunk = os.read(output, READ_BYTES)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        with contextlib.suppress(OSError):  # a full disk
            self._log.write(chunk)
        return bool(chunk)


def kill_children() -> None:
    """Kills all processes that this one has started, directly or not, and waits for their end."""
    while process_tree.reap():
        process_tree.kill_descendants()
        if process_tree.reap():
            time.sleep(PAUSE_SECS / 10)


def protect(environment: Path) -> int:
    """Makes everything in a folder read-only, against mistakes of jobs that nothing isolates; its size in bytes.

    Every user of jobs can read it: containers often run as root, but jobs do not.
    """
    size = 0
    for folder, _, files in os.walk(environment, topdown=False):
        for path in (Path(folder, each) for each in files):
            if not path.is_symlink():
                status = path.stat()
                size += status.st_size
                path.chmod((status.st_mode | READABLE) & NOT_WRITABLE)
        Path(folder).chmod(NOT_WRITABLE)
    return size


def main(arguments: Iterable[str]) -> int:
    """Builds the environment of a folder. Returns 1, and prints why, if that failed."""
    path, secs, *size = arguments
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)  # what pip leaves behind is a child of this process
    os.nice(NICENESS)
    folder = EnvironmentFolder(Path(path))
    try:
        build = Build(folder, float(secs), *map(int, size))
        try:
            build.run()
        except (BuildError, OSError) as error:
            build.say(f"failed: {error}")
            kill_children()
            build.clean()
            raise
    except (BuildError, OSError) as error:
        sys.stdout.write(f"{error}\n")
        return NO_ROOM_CODE if isinstance(error, TooLarge) else 1
    finally:
        kill_children()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

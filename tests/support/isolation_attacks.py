"""What a program on the machine of a hub may try to reach: a program with an attack for each, run wherever jobs run.

`python isolation_attacks.py TARGETS [NAME...]`: TARGETS is a JSON file, see `Targets`. Prints a line of JSON for each
attack: its name, how it went, and what it got. Only the standard library is imported, since
it runs in jobs; and each attack in a process of its own, a copy of this one, since some change what they run in.

No attack does harm where it succeeds: the same program is run without walls, to show that each one can.
"""

import ctypes
import errno
import json
import os
import platform
import select
import signal
import socket
import sys
import tempfile
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

END = "all attacks have been tried"
TIMEOUT_SECS = 120.0
HTTP_SECS = 20.0
NEW_MOUNTS, NEW_CGROUP, NEW_USER = 0x00020000, 0x02000000, 0x10000000
DETACH, PRIVATE = 2, 0x4000 | 0x40000
"""Of umount2(2); of mount(2), with all below."""
DEVICE_OF_NULL = os.makedev(1, 3)
KEYRING_CALLS = {"x86_64": 248, "aarch64": 217}
USER_KEYRING, KEYCTL_UNLINK = -4, 9
FILE_BYTES = 1 << 24
NOT_SEARCHED = ("/proc", "/sys", "/dev", "/usr")
REACHED, REFUSED, BROKEN = "reached", "refused", "broken"
ATTACKS: dict[str, "Attack"] = {}


@dataclass(frozen=True, kw_only=True)
class Targets:
    """Where everything is, as the machine sees it. `secret` is hexadecimal, so that it is not found here.

    `data` is the folder of the hub, `storage` that of the project of the job that runs this, with `outputs_of_another`
    job there, `program` a file of the hub's program. The victim is a job of another project, with a notebook:
    `processes` are theirs and those of the hub, with their times of start. `since` is when the first secret was
    written; what is below `top` is searched for it, except for folders that are `not_searched`. `hub` and `worker` are
    addresses; `hub_token` and `worker_secret` are "" unless it is shown that the attacks at them can succeed.
    """

    data: str
    storage: str
    outputs_of_another: str
    storage_of_another: str
    root_of_another: str
    program: str
    secret: str
    top: str
    not_searched: list[str]
    since: float
    victim: str
    notebook: str
    processes: dict[int, int]
    abstract: str
    port: int
    hub: str
    worker: str
    board: str
    hub_token: str = ""
    worker_secret: str = ""


@dataclass(frozen=True)
class Found:
    """How an attack went: REACHED, REFUSED, or BROKEN if it has a fault of its own."""

    attack: str
    result: str
    got: str


Attack = Callable[[Targets], object]
"""Returns what it got, something false if nothing. Raises OSError and others if it was refused."""
libc = ctypes.CDLL(None, use_errno=True)


def attack(function: Attack) -> Attack:
    """Registers an attack by its name; its docstring is what it tries to reach, in words for people."""
    ATTACKS[function.__name__] = function
    return function


def read(path: str) -> str:
    """The beginning of a file."""
    with open(path, "rb") as file:
        return file.read(100).hex()


def call(name: str, *arguments: object) -> None:
    """Calls the C library. Raises OSError."""
    if getattr(libc, name)(*arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)


# Files


@attack
def key_of_the_hub(at: Targets) -> object:
    """The hub's key"""
    return read(f"{at.data}/key")


@attack
def database(at: Targets) -> object:
    """The hub's database"""
    return read(f"{at.data}/hub.sqlite3")


@attack
def uploaded_source_code(at: Targets) -> object:
    """Source code that others have uploaded"""
    return os.listdir(f"{at.data}/source_code")


@attack
def storage_of_another_project(at: Targets) -> object:
    """The storage of another project"""
    return read(at.storage_of_another)


@attack
def root_of_another_project(at: Targets) -> object:
    """The bound folders of another project, if all users of the machine may read them"""
    return read(at.root_of_another)


@attack
def folders_of_another_job(at: Targets) -> object:
    """The code, home and temporary folders of another job"""
    return os.listdir(f"{at.data}/jobs/{at.victim}/code") + os.listdir(f"{at.data}/jobs/{at.victim}/tmp/0")


@attack
def variables_of_another_job(at: Targets) -> object:
    """The variables of another job, as they are stored"""
    return read(f"{at.data}/runner/{at.victim}/1/0/spec.json")


@attack
def log_of_another_job(at: Targets) -> object:
    """The log of another job, as it is stored"""
    return os.listdir(f"{at.data}/runner/{at.victim}/1/0/log")


@attack
def secrets_anywhere(at: Targets) -> object:
    """Anything else of others in any file"""
    secret = bytes.fromhex(at.secret)
    without = [*NOT_SEARCHED, *at.not_searched, os.path.dirname(at.root_of_another)]
    tops = [at.top, os.path.dirname(at.storage_of_another), f"{at.data}/jobs/{at.victim}/code"]
    return [path for path in changed_files(tops, without, at.since) if secret in content(path)]


def changed_files(tops: list[str], without: list[str], since: float) -> Iterator[str]:
    """The files that have changed since some time. Nobody but the kernel sets that time, ctime."""
    folders = list(tops)
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders += [entry.path] * (entry.path not in without)
                    elif entry.is_file(follow_symlinks=False) and entry.stat().st_ctime >= since:
                        yield entry.path
        except OSError:
            continue


def content(path: str) -> bytes:
    """What a file has; nothing if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(FILE_BYTES)
    except OSError:
        return b""


@attack
def secrets_of_the_machine(at: Targets) -> object:
    """Passwords of the machine"""
    return read("/etc/shadow")


@attack
def files_of_the_machine(at: Targets) -> object:
    """Files and services of the machine that all of its users may read and use"""
    return [path for path in ("/home", "/var/lib", "/run") if os.path.exists(path)]


@attack
def programs(at: Targets) -> object:
    """Programs of the hub and the machine, to change them"""
    return [path for path in (at.program, os.path.realpath(sys.executable)) if is_writable(path)]


def is_writable(path: str) -> bool:
    """Whether a file could be changed. It is not."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    except OSError as error:
        return error.errno == errno.ETXTBSY and is_changeable(path)  # while it runs, it could only be replaced
    return True


@attack
def own_program(at: Targets) -> object:
    """The file of the machine that a program is, by `/proc/PID/exe`"""
    pids = [pid for pid in os.listdir("/proc") if pid.isdecimal()]
    return [os.readlink(f"/proc/{pid}/exe") for pid in pids if is_writable(f"/proc/{pid}/exe")]


def is_changeable(path: str) -> bool:
    """Whether a program can be seen where it is not mounted read-only."""
    try:
        return not os.statvfs(path).f_flag & os.ST_RDONLY
    except OSError:
        return False


@attack
def storage_of_its_project(at: Targets) -> object:
    """The storage of its own project, to write to it elsewhere than in its outputs and volumes"""
    folders = [at.storage, at.outputs_of_another]
    return [folder for folder in folders if succeeds(lambda: tempfile.TemporaryFile(dir=folder).close())]  # noqa: B023


@attack
def set_user_id_program(at: Targets) -> object:
    """A program that runs as its owner for whoever executes it, to leave it behind"""
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0o4755)
        return oct(os.stat(file.name).st_mode)


# Processes


@attack
def environments_of_others(at: Targets) -> object:
    """Variables of other processes, by `/proc`"""
    secret = bytes.fromhex(at.secret)
    return [pid for pid in os.listdir("/proc") if pid.isdecimal() and secret in content(f"/proc/{pid}/environ")]


@attack
def command_lines_of_others(at: Targets) -> object:
    """Command lines of other processes, by `/proc`"""
    return [pid for pid, start in at.processes.items() if start_time(pid) == start and content(f"/proc/{pid}/cmdline")]


@attack
def files_of_other_processes(at: Targets) -> object:
    """Files and folders of other processes, by `/proc`"""
    roots = [f"/proc/{pid}/root{at.data}/key" for pid in os.listdir("/proc") if pid.isdecimal()]
    return [path for path in roots if content(path)]


@attack
def signals(at: Targets) -> object:
    """Processes of the hub, its supervisors and other jobs, to end them"""
    running = [pid for pid, started in at.processes.items() if start_time(pid) == started]
    return [pid for pid in running if succeeds(lambda: os.kill(pid, 0))]  # noqa: B023


def start_time(pid: int) -> int:
    """When a process has started, by the clock of the machine: another one may have its number here. 0 without it."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19])
    except OSError:
        return 0


@attack
def memory_of_others(at: Targets) -> object:
    """The memory of processes of the hub and other jobs"""
    running = [pid for pid, started in at.processes.items() if start_time(pid) == started]
    return [pid for pid in running if succeeds(lambda: read_memory(pid))]  # noqa: B023


def read_memory(pid: int) -> None:
    """Reads some memory of a process. Raises OSError."""
    first = Path(f"/proc/{pid}/maps").read_text().partition("-")[0]
    with open(f"/proc/{pid}/mem", "rb") as memory:
        memory.seek(int(first, 16))
        memory.read(4)


@attack
def socket_of_a_supervisor(at: Targets) -> object:
    """The socket at which a supervisor accepts commands"""
    return connects(f"{at.data}/runner/{at.victim}/1/0", "exec.sock", socket.SOCK_SEQPACKET)


@attack
def socket_of_a_notebook(at: Targets) -> object:
    """The socket of another notebook"""
    return connects(f"{at.data}/jobs/{at.notebook}/tmp/0", "server.sock", socket.SOCK_STREAM)


def connects(folder: str, name: str, kind: socket.SocketKind) -> str:
    """Connects to a Unix socket, whose path may be longer than an address. Raises OSError."""
    above = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    with socket.socket(socket.AF_UNIX, kind) as client:
        client.connect(f"/proc/self/fd/{above}/{name}")
    return name


# The kernel


@attack
def control_group(at: Targets) -> object:
    """Its own limits, to lift them"""
    ways = [lambda: "/sys/fs/cgroup", mounted_control_groups]
    for way in ways:
        top = way()
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for folder in (f"{top}/{path}", f"{top}/{controllers}/{path}"):
                if os.path.exists(f"{folder}/pids.max"):
                    Path(folder, "pids.max").write_text("max")
                    return path
    return ""


def mounted_control_groups() -> str:
    """Where those of version 2 have been mounted, by the root of namespaces of its own if need be."""
    user, group, top = os.getuid(), os.getgid(), tempfile.mkdtemp()
    call("unshare", NEW_USER | NEW_MOUNTS | NEW_CGROUP)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        Path("/proc/self", name).write_text(text)
    call("mount", b"none", top.encode(), b"cgroup2", 0, None)
    return top


@attack
def mounts(at: Targets) -> object:
    """What is hidden by its mounts, by undoing them"""
    undone = []
    for unshared in (0, NEW_MOUNTS, NEW_USER | NEW_MOUNTS):
        if unshared and libc.unshare(unshared):
            continue
        if not unshared and os.path.exists("/etc/shadow"):
            continue  # these are the machine's own
        if unshared and libc.mount(None, b"/", None, PRIVATE, None):
            continue  # they would be undone elsewhere, too
        places = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        undone += [place for place in places if libc.umount2(place.encode(), DETACH) == 0]
    return undone


@attack
def devices(at: Targets) -> object:
    """Devices and settings of the machine"""
    writable = [path for path in ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger") if os.access(path, os.W_OK)]
    return writable + [path for path in ("/dev/full", "/dev/null") if succeeds(lambda: os.chmod(path, 0o666))]  # noqa: B023


def succeeds(change: Callable[[], object]) -> bool:
    """Whether something is not refused."""
    try:
        change()
    except OSError:
        return False
    return True


@attack
def new_device(at: Targets) -> object:
    """A device, to make a file that is one"""
    path = tempfile.mkdtemp() + "/null"
    os.mknod(path, 0o20600, DEVICE_OF_NULL)
    os.remove(path)
    return path


@attack
def keys(at: Targets) -> object:
    """Keys that the kernel keeps for the hub's user"""
    number = KEYRING_CALLS[platform.machine()]
    key = libc.syscall(number, b"user", b"lightboard-isolation-test", b"secret", 6, USER_KEYRING)
    if key < 0:
        raise OSError(ctypes.get_errno(), "no key can be added")
    call("syscall", number + 2, KEYCTL_UNLINK, key, USER_KEYRING)
    return "a key"


# The network


@attack
def hub_without_a_token(at: Targets) -> object:
    """What the hub knows, without a token"""
    return answered(at.hub, ["api/v1/jobs", "api/v1/accounts", "api/v1/me", "metrics"], bearer(at.hub_token))


@attack
def rights_of_its_token(at: Targets) -> object:
    """More than its own job, with its token"""
    headers = bearer(at.hub_token or os.environ["LIGHTBOARD_JOB_TOKEN"])
    if not at.hub_token and not answered(at.hub, [f"api/v1/jobs/{os.environ['LIGHTBOARD_JOB_ID']}"], headers):
        raise RuntimeError("its token does not even open its own job")
    paths = [f"api/v1/jobs/{at.victim}", f"api/v1/jobs/{at.victim}/logs", "api/v1/jobs", "api/v1/accounts"]
    paths += [f"notebooks/{at.notebook}/", f"tb/{at.board}/data/environment"] if not at.hub_token else []
    return answered(at.hub, paths, headers)


@attack
def board_worker(at: Targets) -> object:
    """TensorBoards of others, at the port of a worker"""
    headers = {"X-Lightboard-Hub": at.worker_secret, **bearer(at.worker_secret)} if at.worker_secret else {}
    return answered(at.worker, [f"tb/{at.board}/data/environment"], headers)


def bearer(token: str) -> dict[str, str]:
    """The header with a token, if there is one."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def answered(base: str, paths: list[str], headers: dict[str, str]) -> list[str]:
    """The paths that are answered with what they name. Raises OSError if nobody answers at all."""
    found = []
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for path in paths:
        try:
            opener.open(urllib.request.Request(f"{base}/{path}", headers=headers), timeout=HTTP_SECS).close()
            found.append(path)
        except urllib.error.HTTPError as error:
            error.close()
    return found


@attack
def port_of_another_job(at: Targets) -> object:
    """Ports at which other jobs listen, and services of the machine that trust its loopback address"""
    with socket.create_connection(("127.0.0.1", at.port), HTTP_SECS) as client:
        return client.recv(100).hex()


@attack
def abstract_socket_of_another_job(at: Targets) -> object:
    """Abstract Unix sockets at which other jobs listen"""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"\0{at.abstract}")
        return client.recv(100).hex()


def attempt(name: str, at: Targets) -> Found:
    """The outcome of one attack, in a new process."""
    out, out_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(out_end, json.dumps(asdict(outcome(name, at))).encode())
        finally:
            os._exit(0)
    os.close(out_end)
    text = b""
    while select.select([out], [], [], TIMEOUT_SECS)[0] and (more := os.read(out, 1 << 16)):
        text += more
    os.close(out)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return Found(**json.loads(text)) if text else Found(name, BROKEN, "ended without a word")


def outcome(name: str, at: Targets) -> Found:
    """The outcome of one attack, in this process."""
    try:
        got = ATTACKS[name](at)
    except OSError as error:
        return Found(name, REFUSED, f"{type(error).__name__}: {error}"[:500])
    except BaseException:
        return Found(name, BROKEN, traceback.format_exc()[-500:])
    return Found(name, REACHED if got else REFUSED, str(got)[:500])


def main(arguments: list[str]) -> None:
    """Prints the outcome of each attack, or of those that are named."""
    fields = json.loads(Path(arguments[0]).read_bytes())
    at = Targets(**{**fields, "processes": {int(pid): start for pid, start in fields["processes"].items()}})
    for name in arguments[1:] or list(ATTACKS):
        print(json.dumps(asdict(attempt(name, at))), flush=True)
    print(END, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

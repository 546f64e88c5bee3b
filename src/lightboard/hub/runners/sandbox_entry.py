"""The first program of a workload that is isolated: gives up what it may do, and becomes the command.

In a sandbox, it checks what was mounted as well; without one, its settings have `groups`.

`main` takes SETTINGS REPORT [NAMESPACE...]: all are descriptors. SETTINGS has what
`command_process.entry_settings` wrote; REPORT gets READY before the command is executed, and an `error_report` if
anything fails. Nothing here depends on the job: its variables are set by the execution itself. Only the standard
library is imported, and of it neither `typing`, `json` nor `signal`, for a fast start.

With namespaces, it starts outside and enters them first, for a further command in the sandbox. Everything that it
needs has been loaded by then, so that nothing that a job could have changed is executed with its privileges. When it
has given these up, it executes itself once more, from the files of the sandbox: until then its program is a file of
the machine, which a job could open by `/proc/PID/exe` and, if it belongs to the hub's user, overwrite.
"""

import ctypes
import fcntl
import marshal
import os
import resource
import stat
import struct
import sys
import termios
import warnings  # noqa: F401  # execvpe needs it, and it cannot be found any more when the root has changed

START = "import sys; sys.path.append(sys.argv.pop(1)); from sandbox_entry import main; sys.exit(main(sys.argv[1:]))"
"""It is imported, which is faster than a script: that would be compiled each time."""
THIS = (sys.executable, "-I", "-S", "-c", START, os.path.dirname(__file__))
READY = b"ready\n"
NOT_EXECUTED = 127
UMASK = 0o077
UMASK_OF_PROJECT = 0o027
"""Without a sandbox, where the jobs of other accounts of a project read files as its group."""
KEYCTL_JOIN_SESSION_KEYRING = 1
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 1, 4, 23, 24, 47
PR_SET_KEEPCAPS, PR_CAP_AMBIENT_RAISE, PR_CAP_AMBIENT_CLEAR_ALL = 8, 2, 4
CAPABILITY_VERSION = 0x20080522
LAST_CAPABILITY = 63
"""More than there are; the kernel says which it knows."""
CHANGE_USER = (6, 7)
"""CAP_SETGID and CAP_SETUID, which `become` needs."""
CHANGE_ROOT = 18
"""CAP_SYS_CHROOT, for the root of a container image."""
SHELL_SIGNAL = 128
SIGHUP, SIGKILL, SIGPIPE, SIGTERM, SIGXFSZ = 1, 9, 13, 15, 25
"""Importing `signal` would take a third of the start, because of its enumerations."""
SIG_DFL = None
"""A null pointer."""
FORWARDED = (SIGHUP, SIGTERM)
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO = 0x7FFF0000, 0x00050000
EPERM, ENOSYS = 1, 38
CREATES = os.O_CREAT | 0o20000000
"""Flags of open(2) with which it has a mode: this, and __O_TMPFILE."""
X32_CALLS = 0x40000000
"""On x86-64, calls of another interface have this bit set in their number."""
BPF_LD_W_ABS, BPF_JEQ, BPF_JGE, BPF_JSET, BPF_RET = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCH_AT, ARGUMENTS_AT, ARGUMENT_BYTES = 0, 4, 16, 8
"""Offsets in `struct seccomp_data`, whose numbers are little-endian on these machines."""


class Calls:
    """Numbers of system calls of a machine, whose AUDIT_ARCH is `arch`.

    `modes` are those that set the mode of a file, with the argument that is the mode; `opens` are those that may, with
    the one that has their flags, which is before the mode. `unavailable` could do the same unseen: io_uring_setup,
    openat2.
    """

    unavailable = (425, 437)

    def __init__(
        self, arch: int, keyctl: int, keyrings: tuple[int, ...], modes: dict[int, int], opens: dict[int, int]
    ) -> None:
        self.arch = arch
        self.keyctl = keyctl
        self.keyrings = keyrings
        self.modes = modes
        self.opens = opens


CALLS = {
    "x86_64": Calls(
        0xC000003E, 250, (248, 249, 250), {85: 1, 90: 1, 91: 1, 133: 1, 259: 2, 268: 2, 452: 2}, {2: 1, 257: 2}
    ),
    "aarch64": Calls(0xC00000B7, 219, (217, 218, 219), {33: 2, 52: 1, 53: 2, 452: 2}, {56: 2}),
}

libc = ctypes.CDLL(None, use_errno=True)


def check_folders(expected: list[tuple[str, int, int]]) -> None:
    """Raises OSError unless the folders are those that the hub has opened: device and inode of each path.

    A path may have been replaced by a link before it was mounted.
    """
    for path, device, inode in expected:
        found = os.lstat(path)
        if (found.st_dev, found.st_ino) != (device, inode):
            raise OSError(0, "it has been replaced meanwhile", path)


def limit_processes(number: int) -> None:
    """Lets the user of this namespace have so many processes and threads in it, and never more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def restrict_calls() -> None:
    """Refuses system calls that act on what belongs to no namespace: keyrings, and programs for other users.

    Keys of the hub's session and user cannot be used any more (keyrings(7)). No file can be made a set-user-ID program:
    outside of the sandbox, whoever executed it would become its owner, which may be the user of the hub.
    """
    calls = CALLS.get(os.uname().machine)
    if calls is None or struct.calcsize("P") != 8:
        return
    libc.syscall(calls.keyctl, KEYCTL_JOIN_SESSION_KEYRING, None)
    code = filter_code(calls)
    instructions = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(instructions))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), "the filter of system calls")


def filter_code(calls: Calls) -> bytes:
    """A program for seccomp(2): refuses some calls, and all of other architectures."""

    def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, value)

    def when(number: int, *body: bytes) -> tuple[bytes, ...]:
        return instruction(BPF_JEQ, number, 0, len(body)), *body

    def argument(index: int) -> bytes:
        return instruction(BPF_LD_W_ABS, ARGUMENTS_AT + index * ARGUMENT_BYTES)

    def unless_set_user_id(mode: int) -> tuple[bytes, ...]:
        return argument(mode), instruction(BPF_JSET, stat.S_ISUID, 0, 1), refuse, allow

    allow = instruction(BPF_RET, SECCOMP_RET_ALLOW)
    refuse, unknown = (instruction(BPF_RET, SECCOMP_RET_ERRNO | error) for error in (EPERM, ENOSYS))
    is_creating = instruction(BPF_JSET, CREATES, 1, 0)
    rules = (
        *(when(number, refuse) for number in calls.keyrings),
        *(when(number, unknown) for number in calls.unavailable),
        *(when(number, *unless_set_user_id(mode)) for number, mode in calls.modes.items()),
        *(
            when(number, argument(flags), is_creating, allow, *unless_set_user_id(flags + 1))
            for number, flags in calls.opens.items()
        ),
    )
    return b"".join(
        (
            instruction(BPF_LD_W_ABS, ARCH_AT),
            instruction(BPF_JEQ, calls.arch, 1, 0),
            unknown,
            instruction(BPF_LD_W_ABS, NUMBER_AT),
            instruction(BPF_JGE, X32_CALLS, 0, 1),
            unknown,
            *(each for rule in rules for each in rule),
            allow,
        )
    )


def enter(namespaces: list[int], report: int) -> None:
    """Continues in other namespaces, in a new process. Raises OSError.

    The process that called this waits for the new one, passes signals to its process group, and exits as it does:
    with 128 and the number of the signal that ended it, as bubblewrap.
    """
    for fd in namespaces:
        check(libc.setns(fd, 0), "the sandbox")
        os.close(fd)
    child = os.fork()  # only children are in the new namespace of processes
    if child:
        for fd in (0, 1, 2, report):  # only the command may hold its terminal or pipes
            os.close(fd)
        wait_for(child)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # when it has lost its capabilities, the job could look into it
    os.setsid()


def wait_for(child: int) -> None:
    """Waits for the process that has entered the sandbox, and exits as it does."""
    import signal  # was loaded by `main`

    def forward(number: int, _frame: object) -> None:
        for send in (os.killpg, os.kill):  # at first, it has no group
            try:
                send(child, number)
            except ProcessLookupError:
                continue
            return

    for number in FORWARDED:
        signal.signal(number, forward)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(SHELL_SIGNAL - code if code < 0 else code)


def end_with_parent() -> None:
    """This process is killed when the one that waits for it outside has ended, which has no number here."""
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid():
        os._exit(NOT_EXECUTED)


def drop_privileges(kept: tuple[int, ...]) -> None:
    """Gives up all capabilities except `kept`, and those of programs that are executed. Raises OSError.

    `keep_change_of_root` needs that what it leaves is allowed to programs.
    """
    allowed = {CHANGE_ROOT} & {*kept}
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "the privileges")
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(LAST_CAPABILITY + 1):
        if capability not in allowed and libc.prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1:
            check(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "the capabilities")
    set_capabilities(kept)


def set_capabilities(allowed: tuple[int, ...], *, inheritable: bool = False) -> None:
    """Sets the effective and permitted ones, and those that are inherited (capset(2)). Raises OSError."""
    bits = sum(1 << capability for capability in allowed)
    halves = [(bits >> shift) & 0xFFFFFFFF for shift in (0, 32)]
    data = struct.pack("6I", *(word for half in halves for word in (half, half, half if inheritable else 0)))
    check(libc.capset(struct.pack("Ii", CAPABILITY_VERSION, 0), data), "the capabilities")


def check(result: int, what: str) -> None:
    """Raises OSError if a call of the C library has failed."""
    if result:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), what)


def become(user: int, group: int, others: list[int]) -> None:
    """Continues as another user in a group and in `others`, without the capability to change that."""
    os.setgroups(others)
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)


def become_without_sandbox(user: int, groups: list[int]) -> None:
    """Continues as a user in groups, without privileges. Raises OSError.

    It still ends with the process that has started it: the kernel forgets that when the user changes.
    """
    parent = os.getppid()
    drop_privileges(CHANGE_USER)
    become(user, groups[0], groups[1:])
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(NOT_EXECUTED)


def keep_change_of_root() -> None:
    """Leaves the next program the capability to change its root, and no other (capabilities(7)). Raises OSError."""
    set_capabilities((CHANGE_ROOT,), inheritable=True)
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CHANGE_ROOT, 0, 0), "the capabilities")


def enter_sandbox(namespaces: list[int], report: int, user: int | None, *, changes_root: bool) -> None:
    """Continues in the sandbox, in a new process without privileges, as a user, None for the same. Raises OSError.

    The next program can still change its root, if it `changes_root`.
    """
    enter(namespaces, report)
    drop_privileges((*(CHANGE_USER if user is not None else ()), *((CHANGE_ROOT,) if changes_root else ())))
    if user is not None:
        libc.prctl(PR_SET_KEEPCAPS, int(changes_root), 0, 0, 0)
        become(user, user, [])
    if changes_root:
        keep_change_of_root()
    end_with_parent()  # not before: it is forgotten when the user changes


def error_report(code: int, reason: str, path: str) -> bytes:
    """Why the command is not executed, as `parse_error_report` reads it."""
    return b"\0".join((str(code).encode(), reason.encode(errors="replace"), os.fsencode(path)))


def parse_error_report(report: bytes) -> tuple[int, str, str]:
    """The number of an error, what it means, and of which path. Raises ValueError."""
    code, reason, path = report.split(b"\0")
    return int(code), reason.decode(errors="replace"), os.fsdecode(path)


def main(arguments: list[str]) -> int:
    """Never returns if all goes well."""
    settings_fd, report, *namespaces = map(int, arguments)
    what = "the sandbox"
    try:
        with open(settings_fd, "rb", closefd=False) as file:
            settings = marshal.load(file)  # noqa: S302  # by the same Python, outside of the sandbox
        if namespaces:
            import signal  # noqa: F401  # `wait_for` needs it, when files are those of the sandbox

            enter_sandbox(namespaces, report, settings["user"], changes_root=bool(settings.get("root")))
            os.lseek(settings_fd, 0, os.SEEK_SET)
            os.execve(sys.executable, [*THIS, str(settings_fd), str(report)], os.environ)  # noqa: S606
        os.close(settings_fd)
        os.set_inheritable(report, False)
        is_other_user = settings["user"] not in (None, os.getuid())
        if settings.get("root"):
            os.chroot(settings["root"])
            os.chdir("/")
            set_capabilities(CHANGE_USER if is_other_user else ())
        if settings.get("groups"):
            become_without_sandbox(settings["user"], settings["groups"])
        elif is_other_user:
            become(settings["user"], settings["user"], [])
        check_folders(settings["folders"])
        if settings.get("max_pids"):
            limit_processes(settings["max_pids"])
        restrict_calls()
        os.umask(UMASK_OF_PROJECT if settings.get("groups") else UMASK)
        os.chdir(settings["working_dir"])
        if settings.get("terminal"):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number in (SIGPIPE, SIGXFSZ):  # Python ignores them, and a program would inherit that
            libc.signal(number, SIG_DFL)
        os.write(report, READY)
        what = settings["command"][0]
        os.execvpe(what, settings["command"], settings["environment"])  # noqa: S606
    except OSError as error:
        path = error.filename if isinstance(error.filename, str) else what
        os.write(report, error_report(error.errno or 0, str(error.strerror), path))
    return NOT_EXECUTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The first program in a sandbox: checks what was mounted, gives up what it may do, and becomes the command.

`python -I -S sandbox_entry.py SETTINGS REPORT [NAMESPACE...]`: all are descriptors. SETTINGS has what
`command_process.entry_settings` wrote; REPORT gets READY before the command is executed, and an error as JSON if
anything fails. Nothing here depends on the job: its variables are set by the execution itself. Only the standard
library is imported, for a fast start.

With namespaces, it starts outside and enters them first, for a further command in the sandbox. Everything that it
needs has been loaded by then, so that nothing that a job could have changed is executed with its privileges.
"""

import ctypes
import fcntl
import json
import os
import platform
import signal
import struct
import sys
import termios
import warnings  # noqa: F401  # execvpe needs it, and it cannot be found any more when the root has changed
from typing import Any, NoReturn

READY = b"ready\n"
NOT_EXECUTED = 127
UMASK = 0o077
KEYCTL_JOIN_SESSION_KEYRING = 1
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
PR_SET_PDEATHSIG, PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 1, 23, 24, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
CAPABILITY_VERSION = 0x20080522
LAST_CAPABILITY = 63
"""More than there are; the kernel says which it knows."""
CHANGE_USER = (6, 7)
"""CAP_SETGID and CAP_SETUID, which `become` needs. CAP_SYS_CHROOT is used before."""
SHELL_SIGNAL = 128
FORWARDED = (signal.SIGHUP, signal.SIGTERM)
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO = 0x7FFF0000, 0x00050000
EPERM, ENOSYS = 1, 38
KEYRING_CALLS = {"x86_64": (0xC000003E, 250, (248, 249, 250)), "aarch64": (0xC00000B7, 219, (217, 218, 219))}
"""By machine: the AUDIT_ARCH of seccomp(2), the number of keyctl(2), and those of all calls for keyrings."""
X32_CALLS = 0x40000000
"""On x86-64, calls of another interface have this bit set in their number."""
BPF_LD_W_ABS, BPF_JEQ, BPF_JGE, BPF_RET = 0x20, 0x15, 0x35, 0x06
NUMBER_AT, ARCH_AT = 0, 4
"""Offsets in `struct seccomp_data`."""

libc = ctypes.CDLL(None, use_errno=True)


def check_folders(expected: list[list[Any]]) -> None:
    """Raises OSError unless the folders are those that the hub has opened: device and inode of each path.

    A path may have been replaced by a link before it was mounted.
    """
    for path, device, inode in expected:
        found = os.lstat(path)
        if (found.st_dev, found.st_ino) != (device, inode):
            raise OSError(0, "it has been replaced meanwhile", path)


def leave_keyrings() -> None:
    """Keys of the hub's session and user cannot be used any more (keyrings(7)). They belong to no namespace."""
    known = KEYRING_CALLS.get(platform.machine())
    if known is None or struct.calcsize("P") != 8:
        return
    arch, keyctl, calls = known
    libc.syscall(keyctl, KEYCTL_JOIN_SESSION_KEYRING, None)
    code = filter_code(arch, calls)
    instructions = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(instructions))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), "the filter of system calls")


def filter_code(arch: int, refused: tuple[int, ...]) -> bytes:
    """A program for seccomp(2): refuses some calls, and all of other architectures."""

    def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, value)

    refusals = len(refused)
    return b"".join(
        (
            instruction(BPF_LD_W_ABS, ARCH_AT),
            instruction(BPF_JEQ, arch, 0, refusals + 3),
            instruction(BPF_LD_W_ABS, NUMBER_AT),
            instruction(BPF_JGE, X32_CALLS, refusals + 1, 0),
            *(instruction(BPF_JEQ, number, refusals - index + 1, 0) for index, number in enumerate(refused)),
            instruction(BPF_RET, SECCOMP_RET_ALLOW),
            instruction(BPF_RET, SECCOMP_RET_ERRNO | ENOSYS),
            instruction(BPF_RET, SECCOMP_RET_ERRNO | EPERM),
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
    os.setsid()


def wait_for(child: int) -> NoReturn:
    """Waits for the process that has entered the sandbox."""

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
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid():
        os._exit(NOT_EXECUTED)


def drop_privileges(kept: tuple[int, ...]) -> None:
    """Gives up all capabilities except `kept`, and those of programs that are executed. Raises OSError."""
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "the privileges")
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(LAST_CAPABILITY + 1):
        if libc.prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1:
            check(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "the capabilities")
    set_capabilities(kept)


def set_capabilities(allowed: tuple[int, ...]) -> None:
    """Sets the effective and permitted ones; none is inherited (capset(2)). Raises OSError."""
    bits = sum(1 << capability for capability in allowed)
    halves = [(bits >> shift) & 0xFFFFFFFF for shift in (0, 32)]
    data = struct.pack("6I", *(word for half in halves for word in (half, half, 0)))
    check(libc.capset(struct.pack("Ii", CAPABILITY_VERSION, 0), data), "the capabilities")


def check(result: int, what: str) -> None:
    """Raises OSError if a call of the C library has failed."""
    if result:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), what)


def become(user: int) -> None:
    """Continues as another user, without the capability to change that."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def main(arguments: list[str]) -> int:
    """Never returns if all goes well."""
    settings_fd, report, *namespaces = map(int, arguments)
    os.set_inheritable(report, False)
    what = "the sandbox"
    try:
        with open(settings_fd, "rb") as file:
            settings = json.load(file)
        if namespaces:
            enter(namespaces, report)
        if settings.get("root"):
            os.chroot(settings["root"])
            os.chdir("/")
        kept = CHANGE_USER if settings["user"] is not None else ()
        if namespaces:
            drop_privileges(kept)
        elif settings.get("root"):
            set_capabilities(kept)
        if settings["user"] is not None:
            become(settings["user"])
        if namespaces:
            end_with_parent()  # not before: it is forgotten when the user changes
        check_folders(settings["folders"])
        leave_keyrings()
        os.umask(UMASK)
        os.chdir(settings["working_dir"])
        if settings.get("terminal"):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and a program would inherit that
            signal.signal(number, signal.SIG_DFL)
        os.write(report, READY)
        what = settings["command"][0]
        os.execvpe(what, settings["command"], settings["environment"])  # noqa: S606
    except OSError as error:
        path = error.filename if isinstance(error.filename, str) else what
        os.write(report, json.dumps([error.errno, error.strerror, path]).encode())
    return NOT_EXECUTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

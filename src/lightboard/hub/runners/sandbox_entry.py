"""The first program in a sandbox: checks what was mounted, gives up what it may do, and becomes the command.

`python -I -S sandbox_entry.py SETTINGS REPORT`: both are descriptors. SETTINGS has what `sandbox.entry_settings` wrote;
REPORT gets READY before the command is executed, and an error as JSON if anything fails. Nothing here depends on the
job: its variables are set by the execution itself. Only the standard library is imported, for a fast start.
"""

import ctypes
import json
import os
import platform
import signal
import struct
import sys
from typing import Any

READY = b"ready\n"
NOT_EXECUTED = 127
UMASK = 0o077
KEYCTL_JOIN_SESSION_KEYRING = 1
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
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


def become(user: int) -> None:
    """Continues as another user, without the capability to change that."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def main(arguments: list[str]) -> int:
    """Never returns if all goes well."""
    settings_fd, report = map(int, arguments)
    os.set_inheritable(report, False)
    what = "the sandbox"
    try:
        with open(settings_fd, "rb") as file:
            settings = json.load(file)
        if settings["user"] is not None:
            become(settings["user"])
        check_folders(settings["folders"])
        leave_keyrings()
        os.umask(UMASK)
        os.chdir(settings["working_dir"])
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

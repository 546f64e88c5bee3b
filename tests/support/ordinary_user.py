"""Runs tests again as a user without privileges and without an account, as whom many hubs run. Linux only."""

import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping, Sequence

import pytest

USER_ID = 64_990
"""No account should have it, and it is not that of jobs."""
OF_THIS_RUN = ("LIGHTBOARD_", "PYTEST_", "TMPDIR")
"""Variables of the tests that are running now."""
TIMEOUT_SECS = 280.0
PLACES = "/mnt"
"""Where mounts are kept for a moment."""
PREPARE = """
mount -t tmpfs none "$PLACES"
number=0
for folder in $NEEDED; do
    number=$((number + 1))
    mkdir "$PLACES/$number"
    mount --bind "$folder" "$PLACES/$number"
done
for folder in $CLOSED; do mount -t tmpfs -o mode=755 none "$folder"; done
number=0
for folder in $NEEDED; do
    number=$((number + 1))
    mkdir -p "$folder"
    mount --move "$PLACES/$number" "$folder"
done
umount "$PLACES"
own=$PRIVILEGES
unset NEEDED CLOSED PLACES PRIVILEGES
exec setpriv $own -- "$@"
"""
"""In a mount namespace: makes each folder that others may not enter an empty one, with what is needed of it."""


def run_tests_as_ordinary_user(folder: pathlib.Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Pytest with these arguments, once it has ended, and with it all that it has started.

    Files are left in `folder` alone. Skips unless root runs it.
    """
    privileges = [f"--reuid={USER_ID}", f"--regid={USER_ID}", "--clear-groups"]
    return run_tests_elsewhere(folder, USER_ID, privileges, *words)


def run_tests_elsewhere(
    folder: pathlib.Path, user: int, privileges: Sequence[str], *words: str
) -> "subprocess.CompletedProcess[str]":
    """Pytest with these arguments, where all can reach programs, with the options `privileges` of setpriv.

    The home folder belongs to `user`. As `run_tests_as_ordinary_user`.
    """
    programs = [shutil.which(name) for name in ("unshare", "setpriv", "mount")]
    if os.getuid() != 0 or None in programs:
        pytest.skip("only root can become another user, with unshare, mount and setpriv")
    home = folder / "home"
    home.mkdir()
    os.chown(home, user, user)
    own = {name: value for name, value in os.environ.items() if not name.startswith(OF_THIS_RUN)}
    own |= {"HOME": str(home), "TMPDIR": str(home), "HYPOTHESIS_STORAGE_DIRECTORY": str(home)}
    pytest_words = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words]
    own_machine = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"]
    return subprocess.run(
        [*own_machine, "sh", "-ec", PREPARE, "sh", sys.executable, "-B", *pytest_words],
        cwd=pathlib.Path(__file__).parents[2],
        env={**own, **folders_to_mount(home), "PLACES": PLACES, "PRIVILEGES": " ".join(privileges)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECS,
        check=False,
    )


def outcomes(
    folder: pathlib.Path, run_tests: Callable[..., "subprocess.CompletedProcess[str]"], *words: str
) -> dict[str, str]:
    """What became of each test that was run again: "passed", "skipped", or why it failed."""
    report = folder / "home" / "report.xml"
    done = run_tests(folder, f"--junitxml={report}", *words)
    assert report.exists(), done.stdout + done.stderr
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        problems = [each for each in case if each.tag in ("failure", "error", "skipped")]
        texts = ["skipped" if each.tag == "skipped" else str(each.get("message")) for each in problems]
        found[str(case.get("name"))] = texts[0] if texts else "passed"
    return found


def failures(found: Mapping[str, str]) -> dict[str, str]:
    """Those of the tests that have failed, with why."""
    return {name: outcome for name, outcome in found.items() if outcome not in ("passed", "skipped")}


def folders_to_mount(home: pathlib.Path) -> Mapping[str, str]:
    """What these tests need that is in folders which others may not enter, and the highest of those."""
    repository = str(pathlib.Path(__file__).parents[2])
    found = {path: closed_folder(path) for path in (sys.base_prefix, sys.prefix, repository, str(home))}
    needed = [path for path, closed in found.items() if closed and not is_below_another(path, list(found))]
    return {"NEEDED": " ".join(needed), "CLOSED": " ".join(sorted({found[path] for path in needed}))}


def closed_folder(path: str) -> str:
    """The highest folder on the way to a path that others may not enter, "" if there is none."""
    folders = [path, *map(str, pathlib.Path(path).parents)]
    closed = [folder for folder in folders if not os.stat(folder).st_mode & 0o001]
    return closed[-1] if closed else ""


def is_below_another(path: str, others: Sequence[str]) -> bool:
    """Whether a path is below one of several others."""
    return any(path != other and pathlib.Path(path).is_relative_to(other) for other in others)

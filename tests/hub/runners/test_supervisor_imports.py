"""What starts with each job loads little: loading is most of the time between a request and the first line."""

import subprocess

import pytest

from lightboard.hub.runners import sandbox_entry, supervisor_starter

SLOW = {"hashlib", "lightboard.hub.runners.base", "platform", "random", "shutil", "site", "tempfile"}
"""A supervisor needs none of these; each takes milliseconds."""


def loaded_by(*command: str) -> set[str]:
    """The modules that Python has loaded at the end of a program."""
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_a_supervisor_starts_without_slow_modules():
    python, *options, program, folder = supervisor_starter.FORK_SERVER
    loaded = loaded_by(python, *options, program.replace("sys.exit(serve())", "print(*sys.modules)"), folder)
    assert (loaded & SLOW, "lightboard.hub.runners.supervisor" in loaded) == (set(), True)


@pytest.mark.parametrize("module", ["enum", "json", "lightboard", "platform", "signal", "typing"])
def test_the_first_program_in_a_sandbox_loads_no_more_than_it_needs(module):
    python, *options, program, folder = sandbox_entry.THIS
    loaded = loaded_by(python, *options, program.replace("sys.exit(main(sys.argv[1:]))", "print(*sys.modules)"), folder)
    assert (module in loaded, "ctypes" in loaded) == (False, True)

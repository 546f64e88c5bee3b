"""What starts with each job loads little: loading is most of the time between a request and the first line."""

import subprocess

import pytest

from lightboard.hub.runners import local, sandbox_entry

SLOW = {"hashlib", "lightboard.hub.runners.base", "platform", "random", "shutil", "site", "tempfile"}
"""A supervisor needs none of these; each takes milliseconds."""


def loaded_by(*command: str) -> set[str]:
    """The modules that Python has loaded at the end of a program."""
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_a_supervisor_starts_without_slow_modules():
    python, *options, program, folder = local.SUPERVISOR
    loaded = loaded_by(python, *options, program.replace("sys.exit(main(sys.argv[1:]))", "print(*sys.modules)"), folder)
    assert (loaded & SLOW, "lightboard.hub.runners.supervisor" in loaded) == (set(), True)


@pytest.mark.parametrize("module", ["lightboard", "platform", "typing"])
def test_the_first_program_in_a_sandbox_loads_no_more_than_it_needs(module):
    python, *options, path = sandbox_entry.THIS
    loading = f"__name__, __file__ = 'entry', {path!r}; exec(open(__file__).read()); print(*sys.modules)"
    loaded = loaded_by(python, *options, "-c", loading)
    assert (module in loaded, "ctypes" in loaded) == (False, True)

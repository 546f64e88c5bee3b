"""Environments that are really built, from packages beside the tests."""

import pathlib
import subprocess
import threading
from collections.abc import Iterator

import pytest

from lightboard.hub.environment_build import commands, failure_line
from lightboard.hub.environment_builder import EnvironmentBuilder
from lightboard.hub.environment_folder import EnvironmentFolder
from lightboard.hub.installed_packages import read_environment
from lightboard.hub.requirements_list import RequirementsList, read_list
from lightboard.hub.resources.images import BuiltEnvironment, ImageState
from support.hub_process import wait_for
from support.python_packages import SlowPackage, any_alive, write_list, write_wheel

GOOD, BAD, SLOW = "good", "bad", "slow"


class Builders:
    """Builders over one folder, as of hubs one after another. `changes` counts what they have told."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.packages = folder / "packages"
        self.environments = folder / "environments"
        self.environments.mkdir()
        write_wheel(self.packages, "greeting", "1.2", "WORD = 'hello'")
        self.changed = threading.Semaphore(0)
        self._made: list[EnvironmentBuilder] = []

    def requirements(self, *lines: str) -> RequirementsList:
        """A list of packages of the folder."""
        return read_list(str(write_list(self.folder / "list.txt", self.packages, *lines)))

    def add(self, limit_secs: float = 600.0, **lists: RequirementsList) -> EnvironmentBuilder:
        """A builder that has not started."""
        self._made.append(EnvironmentBuilder(self.environments, lists, self.changed.release, limit_secs))
        return self._made[-1]

    def build(self, limit_secs: float = 600.0, **lists: RequirementsList) -> EnvironmentBuilder:
        """A builder after its builds."""
        builder = self.add(limit_secs, **lists)
        builder.start()
        for _ in lists:
            self.changed.acquire()
        return builder

    def close(self) -> None:
        """Ends all."""
        for builder in self._made:
            builder.close()


@pytest.fixture
def builders(tmp_path: pathlib.Path) -> Iterator[Builders]:
    """Over an empty folder."""
    made = Builders(tmp_path)
    yield made
    made.close()


def lines(folder: EnvironmentFolder) -> list[str]:
    """The log of a build."""
    return [line.text for line in folder.read_log(0, 1 << 20).lines]


def test_an_environment_is_built_once(builders: Builders) -> None:
    """With the packages of its list, read-only; a later hub finds it, and a failed one beside it does not matter."""
    lists = {BAD: builders.requirements("nosuch==9"), GOOD: builders.requirements("greeting")}
    builder = builders.build(**lists)
    folder = builder.folder(GOOD)
    built = folder.read()
    printed = subprocess.check_output(
        [folder.environment / "bin" / "python", "-c", "import greeting; print(greeting.WORD)"], text=True
    )
    later = builders.add(**lists)

    assert [builder.state(each) for each in (GOOD, BAD)] == [ImageState.READY, ImageState.FAILED]
    assert (printed, built and built.packages) == ("hello\n", 1)
    assert read_environment(folder.environment).packages == (("greeting", "1.2"),)
    assert {path.stat().st_mode & 0o222 for path in folder.environment.rglob("greeting*")} == {0}
    assert lines(folder)[-1].startswith("lightboard: complete; packages: 1, bytes: ")
    assert builder.failure(BAD) == "No matching distribution found for nosuch==9 (exit code 1)"
    assert "ERROR: No matching distribution found for nosuch==9" in lines(builder.folder(BAD))
    assert [later.state(each) for each in (GOOD, BAD)] == [ImageState.READY, ImageState.BUILDING]
    assert later.folder(GOOD).read() == built


def test_a_failed_one_is_built_again_when_asked(builders: Builders) -> None:
    """Now that the package is there. One that has not failed is left alone."""
    builder = builders.build(bad=builders.requirements("later"))
    write_wheel(builders.packages, "later", "1")
    asked = builder.rebuild(BAD)
    states = {builder.state(BAD)}
    for _ in range(2):
        builders.changed.acquire()

    assert (asked, builder.rebuild(BAD)) == (True, False)
    assert states | {builder.state(BAD)} <= {ImageState.BUILDING, ImageState.READY}
    assert builder.state(BAD) is ImageState.READY


def test_a_closed_builder_leaves_no_process(builders: Builders) -> None:
    """Neither pip, nor what a package has started; what is half-built is not used, but built by the next hub."""
    slow = SlowPackage(builders.packages, "slow", "1.0")
    lists = {SLOW: builders.requirements("slow")}
    builder = builders.add(**lists)
    builder.start()
    pids = wait_for(slow.pids, bool, "the build to begin")
    builder.close()
    left = any_alive(pids)
    slow.allow()
    later = builders.add(**lists)
    before = later.state(SLOW)
    later.start()
    builders.changed.acquire()

    assert (left, builder.failure(SLOW), before, later.state(SLOW)) == (
        False, "", ImageState.BUILDING, ImageState.READY,
    )  # fmt: skip


def test_a_build_has_a_time_limit(builders: Builders) -> None:
    """At its end it fails, and no process is left."""
    slow = SlowPackage(builders.packages, "slow", "1.0")
    builder = builders.build(limit_secs=0.0, slow=builders.requirements("slow"))

    assert builder.failure(SLOW) == "it took longer than 0 seconds"
    assert not any_alive(slow.pids())
    assert lines(builder.folder(SLOW))[-1] == "lightboard: failed: it took longer than 0 seconds"


def test_environments_that_nothing_uses_are_removed(builders: Builders) -> None:
    """But not those of lists, nor those of jobs."""
    (builders.environments / "of-a-job").mkdir()
    unused = EnvironmentFolder(builders.environments / "unused")
    unused.prepare(RequirementsList(("",)))
    builder = builders.build(good=builders.requirements("greeting"))
    builder.remove_unused(["of-a-job"])
    wait_for(unused.path.exists, lambda exists: not exists, "the removal")

    assert sorted(path.name for path in builders.environments.iterdir()) == [GOOD, "of-a-job"]


def test_an_environment_that_was_moved_is_not_used(tmp_path: pathlib.Path) -> None:
    """Its programs name the path at which it was built. Nor is one whose Python was removed."""
    built = BuiltEnvironment(python="3.11.7", packages=1, size_bytes=10, built_at=5.0)
    folder, moved = EnvironmentFolder(tmp_path / "here"), EnvironmentFolder(tmp_path / "there")
    programs = folder.environment / "bin"
    programs.mkdir(parents=True)
    (programs / "python3").touch()
    folder.write(built)
    found = [folder.read()]
    folder.path.rename(moved.path)
    found.append(moved.read())
    moved.path.rename(folder.path)
    (programs / "python3").unlink()
    found.append(folder.read())

    assert found == [built, None, None]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Collecting a\nERROR: first\nERROR: last\n\nnote: see above\n", "last"),
        ("Error: [Errno 28] No space left on device\n", "Error: [Errno 28] No space left on device"),
        ("", "it has printed nothing"),
    ],
)
def test_a_failure_is_told_in_a_line(output: str, line: str) -> None:
    """That of the last error."""
    assert failure_line(output) == line


def test_without_pip_the_environment_gets_one() -> None:
    """Which installs the list then."""
    folder = EnvironmentFolder(pathlib.Path("/e"))
    own, bundled = (commands(folder, "/py", has_pip=has_pip) for has_pip in (True, False))

    assert [command[:5] for command in own] == [
        ("/py", "-m", "venv", "--without-pip", "/e/environment"),
        ("/py", "-m", "pip", "--python", "/e/environment"),
    ]
    assert [command[:4] for command in bundled] == [
        ("/py", "-m", "venv", "/e/environment"),
        ("/e/environment/bin/python3", "-m", "pip", "install"),
    ]

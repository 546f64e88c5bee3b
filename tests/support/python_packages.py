"""Packages for pip that tests write into a folder, which a list names with --find-links."""

import io
import os
import pathlib
import tarfile
import textwrap
import zipfile

BACKEND = '''
"""Builds a wheel with one module once a file exists. Tells its process id, and that of a child which outlives it."""

import os
import pathlib
import subprocess
import time
import zipfile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    started = pathlib.Path({started!r})
    if not started.exists():
        left = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        started.with_suffix(".new").write_text(f"{{os.getpid()}} {{left.pid}}")
        os.replace(started.with_suffix(".new"), started)
    while not os.path.exists({go!r}):
        time.sleep(0.02)
    name = "{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w") as wheel:
        for path, text in {files!r}.items():
            wheel.writestr(path, text)
    return name
'''


def wheel_files(name: str, version: str, module: str) -> dict[str, str]:
    """The files of a wheel with one module of the same name."""
    info = f"{name}-{version}.dist-info"
    return {
        f"{name}.py": module,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }


def write_wheel(folder: pathlib.Path, name: str, version: str, module: str = "") -> None:
    """A wheel with one module."""
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in wheel_files(name, version, module).items():
            wheel.writestr(path, text)


class SlowPackage:
    """A source package with one module, in `folder`, whose build begins by telling `pids` and ends after `allow`."""

    def __init__(self, folder: pathlib.Path, name: str, version: str, module: str = "") -> None:
        folder.mkdir(exist_ok=True)
        self.started, self.go = folder / "started", folder / "go"
        files = {
            "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
            "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
            "backend.py": textwrap.dedent(BACKEND).format(
                started=str(self.started), go=str(self.go), name=name, version=version,
                files=wheel_files(name, version, module),
            ),
        }  # fmt: skip
        with tarfile.open(folder / f"{name}-{version}.tar.gz", "w:gz") as archive:
            for path, text in files.items():
                member = tarfile.TarInfo(f"{name}-{version}/{path}")
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))

    def pids(self) -> list[int]:
        """The processes of its build; none before it has begun."""
        return [int(word) for word in self.started.read_text().split()] if self.started.exists() else []

    def allow(self) -> None:
        """Lets the build end."""
        self.go.touch()


def any_alive(pids: list[int]) -> bool:
    """Whether one of several processes exists."""
    return any(os.path.exists(f"/proc/{pid}") for pid in pids)


def write_list(path: pathlib.Path, packages: pathlib.Path, *lines: str) -> pathlib.Path:
    """A requirements list of packages in a folder alone, so that no index is asked."""
    path.write_text("\n".join(["--no-index", f"--find-links {packages}", *lines, ""]))
    return path

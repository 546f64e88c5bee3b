"""The Python packages of an environment, read from its files. Nothing of it is run.

The folder of an environment is that of `bin` and `lib`: a virtual environment, or an installation of Python.
"""

import contextlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_PACKAGES = 10_000
HEADER_BYTES = 16_384
"""Of a metadata file. Name and version stand at its beginning, a description of any length at its end."""
UNFINISHED = "~"
"""How the names of folders begin that an interrupted pip has left."""
_LIBRARY = re.compile(r"python(3\.\d+)t?")
_SEPARATORS = re.compile(r"[-_.]+")


@dataclass(frozen=True, kw_only=True)
class PythonEnvironment:
    """The version of an interpreter, "" if it is not known, and the names and versions of packages, sorted by name."""

    version: str = ""
    packages: tuple[tuple[str, str], ...] = ()


def environment_folder(python: str) -> Path | None:
    """The folder of the environment that an interpreter belongs to. None if it has no libraries beside it."""
    own = Path(python).parent.parent
    if (own / "pyvenv.cfg").is_file():
        return own
    if Path(python).parent.name == "shims":
        return pyenv_folder(own)
    real = Path(os.path.realpath(python)).parent.parent
    return real if any(library_folders(real)) else None


def pyenv_folder(root: Path) -> Path | None:
    """The installation that pyenv uses by default. None if that is none of its own."""
    names = header(root / "version").split() or [""]
    folder = root / "versions" / names[0]
    return folder if names[0] and any(library_folders(folder)) else None


def package_folders(environment: Path) -> list[Path]:
    """The existing folders that have the packages of an environment, in the order in which Python searches them."""
    settings = settings_of(environment)
    own = own_package_folders(environment, minor_version(settings))
    home = settings.get("home", "")
    if settings.get("include-system-site-packages", "").lower() == "true" and home:
        base = environment_folder(f"{home}/python3")
        own += own_package_folders(base, minor_version(settings)) if base else []
    return list(dict.fromkeys(own))


def read_environment(environment: Path) -> PythonEnvironment:
    """What an environment has. What cannot be read is left out."""
    found: dict[str, tuple[str, str]] = {}
    for folder in package_folders(environment):
        for name, version in read_packages(folder):
            found.setdefault(normalized(name), (name, version))
    return PythonEnvironment(
        version=python_version(environment), packages=tuple(found[name] for name in sorted(found)[:MAX_PACKAGES])
    )


def count_packages(environment: Path) -> int:
    """How many packages an environment has, from the names of files alone."""
    stems = (stem for folder in package_folders(environment) for _, stem in metadata_in(folder))
    return len({normalized(stem.partition("-")[0]) for stem in stems})


@dataclass(frozen=True, kw_only=True)
class PackageChange:
    """A package that is not what it was. A version is None if the package is not installed."""

    name: str
    recorded: str | None
    now: str | None


def package_changes(recorded: Iterable[tuple[str, str]], now: Iterable[tuple[str, str]]) -> list[PackageChange]:
    """What differs between the names and versions of packages, sorted by name."""
    before, after = ({normalized(name): (name, version) for name, version in each} for each in (recorded, now))
    pairs = [(before.get(key, ("", None)), after.get(key, ("", None))) for key in sorted(before.keys() | after.keys())]
    return [
        PackageChange(name=name or earlier, recorded=was, now=version)
        for (earlier, was), (name, version) in pairs
        if was != version
    ]


def normalized(name: str) -> str:
    """The name of a package as it is compared: `Ruamel.YAML` and `ruamel-yaml` are one."""
    return _SEPARATORS.sub("-", name).lower()


def settings_of(environment: Path) -> dict[str, str]:
    """The settings in `pyvenv.cfg`; none for an installation."""
    text = header(environment / "pyvenv.cfg")
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def python_version(environment: Path) -> str:
    """The version of the interpreter, of which some installations tell only the first two parts."""
    settings = settings_of(environment)
    told = settings.get("version") or settings.get("version_info", "")
    if told:
        return re.split(r"\.(?:final|alpha|beta|candidate)\b", told)[0]
    minor = max(library_folders(environment), key=minor_number, default="")
    name = f"python{minor}"
    declared = re.search(r'PY_VERSION\s+"([^"]+)"', header(environment / "include" / name / "patchlevel.h"))
    return declared[1] if declared else minor


def minor_version(settings: dict[str, str]) -> str:
    """`3.12` of a virtual environment; "" if it does not tell."""
    told = settings.get("version") or settings.get("version_info", "")
    return ".".join(told.split(".")[:2])


def minor_number(version: str) -> int:
    """12 of `3.12`."""
    return int(version.partition(".")[2] or 0)


def library_folders(environment: Path) -> dict[str, Path]:
    """The folders of Python's libraries by version, such as `3.12`."""
    found = {}
    for lib in ("lib64", "lib"):
        with contextlib.suppress(OSError), os.scandir(environment / lib) as entries:
            found.update({match[1]: Path(each.path) for each in entries if (match := _LIBRARY.fullmatch(each.name))})
    return found


def own_package_folders(environment: Path, version: str) -> list[Path]:
    """Those of an environment itself. Without a `version`, of the newest one that it has.

    The last three are those of Debian.
    """
    version = version or max(library_folders(environment), key=minor_number, default="3")
    name = f"python{version}"
    candidates = [
        environment / "lib" / name / "site-packages",
        environment / "lib64" / name / "site-packages",
        environment / "local/lib" / name / "dist-packages",
        environment / "lib" / name / "dist-packages",
        environment / "lib/python3/dist-packages",
    ]
    real = {os.path.realpath(each): each for each in reversed(candidates) if each.is_dir()}
    return [each for each in candidates if each in real.values()]


def read_packages(folder: Path) -> Iterator[tuple[str, str]]:
    """The names and versions of the packages in a folder. Installers write one folder of metadata for each."""
    for path, stem in metadata_in(folder):
        yield from read_package(path, stem)


def metadata_in(folder: Path) -> Iterator[tuple[Path, str]]:
    """The metadata of packages in a folder: the path, and the name without its ending."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        stem, dot, kind = name.rpartition(".")
        if dot and kind in ("dist-info", "egg-info") and not stem.startswith(UNFINISHED):
            yield folder / name, stem


def read_package(metadata: Path, stem: str) -> Iterator[tuple[str, str]]:
    """The name and version in the metadata of a package, or else in the `stem` of its own name."""
    text = header(metadata / "METADATA") or header(metadata / "PKG-INFO") or header(metadata)
    fields = dict(line.split(": ", 1) for line in text.partition("\n\n")[0].splitlines() if ": " in line)
    name, _, version = stem.partition("-")
    name, version = fields.get("Name", name).strip(), fields.get("Version", version.partition("-")[0]).strip()
    if name and name.isprintable() and version.isprintable():
        yield name, version


def header(path: Path) -> str:
    """The beginning of a regular file, "" if there is none. A pipe in its place is not waited for."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return ""
        return os.read(file, HEADER_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
    finally:
        os.close(file)

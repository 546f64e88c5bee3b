"""Sources are read through `storage` alone, which confines them: no other code of a board opens paths by itself."""

import ast
import pathlib
from collections.abc import Iterator

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "src" / "lightboard"
BOARD = ("asgi", "board", "events", "graphs", "ingest", "profiles", "query", "schema", "series", "untrusted")

FUNCTIONS = {"open", "io.open", *(f"os.{name}" for name in ("open", "stat", "lstat", "scandir", "listdir", "walk"))}
METHODS = {
    "exists",
    "is_dir",
    "is_file",
    "iterdir",
    "lstat",
    "read_bytes",
    "read_text",
    "rglob",
    "stat",
    "open",
    "glob",
}
PATHS = ("pathlib.Path(", "Path(", "file", "path", "folder")
"""How expressions begin whose methods are those of paths."""

ALLOWED = {
    "asgi/assets.py": "the files of the page",
    "board/instance.py": "the list of running boards",
    "board/port_owner.py": "/proc",
    "board/process_problems.py": "/dev/null",
    "board/worker/usage.py": "/proc",
    "events/files.py": "event files of folders that are not confined; of others it is given descriptors",
    "ingest/logdir.py": "the folder that the command names, when it starts",
    "ingest/suggestions.py": "the folder that the command names, if it has no event files",
    "ingest/watch.py": "/proc, and which folders are watched: identities, no content",
    "query/capture_index.py": "the cache of the user",
}
"""Modules that open something else than sources, and what."""


def file_access(source: str) -> Iterator[str]:
    """The calls of a module that open, list or look at a path."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        owner, _, method = name.rpartition(".")
        if name in FUNCTIONS or (method in METHODS and owner.startswith(PATHS)):
            yield ast.unparse(node)


def test_only_storage_opens_sources() -> None:
    """Each exception is named with what it opens, and is still one."""
    modules = [path for folder in BOARD for path in sorted((PACKAGE / folder).rglob("*.py"))]
    found = {path.relative_to(PACKAGE).as_posix(): [*file_access(path.read_text())] for path in modules}

    assert {name for name, calls in found.items() if calls} == set(ALLOWED)


@pytest.mark.parametrize(
    "source",
    [
        "with open(path) as file: pass",
        "os.stat(place)",
        "descriptor = os.open(name, os.O_RDONLY)",
        "text = pathlib.Path(root, name).read_text()",
        "data = path.read_bytes()",
    ],
)
def test_access_by_another_way_is_found(source: str) -> None:
    assert [*file_access(source)] != []


def test_access_through_storage_is_not_found() -> None:
    assert [*file_access("info = storage.stat(name); data = storage.read(info, 0, 10)")] == []

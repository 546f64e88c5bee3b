"""Container images made of a few programs of this machine, as files that podman and docker read."""

import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tarfile
from collections.abc import Iterable

import pytest

PROGRAMS = ("sh", "cat", "env", "id", "ls", "ln", "touch", "sleep", "tail")
_LIBRARY = re.compile(r"(/\S+)(?= \(0x)")


def write_root(root: pathlib.Path, programs: Iterable[str] = PROGRAMS) -> pathlib.Path:
    """A file system with some programs, their libraries, a package of Python, and links as distributions have them."""
    for program in programs:
        real = os.path.realpath(str(shutil.which(program)))
        copy(real, root / "usr/bin" / program)
        for library in _LIBRARY.findall(subprocess.run(["ldd", real], capture_output=True, text=True).stdout):
            copy(os.path.realpath(library), root / f"usr{library.removeprefix('/usr')}")
    for name in ("bin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    for name in ("etc", "tmp", "var/lib/data", "proc", "dev", "root"):
        (root / name).mkdir(parents=True)
    (root / "etc/image-release").write_text("test image\n")
    (root / "etc/secret").write_text("only root could read this\n")
    (root / "etc/secret").chmod(0o600)
    (root / "var/run").symlink_to("/run")
    packages = root / "usr/lib/python3.11/site-packages"
    metadata = packages / "greeting-1.2.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Name: greeting\nVersion: 1.2\n")
    python = root / "usr/bin/python3"
    python.write_text("#!/bin/sh\necho this is no Python\n")
    python.chmod(0o755)
    return root


def copy(source: str, target: pathlib.Path) -> None:
    """Copies a file, unless it is there."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        target.chmod(target.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def write_archive(path: pathlib.Path, root: pathlib.Path, environment: Iterable[str]) -> None:
    """A `docker-archive` of one layer."""
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        tar.add(root, arcname=".")
    content = layer.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    config = json.dumps(
        {
            "architecture": "amd64",
            "os": "linux",
            "config": {"Env": list(environment)},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        }
    ).encode()
    name = f"{hashlib.sha256(config).hexdigest()}.json"
    manifest = [{"Config": name, "RepoTags": ["localhost/test:1"], "Layers": [f"{digest}.tar"]}]
    files = {name: config, f"{digest}.tar": content, "manifest.json": json.dumps(manifest).encode()}
    with tarfile.open(path, "w") as tar:
        for member, data in files.items():
            info = tarfile.TarInfo(member)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


def engine_settings(folder: pathlib.Path) -> dict[str, str]:
    """Variables with which podman stores images below a folder. Skips the test if there is no podman."""
    if shutil.which("podman") is None:
        pytest.skip("podman is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "storage.conf"
    settings.write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = "{folder}/images"\nrunroot = "{folder}/run"\n', encoding="utf-8"
    )
    return {"CONTAINERS_STORAGE_CONF": str(settings)}

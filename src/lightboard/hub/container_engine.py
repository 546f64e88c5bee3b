"""The commands of podman and docker that give the hub the file system of an image, as pure functions.

An engine only fetches and stores images: what jobs run with them runs in the sandbox of the hub.
"""

import json
import shutil
from dataclasses import dataclass
from typing import Any

from lightboard.hub.resources.images import ContainerConfig
from lightboard.hub.runners.sandbox import PROGRAM as SANDBOX

PODMAN, DOCKER = "podman", "docker"
LOADED = "Loaded image: "
NO_COMMAND = "/"
"""Containers are created, but never started."""


class EngineError(Exception):
    """Why an image cannot be had, for people."""


@dataclass(frozen=True)
class ContainerEngine:
    """The program of an engine."""

    name: str
    program: str

    def pull(self, image: str) -> tuple[str, ...]:
        """Fetches an image from its registry."""
        return (self.program, "pull", image)

    def load(self, archive: str) -> tuple[str, ...]:
        """Reads an image from a file, whose address begins with its kind. Docker knows one kind. Raises EngineError."""
        if self.name == PODMAN:
            return (self.program, "pull", "--quiet", archive)
        kind, _, path = archive.partition(":")
        if kind != "docker-archive":
            raise EngineError(f"docker reads no {kind}: install podman, or write the image with docker save")
        return (self.program, "load", "--input", path)

    def loaded_name(self, output: str) -> str:
        """The name of an image that was read, from what the engine has printed. Raises EngineError."""
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        if not lines:
            raise EngineError(f"{self.name} has read no image")
        return lines[-1].removeprefix(LOADED)

    def remove_image(self, image: str) -> tuple[str, ...]:
        """Removes an image that was fetched."""
        return (self.program, "image", "rm", image)

    def inspect(self, image: str) -> tuple[str, ...]:
        """Prints what `parse_config` reads. Fails if the engine does not have the image."""
        return (self.program, "image", "inspect", image)

    def create(self, container: str, image: str) -> tuple[str, ...]:
        """Creates a container, whose file system can be exported."""
        return (self.program, "create", "--name", container, image, NO_COMMAND)

    def export(self, container: str, archive: str) -> tuple[str, ...]:
        """Writes the file system of a container to a file."""
        return (self.program, "export", "--output", archive, container)

    def remove(self, container: str) -> tuple[str, ...]:
        """Removes a container."""
        return (self.program, "rm", "--force", container)


def find_engine() -> ContainerEngine:
    """The engine of this machine. Raises EngineError."""
    for name in (PODMAN, DOCKER):
        if program := shutil.which(name):
            return ContainerEngine(name, program)
    raise EngineError("neither podman nor docker is installed on the machine of the hub")


def extraction(archive: str, folder: str) -> tuple[str, ...]:
    """Unpacks the file system of an image. Whatever names it has, only this folder can be written to.

    Owners, devices and the bits that change the user of a program are left out. Raises EngineError.
    """
    programs = [shutil.which(name) for name in (SANDBOX, "tar")]
    if not all(programs):
        raise EngineError("bubblewrap (bwrap) or tar is not installed on the machine of the hub")
    bubblewrap, tar = map(str, programs)
    return (
        bubblewrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL",
        "--ro-bind", "/", "/", "--bind", folder, folder,
        tar, "--extract", "--file", archive, "--directory", folder,
        "--no-same-owner", "--no-same-permissions", "--delay-directory-restore",
        "--anchored", "--exclude=dev/*", "--exclude=./dev/*",
    )  # fmt: skip


def parse_config(output: str) -> ContainerConfig:
    """What `inspect` has printed. Raises EngineError."""
    try:
        found = parse_inspection(output)
        pairs = [str(each).partition("=") for each in found["Config"].get("Env") or ()]
        return ContainerConfig(id=str(found["Id"]), environment={name: value for name, _, value in pairs})
    except (IndexError, ValueError, KeyError, TypeError, AttributeError):
        raise EngineError("the image has no readable configuration") from None


def parse_size(output: str) -> int:
    """The size of an image that is unpacked, in bytes, as `inspect` has printed it. Raises EngineError."""
    try:
        return int(parse_inspection(output)["Size"])
    except (IndexError, ValueError, KeyError, TypeError):
        raise EngineError("the image has no readable size") from None


def parse_inspection(output: str) -> Any:
    """The JSON of one image, after messages. Raises IndexError, KeyError, TypeError and ValueError."""
    _, bracket, rest = output.rpartition("\n[") if "\n[" in output else output.partition("[")
    return json.loads(bracket.strip() + rest)[0]

"""The name of a container image, as podman and docker know it, or the file of one."""

import hashlib
import json
import os
import re
from dataclasses import dataclass

from lightboard.errors import UsageError

REGISTRY = "docker://"
ARCHIVES = ("docker-archive:", "oci-archive:")
EXAMPLE = "for example docker://tensorflow/tensorflow:2.20.0, or docker-archive:/data/torch.tar"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}")


@dataclass(frozen=True)
class ContainerReference:
    """`text` is the address as the administrator gave it: `docker://NAME[:TAG|@DIGEST]`, or the file of an archive."""

    text: str

    @property
    def name(self) -> str:
        """The name in a registry or on this machine, "" for an archive."""
        return self.text.removeprefix(REGISTRY) if self.text.startswith(REGISTRY) else ""

    @property
    def archive(self) -> str:
        """The path of an archive, "" for none."""
        return "" if self.name else self.text.partition(":")[2]

    def digest(self, platform: str) -> str:
        """The digest of the environment that this platform gets. An archive that was written again is another one."""
        parts: list[object] = [self.text, platform]
        if self.archive:
            status = os.stat(self.archive)
            parts += [status.st_size, status.st_mtime_ns]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def is_reference(text: str) -> bool:
    """Whether a text looks like the address of a container image."""
    return text.startswith((REGISTRY, *ARCHIVES))


def parse_reference(text: str) -> ContainerReference:
    """The address of a container image, with an absolute path. Raises UsageError."""
    if text.startswith(REGISTRY):
        if not _NAME.fullmatch(text.removeprefix(REGISTRY)):
            raise UsageError(f"{text} is not the name of a container image", hint=EXAMPLE)
        return ContainerReference(text)
    kind, _, path = text.partition(":")
    path = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(path):
        raise UsageError(f"there is no container image in {path}", hint="write one: podman save --output FILE NAME")
    return ContainerReference(f"{kind}:{path}")

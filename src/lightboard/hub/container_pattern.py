"""Which container images accounts may choose: full names of images, and patterns of them. Pure.

A name is completed as docker does, before it is compared: `python` is `docker.io/library/python:latest`. A pattern
names its registry as it is, so that no account can have the hub connect elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

from lightboard.errors import Invalid, UsageError
from lightboard.hub.container_reference import REGISTRY

DEFAULT_REGISTRY, OFFICIAL, DEFAULT_TAG = "docker.io", "library", "latest"
SAME_REGISTRY = "index.docker.io"
"""Another name of the default registry."""
LOCAL = "localhost"
MAX_CHARS = 255
"""Of a name without tag and digest, and of a pattern."""
EXAMPLE = "for example pytorch/pytorch:2.9.0, or registry.example.com/team/train:1.2"
PATTERN_EXAMPLE = "for example docker.io/library/* or registry.example.com/team/**"
_HOST = r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?"
_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_TAG = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
_DIGEST = r"sha256:[0-9a-f]{64}"
_REFERENCE = re.compile(
    rf"(?P<name>[^@:/]+(?::[0-9]+(?=/))?(?:/[^@:/]+)*)(?::(?P<tag>{_TAG}))?(?:@(?P<digest>{_DIGEST}))?"
)
_PATTERN_PART, _PATTERN_TAG, _PATTERN_DIGEST = r"[a-z0-9._*?-]+", r"[A-Za-z0-9_.*?-]{1,128}", r"sha256:[0-9a-f*?]{1,64}"
_PATTERN = re.compile(
    rf"(?P<registry>{_HOST})/(?P<path>{_PATTERN_PART}(?:/{_PATTERN_PART})*)"
    rf"(?::(?P<tag>{_PATTERN_TAG}))?(?:@(?P<digest>{_PATTERN_DIGEST}))?"
)
_WILDCARDS = {"**": ".*", "*": "[^/]*", "?": "[^/]"}


class ImageName(NamedTuple):
    """The complete name of a container image. Its `tag` is "" if it has a digest, which decides alone."""

    registry: str
    path: str
    tag: str = ""
    digest: str = ""

    @property
    def text(self) -> str:
        """As engines take it."""
        return f"{self.registry}/{self.path}" + (f"@{self.digest}" if self.digest else f":{self.tag}")


def image_name(text: str) -> ImageName:
    """The complete name for what somebody has written, with or without `docker://`. Raises Invalid."""
    found = _REFERENCE.fullmatch(text.removeprefix(REGISTRY))
    if not found:
        raise _invalid(text)
    first, slash, rest = found["name"].partition("/")
    if slash and (set(first) & {".", ":"} or first.lower() == LOCAL):
        registry, path = first.lower(), rest
    else:
        registry, path = DEFAULT_REGISTRY, found["name"]
    registry = DEFAULT_REGISTRY if registry == SAME_REGISTRY else registry
    if registry == DEFAULT_REGISTRY and "/" not in path:
        path = f"{OFFICIAL}/{path}"
    is_valid = re.fullmatch(_HOST, registry) and all(re.fullmatch(_PART, part) for part in path.split("/"))
    if not is_valid or len(registry) + len(path) >= MAX_CHARS:
        raise _invalid(text)
    digest = found["digest"] or ""
    return ImageName(registry, path, "" if digest else found["tag"] or DEFAULT_TAG, digest)


def _invalid(text: str) -> Invalid:
    return Invalid(f"{text} is not the name of a container image", hint=EXAMPLE)


@dataclass(frozen=True)
class ImagePattern:
    """`REGISTRY/PATH[:TAG][@DIGEST]`. In all but the registry, `*` and `?` are any characters but slashes, and `**` is
    any characters. Without a tag and digest, it matches all of them.
    """

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """A pattern that an administrator has given. Raises UsageError."""
        found = _PATTERN.fullmatch(text)
        if len(text) > MAX_CHARS or not found:
            raise UsageError(
                f"--container-images {text} is not REGISTRY/PATH, with * only behind the registry",
                hint=PATTERN_EXAMPLE,
            )
        if not (set(found["registry"]) & {".", ":"} or found["registry"] == LOCAL):
            raise UsageError(
                f"--container-images {text} names no registry: {found['registry']} would be a part of a path",
                hint=f"write {DEFAULT_REGISTRY}/{text}" if "/" in text else PATTERN_EXAMPLE,
            )
        if found["registry"] == SAME_REGISTRY:
            raise UsageError(
                f"--container-images {text}: this registry is called {DEFAULT_REGISTRY}",
                hint=f"write {DEFAULT_REGISTRY}/{text.partition('/')[2]}",
            )
        if found["registry"] == DEFAULT_REGISTRY and "/" not in found["path"] and "**" not in found["path"]:
            raise UsageError(
                f"--container-images {text} matches no image: {DEFAULT_REGISTRY} has none without a folder",
                hint=f"write {DEFAULT_REGISTRY}/{OFFICIAL}/{text.partition('/')[2]} for those such as python",
            )
        return cls(text)

    def matches(self, name: ImageName) -> bool:
        """Whether accounts may have this image."""
        registry, path, tag, digest = self._parts
        if name.registry != registry or not path.fullmatch(name.path):
            return False
        if tag is None and digest is None:
            return True
        wanted, has = (digest, name.digest) if name.digest else (tag, name.tag)
        return wanted is not None and wanted.fullmatch(has) is not None

    @cached_property
    def _parts(self) -> tuple[str, re.Pattern[str], re.Pattern[str] | None, re.Pattern[str] | None]:
        found = _PATTERN.fullmatch(self.text)
        assert found is not None
        tag, digest = (expression(found[part]) if found[part] else None for part in ("tag", "digest"))
        return found["registry"], expression(found["path"]), tag, digest


def parse_patterns(texts: Sequence[str]) -> tuple[ImagePattern, ...]:
    """Several patterns. Raises UsageError."""
    return tuple(map(ImagePattern.parse, texts))


def expression(pattern: str) -> re.Pattern[str]:
    """A regular expression for a pattern."""
    return re.compile("".join(_WILDCARDS.get(part) or re.escape(part) for part in re.split(r"(\*\*|\*|\?)", pattern)))

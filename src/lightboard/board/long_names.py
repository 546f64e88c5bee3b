"""Addresses of bytes whose run or tag is too long for an address: a digest stands for both.

Pictures, players and downloads are asked for by bare addresses, which end at 64 KiB and in proxies far sooner, while
one name may be that long. The page makes such digests too (`web/src/api/client.ts`).
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from lightboard import cancellation
from lightboard.errors import NotFound
from lightboard.query.provider import Provider

PARAMETER = "of"
"""Of a query: the digest, instead of the run and the tag."""

LEAST_CHARS = 500
"""Shorter names need none: a character takes at most 12 of the 8,000 that every proxy lets through."""

T = TypeVar("T")


class SeriesName(NamedTuple):
    """A run, and its tag or whatever else is asked for by name."""

    run: str
    name: str


Names = Callable[[Provider], Iterator[SeriesName]]
"""All names of a kind that may be asked for."""


def is_long(run: str, name: str) -> bool:
    """Does it have a digest?"""
    return len(run) + len(name) >= LEAST_CHARS


def digest_of(run: str, name: str) -> str:
    """What stands for the two: 128 bits of a SHA-256, in hexadecimal."""
    return hashlib.sha256(f"{run}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


class DigestIndex:
    """The long names of one kind by digest, as long as no tag comes or goes."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: WeakKeyDictionary[Provider, tuple[int, dict[str, SeriesName]]] = WeakKeyDictionary()

    def find(self, provider: Provider, digest: str) -> SeriesName:
        """The names that a digest stands for. Raises NotFound."""
        generation = provider.structure_generation
        known_at, known = self._known.get(provider, (-1, {}))
        if known_at != generation:
            known = {}
            for run, name in self._names(provider):
                cancellation.check()
                if is_long(run, name):
                    known[digest_of(run, name)] = SeriesName(run, name)
            self._known[provider] = (generation, known)
        if digest not in known:
            raise NotFound(f"no long name has the digest {digest[:40]!r}", hint="reload the page")
        return known[digest]


def tags_of(kind: str) -> Names:
    """The runs and tags of a kind."""

    def names(provider: Provider) -> Iterator[SeriesName]:
        for run, tags in provider.tags_by_run(kind).items():
            for tag in tags:
                yield SeriesName(run, tag)

    return names


_INDICES: dict[str, DigestIndex] = {}


def find_series(provider: Provider, kind: str, digest: str) -> SeriesName:
    """The run and tag of a kind that a digest stands for. Raises NotFound."""
    return _INDICES.setdefault(kind, DigestIndex(tags_of(kind))).find(provider, digest)

"""Digests of runs and tags that are too long for a URL.

Images, audio and downloads are requested by plain URLs, whose length servers and proxies limit, while a name may have
64 KiB. The page computes the same digests (`web/src/api/client.ts`).
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from lightboard import cancellation
from lightboard.errors import NotFound
from lightboard.query.provider import DataProvider, IndexProvider

PARAMETER = "of"
"""The query parameter with the digest, instead of run and tag."""

MIN_LONG_CHARS = 500
"""Shorter names need no digest: a character is encoded to at most 12, and proxies allow 8,000."""

T = TypeVar("T")


class SeriesName(NamedTuple):
    """A run, and its tag or another name."""

    run: str
    name: str


Names = Callable[[DataProvider], Iterator[SeriesName]]
"""All names of a kind that can be requested."""


def is_long(run: str, name: str) -> bool:
    """Whether these names have a digest."""
    return len(run) + len(name) >= MIN_LONG_CHARS


def digest_of(run: str, name: str) -> str:
    """The digest of both: 128 bits of SHA-256 in hexadecimal."""
    return hashlib.sha256(f"{run}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


class DigestIndex:
    """The long names of one kind by digest, rebuilt when tags are added or removed."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: WeakKeyDictionary[DataProvider, tuple[int, dict[str, SeriesName]]] = WeakKeyDictionary()

    def find(self, provider: DataProvider, digest: str) -> SeriesName:
        """The names with this digest. Raises NotFound."""
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

    def names(provider: IndexProvider) -> Iterator[SeriesName]:
        for run, tags in provider.tags_by_run(kind).items():
            for tag in tags:
                yield SeriesName(run, tag)

    return names


_INDICES: dict[str, DigestIndex] = {}


def find_series(provider: DataProvider, kind: str, digest: str) -> SeriesName:
    """The run and tag of a kind with this digest. Raises NotFound."""
    return _INDICES.setdefault(kind, DigestIndex(tags_of(kind))).find(provider, digest)

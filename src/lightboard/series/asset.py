"""A file beside the event files of a run that tells of data of its own, as the projector's config does.

Not here: which names count (`ingest.logdir`), what is in them, the files they name.
"""

from typing import NamedTuple

from lightboard.storage.base import ObjectInfo, Storage


class Asset(NamedTuple):
    """One such file as last listed. `run` is named as runs are, also where its folder has no events and is none."""

    run: str
    storage: Storage
    info: ObjectInfo

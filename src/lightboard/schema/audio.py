"""Sound: the clips of one value, and the outline of one."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer, Question, Whole
from lightboard.schema.scalars import TagName
from lightboard.schema.values import ValueKey


class ClipsQuery(Question):
    """One value: run by name, tag, key."""

    run: str
    tag: TagName
    at: ValueKey


class ClipInfo(Answer):
    """One clip: size in bytes; what a WAV head says, as far as the bytes bear it out, or null with the `trouble`.

    A frame is one sample of each channel; `rate` is in frames a second and 0 where the head has none.
    """

    label: str
    size: int
    channels: int | None
    rate: int | None
    bits: int | None
    frames: int | None
    trouble: str


class Clips(Answer):
    """The clips of one value in order, at most a thousand."""

    clips: list[ClipInfo]


class ClipQuery(ClipsQuery):
    """One clip; with `save` the browser keeps it instead of playing it."""

    sample: Whole = 0
    save: bool = False


class PeaksQuery(ClipsQuery):
    """The outline of one clip, in so many columns."""

    sample: Whole = 0
    px: Annotated[int, Field(ge=1, le=4000)] = 1000


class ClipPeaks(Answer):
    """Lowest and highest sample of each column, one list for each channel (of many the first eight), from -127 to 127.

    There are fewer columns than asked for where there are fewer frames. `exact` is false for a very long clip, of
    which each column stands for its first samples.
    """

    low: list[list[int]]
    high: list[list[int]]
    exact: bool

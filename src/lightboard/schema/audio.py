"""Audio: the clips of one value, and their waveforms."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel, Whole
from lightboard.schema.scalars import TagName
from lightboard.schema.values import ValueKey


class ClipsQuery(RequestModel):
    """One value, by the name of its run, its tag, and its key `at`."""

    run: str
    tag: TagName
    at: ValueKey


class ClipInfo(ResponseModel):
    """One clip. `size` is in bytes.

    The other numbers are from its WAV header. If that is missing or invalid, they are null and `trouble` says why, else
    `trouble` is "". A frame is one sample of each channel; `frames` counts those that the data contains. `rate` is in
    frames per second, 0 if the header has none.
    """

    label: str
    size: int
    channels: int | None
    rate: int | None
    bits: int | None
    frames: int | None
    trouble: str


class Clips(ResponseModel):
    """The clips of one value in their order, at most 1,000."""

    clips: list[ClipInfo]


class ClipQuery(ClipsQuery):
    """One clip, by its index `sample` in the value. With `save`, browsers download it instead of playing it."""

    sample: Whole = 0
    save: bool = False


class PeaksQuery(ClipsQuery):
    """The waveform of one clip in `px` columns. `sample` is the index of the clip in the value."""

    sample: Whole = 0
    px: Annotated[int, Field(ge=1, le=4000)] = 1000


class ClipPeaks(ResponseModel):
    """The lowest and highest sample of each column, from -127 to 127: one list per channel, for the first 8 channels.

    A clip with fewer frames than requested columns has one column per frame. `exact` is false for very long clips,
    where only the first samples of each column are examined.
    """

    low: list[list[int]]
    high: list[list[int]]
    exact: bool

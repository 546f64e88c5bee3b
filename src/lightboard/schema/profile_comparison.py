"""What takes longer or shorter than in another capture, or on another rank. Times are microseconds."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import ResponseModel, Whole
from lightboard.schema.profiles import CaptureName, CaptureQuery, Category

DifferenceColumn = Literal["name", "category", "scope", "before_us", "after_us", "difference_us", "ratio"]


class ProfileDiffQuery(CaptureQuery):
    """`limit` operators of `capture` compared with those of `base`, from the one with index `start`.

    `rank` and `base_rank` are those that are compared, all if null; so ranks of one capture can be.
    """

    base: CaptureName
    base_at: Annotated[str, Field(max_length=100)] = ""
    rank: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    base_rank: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    search: Annotated[str, Field(max_length=500)] = ""
    sort: DifferenceColumn = "difference_us"
    descending: bool = True
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=5000)] = 1000


class ProfileDifference(ResponseModel):
    """An operator of two captures: its self time in a step, on average, before and after.

    `is_real` says whether the difference is more than `noise_us`, two standard errors; null of single steps, which have
    no spread. `ratio` is null if it did not run before.
    """

    name: str
    category: Category
    scope: str
    calls_before: int
    calls_after: int
    total_before_us: float
    total_after_us: float
    before_us: float
    after_us: float
    difference_us: float
    ratio: float | None
    noise_us: float | None
    is_real: bool | None


class ProfileDiffResponse(ResponseModel):
    """Operators in the order that was asked for, of `total`, and how many steps were compared."""

    total: int
    steps_before: int
    steps_after: int
    operators: list[ProfileDifference]

"""TensorBoards in the format of DCE's Job Analysis, with the names of its API documents."""

from lightboard.schema.model import ResponseModel


class AnalysisStatus(ResponseModel):
    """`phase` is PENDING, RUNNING, STOPPED, FAILED, or "" while it is being deleted."""

    phase: str
    accessUrl: str  # noqa: N815  # their name
    message: str


class AnalysisResponse(ResponseModel):
    """A TensorBoard. `creationTimestamp` is in RFC 3339 format, in UTC."""

    name: str
    type: str
    creationTimestamp: str  # noqa: N815  # their name
    status: AnalysisStatus
    owner: str


class AnalysisPlace(ResponseModel):
    """The page number, its size, and the total number of items."""

    page: int
    pageSize: int  # noqa: N815  # their name
    total: int


class AnalysisPage(ResponseModel):
    """A page of TensorBoards."""

    items: list[AnalysisResponse]
    page: AnalysisPlace

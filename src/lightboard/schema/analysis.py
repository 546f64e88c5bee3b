"""TensorBoards in the shape of DCE's Job Analysis; names as its API documents write them."""

from lightboard.schema.model import Answer


class AnalysisStatus(Answer):
    """`phase` is PENDING, RUNNING, STOPPED, FAILED, or "" for one that is being deleted."""

    phase: str
    accessUrl: str  # noqa: N815  # their name
    message: str


class AnalysisAnswer(Answer):
    """One of them; the time as RFC 3339 in UTC."""

    name: str
    type: str
    creationTimestamp: str  # noqa: N815  # their name
    status: AnalysisStatus
    owner: str


class AnalysisPlace(Answer):
    """Which page of how many."""

    page: int
    pageSize: int  # noqa: N815  # their name
    total: int


class AnalysisPage(Answer):
    """A page of them."""

    items: list[AnalysisAnswer]
    page: AnalysisPlace

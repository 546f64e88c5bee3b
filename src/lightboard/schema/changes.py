"""The data of server-sent events."""

from lightboard.schema.model import ResponseModel, RunId


class Change(ResponseModel):
    """Data of a `change` event: `runs` have changed. If `structure`, runs or tags were added or removed."""

    generation: int
    runs: list[RunId]
    structure: bool
    loading: bool


class AnnotationsChange(ResponseModel):
    """Data of an `overlay` event: the new revision of the annotations."""

    revision: int

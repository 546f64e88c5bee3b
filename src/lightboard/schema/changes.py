"""What the event stream says."""

from lightboard.schema.model import Answer, RunId


class Change(Answer):
    """Data of a `change` event: these runs have news; `structure` = runs or tags came or went."""

    generation: int
    runs: list[RunId]
    structure: bool
    loading: bool


class OverlayChange(Answer):
    """Data of an `overlay` event: what people added to runs is now of this revision."""

    revision: int

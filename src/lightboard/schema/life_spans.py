"""Life spans of TensorBoards and jobs, in seconds; 0 is no end."""

from typing import Annotated

from pydantic import Field, model_validator

from lightboard.schema.model import HubRequestModel

LONGEST_SECS = 10 * 365 * 86_400
Span = Annotated[float, Field(ge=0, le=LONGEST_SECS)]


class ExtendLifeSpan(HubRequestModel):
    """A new life span. Exactly one field is required: `total_secs`, or `additional_secs` to add to the current one.

    A `total_secs` of 0 means no end.
    """

    additional_secs: Annotated[float, Field(gt=0, le=LONGEST_SECS)] | None = None
    total_secs: Span | None = None

    @model_validator(mode="after")
    def one_way(self) -> "ExtendLifeSpan":
        """Raises ValueError unless exactly one is given."""
        if (self.additional_secs is None) == (self.total_secs is None):
            raise ValueError("give either additional_secs or total_secs")
        return self

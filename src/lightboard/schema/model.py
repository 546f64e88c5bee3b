"""Base classes of all request and response bodies, and the types of numbers they share.

Validators are built at first use, so a server does not spend time at its start on models that are never requested.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

Number = Annotated[
    float,
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"], "type": "string"}]}),
]
"""A double. Values that JSON numbers cannot represent are sent as one of three strings, as TensorBoard does."""

MAX_WHOLE = 2**63 - 1
"""The maximum of a 64-bit integer, which limits steps, offsets and database rows."""

Whole = Annotated[int, Field(ge=0, le=MAX_WHOLE)]
Step = Annotated[int, Field(ge=-MAX_WHOLE - 1, le=MAX_WHOLE)]

RunId = Annotated[int, Field(ge=0, le=2**32 - 1, description="id of a run; it is never reused for another run")]


class ResponseModel(BaseModel):
    """Base class of response bodies."""

    model_config = ConfigDict(
        defer_build=True,
        ser_json_inf_nan="strings",
        json_schema_serialization_defaults_required=True,
    )


class RequestModel(BaseModel):
    """Base class of request bodies and queries. Unknown fields are errors."""

    model_config = ConfigDict(defer_build=True, extra="forbid", allow_inf_nan=False)


class HubRequestModel(RequestModel):
    """Base class of request bodies and queries of the hub.

    Validators are built at import: FastAPI suppresses pydantic's warnings while it sets up routes, not at a request.
    """

    model_config = ConfigDict(defer_build=False)

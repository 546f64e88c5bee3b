"""The base of every body that travels over HTTP, and the one way a number is written.

Validators are built at first use: a server that is asked for runs does not pay for charts at start.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

Number = Annotated[
    float,
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"], "type": "string"}]}),
]
"""A double; what JSON has no number for travels as one of three strings, as TensorBoard does it."""

MOST_WHOLE = 2**63 - 1
"""What a step, an offset or a row of a database can hold: no whole number of a question is larger."""

Whole = Annotated[int, Field(ge=0, le=MOST_WHOLE)]
Step = Annotated[int, Field(ge=-MOST_WHOLE - 1, le=MOST_WHOLE)]

RunId = Annotated[int, Field(ge=0, le=2**32 - 1, description="stable id of a run; never used again for another")]


class Answer(BaseModel):
    """A body the server sends."""

    model_config = ConfigDict(
        defer_build=True,
        ser_json_inf_nan="strings",
        json_schema_serialization_defaults_required=True,
    )


class Question(BaseModel):
    """A body or query the server reads; a field it does not know is an error, not a silent nothing."""

    model_config = ConfigDict(defer_build=True, extra="forbid", allow_inf_nan=False)


class HubQuestion(Question):
    """A body or query of the hub. Built at once: only while it loads does its framework keep pydantic quiet."""

    model_config = ConfigDict(defer_build=False)

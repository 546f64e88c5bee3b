"""Packages of a Python environment."""

from lightboard.schema.model import ResponseModel


class PackageResponse(ResponseModel):
    """An installed Python package."""

    name: str
    version: str

"""A Swift server with an S3 API, shared by all tests of a worker. Tests that use it need the same xdist group."""

import pathlib
import tempfile
from collections.abc import Iterator

import pytest

from support.swift_server import SwiftServer, folder_with_attributes


@pytest.fixture(scope="session")
def swift(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SwiftServer]:
    parent = folder_with_attributes(tmp_path_factory.getbasetemp(), pathlib.Path("/var/tmp"), pathlib.Path.cwd())
    with tempfile.TemporaryDirectory(dir=parent) as folder, SwiftServer(pathlib.Path(folder)) as server:
        yield server

"""One Swift for all tests of a run that want it; let them be of one xdist group."""

import pathlib
import tempfile
from collections.abc import Iterator

import pytest

from swift_server import SwiftServer, folder_with_attributes


@pytest.fixture(scope="session")
def swift(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SwiftServer]:
    place = folder_with_attributes(tmp_path_factory.getbasetemp(), pathlib.Path("/var/tmp"), pathlib.Path.cwd())
    with tempfile.TemporaryDirectory(dir=place) as folder, SwiftServer(pathlib.Path(folder)) as server:
        yield server

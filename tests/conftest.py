"""No test touches what the person who runs it keeps."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Every process that a test starts keeps what is added to runs in a folder that goes away."""
    folder = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIGHTBOARD_HOME", folder)
        yield folder

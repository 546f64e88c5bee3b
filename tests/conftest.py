"""No test touches what the person who runs it keeps, and none is a matter of time."""

import os
import pathlib
from collections.abc import Iterator

import hypothesis
import pytest

from support import journal
from support.examples import SUITE_EXAMPLES
from support.leftovers import LeftoverCheck
from support.wheels import build_wheel, copy_sources, link_packages, make_once
from support.worker_shares import share_out

# How long an example takes depends on what else the machine does; it is the bench that measures.
LONG = "LIGHTBOARD_TEST_LONG" in os.environ
"""Whether to run what takes too long for every change."""
OF_MINUTES = ("fuzz", "interpreters", "frameworks")
"""Marks of tests that workers run before most others."""
QUICK = ("annotations", "asgi", "events", "graphs", "ingest", "profiles", "query", "series", "storage", "untrusted")
"""Folders of `tests` that take seconds: what they find is told before anything that takes minutes."""
for profile, examples in (("few", 10), ("suite", SUITE_EXAMPLES), ("long", 500)):
    hypothesis.settings.register_profile(
        profile, deadline=None, max_examples=examples, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
hypothesis.settings.load_profile("long" if LONG else "suite")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Every process that runs tests checks what they leave, and writes down what became of them."""
    config.pluginmanager.register(LeftoverCheck(), "leftovers")
    config.pluginmanager.register(OrderOfTests(), "order-of-tests")
    journal.register(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks that follow from what a test asks for; long tests only where they are wanted."""
    if not LONG:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        parameters = getattr(getattr(item, "callspec", None), "params", {}).values()
        if "postgres" in fixtures or any(isinstance(each, str) and each == "postgres" for each in parameters):
            item.add_marker("postgres")


class OrderOfTests:
    """The last order of all: that of fixtures would undo it."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Quick tests, then those of minutes: the last worker of a run would otherwise work on one of these alone."""
        worker = getattr(config, "workerinput", {"workercount": 1})
        items[:] = share_out(items, group_of_minutes, is_quick, worker["workercount"])


def group_of_minutes(item: pytest.Item) -> tuple[pathlib.Path, object] | None:
    """What should stay in one worker: those of a folder, or of another interpreter there. None if it is quick."""
    if not any(map(item.get_closest_marker, OF_MINUTES)):
        return None
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return item.path.parent, parameters.get("installed")


def is_quick(item: pytest.Item) -> bool:
    """Whether it is in a folder that takes seconds."""
    return any(pathlib.Path(__file__).parent / name in item.path.parents for name in QUICK)


@pytest.fixture(scope="session", autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Every process that a test starts keeps what is added to runs in a folder that goes away."""
    folder = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIGHTBOARD_HOME", folder)
        yield folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """What `pip wheel` makes of a clean clone, with a compiler and Node. Set-up has downloaded what its pages need."""

    def build(folder: pathlib.Path) -> None:
        link_packages(copy_sources(folder))
        build_wheel(folder)

    folder = make_once(tmp_path_factory, "wheel", build)
    return next(folder.glob("wheels/*.whl"))

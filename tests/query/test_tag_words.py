"""What writers said of a tag."""

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.tags import TagInfo, Words
from lightboard.testing.event_files import (
    FLOAT,
    scalar_record,
    summary_metadata,
    tensor,
    tensor_record,
    version_record,
)
from lightboard.testing.fakes import MemoryBoard


def provider_over(**runs: list[bytes]) -> CatalogProvider:
    files = {f"{name}/events.tfevents.0": b"".join([version_record(), *records]) for name, records in runs.items()}
    return CatalogProvider(MemoryBoard(files).catalog, BoardSettings(logdir="x"))


def described(name: str, text: str) -> bytes:
    metadata = summary_metadata("scalars", display_name=name, description=text, data_class=1)
    return tensor_record("loss", 0, tensor(FLOAT, [1.0]), 1.0, metadata)


def test_display_name_and_description_come_from_the_metadata() -> None:
    """Runs that say the same are gathered under one text."""
    provider = provider_over(a=[described("Loss", "*low* is good")], b=[described("Loss", "*low* is good")])

    assert provider.tags("scalars") == [TagInfo("loss", "Loss", {"*low* is good": ["a", "b"]}, [0, 1])]


def test_without_a_display_name_the_tag_is_shown() -> None:
    """There is always something to show."""
    assert provider_over(a=[scalar_record("loss", 0, 1.0)]).tags("scalars")[0].display_name == "loss"


def test_tensorboards_routes_show_the_name_as_tensorboard_does() -> None:
    """A simple value is called by its tag, a tensor by what it was given."""
    provider = provider_over(a=[scalar_record("plain", 0, 1.0), described("", "")])

    assert provider.tags_by_run("scalars") == {"a": {"plain": Words("plain", ""), "loss": Words("", "")}}


def test_kinds_are_counted_once_for_each_tag() -> None:
    """Two runs with the same tag count as one."""
    provider = provider_over(a=[scalar_record("loss", 0, 1.0)], b=[scalar_record("loss", 0, 1.0)])

    assert provider.plugin_counts() == {"scalars": 1}

"""Display names and descriptions of tags."""

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.tags import TagInfo, TagText
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


def described_record(name: str, text: str) -> bytes:
    metadata = summary_metadata("scalars", display_name=name, description=text, data_class=1)
    return tensor_record("loss", 0, tensor(FLOAT, [1.0]), 1.0, metadata)


def test_display_name_and_description_come_from_the_metadata() -> None:
    """Runs with equal ones are grouped."""
    provider = provider_over(
        a=[described_record("Loss", "*low* is good")], b=[described_record("Loss", "*low* is good")]
    )

    assert provider.tags("scalars") == [TagInfo("loss", "Loss", {"*low* is good": ["a", "b"]}, [0, 1])]


def test_the_default_display_name_is_the_tag() -> None:
    """There is always something to show."""
    assert provider_over(a=[scalar_record("loss", 0, 1.0)]).tags("scalars")[0].display_name == "loss"


def test_tensorboard_routes_use_tensorboards_names() -> None:
    """The tag of simple values, the display name of tensors."""
    provider = provider_over(a=[scalar_record("plain", 0, 1.0), described_record("", "")])

    assert provider.tags_by_run("scalars") == {"a": {"plain": TagText("plain", ""), "loss": TagText("", "")}}


def test_kinds_count_tags_once() -> None:
    """However many runs have the tag."""
    provider = provider_over(a=[scalar_record("loss", 0, 1.0)], b=[scalar_record("loss", 0, 1.0)])

    assert provider.plugin_counts() == {"scalars": 1}

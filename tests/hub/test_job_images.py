"""Images as an administrator gives them."""

import pathlib

import pytest

from lightboard.errors import LaunchError, UsageError
from lightboard.hub.environment_builder import EnvironmentBuilder
from lightboard.hub.images import Image, Images, parse_images, sources_of
from lightboard.hub.requirements_list import RequirementsList
from lightboard.hub.resources.images import ImageState
from lightboard.hub.virtual_environment import VirtualEnvironment


def test_an_image_is_an_environment_or_a_list(tmp_path: pathlib.Path) -> None:
    """A list has a digest, which is the same for equal ones."""
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("six\n")
    images = parse_images([f"torch:2.9={tmp_path}/venv", f"a={tmp_path}/one.txt", f"b={tmp_path}/two.txt"])
    digest = images["a"].digest

    assert images == {
        "torch:2.9": Image(name="torch:2.9", source=f"{tmp_path}/venv"),
        "a": Image(name="a", source=f"{tmp_path}/one.txt", built_from=RequirementsList(("six\n",)), digest=digest),
        "b": Image(name="b", source=f"{tmp_path}/two.txt", built_from=RequirementsList(("six\n",)), digest=digest),
    }
    assert (len(digest), sources_of(images)) == (64, {digest: RequirementsList(("six\n",))})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("torch", "--image torch is not NAME=PATH"),
        ("torch=", "--image torch= is not NAME=PATH"),
        (" =/opt/torch", "--image  =/opt/torch is not NAME=PATH"),
        (
            "torch=nosuch",
            "--image torch=nosuch: nosuch is no virtual environment, requirements list or container image",
        ),
        ("torch=.", "--image torch=.: . is no virtual environment, requirements list or container image"),
    ],
)
def test_what_is_no_image_is_an_error(
    text: str, message: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hint."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        parse_images([text])

    assert (caught.value.message, bool(caught.value.hint)) == (message, True)


def test_a_hub_without_jobs_builds_nothing(tmp_path: pathlib.Path) -> None:
    """Its images say why. A virtual environment is there in any case."""
    by_name = {
        "list": Image(name="list", source="/l.txt", built_from=RequirementsList(("six\n",)), digest="12ab"),
        "folder": Image(name="folder", source="/opt/torch"),
    }
    builder = EnvironmentBuilder(tmp_path, sources_of(by_name))
    images = Images(by_name, builder)
    before = images.building()
    builder.fail("this hub runs no jobs")
    builder.start()
    builder.close()

    assert (before, images.building()) == (frozenset({"list"}), frozenset())
    assert [images.state(name) for name in by_name] == [ImageState.FAILED, ImageState.READY]
    assert images.environment("folder") == VirtualEnvironment("/opt/torch")
    with pytest.raises(LaunchError, match="the image list could not be built: this hub runs no jobs"):
        images.check("list")


def test_the_environment_of_a_job_that_is_gone_is_told(tmp_path: pathlib.Path) -> None:
    """It is never replaced by another one."""
    images = Images({"torch": Image(name="torch", source="/opt/torch")}, EnvironmentBuilder(tmp_path, {}))

    with pytest.raises(LaunchError) as caught:
        images.environment("torch", "12ab")

    assert (caught.value.message, caught.value.reason) == (
        "the environment of the image torch is gone",
        "ImageNotBuilt",
    )

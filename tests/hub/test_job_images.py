"""Images as an administrator gives them."""

import pathlib
import threading

import pytest

from lightboard.errors import LaunchError, UsageError
from lightboard.hub.container_pattern import parse_patterns
from lightboard.hub.container_reference import ContainerReference
from lightboard.hub.environment_builder import KEEP_REQUESTED, KEEP_SECS, EnvironmentBuilder
from lightboard.hub.environment_folder import EnvironmentFolder
from lightboard.hub.images import Image, Images, parse_images, sources_of
from lightboard.hub.requirements_list import RequirementsList
from lightboard.hub.resources.images import BuiltEnvironment, ContainerConfig, ImageState
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


def test_an_account_may_name_a_container_image(tmp_path: pathlib.Path) -> None:
    """Of those that are allowed. Equal ones are one environment, however their names are written."""
    builder = EnvironmentBuilder(tmp_path, {})
    images = Images({}, builder, parse_patterns(["docker.io/library/*"]))
    before = images.is_known(images.get("python"))
    images.check("python")
    images.check("docker.io/library/python:latest")

    assert (before, images.chosen()) == (False, ["docker.io/library/python:latest", "python"])
    assert images.digest("python") == images.digest("docker://python") != images.digest("python:3")
    assert images.get("python").source == "docker://docker.io/library/python:latest"
    assert images.building(["python:3", "pytorch/pytorch"]) == frozenset({"python:3"})
    with pytest.raises(LaunchError) as caught:
        images.check("pytorch/pytorch")
    assert (caught.value.message, caught.value.hint) == (
        "this hub has no image pytorch/pytorch",
        "its images: none; container images that one may name: docker.io/library/*; "
        "an administrator can add one: lightboard hub --image NAME=PATH",
    )
    builder.close()


def test_an_image_of_the_hub_precedes_one_of_the_same_name(tmp_path: pathlib.Path) -> None:
    """Whoever names `python` gets what the administrator has named so."""
    by_name = {"python": Image(name="python", source="/opt/python")}
    images = Images(by_name, EnvironmentBuilder(tmp_path, {}), parse_patterns(["docker.io/library/*"]))
    images.check("python")

    assert images.environment("python") == VirtualEnvironment("/opt/python")
    assert images.chosen() == []


def test_without_a_sandbox_no_container_image_is_built(tmp_path: pathlib.Path) -> None:
    """However often somebody asks for it."""
    builder = EnvironmentBuilder(tmp_path, {})
    builder.fail_containers("containers need the sandbox of jobs")
    images = Images({}, builder, parse_patterns(["docker.io/**"]))

    for _ in range(2):
        with pytest.raises(LaunchError, match="could not be built: containers need the sandbox of jobs"):
            images.check("a/b:1")
    builder.close()


def test_chosen_images_that_nothing_uses_are_removed(tmp_path: pathlib.Path) -> None:
    """After a day, and all but the last ones before; those of jobs stay, as do those of the administrator."""
    now = 0.0
    builder = EnvironmentBuilder(tmp_path, {"of-the-hub": RequirementsList(("",))}, clock=lambda: now)
    reference = ContainerReference("docker://docker.io/library/python:3")
    builder.request("of-the-hub", reference)
    for number in range(KEEP_REQUESTED + 2):
        now += 1
        builder.request(f"image-{number}", reference)
    builder.remove_unused(["image-0"])
    kept = [digest for digest in ["of-the-hub", *(f"image-{number}" for number in range(12))] if builder.has(digest)]
    now += KEEP_SECS
    builder.remove_unused([])
    left = [digest for digest in kept if builder.has(digest)]
    builder.close()

    assert kept == ["of-the-hub", "image-0", *(f"image-{number}" for number in range(2, 12))]
    assert left == ["of-the-hub", "image-11"]


def test_chosen_images_have_a_limit_of_disk(tmp_path: pathlib.Path) -> None:
    """Together, also those from before a restart; those of the administrator do not count."""
    for digest, size in (("of-the-hub", 1 << 40), ("earlier", 3 << 20)):
        folder = EnvironmentFolder(tmp_path / digest)
        folder.prepare(ContainerReference("docker://docker.io/library/python:3"))
        folder.environment.mkdir()
        folder.write(
            BuiltEnvironment(
                python="", packages=0, size_bytes=size, built_at=0.0, container=ContainerConfig(id="", environment={})
            )
        )
    changed = threading.Event()
    first = {"of-the-hub": RequirementsList(("",))}
    builder = EnvironmentBuilder(tmp_path, first, on_change=changed.set, limit_bytes=3 << 20)
    builder.start()
    builder.request("one-more", ContainerReference("docker://docker.io/library/python:3"))
    told = changed.wait(60)
    builder.close()

    assert (told, builder.failure("one-more")) == (
        True,
        "the container images that accounts have named may take 3M of disk together; those of jobs that "
        "have ended are removed when room is needed, and an administrator can allow more: lightboard hub "
        "--container-images-size SIZE",
    )


def test_the_environment_of_a_job_that_is_gone_is_told(tmp_path: pathlib.Path) -> None:
    """It is never replaced by another one."""
    images = Images({"torch": Image(name="torch", source="/opt/torch")}, EnvironmentBuilder(tmp_path, {}))

    with pytest.raises(LaunchError) as caught:
        images.environment("torch", "12ab")

    assert (caught.value.message, caught.value.reason) == (
        "the environment of the image torch is gone",
        "ImageNotBuilt",
    )

"""The images that jobs can have: virtual environments that the administrator names, those that the hub builds from
lists or container images, and container images that accounts choose.
"""

import os
import platform
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lightboard.errors import Invalid, LaunchError, UsageError
from lightboard.hub.container_image import ContainerImage
from lightboard.hub.container_pattern import ImagePattern, image_name
from lightboard.hub.container_reference import REGISTRY, ContainerReference, is_reference, parse_reference
from lightboard.hub.environment_builder import EnvironmentBuilder
from lightboard.hub.installed_packages import count_packages, python_version
from lightboard.hub.requirements_list import RequirementsList, read_list
from lightboard.hub.resources.images import BuiltEnvironment, ImageState
from lightboard.hub.virtual_environment import VirtualEnvironment

NOT_FOUND, NOT_BUILT = "ImageNotFound", "ImageNotBuilt"
ROUTES = ("log", "rebuild")
"""What follows the name of an image in the paths of routes."""
EXAMPLE = (
    "for example --image torch:2.9=/opt/torch, --image torch:2.9=/etc/lightboard/torch.txt, "
    "or --image torch:2.9=docker://pytorch/pytorch:2.9.0"
)


@dataclass(frozen=True, kw_only=True)
class Image:
    """`source` is what the administrator has given: the absolute path of a virtual environment or of a requirements
    list, or the address of a container image.

    `built_from` is what that list has at the start of the hub, or the container image, and `digest` that of the
    environment which is built from it; None and "" for a virtual environment.
    """

    name: str
    source: str
    built_from: RequirementsList | ContainerReference | None = None
    digest: str = ""


class Images:
    """The images of a hub, by name, and the container images that accounts may choose by their own names, which match
    one of `patterns`. `builder` has those that the hub builds. Thread-safe.
    """

    def __init__(
        self, by_name: Mapping[str, Image], builder: EnvironmentBuilder, patterns: Sequence[ImagePattern] = ()
    ) -> None:
        self.by_name = by_name
        self.builder = builder
        self.patterns = tuple(patterns)
        self._names: set[str] = set()

    def get(self, name: str) -> Image:
        """The image of this name. Raises LaunchError if there is none."""
        image = self.find(name)
        if image is None:
            known = ", ".join(sorted(self.by_name)) or "none"
            allowed = ", ".join(pattern.text for pattern in self.patterns)
            chosen = f"container images that one may name: {allowed}; " if allowed else ""
            raise LaunchError(
                f"this hub has no image {name}",
                reason=NOT_FOUND,
                hint=f"its images: {known}; {chosen}an administrator can add one: lightboard hub --image NAME=PATH",
            )
        return image

    def find(self, name: str) -> Image | None:
        """The image of this name, None if there is none."""
        return self.by_name.get(name) or self._chosen(name)

    def _chosen(self, name: str) -> Image | None:
        """The container image that an account has chosen, None if it is none or not allowed."""
        if not (name and self.patterns):
            return None
        try:
            full = image_name(name)
        except Invalid:
            return None
        if not any(pattern.matches(full) for pattern in self.patterns):
            return None
        reference = ContainerReference(f"{REGISTRY}{full.text}")
        digest = reference.digest(sysconfig.get_platform())
        return Image(name=name, source=reference.text, built_from=reference, digest=digest)

    def _request(self, name: str) -> Image | None:
        """The image of this name, which is built if an account has chosen it and it is not there."""
        image = self.find(name)
        if image is not None and image.built_from is not None and name not in self.by_name:
            self.builder.request(image.digest, image.built_from)
            self._names.add(name)
        return image

    def check(self, name: str) -> None:
        """Raises LaunchError if there is no such image, or it could not be built; "" is none, which is always there.

        A container image that an account has chosen is built, also if that has failed before: no one else would do it.
        """
        if name:
            image = self.get(name)
            self._request(name)
            failure = self.failure(name)
            if failure and (name in self.by_name or not self.builder.rebuild(image.digest)):
                raise failure

    def state(self, name: str) -> ImageState:
        """Whether jobs can have an image that exists."""
        digest = self.get(name).digest
        return self.builder.state(digest) if digest else ImageState.READY

    def built(self, name: str) -> BuiltEnvironment | None:
        """What is known of an image that the hub has built; None if it has not."""
        image = self.get(name)
        return self.builder.folder(image.digest).read() if image.digest else None

    def is_known(self, image: Image) -> bool:
        """Whether an image is there: one that accounts may choose is, once somebody has chosen it."""
        return image.name in self.by_name or self.builder.has(image.digest)

    def chosen(self) -> list[str]:
        """The names of the container images that accounts have chosen and that are there, or will be."""
        self._names = {name for name in list(self._names) if (image := self.find(name)) and self.is_known(image)}
        return sorted(self._names)

    def building(self, wanted: Iterable[str] = ()) -> frozenset[str]:
        """The names of the images that are not built yet, of those of the hub and those that jobs have `wanted`.

        These are built if an account has chosen them, also after the hub was started again.
        """
        names = {*self.by_name, *(name for name in wanted if self._request(name))}
        return frozenset(name for name in names if self.state(name) is ImageState.BUILDING)

    def failure(self, name: str) -> LaunchError | None:
        """Why jobs cannot have an image that could not be built, as an error."""
        image = self.find(name)
        message = self.builder.failure(image.digest) if image else ""
        if image is None or not message:
            return None
        return LaunchError(
            f"the image {name} could not be built: {message}",
            reason=NOT_BUILT,
            hint=f"an administrator can read how: lightboard image log {name}",
        )

    def digest(self, name: str) -> str:
        """The digest of the environment that a job gets now which asks for an image; "" if it was not built."""
        image = self.find(name)
        return image.digest if image else ""

    def environment(self, name: str, digest: str = "") -> VirtualEnvironment | ContainerImage:
        """The environment of a job with this image, and with the digest that it got when it was started.

        Raises LaunchError if there is none.
        """
        if not name:
            return VirtualEnvironment()
        if not (digest := digest or self.digest(name)):
            return VirtualEnvironment(self.get(name).source)
        folder = self.builder.folder(digest)
        built = folder.read()
        if built is None:
            raise LaunchError(
                f"the environment of the image {name} is gone",
                reason=NOT_BUILT,
                hint="restart the job, which then gets the present one",
            )
        if built.container is not None:
            return ContainerImage(str(folder.environment), built.container.environment)
        return VirtualEnvironment(str(folder.environment))

    def keeps(self, digest: str) -> bool:
        """Whether an environment that the hub has built is still on this machine."""
        return self.builder.folder(digest).read() is not None

    def python(self, name: str) -> str:
        """The Python version of an image that exists, "" if it is not known."""
        if built := self.built(name):
            return built.python
        return "" if self.get(name).digest else python_version(Path(self.get(name).source))

    def packages(self, name: str) -> int | None:
        """How many packages an image has, None until it is built."""
        if built := self.built(name):
            return built.packages
        return None if self.get(name).digest else count_packages(Path(self.get(name).source))


def parse_images(texts: Sequence[str]) -> dict[str, Image]:
    """The images of several `--image NAME=PATH`, by name. Raises UsageError."""
    images: dict[str, Image] = {}
    for text in texts:
        image = parse_image(text)
        if image.name in images:
            raise UsageError(f"the image {image.name} is given twice", hint="each needs a name of its own")
        images[image.name] = image
    return images


def parse_image(text: str) -> Image:
    """One image. Raises UsageError."""
    name, _, path = text.partition("=")
    if not (name.strip() and path):
        raise UsageError(f"--image {text} is not NAME=PATH", hint=EXAMPLE)
    if name.rpartition("/")[2] in ROUTES and "/" in name:
        raise UsageError(
            f"an image cannot be called {name}: at the hub's API, that is the {name.rpartition('/')[2]} of another one",
            hint=f"choose another name, such as {name}:latest",
        )
    this_platform = sysconfig.get_platform()
    if is_reference(path):
        reference = parse_reference(path)
        return Image(name=name, source=reference.text, built_from=reference, digest=reference.digest(this_platform))
    source = os.path.abspath(os.path.expanduser(path))
    if os.path.isdir(f"{source}/bin"):
        return Image(name=name, source=source)
    if os.path.isdir(source) or not os.path.exists(source):
        raise UsageError(
            f"--image {text}: {path} is no virtual environment, requirements list or container image",
            hint=f"create one: python3 -m venv {path}; or give a file with a line for each package",
        )
    requirements = read_list(source)
    return Image(
        name=name,
        source=source,
        built_from=requirements,
        digest=requirements.digest(platform.python_version(), this_platform),
    )


def sources_of(images: Mapping[str, Image]) -> dict[str, RequirementsList | ContainerReference]:
    """What environments are built from, by digest."""
    return {image.digest: image.built_from for image in images.values() if image.built_from is not None}

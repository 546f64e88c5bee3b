"""Images of a series: their number, type, size and location.

Images are neither decoded nor read as a whole: a few bytes are read per image.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events.image_types import ImageType, image_type
from lightboard.events.images import count_images, image_span, image_spans
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields
from lightboard.query.provider import ValueProvider
from lightboard.query.values import ValueLocation, Values

PLUGIN = "images"

KNOWN_VERSION = 0
"""The version of ImagePluginData. TensorBoard ignores tags of later versions."""


class Image(NamedTuple):
    """Type and size of an image, from its bytes."""

    media_type: str
    width: int
    height: int
    whole: bool
    size_bytes: int


class ImagesOfValue(NamedTuple):
    """The requested `images` of a value, which has `held` images in all. `error` says why there are none, or is ""."""

    held: int
    images: list[Image]
    error: str


class ImageLocation(NamedTuple):
    """The location of an image: `begin` and `end` are offsets in the value at `location`."""

    location: ValueLocation
    begin: int
    end: int
    type: ImageType


def images_of(provider: ValueProvider, values: Values, at: int, first: int, most: int) -> ImagesOfValue:
    """At most `most` images of the value with index `at`, beginning with index `first`. Errors are returned."""
    window = provider.window(values.location(at))
    count = 0
    images = []
    try:
        for number, (begin, end) in enumerate(image_spans(window)):
            count += 1
            if first <= number < first + most:
                images.append(Image(*image_type(window, begin, end), end - begin))
    except (Unshowable, ValueNotFound) as error:
        return ImagesOfValue(0, [], error.message)
    return ImagesOfValue(count, images, "")


def locate_image(provider: ValueProvider, values: Values, at: int, sample: int) -> ImageLocation:
    """The location of image `sample` of value `at`. Raises Unshowable, ValueNotFound."""
    location = values.location(at)
    window = provider.window(location)
    begin, end = image_span(window, sample)
    return ImageLocation(location, begin, end, image_type(window, begin, end))


def most_images(provider: ValueProvider, values: Values, among: Sequence[int]) -> int:
    """The largest number of images in one of the values `among`."""
    most = 0
    for index in among:
        try:
            most = max(most, count_images(provider.window(values.location(index))))
        except (Unshowable, ValueNotFound):
            continue
    return most


def holds_sample(provider: ValueProvider, values: Values, at: int, sample: int) -> bool:
    """Whether value `at` has an image `sample`."""
    try:
        return any(True for _ in islice(image_spans(provider.window(values.location(at))), sample, sample + 1))
    except (Unshowable, ValueNotFound):
        return False


def is_known(metadata: bytes) -> bool:
    """Whether TensorBoard shows a tag with this SummaryMetadata: it knows only one version of the plugin."""
    version = 0
    try:
        for number, wire_type, at, end in fields(metadata, 0, len(metadata)):
            if number != 1 or wire_type != BYTES:
                continue
            for inner, inner_type, begin, stop in fields(metadata, at, end):
                if inner != 2 or inner_type != BYTES:
                    continue
                for field, field_type, value, _ in fields(metadata, begin, stop):
                    if field == 1 and field_type == VARINT:
                        version = value
    except MalformedError:
        pass  # keep what was parsed so far
    return version <= KNOWN_VERSION

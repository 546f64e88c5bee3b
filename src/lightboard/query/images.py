"""Images of a series: how many a value holds, what each is and claims to be, where its bytes lie.

Nothing is decoded and no image is read as a whole: a value costs a few bytes for each image before the one asked for.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events.images import count_images, image_span, image_spans
from lightboard.events.imagetypes import ImageType, image_type
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields
from lightboard.query.provider import Provider
from lightboard.query.values import Place, Values

PLUGIN = "images"

KNOWN_VERSION = 0
"""Of ImagePluginData; TensorBoard passes over tags of a later one."""


class Image(NamedTuple):
    """What one image is, by its own bytes; `size_bytes` as it lies in the file."""

    media_type: str
    width: int
    height: int
    whole: bool
    size_bytes: int


class ImagesOfValue(NamedTuple):
    """`held` images are in the value; `images` are those asked for. `error` says why there are none, or is ""."""

    held: int
    images: list[Image]
    error: str


class ImagePlace(NamedTuple):
    """The bytes of one image: `begin` and `end` from the beginning of the value at `place`."""

    place: Place
    begin: int
    end: int
    type: ImageType


def images_of(provider: Provider, values: Values, at: int, first: int, most: int) -> ImagesOfValue:
    """At most `most` images of value number `at`, from the one numbered `first` on. Faults are told, not raised."""
    window = provider.window(values.place(at))
    held = 0
    images = []
    try:
        for number, (begin, end) in enumerate(image_spans(window)):
            held += 1
            if first <= number < first + most:
                images.append(Image(*image_type(window, begin, end), end - begin))
    except (Unshowable, ValueNotFound) as error:
        return ImagesOfValue(0, [], error.message)
    return ImagesOfValue(held, images, "")


def image_place(provider: Provider, values: Values, at: int, sample: int) -> ImagePlace:
    """Where image number `sample` of value number `at` lies. Raises Unshowable, ValueNotFound."""
    place = values.place(at)
    window = provider.window(place)
    begin, end = image_span(window, sample)
    return ImagePlace(place, begin, end, image_type(window, begin, end))


def most_images(provider: Provider, values: Values, among: Sequence[int]) -> int:
    """The most images that a value holds, of those numbered `among`."""
    most = 0
    for at in among:
        try:
            most = max(most, count_images(provider.window(values.place(at))))
        except (Unshowable, ValueNotFound):
            continue
    return most


def holds_sample(provider: Provider, values: Values, at: int, sample: int) -> bool:
    """Has value number `at` an image number `sample`?"""
    try:
        return any(True for _ in islice(image_spans(provider.window(values.place(at))), sample, sample + 1))
    except (Unshowable, ValueNotFound):
        return False


def is_known(metadata: bytes) -> bool:
    """Would TensorBoard show a tag with this SummaryMetadata? It knows one version of what the plugin writes there."""
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
        pass  # what was read so far counts
    return version <= KNOWN_VERSION

"""A capture of a TPU, built from the published schema of xplanes. It was not made on such a device.

Lines and stats are those of xplane_schema: operations in `XLA Ops`, what they belong to in the lines around them, and
scopes and categories among the names of events.
"""

from lightboard.testing.event_files import bytes_field, varint_field
from support.profiles import x_event, x_line, x_names, x_space

STATS = {1: "tf_op", 2: "hlo_category", 3: "loop fusion", 4: "hlo_op", 5: "program_id", 6: "hlo_module"}


def text_stat(key: int, text: str) -> bytes:
    """The field of the name of an event with a stat that is a text."""
    return bytes_field(5, varint_field(1, key) + bytes_field(5, text.encode()))


def reference_stat(key: int, name: int) -> bytes:
    """The same with a stat that is the name of another one."""
    return bytes_field(5, varint_field(1, key) + varint_field(7, name))


def operation(number: int, name: str, shown: str, *stats: bytes) -> bytes:
    """The field of a plane with an event's name: the definition of an operation, its name, and what is said of it."""
    metadata = varint_field(1, number) + bytes_field(2, name.encode()) + bytes_field(4, shown.encode())
    return bytes_field(4, varint_field(1, number) + bytes_field(2, metadata + b"".join(stats)))


def tpu_space() -> bytes:
    """A step of a program on one TPU: a fusion, a reduction over all devices, a copy, and a batch that comes in."""
    names = [
        operation(
            1, "%fusion.1 = f32[8]{0} fusion(...)", "fusion.1",
            text_stat(1, "jit(step)/jvp(layer2)/dot_general:"), reference_stat(2, 3),
        ),
        operation(
            2, "%all-reduce.2 = f32[8]{0} all-reduce(...)", "all-reduce.2",
            text_stat(1, "jit(step)/psum:AllReduce"), text_stat(2, "all-reduce"),
        ),
        operation(3, "%copy.3 = f32[8]{0} copy(...)", "copy.3", text_stat(2, "copy")),
        operation(4, "%infeed.4 = f32[8]{0} infeed(...)", "infeed.4", text_stat(2, "infeed")),
        x_names(4, {5: "jit_step(10)", 6: "0", 7: "jvp(layer2)/dot_general"}),
    ]  # fmt: skip
    device = bytes_field(2, b"/device:TPU:0") + x_names(5, STATS) + b"".join(names)
    device += x_line(x_event(6, 0, 10_000_000), id=1, name="Steps")
    device += x_line(x_event(5, 0, 10_000_000), id=2, name="XLA Modules")
    device += x_line(*(x_event(number, 1_000_000 * number, 1_000_000) for number in (1, 2, 3, 4)), id=3, name="XLA Ops")
    device += x_line(x_event(7, 1_000_000, 1_000_000), id=4, name="Framework Ops")
    host = bytes_field(2, b"/host:CPU") + x_names(4, {1: "train"}) + x_names(5, {1: "step_num"})
    host += x_line(x_event(1, 0, 10_000_000, (1, 7)), id=1)
    return x_space(device, host)

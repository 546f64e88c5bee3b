"""The memory of devices as JSON, the same over HTTP and on the command line. Times are microseconds."""

from typing import Any

from lightboard.profiles.memory import Block, DeviceMemory, Frame, Holder, MemoryProfile, Stack, thinned

NOBODY = Frame("")
"""The holder of blocks without a stack."""


def memory_fields(profile: MemoryProfile, columns: int, limit: int) -> dict[str, Any]:
    """The fields of MemoryResponse other than the name: curves for so many columns of pixels, and `limit` rows."""
    return {
        "devices": [device_fields(each, profile.begin_ns, columns, limit) for each in profile.devices],
        "problems": profile.problems,
    }


def device_fields(device: DeviceMemory, begin_ns: int, columns: int, limit: int) -> dict[str, Any]:
    """The fields of DeviceMemoryRow."""
    curve = thinned(device.curve, columns)
    return {
        "host": device.host,
        "rank": device.rank,
        "device": device.device,
        "allocations": device.allocations,
        "peak_bytes": device.peak_bytes,
        "peak_reserved_bytes": device.peak_reserved_bytes,
        "peak_us": microseconds(device.peak_ns, begin_ns),
        "live_bytes": device.live_bytes,
        "reserved_bytes": device.reserved_bytes,
        "largest_free_bytes": device.largest_free_bytes,
        "curve": {
            "time_us": ((curve.time_ns - begin_ns) / 1000).tolist(),
            "allocated_bytes": curve.allocated.tolist(),
            "reserved_bytes": curve.reserved.tolist(),
        },
        "holders": [holder_fields(each) for each in device.holders[:limit]],
        "blocks": [block_fields(each, begin_ns) for each in device.blocks[:limit]],
    }


def holder_fields(holder: Holder) -> dict[str, Any]:
    """The fields of MemoryHolder."""
    frame = frame_fields(holder.frame or NOBODY)
    return {**frame, "size_bytes": holder.size_bytes, "blocks": holder.blocks, "stack": stack_fields(holder.stack)}


def block_fields(block: Block, begin_ns: int) -> dict[str, Any]:
    """The fields of MemoryBlock."""
    return {
        "size_bytes": block.size_bytes,
        "requested_bytes": block.requested_bytes,
        "since_us": microseconds(block.since_ns, begin_ns),
        "kind": block.kind,
        "blocks": block.blocks,
        "stack": stack_fields(block.stack),
    }


def stack_fields(stack: Stack) -> list[dict[str, Any]]:
    """A list of the fields of MemoryFrame."""
    return [frame_fields(frame) for frame in stack]


def frame_fields(frame: Frame) -> dict[str, Any]:
    """The fields of MemoryFrame."""
    return frame._asdict()


def microseconds(time_ns: int | None, begin_ns: int) -> float | None:
    """A time from the beginning."""
    return None if time_ns is None else (time_ns - begin_ns) / 1000

"""Step stats of TensorFlow as its own library reads and writes them, from the published step_stats.proto."""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

FIELDS = {
    "Event": {"step": (2, "int64", False), "tagged_run_metadata": (8, "TaggedRunMetadata", False)},
    "TaggedRunMetadata": {"tag": (1, "string", False), "run_metadata": (2, "RunMetadata", False)},
    "RunMetadata": {"step_stats": (1, "StepStats", False)},
    "StepStats": {"dev_stats": (1, "DeviceStepStats", True)},
    "DeviceStepStats": {"device": (1, "string", False), "node_stats": (2, "NodeExecStats", True)},
    "NodeExecStats": {
        "node_name": (1, "string", False),
        "all_start_micros": (2, "int64", False),
        "op_start_rel_micros": (3, "int64", False),
        "op_end_rel_micros": (4, "int64", False),
        "all_end_rel_micros": (5, "int64", False),
        "memory": (6, "AllocatorMemoryUsed", True),
        "timeline_label": (8, "string", False),
        "scheduled_micros": (9, "int64", False),
        "thread_id": (10, "uint32", False),
        "memory_stats": (12, "MemoryStats", False),
        "all_start_nanos": (13, "int64", False),
        "all_end_rel_nanos": (16, "int64", False),
    },
    "AllocatorMemoryUsed": {
        "allocator_name": (1, "string", False),
        "total_bytes": (2, "int64", False),
        "peak_bytes": (3, "int64", False),
        "live_bytes": (4, "int64", False),
    },
    "MemoryStats": {"temp_memory_size": (1, "int64", False), "persistent_memory_size": (3, "int64", False)},
}
"""The messages that tests need: for each field its number, its type, and whether it is repeated."""

PACKAGE = "step_stats"

KIND = descriptor_pb2.FieldDescriptorProto


def message_types() -> dict[str, Any]:
    """The class of each message."""
    file = descriptor_pb2.FileDescriptorProto(name="step_stats.proto", package=PACKAGE, syntax="proto3")
    for message, fields in FIELDS.items():
        described = file.message_type.add(name=message)
        for name, (number, kind, is_repeated) in fields.items():
            field = described.field.add(name=name, number=number)
            field.label = KIND.LABEL_REPEATED if is_repeated else KIND.LABEL_OPTIONAL
            if kind in FIELDS:
                field.type, field.type_name = KIND.TYPE_MESSAGE, f".{PACKAGE}.{kind}"
            else:
                field.type = KIND.Type.Value(f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in FIELDS}


_TYPES = message_types()
Event, RunMetadata = _TYPES["Event"], _TYPES["RunMetadata"]

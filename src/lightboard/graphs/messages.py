"""The fields of the messages of graphs, for `text_format` and `text_parser`: see graph.proto, config.proto,
saved_model.proto and what they import. Of SavedModels there is only what is shown.

A field is written as its number, name and type. "*" is for repeated ones, "%" for maps with the type of their key, and
"?" for those that are shown even if they are zero: members of a oneof, and what is in a map.
"""

from typing import NamedTuple


class FieldType(NamedTuple):
    """One field. `of` is the name of its enum or message, `map_key` the kind of the key of a map.

    `kind` is "i" (signed), "u" (unsigned), "n" and "w" (the same with 32 bits), "x" (fixed, 64 bits), "b" (bool), "f"
    (float), "d" (double), "s" (text), "y" (bytes), "e" (an enum) or "m" (a message).
    """

    name: str
    kind: str
    of: str = ""
    repeated: bool = False
    member: bool = False
    map_key: str = ""


_FIELDS = {
    "SavedModel": "1 saved_model_schema_version i|2 meta_graphs *MetaGraphDef",
    "MetaGraphDef": "1 meta_info_def MetaInfoDef|2 graph_def GraphDef|5 signature_def %s:SignatureEntry",
    "MetaInfoDef": "1 meta_graph_version s|4 tags *s|5 tensorflow_version s",
    "SignatureEntry": "1 key ?s|2 value ?SignatureDef",
    "SignatureDef": "3 method_name s",
    "GraphDef": (
        "1 node *NodeDef|2 library FunctionDefLibrary|3 version n|4 versions VersionDef|5 debug_info GraphDebugInfo"
    ),
    "NodeDef": (
        "1 name s|2 op s|3 input *s|4 device s|5 attr %s:AttrEntry|6 experimental_debug_info ExperimentalDebugInfo|"
        "7 experimental_type FullTypeDef"
    ),
    "AttrEntry": "1 key ?s|2 value ?AttrValue",
    "AttrValue": (
        "1 list ?ListValue|2 s ?y|3 i ?i|4 f ?f|5 b ?b|6 type ?e:DataType|7 shape ?TensorShapeProto|"
        "8 tensor ?TensorProto|"
        "9 placeholder ?s|10 func ?NameAttrList"
    ),
    "ListValue": (
        "2 s *y|3 i *i|4 f *f|5 b *b|6 type *e:DataType|7 shape *TensorShapeProto|8 tensor *TensorProto|"
        "9 func *NameAttrList"
    ),
    "NameAttrList": "1 name s|2 attr %s:AttrEntry",
    "TensorShapeProto": "2 dim *Dim|3 unknown_rank b",
    "Dim": "1 size i|2 name s",
    "TensorProto": (
        "1 dtype e:DataType|2 tensor_shape TensorShapeProto|3 version_number n|4 tensor_content y|"
        "5 float_val *f|6 double_val *d|"
        "7 int_val *n|8 string_val *y|9 scomplex_val *f|10 int64_val *i|11 bool_val *b|"
        "12 dcomplex_val *d|13 half_val *n|"
        "14 resource_handle_val *ResourceHandleProto|15 variant_val *VariantTensorDataProto|"
        "16 uint32_val *w|17 uint64_val *u|"
        "18 float8_val y"
    ),
    "ResourceHandleProto": (
        "1 device s|2 container s|3 name s|4 hash_code u|5 maybe_type_name s|6 dtypes_and_shapes *DtypeAndShape"
    ),
    "DtypeAndShape": "1 dtype e:DataType|2 shape TensorShapeProto",
    "VariantTensorDataProto": "1 type_name s|2 metadata y|3 tensors *TensorProto",
    "ExperimentalDebugInfo": "1 original_node_names *s|2 original_func_names *s",
    "FullTypeDef": "1 type_id e:FullTypeId|2 args *FullTypeDef|3 s ?s|4 i ?i",
    "VersionDef": "1 producer n|2 min_consumer n|3 bad_consumers *n",
    "FunctionDefLibrary": (
        "1 function *FunctionDef|2 gradient *GradientDef|3 registered_gradients *RegisteredGradient"
    ),
    "FunctionDef": (
        "1 signature OpDef|3 node_def *NodeDef|4 ret %s:TextEntry|5 attr %s:AttrEntry|6 control_ret %s:TextEntry|"
        "7 arg_attr %w:ArgAttrEntry|8 resource_arg_unique_id %w:NumberEntry"
    ),
    "TextEntry": "1 key ?s|2 value ?s",
    "NumberEntry": "1 key ?w|2 value ?w",
    "ArgAttrEntry": "1 key ?w|2 value ?ArgAttrs",
    "ArgAttrs": "1 attr %s:AttrEntry",
    "OpDef": (
        "1 name s|2 input_arg *ArgDef|3 output_arg *ArgDef|4 attr *AttrDef|5 summary s|6 description s|"
        "8 deprecation OpDeprecation|"
        "16 is_aggregate b|17 is_stateful b|18 is_commutative b|19 allows_uninitialized_input b|20 control_output *s|"
        "21 is_distributed_communication b"
    ),
    "ArgDef": (
        "1 name s|2 description s|3 type e:DataType|4 type_attr s|5 number_attr s|6 type_list_attr s|"
        "7 handle_data *DtypeAndShape|"
        "16 is_ref b|17 experimental_full_type FullTypeDef"
    ),
    "AttrDef": (
        "1 name s|2 type s|3 default_value AttrValue|4 description s|5 has_minimum b|6 minimum i|"
        "7 allowed_values AttrValue"
    ),
    "OpDeprecation": "1 version n|2 explanation s",
    "GradientDef": "1 function_name s|2 gradient_func s",
    "RegisteredGradient": "1 gradient_func s|2 registered_op_type s",
    "GraphDebugInfo": (
        "1 files *s|2 traces %s:TraceEntry|4 frames_by_id %x:FrameEntry|5 name_to_trace_id %s:IdEntry|"
        "6 traces_by_id %x:TraceIdEntry"
    ),
    "TraceEntry": "1 key ?s|2 value ?StackTrace",
    "TraceIdEntry": "1 key ?x|2 value ?StackTrace",
    "FrameEntry": "1 key ?x|2 value ?FileLineCol",
    "IdEntry": "1 key ?s|2 value ?x",
    "FileLineCol": "1 file_index n|2 line n|3 col n|4 func s|5 code s",
    "StackTrace": "1 file_line_cols *FileLineCol|2 frame_id *x",
    "RunMetadata": (
        "1 step_stats StepStats|2 cost_graph CostGraphDef|3 partition_graphs *GraphDef|"
        "4 function_graphs *FunctionGraphs|"
        "5 session_metadata SessionMetadata"
    ),
    "StepStats": "1 dev_stats *DeviceStepStats",
    "DeviceStepStats": "1 device s|2 node_stats *NodeExecStats|3 thread_names %w:ThreadEntry",
    "ThreadEntry": "1 key ?w|2 value ?s",
    "NodeExecStats": (
        "1 node_name s|2 all_start_micros i|3 op_start_rel_micros i|4 op_end_rel_micros i|5 all_end_rel_micros i|"
        "6 memory *AllocatorMemoryUsed|7 output *NodeOutput|8 timeline_label s|9 scheduled_micros i|10 thread_id w|"
        "11 referenced_tensor *AllocationDescription|12 memory_stats MemoryStats|13 all_start_nanos i|"
        "14 op_start_rel_nanos i|"
        "15 op_end_rel_nanos i|16 all_end_rel_nanos i|17 scheduled_nanos i"
    ),
    "AllocatorMemoryUsed": (
        "1 allocator_name s|2 total_bytes i|3 peak_bytes i|4 live_bytes i|5 allocator_bytes_in_use i|"
        "6 allocation_records *AllocationRecord"
    ),
    "AllocationRecord": "1 alloc_micros i|2 alloc_bytes i",
    "NodeOutput": "1 slot n|3 tensor_description TensorDescription",
    "TensorDescription": "1 dtype e:DataType|2 shape TensorShapeProto|4 allocation_description AllocationDescription",
    "AllocationDescription": (
        "1 requested_bytes i|2 allocated_bytes i|3 allocator_name s|4 allocation_id i|5 has_single_reference b|6 ptr u"
    ),
    "MemoryStats": (
        "1 temp_memory_size i|2 device_temp_memory_size i|3 persistent_memory_size i|"
        "4 device_persistent_memory_size i|"
        "5 persistent_tensor_alloc_ids *i|6 device_persistent_tensor_alloc_ids *i"
    ),
    "CostGraphDef": "1 node *CostNode|2 cost *AggregatedCost",
    "CostNode": (
        "1 name s|2 device s|3 id n|4 input_info *InputInfo|5 output_info *OutputInfo|"
        "6 temporary_memory_size i|7 is_final b|"
        "8 control_input *n|9 compute_cost i|10 host_temp_memory_size i|11 device_temp_memory_size i|"
        "12 persistent_memory_size i|"
        "14 compute_time i|15 memory_time i|16 device_persistent_memory_size i|17 inaccurate b"
    ),
    "InputInfo": "1 preceding_node n|2 preceding_port n",
    "OutputInfo": "1 size i|2 alias_input_port i|3 shape TensorShapeProto|4 dtype e:DataType",
    "AggregatedCost": "1 cost f|2 dimension s",
    "FunctionGraphs": (
        "1 partition_graphs *GraphDef|2 pre_optimization_graph GraphDef|3 post_optimization_graph GraphDef"
    ),
    "SessionMetadata": "1 name s|2 version i",
}


def _field(text: str) -> tuple[int, FieldType]:
    number, name, kind = text.split(" ")
    repeated, member, map_key = kind[0] == "*", kind[0] == "?", ""
    kind = kind.lstrip("*?")
    if kind[0] == "%":
        map_key, kind, repeated = kind[1], kind[3:], True
    kind, _, of = kind.partition(":")
    if len(kind) > 1:
        kind, of = "m", kind
    return int(number), FieldType(name, kind, of, repeated, member, map_key)


MESSAGES: dict[str, dict[int, FieldType]] = {
    name: dict(sorted(map(_field, fields.split("|")))) for name, fields in _FIELDS.items()
}
"""The fields of each message by number, in their order."""

_DTYPES = """
    INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16
    QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64 FLOAT8_E5M2 FLOAT8_E4M3FN
    FLOAT8_E4M3FNUZ FLOAT8_E4M3B11FNUZ FLOAT8_E5M2FNUZ INT4 UINT4 INT2 UINT2 FLOAT4_E2M1FN
""".split()  # noqa: SIM905  # a list of so many has a line for each

_TYPES = """
    0:UNSET 1:VAR 2:ANY 3:PRODUCT 4:NAMED 20:FOR_EACH 100:CALLABLE 200:BOOL 201:UINT8 202:UINT16 203:UINT32
    204:UINT64 205:INT8 206:INT16 207:INT32 208:INT64 209:HALF 210:FLOAT 211:DOUBLE 212:COMPLEX64
    213:COMPLEX128 214:STRING 215:BFLOAT16 1000:TENSOR 1001:ARRAY 1002:OPTIONAL 1003:LITERAL 1004:ENCODED
    1005:SHAPE_TENSOR 10102:DATASET 10103:RAGGED 10104:ITERATOR 10202:MUTEX_LOCK 10203:LEGACY_VARIANT
""".split()  # noqa: SIM905  # a list of so many has a line for each

ENUMS: dict[str, dict[int, str]] = {
    "DataType": {
        **{number: f"DT_{name}" for number, name in enumerate(_DTYPES)},
        **{100 + number: f"DT_{name}_REF" for number, name in enumerate(_DTYPES) if number},
    },
    "FullTypeId": {int(number): f"TFT_{name}" for number, _, name in (each.partition(":") for each in _TYPES)},
}
"""The names of the numbers of each enum."""

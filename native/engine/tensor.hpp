// Parses a TensorProto as far as scalars need it: the single number of a tensor that has one.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "wire.hpp"

namespace lightboard {

namespace dtype {
enum : uint64_t {
  float32 = 1,
  float64 = 2,
  int32 = 3,
  uint8 = 4,
  int16 = 5,
  int8 = 6,
  int64 = 9,
  boolean = 10,
  bfloat16 = 14,
  uint16 = 17,
  float16 = 19,
  uint32 = 22,
  uint64 = 23,
};
}

// The relevant fields of a TensorProto. Of the numbers in the *_val fields only the first is stored, and whether there
// are more.
struct Tensor {
  uint64_t dtype = 0;
  uint64_t rank = 0;
  uint32_t elements = 1;  // 2 stands for any number except 0 and 1
  uint64_t content = 0, content_size = 0;
  uint32_t values = 0;  // 2 stands for many
  uint32_t field = 0;
  uint64_t bits = 0;
};

namespace tensor_detail {

template <class Source>
bool parse_shape(Source& source, const Field& shape, Tensor& tensor) {
  tensor.rank = 0;
  tensor.elements = 1;
  FieldReader<Source> dims(source, shape.value, shape.stop);
  Field dim;
  while (dims.next(dim)) {
    if (!dim.is(2, Wire::bytes)) continue;
    uint64_t size = 0;
    FieldReader<Source> parts(source, dim.value, dim.stop);
    Field part;
    while (parts.next(part))
      if (part.is(1, Wire::varint)) size = part.value;
    if (parts.malformed()) return false;
    tensor.rank++;
    tensor.elements = size == 0 ? 0 : size == 1 ? tensor.elements : 2;
  }
  return !dims.malformed();
}

inline void add_number(Tensor& tensor, uint32_t field, uint64_t bits) {
  if (tensor.values == 0) {
    tensor.field = field;
    tensor.bits = bits;
  }
  if (tensor.values < 2) tensor.values++;
}

// Adds the first two numbers of one *_val field, packed or not. A field with a different wire type has none.
template <class Source>
bool add_numbers(Source& source, const Field& field, Wire single, Tensor& tensor) {
  if (field.wire == single) {
    const uint64_t bits = single == Wire::varint    ? field.value
                          : single == Wire::fixed32 ? source.template number<uint32_t>(field.value)
                                                    : source.template number<uint64_t>(field.value);
    add_number(tensor, field.number, bits);
    return true;
  }
  if (field.wire != Wire::bytes) return true;
  if (single == Wire::varint) {
    uint64_t at = field.value, bits;
    for (int found = 0; at < field.stop && found < 2; found++) {
      if (!read_varint(source, at, field.stop, bits)) return false;
      add_number(tensor, field.number, bits);
    }
    return true;
  }
  const uint64_t width = single == Wire::fixed32 ? 4 : 8;
  if (field.size() % width) return false;
  const uint64_t count = field.size() / width;
  for (uint64_t i = 0; i < count && i < 2; i++) {
    const uint64_t at = field.value + i * width;
    add_number(tensor, field.number,
               width == 4 ? source.template number<uint32_t>(at) : source.template number<uint64_t>(at));
  }
  return true;
}

inline double float32_of(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

inline double float16_of(uint32_t bits) {
  const uint32_t exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
  double value;
  if (exponent == 0x1F)
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(fraction), -24);
  else
    value = std::ldexp(static_cast<double>(fraction | 0x400), static_cast<int>(exponent) - 25);
  return bits & 0x8000 ? -value : value;
}

// Sixteen bits, sign-extended or not. A wider number is a float32 bit pattern, which torch writes to this field.
inline double half_of(uint64_t type, uint32_t bits) {
  if (bits >> 16 != 0 && bits >> 16 != 0xFFFF) return float32_of(bits);
  if (type == dtype::bfloat16) return float32_of(bits << 16);
  return float16_of(bits & 0xFFFF);
}

inline bool is_integer(uint64_t type) {
  switch (type) {
    case dtype::int32:
    case dtype::uint8:
    case dtype::int16:
    case dtype::int8:
    case dtype::int64:
    case dtype::uint16:
    case dtype::uint32:
    case dtype::uint64:
      return true;
    default:
      return false;
  }
}

inline bool is_numeric(uint64_t type) {
  return is_integer(type) || type == dtype::float32 || type == dtype::float64 || type == dtype::boolean ||
         type == dtype::float16 || type == dtype::bfloat16;
}

template <class Source>
bool from_content(Source& source, const Tensor& tensor, double& out) {
  const uint64_t at = tensor.content, size = tensor.content_size;
  switch (tensor.dtype) {
    case dtype::float32:
      return size == 4 && (out = source.template number<float>(at), true);
    case dtype::float64:
      return size == 8 && (out = source.template number<double>(at), true);
    case dtype::int32:
      return size == 4 && (out = source.template number<int32_t>(at), true);
    case dtype::uint8:
      return size == 1 && (out = source.byte(at), true);
    case dtype::int16:
      return size == 2 && (out = source.template number<int16_t>(at), true);
    case dtype::int8:
      return size == 1 && (out = source.template number<int8_t>(at), true);
    case dtype::int64:
      return size == 8 && (out = static_cast<double>(source.template number<int64_t>(at)), true);
    case dtype::boolean:
      return size == 1 && (out = source.byte(at) != 0, true);
    case dtype::bfloat16:
      return size == 2 && (out = float32_of(static_cast<uint32_t>(source.template number<uint16_t>(at)) << 16), true);
    case dtype::uint16:
      return size == 2 && (out = source.template number<uint16_t>(at), true);
    case dtype::float16:
      return size == 2 && (out = float16_of(source.template number<uint16_t>(at)), true);
    case dtype::uint32:
      return size == 4 && (out = source.template number<uint32_t>(at), true);
    case dtype::uint64:
      return size == 8 && (out = static_cast<double>(source.template number<uint64_t>(at)), true);
    default:
      return false;
  }
}

inline bool from_value(const Tensor& tensor, double& out) {
  const uint64_t bits = tensor.bits;
  switch (tensor.field) {
    case 5:
      return tensor.dtype == dtype::float32 && (out = float32_of(bits), true);
    case 6:
      return tensor.dtype == dtype::float64 && (out = std::bit_cast<double>(bits), true);
    case 11:
      return tensor.dtype == dtype::boolean && (out = bits != 0, true);
    case 13:
      return (tensor.dtype == dtype::float16 || tensor.dtype == dtype::bfloat16) &&
             (out = half_of(tensor.dtype, static_cast<uint32_t>(bits)), true);
    case 7:
      return is_integer(tensor.dtype) && (out = static_cast<int32_t>(static_cast<uint32_t>(bits)), true);
    case 10:
      return is_integer(tensor.dtype) && (out = static_cast<double>(static_cast<int64_t>(bits)), true);
    case 16:
      return is_integer(tensor.dtype) && (out = static_cast<uint32_t>(bits), true);
    case 17:
      return is_integer(tensor.dtype) && (out = static_cast<double>(bits), true);
    default:
      return false;
  }
}

}  // namespace tensor_detail

// Parses the TensorProto in [at, end). Returns false if it is malformed.
template <class Source>
bool parse_tensor(Source& source, uint64_t at, uint64_t end, Tensor& tensor) {
  FieldReader<Source> fields(source, at, end);
  Field field;
  while (fields.next(field)) {
    bool fine = true;
    switch (field.number) {
      case 1:
        if (field.wire == Wire::varint) tensor.dtype = field.value;
        break;
      case 2:
        if (field.wire == Wire::bytes) fine = tensor_detail::parse_shape(source, field, tensor);
        break;
      case 4:
        if (field.wire == Wire::bytes) {
          tensor.content = field.value;
          tensor.content_size = field.size();
        }
        break;
      case 5:
        fine = tensor_detail::add_numbers(source, field, Wire::fixed32, tensor);
        break;
      case 6:
        fine = tensor_detail::add_numbers(source, field, Wire::fixed64, tensor);
        break;
      case 7:
      case 10:
      case 11:
      case 13:
      case 16:
      case 17:
        fine = tensor_detail::add_numbers(source, field, Wire::varint, tensor);
        break;
      default:
        break;
    }
    if (!fine) return false;
  }
  return !fields.malformed();
}

// The number of a numeric tensor of rank 0 (or, with `any_shape`, of one element). Returns false for other tensors. A
// tensor without numbers is filled with zeros, like in TensorFlow.
template <class Source>
bool tensor_scalar(Source& source, const Tensor& tensor, bool any_shape, double& out) {
  if (tensor.rank != 0 && !(any_shape && tensor.elements == 1)) return false;
  if (tensor.content_size != 0) return tensor_detail::from_content(source, tensor, out);
  if (tensor.values == 0) {
    out = 0;
    return tensor_detail::is_numeric(tensor.dtype);
  }
  return tensor.values == 1 && tensor_detail::from_value(tensor, out);
}

}  // namespace lightboard

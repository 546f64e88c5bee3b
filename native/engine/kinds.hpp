// The data class of a value by TensorBoard's rules: old payload types imply a plugin, for tensors the metadata decides.
#pragma once

#include <cstdint>
#include <string_view>

namespace lightboard {

constexpr int32_t scalar_class = 1, tensor_class = 2, blob_class = 3;

constexpr std::string_view run_graph_tag = "__run_graph__";
constexpr std::string_view meta_graph_tag = "__meta_graph__";

// The plugin of an old payload type; empty for tensors and for no payload.
std::string_view payload_plugin(uint32_t payload) noexcept;

// `written`, the class in the metadata, if it is set, else the class of a known plugin, else 0.
int32_t data_class(std::string_view plugin, int32_t written) noexcept;

}  // namespace lightboard

#include "kinds.hpp"

#include "messages.hpp"

namespace lightboard {
namespace {

struct PluginClass {
  std::string_view plugin;
  int32_t data_class;
};

constexpr PluginClass plugin_classes[] = {
    {"scalars", scalar_class},
    {"histograms", tensor_class},
    {"text", tensor_class},
    {"hparams", tensor_class},
    {"pr_curves", tensor_class},
    {"mesh", tensor_class},
    {"custom_scalars", tensor_class},
    {"images", blob_class},
    {"audio", blob_class},
    {"graph_run_metadata", blob_class},
    {"graph_run_metadata_graph", blob_class},
    {"graph_keras_model", blob_class},
    {"graphs", blob_class},
    {"graph_tagged_run_metadata", blob_class},
};

}  // namespace

std::string_view payload_plugin(uint32_t payload) noexcept {
  switch (payload) {
    case payload::simple_value:
      return "scalars";
    case payload::old_histogram:
    case payload::histogram:
      return "histograms";
    case payload::image:
      return "images";
    case payload::audio:
      return "audio";
    default:
      return {};
  }
}

int32_t data_class(std::string_view plugin, int32_t written) noexcept {
  if (written) return written;
  for (const PluginClass& entry : plugin_classes)
    if (entry.plugin == plugin) return entry.data_class;
  return 0;
}

}  // namespace lightboard

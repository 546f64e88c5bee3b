#include "capture.hpp"

#include "json_scanner.hpp"

namespace lightboard {

CaptureBuilder::CaptureBuilder(CaptureLimits limits) : limits_(std::move(limits)) {
  if (limits_.files.folder.empty()) return;
  files_ = std::make_shared<const ColumnFiles>(limits_.files);
  const auto keep = [this](auto&... columns) { (columns.keep_in(files_), ...); };
  keep(slices.track, slices.start_ns, slices.duration_ns, slices.name, slices.kind, slices.args);
  for (PointRows* points : {&instants, &counters, &flow_begins, &flow_ends})
    keep(points->track, points->time_ns, points->name, points->value);
}

int32_t CaptureBuilder::name_id(std::string_view text) {
  if (const int32_t found = names.find(text); found >= 0) return found;
  const std::string_view cut = first_chars(text, limits_.name_chars);
  if (const int32_t found = names.find(cut); found >= 0) return found;
  if (names.size() >= limits_.names || names_bytes_ + cut.size() > limits_.names_bytes) {
    has_other_names = true;
    return names.add(limits_.other_name);
  }
  names_bytes_ += cut.size();
  return names.add(cut);
}

int32_t CaptureBuilder::process_id(std::string_view id) {
  const int32_t found = process_index_.find(id);
  if (found >= 0) return found;
  processes.push_back({std::string(id), {}});
  return process_index_.add(id);
}

int32_t CaptureBuilder::track_id(std::string_view process, std::string_view id) {
  // The length comes first, so that no two pairs have the same key.
  const size_t length = process.size();
  track_key_.assign(reinterpret_cast<const char*>(&length), sizeof length);
  track_key_.append(process).append(id);
  const int32_t found = track_index_.find(track_key_);
  if (found >= 0 || track_index_.size() >= limits_.tracks) return found;
  tracks.push_back({process_id(process), std::string(id), {}});
  return track_index_.add(track_key_);
}

int32_t CaptureBuilder::flow_id(std::string_view key) {
  const int32_t found = flow_index_.find(key);
  return found >= 0 || flow_index_.size() >= limits_.flows ? found : flow_index_.add(key);
}

void CaptureBuilder::name_process(std::string_view id, std::string_view name) {
  if (process_index_.find(id) < 0 && processes.size() >= limits_.tracks) return;
  processes[static_cast<size_t>(process_id(id))].name = first_chars(name, limits_.name_chars);
}

void CaptureBuilder::name_track(std::string_view process, std::string_view id, std::string_view name) {
  const int32_t track = track_id(process, id);
  if (track >= 0) tracks[static_cast<size_t>(track)].name = first_chars(name, limits_.name_chars);
}

int64_t CaptureBuilder::add_slice(int32_t track, int64_t start_ns, int64_t duration_ns, int32_t name, int8_t kind,
                                  int64_t args) {
  if (track < 0 || slices.track.size() >= limits_.slices) return left_out++, -1;
  if (duration_ns < 0 || duration_ns > limits_.longest_ns || start_ns < -limits_.epoch_ns ||
      start_ns > limits_.epoch_ns)
    return skipped++, -1;
  slices.track.add(track);
  slices.start_ns.add(start_ns);
  slices.duration_ns.add(duration_ns);
  slices.name.add(name);
  slices.kind.add(kind);
  slices.args.add(args);
  return static_cast<int64_t>(slices.track.size()) - 1;
}

void CaptureBuilder::add_point(PointRows& points, int32_t track, int64_t time_ns, int32_t name, double value) {
  if (time_ns < -limits_.epoch_ns || time_ns > limits_.epoch_ns) {
    skipped++;
  } else if (track < 0 || points.track.size() >= limits_.points) {
    left_out++;
  } else {
    points.track.add(track);
    points.time_ns.add(time_ns);
    points.name.add(name);
    points.value.add(value);
  }
}

void CaptureBuilder::add_step(int64_t slice, int64_t step) {
  if (steps.size() < limits_.steps)
    steps.push_back({slice, step});
  else
    left_out++;
}

void CaptureBuilder::shift(int64_t by_ns) noexcept {
  if (by_ns == 0) return;
  slices.start_ns.add_to_all(by_ns);
  for (PointRows* points : {&instants, &counters, &flow_begins, &flow_ends}) points->time_ns.add_to_all(by_ns);
}

}  // namespace lightboard

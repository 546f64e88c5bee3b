#include "capture.hpp"

#include "json_scanner.hpp"

namespace lightboard {

int32_t CaptureBuilder::name_id(std::string_view text) {
  if (const int32_t found = names.find(text); found >= 0) return found;
  return names.add(names.size() < limits_.names ? first_chars(text, limits_.name_chars)
                                                : std::string_view(limits_.other_name));
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
  } else if (track < 0 || points.track.size() >= limits_.slices) {
    left_out++;
  } else {
    points.track.add(track);
    points.time_ns.add(time_ns);
    points.name.add(name);
    points.value.add(value);
  }
}

void CaptureBuilder::shift(int64_t by_ns) noexcept {
  for (size_t i = 0; i < slices.start_ns.size(); i++) slices.start_ns[i] += by_ns;
  for (PointRows* points : {&instants, &counters, &flow_begins, &flow_ends})
    for (size_t i = 0; i < points->time_ns.size(); i++) points->time_ns[i] += by_ns;
}

}  // namespace lightboard

#include "decoder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kinds.hpp"
#include "source.hpp"
#include "tensor.hpp"

namespace lightboard {

uint64_t Decoder::feed(const uint8_t* data, uint64_t size) {
  const std::lock_guard only(reading_);
  return consume(data, size, true);
}

// Decodes the bytes at `offset`. Holds the lock until all of `data` is decoded.
uint64_t Decoder::consume(const uint8_t* data, uint64_t size, bool is_last) {
  const std::unique_lock lock(mutex_);
  uint64_t at = 0, length;
  end_ = framing_.offset + size;
  while (framing_.find_record(data, at, size, is_last, length) == FindResult::record) {
    const uint8_t* const body = data + at + header_bytes;
    const uint64_t frame = frame_bytes + length;
    FastScalar plain;
    if (match_fast_scalar(body, length, plain)) [[likely]] {
      decode_fast_scalar(plain);
      now_.records++;
    } else if (MemorySource source(body); decode_record(source, length, framing_.offset + header_bytes)) {
      now_.records++;
    } else {
      framing_.add_damage(framing_.offset, data + at, frame);
    }
    framing_.offset += frame;
    at += frame;
  }
  publish();
  return at;
}

void Decoder::publish() {
  now_.offset = framing_.offset;
  now_.series = series_.size();
  now_.size_bytes = 20 * now_.points + 4 * wide_rows_ + 32 * references_;
  const std::lock_guard lock(progress_mutex_);
  progress_ = now_;
}

Progress Decoder::progress() const {
  const std::lock_guard lock(progress_mutex_);
  return progress_;
}

size_t Decoder::extend_index(size_t series) {
  {
    const std::shared_lock lock(mutex_);
    if (!series_[series].index_is_behind()) return series_[series].rows();
  }
  const std::unique_lock lock(mutex_);
  series_[series].extend_index();
  return series_[series].rows();
}

void Decoder::trim() {
  const std::unique_lock lock(mutex_);
  for (Series& series : series_) series.trim();
  series_.shrink_to_fit();
  tags_.trim();
}

// decode_record for the most common form of a record.
void Decoder::decode_fast_scalar(const FastScalar& scalar) {
  event_++;
  track_wall_time(scalar.wall_time);
  late_ = track_step(what::summary, scalar.step);
  now_.highest_step = std::max(now_.highest_step, scalar.step);
  add_simple_value(tags_.find(scalar.tag), scalar.step, scalar.wall_time, scalar.value);
}

template <class Source>
bool Decoder::decode_record(Source& source, uint64_t size, uint64_t data) {
  Event event{};
  event.more = &more_spans_;
  more_spans_.clear();
  if (!parse_event(source, size, event)) return false;
  event_++;
  track_wall_time(event.wall_time);
  if (event.what == what::file_version)
    now_.file_version = parse_file_version(source.view(event.span.begin, event.span.size(), tag_scratch_));
  late_ = track_step(event.what, event.step);
  return decode_what(source, event, data);
}

void Decoder::track_wall_time(double wall_time) noexcept {
  if (!std::isfinite(wall_time)) return;
  if (std::isnan(now_.first_wall_time)) now_.first_wall_time = now_.last_wall_time = wall_time;
  if (wall_time > now_.last_wall_time) now_.last_wall_time = wall_time;
}

// Counts one more scalar point.
void Decoder::count_scalar(double wall_time) noexcept {
  now_.points++;
  if (!std::isfinite(wall_time)) return;
  if (!(wall_time >= now_.first_scalar_wall_time)) now_.first_scalar_wall_time = wall_time;
  if (!(wall_time <= now_.last_scalar_wall_time)) now_.last_scalar_wall_time = wall_time;
}

// Tracks the last step as TensorBoard does before file version 2. Returns true for a summary below it.
bool Decoder::track_step(uint32_t what, int64_t step) {
  if (now_.file_version >= 2) [[likely]]
    return false;
  const bool is_summary = what == what::summary;
  if (!is_summary && !step_tracker_.settled) {
    step_tracker_.settled = true;
    for (Series& series : series_) series.settled_row = series.rows();
  }
  if (!step_tracker_.settled && step > step_tracker_.highest_early) step_tracker_.highest_early = step;
  if (is_summary && step < step_tracker_.last_step) return true;
  step_tracker_.last_step = step;
  return false;
}

template <class Source>
bool Decoder::decode_what(Source& source, const Event& event, uint64_t data) {
  const Span span = event.span;
  switch (event.what) {
    case what::summary: {
      now_.highest_step = std::max(now_.highest_step, event.step);
      bool whole = decode_summary(source, span, event, data);
      for (const Span& more : more_spans_) whole = decode_summary(source, more, event, data) && whole;
      return whole;
    }
    case what::session_log: {
      uint64_t status;
      if (!parse_session_log(source, span, status)) return false;
      session_logs_.push_back({status, event.step});
      if (status != session::start) return true;
      starts_.push_back({event.step, event.wall_time, data - header_bytes});
      session_ = event_;
      return true;
    }
    case what::graph_def:
      add_blob(run_graph_tag, "graphs", event, data + span.begin, span.size());
      return true;
    case what::meta_graph_def:
      add_blob(meta_graph_tag, "meta_graph", event, data + span.begin, span.size());
      return true;
    case what::tagged_run_metadata: {
      Span tag, blob;
      if (!parse_tagged_run_metadata(source, span, tag, blob)) return false;
      add_blob(source.view(tag.begin, tag.size(), tag_scratch_), "graph_tagged_run_metadata", event, data + blob.begin,
               blob.size());
      return true;
    }
    default:
      return true;
  }
}

template <class Source>
bool Decoder::decode_summary(Source& source, Span span, const Event& event, uint64_t data) {
  bool whole = true;
  FieldReader<Source> fields(source, span.begin, span.end);
  Field field;
  while (fields.next(field))
    if (field.is(1, Wire::bytes)) [[likely]]
      whole = decode_value(source, {field.value, field.stop}, event, data) && whole;
  return whole && !fields.malformed();
}

template <class Source>
bool Decoder::decode_value(Source& source, Span span, const Event& event, uint64_t data) {
  Value value;
  if (!parse_value(source, span.begin, span.end, value)) return false;
  const uint32_t tag = tags_.find(source.view(value.tag.begin, value.tag.size(), tag_scratch_));
  if (value.metadata.size() != 0 && tags_[tag].metadata.empty()) [[unlikely]]
    if (!describe_tag(tag, source.view(value.metadata.begin, value.metadata.size(), metadata_scratch_))) return false;
  if (value.payload == payload::simple_value) [[likely]] {
    add_simple_value(tag, event.step, event.wall_time, value.number);
    return true;
  }
  const Tag& described = tags_[tag];
  if (value.payload == payload::tensor &&
      (described.is_scalar || (described.plugin.empty() && !described.written_class))) {
    Tensor tensor;
    if (!parse_tensor(source, value.data.begin, value.data.end, tensor)) return false;
    double number;
    if (tensor_scalar(source, tensor, described.is_scalar, number)) {
      Series& series = scalar_of(tag, described.plugin, described.written_class);
      mark_row(series, event.step, event.wall_time);
      const bool was_wide = series.wide();
      series.add_double(event.step, event.wall_time, number);
      count_scalar(event.wall_time);
      if (series.wide()) wide_rows_ += was_wide ? 1 : series.rows();
      return true;
    }
  }
  if (value.payload == payload::none && value.metadata.size() == 0) return true;
  const std::string_view old = payload_plugin(value.payload);
  Series& series =
      old.empty() ? reference_of(tag, described.plugin, described.written_class) : reference_of(tag, old, 0);
  mark_row(series, event.step, event.wall_time);
  series.add_reference(event.step, event.wall_time, data + span.begin, span.size());
  references_++;
  return true;
}

void Decoder::add_simple_value(uint32_t tag, int64_t step, double wall_time, float value) {
  Series& series = scalar_of(tag, "scalars", 0);
  mark_row(series, step, wall_time);
  series.add_float(step, wall_time, value);
  count_scalar(wall_time);
  if (series.wide()) [[unlikely]]
    wide_rows_++;
}

// The first plugin that is named for a series is kept.
static void set_plugin(Series& series, std::string_view plugin, int32_t written) {
  if (!series.plugin.empty()) return;
  series.plugin = plugin;
  series.data_class = data_class(plugin, written);
}

// Stores the first metadata of a tag. It also applies to series of the tag that have no plugin yet.
bool Decoder::describe_tag(uint32_t number, std::string_view metadata) {
  Metadata found;
  if (!parse_metadata(metadata, found)) return false;
  Tag& tag = tags_[number];
  tag.metadata = metadata;
  tag.plugin = found.plugin;
  tag.written_class = found.data_class;
  tag.is_scalar = data_class(found.plugin, found.data_class) == scalar_class;
  for (const uint32_t slot : {tag.scalar, tag.reference})
    if (slot != no_series) set_plugin(series_[slot], found.plugin, found.data_class);
  return true;
}

Series& Decoder::scalar_of(uint32_t tag, std::string_view plugin, int32_t written) {
  uint32_t& slot = tags_[tag].scalar;
  Series& series = slot != no_series ? series_[slot] : open(slot, tag, Form::scalar);
  if (series.plugin.empty()) [[unlikely]]
    set_plugin(series, plugin, written);
  return series;
}

Series& Decoder::reference_of(uint32_t tag, std::string_view plugin, int32_t written) {
  uint32_t& slot = tags_[tag].reference;
  Series& series = slot != no_series ? series_[slot] : open(slot, tag, Form::reference);
  set_plugin(series, plugin, written);
  return series;
}

Series& Decoder::open(uint32_t& slot, uint32_t tag, Form form) {
  Series& series = series_.emplace_back(tag, form);
  if (step_tracker_.settled) series.settled_row = 0;
  slot = static_cast<uint32_t>(series_.size() - 1);
  return series;
}

// Records what restarts need to know about a row. Must be called before the row is added.
void Decoder::mark_row(Series& series, int64_t step, double wall_time) {
  if (series.full()) [[unlikely]]
    series.grow(expected_rows(series));
  const auto epoch = static_cast<uint32_t>(starts_.size());
  if (series.epoch != epoch) [[unlikely]] {
    series.make_marks().epochs.push_back({series.rows(), epoch});
    series.epoch = epoch;
  }
  const uint64_t last_event = std::exchange(series.last_event, event_);
  if (last_event == event_) [[unlikely]] {
    series.make_marks().same_event.push_back(series.rows());
    return;
  }
  if (series.rows() != 0 && step < series.steps()[series.rows() - 1]) [[unlikely]]
    add_regression(last_event, step, wall_time);
  if (late_) [[unlikely]]
    add_late_row(series, step);
}

// A series goes back. If it has not written since the current session began, that session is the cause and was counted
// already.
void Decoder::add_regression(uint64_t last_event, int64_t step, double wall_time) {
  if (last_event < session_) return;
  session_ = event_;
  now_.regressions++;
  if (regressions_.size() < max_regressions) regressions_.push_back({step, wall_time, framing_.offset});
}

// Estimates how many rows a series will have at the end of the current bytes. Columns that grow once instead of many
// times reduce the load time of a small file by a fifth.
size_t Decoder::expected_rows(const Series& series) const noexcept {
  constexpr uint64_t least_bytes = 16;  // per row, so that one record full of rows cannot inflate the estimate
  if (framing_.offset == 0 || framing_.offset >= end_) return 0;
  const double passed = static_cast<double>(framing_.offset) / static_cast<double>(end_);
  const double expected = static_cast<double>(series.rows()) / passed * 1.0625;
  const double limit = static_cast<double>(series.rows() + (end_ - framing_.offset) / least_bytes);
  return static_cast<size_t>(std::min(expected, limit)) + 1;
}

void Decoder::add_late_row(Series& series, int64_t step) {
  if (!series.has_late || step < series.lowest_late) series.lowest_late = step;
  series.has_late = true;
  if (series.rows() != 0 && step <= series.highest_step()) series.make_marks().late.push_back(series.rows());
}

void Decoder::add_blob(std::string_view name, std::string_view plugin, const Event& event, uint64_t offset,
                       uint64_t size) {
  Series& series = reference_of(tags_.find(name), plugin, 0);
  mark_row(series, event.step, event.wall_time);
  series.add_reference(event.step, event.wall_time, offset, size);
  references_++;
}

template bool Decoder::decode_record(MemorySource&, uint64_t, uint64_t);
template bool Decoder::decode_record(FileSource&, uint64_t, uint64_t);

}  // namespace lightboard

// Decodes the bytes of one event file into series, resumable at any byte. One thread may read while others query.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "framing.hpp"
#include "messages.hpp"
#include "fast_scalar.hpp"
#include "series.hpp"
#include "tags.hpp"

namespace lightboard {

// Where a session begins: at a SessionLog START, or at a step that goes back.
struct Start {
  int64_t step;
  double wall_time;
  uint64_t offset;  // of its record in the file
};

// A SessionLog of any status.
struct SessionLog {
  uint64_t status;
  int64_t step;
};

// How many regressions are stored. All are counted.
constexpr size_t max_regressions = 4096;

// Counters of a decoder that can be read without waiting for its lock.
struct Progress {
  uint64_t offset = 0, records = 0, points = 0, size_bytes = 0, series = 0, regressions = 0;
  int64_t highest_step = -1;
  int32_t file_version = 0;  // 0: none yet, -1: not understood
  double first_wall_time = std::numeric_limits<double>::quiet_NaN();
  double last_wall_time = std::numeric_limits<double>::quiet_NaN();
  // The lowest and highest wall time of scalar points.
  double first_scalar_wall_time = std::numeric_limits<double>::quiet_NaN();
  double last_scalar_wall_time = std::numeric_limits<double>::quiet_NaN();
};

// The steps of a file seen so far, for the rule before file version 2; see view.hpp.
struct StepTracker {
  int64_t last_step = std::numeric_limits<int64_t>::min();      // of the last event not below it
  int64_t highest_early = std::numeric_limits<int64_t>::min();  // of the summaries before `settled`
  bool settled = false;                                         // anything but summaries has come
};

class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // Decodes bytes that lie at `offset`. Returns how many were consumed. Throws std::bad_alloc.
  uint64_t feed(const uint8_t* data, uint64_t size);

  // Decodes about `limit` bytes of an open file from `offset` on. Returns how many were consumed, or -1 with errno set
  // if the file cannot be read. Throws std::bad_alloc.
  int64_t read(int fd, uint64_t limit);

  // A snapshot, taken after the last bytes were consumed.
  Progress progress() const;

  // Hold this lock, shared or exclusive, while using anything below.
  std::shared_mutex& mutex() const noexcept { return mutex_; }

  const std::vector<Damage>& damage() const noexcept { return framing_.damage; }
  const std::vector<Start>& starts() const noexcept { return starts_; }
  const std::vector<Start>& regressions() const noexcept { return regressions_; }
  const std::vector<SessionLog>& session_logs() const noexcept { return session_logs_; }
  const std::vector<Series>& series() const noexcept { return series_; }
  const Tag& tag_of(const Series& series) const noexcept { return tags_[series.tag]; }
  int32_t file_version() const noexcept { return now_.file_version; }
  const StepTracker& step_tracker() const noexcept { return step_tracker_; }

  // Updates the index of a series and returns its number of rows. Locks by itself.
  size_t extend_index(size_t series);

 private:
  uint64_t consume(const uint8_t* data, uint64_t size, bool is_last);
  void publish();
  void count_scalar(double wall_time) noexcept;

  bool skip_hole(int fd, const uint8_t* window);

  enum class LargeRecordResult { consumed, need_more, failed };
  LargeRecordResult read_large_record(int fd, uint8_t* window, uint64_t& work);
  LargeRecordResult stream_crc(int fd, uint64_t offset, uint64_t size, uint8_t* window, uint32_t& crc) const;
  LargeRecordResult decode_large_record(int fd, uint64_t length, uint8_t* window);
  LargeRecordResult skip_bad_large_record(int fd, uint64_t length, uint8_t* window);
  Lookahead peek_after_frame(int fd, uint64_t frame) const;
  LargeRecordResult skip_damaged(int fd, uint64_t offset, uint64_t size, uint8_t* window);
  void trim();

  // `data` is the offset of the record's data in the file.
  template <class Source>
  bool decode_record(Source& source, uint64_t size, uint64_t data);
  template <class Source>
  bool decode_what(Source& source, const Event& event, uint64_t data);
  template <class Source>
  bool decode_summary(Source& source, Span span, const Event& event, uint64_t data);
  template <class Source>
  bool decode_value(Source& source, Span span, const Event& event, uint64_t data);

  void decode_fast_scalar(const FastScalar& scalar);
  void add_simple_value(uint32_t tag, int64_t step, double wall_time, float value);
  bool track_step(uint32_t what, int64_t step);
  void track_wall_time(double wall_time) noexcept;
  bool describe_tag(uint32_t tag, std::string_view metadata);
  Series& scalar_of(uint32_t tag, std::string_view plugin, int32_t written);
  Series& reference_of(uint32_t tag, std::string_view plugin, int32_t written);
  Series& open(uint32_t& slot, uint32_t tag, Form form);
  size_t expected_rows(const Series& series) const noexcept;
  void mark_row(Series& series, int64_t step, double wall_time);
  void add_regression(uint64_t last_event, int64_t step, double wall_time);
  void add_late_row(Series& series, int64_t step);
  void add_blob(std::string_view tag, std::string_view plugin, const Event& event, uint64_t offset, uint64_t size);

  mutable std::shared_mutex mutex_;  // protects the series and everything about them
  std::mutex reading_;               // one thread feeds at a time
  mutable std::mutex progress_mutex_;
  Progress progress_;

  Framing framing_;
  Progress now_;
  StepTracker step_tracker_;
  Tags tags_;
  std::vector<Series> series_;
  std::vector<Start> starts_;
  std::vector<Start> regressions_;
  std::vector<SessionLog> session_logs_;
  uint64_t wide_rows_ = 0, references_ = 0;
  uint64_t event_ = 0;
  uint64_t end_ = 0;      // of the current bytes
  uint64_t session_ = 0;  // the event that began the current session
  bool late_ = false;
  bool trimmed_ = false;
  std::vector<Span> more_spans_;
  std::string tag_scratch_, metadata_scratch_;
};

}  // namespace lightboard

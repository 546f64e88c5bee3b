#include "series.hpp"

#include <algorithm>
#include <cmath>

namespace lightboard {
namespace {

constexpr size_t first_rows = 16;
// One per range of rows between restarts. Older ones were split by a later restart.
constexpr size_t max_smoothed_indexes = 16;
constexpr size_t small_rows = 8192;  // larger columns are mapped, so their unused capacity costs nothing

template <class Number>
IndexBlock index_block_of(const Number* values) noexcept {
  double sum = 0;
  for (size_t i = 0; i < index_rows; i++)
    if (std::isfinite(values[i])) sum += static_cast<double>(values[i]);
  return {summarise(values), sum};
}

}  // namespace

const Marks Series::no_marks;

void Series::add_double(int64_t step, double wall, double value) {
  const auto narrow = static_cast<float>(value);
  if (!wide_ && value == value && static_cast<double>(narrow) != value) widen();
  if (!wide_) return add_float(step, wall, narrow);
  begin_row(step, wall);
  values_.as<double>()[rows_] = value == value ? value : std::numeric_limits<double>::quiet_NaN();
  rows_++;
}

void Series::grow(size_t expected) {
  const size_t more = capacity_ < small_rows ? capacity_ / 2 : capacity_;
  set_capacity(std::max(capacity_ + std::max(more, first_rows), expected));  // a trimmed column may hold a single row
}

void Series::set_capacity(size_t rows) {
  steps_.resize(rows * sizeof(int64_t));
  walls_.resize(rows * sizeof(double));
  values_.resize(rows * value_bytes());
  if (form == Form::reference) lengths_.resize(rows * sizeof(uint64_t));
  capacity_ = rows;
}

void Series::trim() {
  if (rows_ != 0 && rows_ < small_rows && rows_ + rows_ / 8 < capacity_) set_capacity(rows_);
}

void Series::note_break(int64_t before) {
  make_marks().breaks.push_back(rows_);
  highest_before_break_ = std::max(highest_before_break_, before);
}

void Series::widen() {
  Column wider;
  wider.resize(capacity_ * sizeof(double));
  std::copy_n(floats(), rows_, wider.as<double>());
  values_ = std::move(wider);
  wide_ = true;
}

void Series::extend_index() {
  const size_t blocks = rows_ / index_rows;
  index_.reserve(blocks);
  while (index_.size() < blocks) {
    const size_t row = index_.size() * index_rows;
    index_.push_back(wide_ ? index_block_of(doubles() + row) : index_block_of(floats() + row));
  }
}

const SmoothedIndex* Series::find_smoothed_index(size_t begin, const Smoother& initial) const noexcept {
  if (!smoothed_indexes_) return nullptr;
  for (const SmoothedIndex& cached : *smoothed_indexes_)
    if (cached.continues(begin, initial)) return &cached;
  return nullptr;
}

SmoothedIndex& Series::ensure_smoothed_index(size_t begin, const Smoother& initial) const {
  if (!smoothed_indexes_) smoothed_indexes_ = std::make_unique<std::vector<SmoothedIndex>>();
  for (SmoothedIndex& cached : *smoothed_indexes_)
    if (cached.continues(begin, initial)) return cached;
  std::erase_if(*smoothed_indexes_, [&](const SmoothedIndex& cached) {
    return cached.weight() != initial.weight() || cached.begin() == begin;
  });
  if (smoothed_indexes_->size() >= max_smoothed_indexes) smoothed_indexes_->clear();
  return smoothed_indexes_->emplace_back(begin, initial);
}

}  // namespace lightboard

#include "group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "block.hpp"
#include "curve.hpp"
#include "last_of_step.hpp"
#include "parallel.hpp"

namespace lightboard {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The statistics of all members at one x.
struct Sample {
  double x, y, low, high;
  uint32_t members, nonfinite;
};

double median_of(std::vector<double>& values) noexcept {
  const size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  const double below = *std::max_element(values.begin(), middle), sum = below + *middle;
  return std::isfinite(sum) ? sum / 2 : below / 2 + *middle / 2;
}

// Values are scaled by this while computing their mean and deviation if the sum or the squares overflow.
constexpr double small = 0x1p-530;

struct Moments {
  double mean, deviation;
};

Moments moments_of(const std::vector<double>& values, double scale) noexcept {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value * scale;
  const double mean = sum / count;
  for (const double value : values) squares += (value * scale - mean) * (value * scale - mean);
  return {mean / scale, std::sqrt(squares / count) / scale};
}

// Reorders `values`. The sample is NaN if there are none.
Sample sample_of(double x, std::vector<double>& values, uint32_t nonfinite, Statistic statistic, Band band) noexcept {
  if (values.empty()) return {x, nan, nan, nan, 0, nonfinite};
  const auto count = static_cast<double>(values.size());
  double low = values[0], high = values[0];
  for (const double value : values) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  Moments moments = moments_of(values, 1);
  if (!std::isfinite(moments.mean) || !std::isfinite(moments.deviation)) [[unlikely]] {
    moments = moments_of(values, small);
    moments.mean = std::clamp(moments.mean, low, high);
  }
  const double y = statistic == Statistic::mean ? moments.mean : median_of(values);
  const auto members = static_cast<uint32_t>(values.size());
  if (band == Band::range) return {x, y, low, high, members, nonfinite};
  double half_width = band == Band::none ? 0 : moments.deviation;
  if (band == Band::error) half_width /= std::sqrt(count);
  constexpr double limit = std::numeric_limits<double>::max();
  return {x, y, std::max(y - half_width, -limit), std::min(y + half_width, limit), members, nonfinite};
}

// Iterates over the xs of all curves in ascending order and evaluates each curve at each x.
class CurveMerger {
 public:
  explicit CurveMerger(const std::vector<Curve>& curves) {
    for (const Curve& curve : curves)
      cursors_.push_back(
          Cursor{&curve, 0, 0, 0, 0, 0, at_or_infinity(curve.xs(), 0), at_or_infinity(curve.nonfinite_xs(), 0)});
  }

  // Moves to the next x. `values` receives the values of the curves that cover it, `nonfinite` the number of curves
  // that are not finite there. Returns false at the end.
  bool next(double& x, std::vector<double>& values, uint32_t& nonfinite) {
    x = infinity;
    for (const Cursor& cursor : cursors_) x = std::min({x, cursor.next_x, cursor.next_nonfinite});
    if (x == infinity) return false;
    values.clear();
    nonfinite = 0;
    for (Cursor& cursor : cursors_) {
      if (cursor.next_x == x) advance(cursor);
      const bool here = cursor.next_nonfinite == x;
      if (here) cursor.next_nonfinite = at_or_infinity(cursor.curve->nonfinite_xs(), ++cursor.next_nonfinite_index);
      if (here || x >= cursor.curve->nonfinite_from()) {
        nonfinite++;
        continue;
      }
      if (cursor.next == 0 || (cursor.next_x == infinity && cursor.x != x)) continue;
      values.push_back(cursor.x == x ? cursor.y : at(cursor, x));
    }
    return true;
  }

 private:
  // The segment of a curve between the last point reached and the next one.
  struct Cursor {
    const Curve* curve;
    size_t next, next_nonfinite_index;
    double x, y, slope, next_x, next_nonfinite;
  };

  // Interpolates with the precomputed slope, or without it if it overflows.
  static double at(const Cursor& cursor, double x) noexcept {
    if (std::isfinite(cursor.slope)) [[likely]]
      return cursor.slope * (x - cursor.x) + cursor.y;
    return interpolate(cursor.x, cursor.y, cursor.next_x, cursor.curve->ys()[cursor.next], x);
  }

  static double at_or_infinity(const std::vector<double>& xs, size_t index) noexcept {
    return index < xs.size() ? xs[index] : infinity;
  }

  static void advance(Cursor& cursor) noexcept {
    const std::vector<double>& xs = cursor.curve->xs();
    const std::vector<double>& ys = cursor.curve->ys();
    const size_t here = cursor.next++;
    cursor.x = xs[here];
    cursor.y = ys[here];
    cursor.next_x = cursor.next < xs.size() ? xs[cursor.next] : infinity;
    cursor.slope = cursor.next < xs.size() ? (ys[cursor.next] - cursor.y) / (cursor.next_x - cursor.x) : 0;
    if (!std::isfinite(cursor.next_x - cursor.x)) cursor.slope = nan;
  }

  std::vector<Cursor> cursors_;
};

// Selects the samples of a pixel column to draw: first and last, lowest and highest of the line, lowest and highest of
// the band, and the one with the most non-finite members.
class SampleColumn {
 public:
  void add(const Sample& sample) noexcept {
    if (count_ == 0) first_ = low_ = high_ = lowest_ = highest_ = worst_ = {0, sample};
    last_ = {count_, sample};
    if (sample.nonfinite > worst_.sample.nonfinite) worst_ = last_;
    // Samples without a value are not extremes.
    if (low_.sample.members == 0) low_ = high_ = lowest_ = highest_ = last_;
    if (sample.y < low_.sample.y) low_ = last_;
    if (sample.y > high_.sample.y) high_ = last_;
    if (sample.low < lowest_.sample.low) lowest_ = last_;
    if (sample.high > highest_.sample.high) highest_ = last_;
    count_++;
  }

  void drain(std::vector<Sample>& out) {
    if (count_ == 0) return;
    IndexedSample samples[] = {first_, low_, high_, lowest_, highest_, worst_, last_};
    std::sort(std::begin(samples), std::end(samples),
              [](const IndexedSample& a, const IndexedSample& b) { return a.index < b.index; });
    for (size_t i = 0; i < std::size(samples); i++)
      if (i == 0 || samples[i].index != samples[i - 1].index) out.push_back(samples[i].sample);
    count_ = 0;
  }

 private:
  struct IndexedSample {
    size_t index;
    Sample sample;
  };
  IndexedSample first_, last_, low_, high_, lowest_, highest_, worst_;
  size_t count_ = 0;
};

// Takes samples in ascending order of x. Keeps all of them, or those of each pixel column once there are too many.
class SampleDownsampler {
 public:
  SampleDownsampler(const PixelGrid& grid, uint32_t px) noexcept : grid_(grid), max_raw_(2 * size_t{px}) {}

  void add(const Sample& sample) {
    if (raw_ && samples_.size() < max_raw_) {
      samples_.push_back(sample);
      return;
    }
    if (raw_) {
      raw_ = false;
      for (const Sample& before : std::exchange(samples_, {})) add_to_column(before);
    }
    add_to_column(sample);
  }

  void finish() { column_.drain(samples_); }
  bool raw() const noexcept { return raw_; }
  const std::vector<Sample>& samples() const noexcept { return samples_; }

 private:
  void add_to_column(const Sample& sample) {
    const int64_t number = grid_.column(sample.x);
    if (number != number_) column_.drain(samples_);
    number_ = number;
    column_.add(sample);
  }

  PixelGrid grid_;
  size_t max_raw_;
  bool raw_ = true;
  std::vector<Sample> samples_;
  SampleColumn column_;
  int64_t number_ = 0;
};

struct GroupCurves {
  std::vector<Curve> curves;  // none of them without any point
  uint64_t held = 0, in_range = 0;
  bool wide = false, repeated = false;
};

GroupCurves collect_curves(const std::vector<ChartRequest>& members, const ChartSpec& spec, Stop stop) {
  GroupCurves result;
  for (const ChartRequest& member : members) {
    if (stop) break;
    const Curve tag = tag_curve(member, spec);
    with_drawn_view(member.parts, spec.purge, spec.last_of_step, spec.smoothing, [&](const View& view, bool repeated) {
      result.repeated = result.repeated || repeated;
      result.held += view.held;
      result.wide = result.wide || view.wide;
      if (spec.x0 > spec.x1) return;
      const Axis axis(spec.axis, view, &tag);
      Curve curve = make_curve(view, axis, spec.x0, spec.x1, spec.smoothing);
      result.in_range += curve.size();
      if (!curve.empty() || curve.nonfinite_from() < infinity) result.curves.push_back(std::move(curve));
    });
  }
  return result;
}

// The range of x to evaluate: the xs of [x0, x1] and one neighbour on either side. Returns false if all points lie on
// one side.
bool find_bounds(const std::vector<Curve>& curves, double x0, double x1, double& first, double& last) noexcept {
  first = -infinity;
  last = infinity;
  bool some_after = false, some_before = false;
  for (const Curve& curve : curves) {
    some_after = some_after || !curve.nonfinite_xs().empty();
    some_before = some_before || !curve.nonfinite_xs().empty();
    if (curve.empty()) continue;
    const double front = curve.xs().front(), back = curve.xs().back();
    if (front < x0) first = std::max(first, front);
    if (back > x1) last = std::min(last, back);
    some_after = some_after || back >= x0;
    some_before = some_before || front <= x1;
  }
  return some_after && some_before;
}

PixelGrid make_grid(const std::vector<Curve>& curves, const ChartSpec& spec) noexcept {
  double left = infinity, right = -infinity;
  for (const Curve& curve : curves)
    for (const std::vector<double>* xs : {&curve.xs(), &curve.nonfinite_xs()})
      if (!xs->empty()) {
        left = std::min(left, xs->front());
        right = std::max(right, xs->back());
      }
  return PixelGrid(std::isfinite(spec.x0) ? spec.x0 : left, std::isfinite(spec.x1) ? spec.x1 : right, spec.px);
}

void put_samples(const std::vector<Sample>& samples, const ChartSpec& spec, Block& block) {
  const Axis axis(spec.axis, View());
  for (const Sample& sample : samples) {
    block.xs.push_back(axis.encode_x(sample.x));
    block.ys.push_back(sample.y);
    block.los.push_back(sample.low);
    block.his.push_back(sample.high);
    block.members.push_back(sample.members);
    block.nonfinite.push_back(sample.nonfinite);
  }
}

void draw_group(const GroupRequest& group, const ChartSpec& spec, Statistic statistic, Band band, Stop stop,
                std::string& out) {
  const GroupCurves result = collect_curves(group.members, spec, stop);
  SampleDownsampler downsampler(make_grid(result.curves, spec), spec.px);
  double first, last, x;
  uint32_t nonfinite;
  if (find_bounds(result.curves, spec.x0, spec.x1, first, last)) {
    std::vector<double> values;
    values.reserve(result.curves.size());
    CurveMerger merger(result.curves);
    while (!stop && merger.next(x, values, nonfinite) && x <= last)
      if (x >= first) downsampler.add(sample_of(x, values, nonfinite, statistic, band));
  }
  downsampler.finish();
  Block block;
  block.run = group.id;
  block.flags = block_flag::group | axis_flag(spec.axis) | (downsampler.raw() ? block_flag::raw : 0u) |
                (result.wide ? block_flag::wide : 0u) | (result.repeated ? block_flag::repeats : 0u);
  block.held = result.held;
  block.in_range = result.in_range;
  put_samples(downsampler.samples(), spec, block);
  block.encode(out);
}

// Whether a second thread is worth starting.
bool needs_second_thread(std::span<const GroupRequest> groups) {
  constexpr size_t min_rows = 16'000;
  size_t rows = 0;
  for (const GroupRequest& group : groups)
    for (const ChartRequest& member : group.members) rows += extend_indexes(member.parts);
  return rows >= min_rows;
}

}  // namespace

std::vector<std::string> draw_groups(std::span<const GroupRequest> groups, const ChartSpec& spec, Statistic statistic,
                                     Band band, Stop stop) {
  return run_parallel(groups.size(), needs_second_thread(groups), stop,
                      [&](size_t i, std::string& out) { draw_group(groups[i], spec, statistic, band, stop, out); });
}

}  // namespace lightboard

#include "group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "block.hpp"
#include "curve.hpp"
#include "sharing.hpp"
#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Where all members have been looked at.
struct Sample {
  double x, y, low, high;
  uint32_t members;
};

// The number in the middle, or between the two in the middle.
double median_of(std::vector<double>& values) noexcept {
  const size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// `values` may come back in another order; there is at least one.
Sample summarise(double x, std::vector<double>& values, Statistic statistic, Band band) noexcept {
  const auto count = static_cast<double>(values.size());
  double sum = 0, low = values[0], high = values[0];
  for (const double value : values) {
    sum += value;
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double y = statistic == Statistic::mean ? mean : median_of(values);
  const auto members = static_cast<uint32_t>(values.size());
  if (band == Band::range) return {x, y, low, high, members};
  double reach = band == Band::none ? 0 : std::sqrt(squares / count);
  if (band == Band::error) reach /= std::sqrt(count);
  return {x, y, y - reach, y + reach, members};
}

// Goes over all x of some curves in ascending order and says what each curve is there.
class Sweep {
 public:
  explicit Sweep(const std::vector<Curve>& curves) {
    for (const Curve& curve : curves) legs_.push_back(Leg{&curve, 0, 0, 0, 0, curve.xs().front()});
  }

  // The next x, and in `values` what the curves that cover it are there; false at the end.
  bool next(double& x, std::vector<double>& values) {
    x = infinity;
    for (const Leg& leg : legs_) x = std::min(x, leg.next_x);
    if (x == infinity) return false;
    values.clear();
    for (Leg& leg : legs_) {
      if (leg.next_x == x) advance(leg);
      if (leg.passed == 0 || (leg.next_x == infinity && leg.x != x)) continue;
      values.push_back(leg.x == x ? leg.y : leg.slope * (x - leg.x) + leg.y);
    }
    return true;
  }

 private:
  // A curve from the point passed last to the one that comes next.
  struct Leg {
    const Curve* curve;
    size_t passed;
    double x, y, slope, next_x;
  };

  static void advance(Leg& leg) noexcept {
    const std::vector<double>& xs = leg.curve->xs();
    const std::vector<double>& ys = leg.curve->ys();
    const size_t here = leg.passed++;
    leg.x = xs[here];
    leg.y = ys[here];
    leg.next_x = leg.passed < xs.size() ? xs[leg.passed] : infinity;
    leg.slope = leg.passed < xs.size() ? (ys[leg.passed] - leg.y) / (leg.next_x - leg.x) : 0;
  }

  std::vector<Leg> legs_;
};

// The samples of a pixel column that are drawn: first and last, where the line is lowest and highest, and where its
// band reaches lowest and highest.
class SampleColumn {
 public:
  void add(const Sample& sample) noexcept {
    if (count_ == 0) first_ = low_ = high_ = lowest_ = highest_ = {0, sample};
    last_ = {count_, sample};
    if (sample.y < low_.sample.y) low_ = last_;
    if (sample.y > high_.sample.y) high_ = last_;
    if (sample.low < lowest_.sample.low) lowest_ = last_;
    if (sample.high > highest_.sample.high) highest_ = last_;
    count_++;
  }

  void drain(std::vector<Sample>& out) {
    if (count_ == 0) return;
    Kept kept[] = {first_, low_, high_, lowest_, highest_, last_};
    std::sort(std::begin(kept), std::end(kept), [](const Kept& a, const Kept& b) { return a.place < b.place; });
    for (size_t i = 0; i < std::size(kept); i++)
      if (i == 0 || kept[i].place != kept[i - 1].place) out.push_back(kept[i].sample);
    count_ = 0;
  }

 private:
  struct Kept {
    size_t place;
    Sample sample;
  };
  Kept first_, last_, low_, high_, lowest_, highest_;
  size_t count_ = 0;
};

// Takes samples in ascending order of x: all of them, or once they are too many those of each pixel column.
class Thinning {
 public:
  Thinning(const Grid& grid, uint32_t px) noexcept : grid_(grid), most_(2 * size_t{px}) {}

  void add(const Sample& sample) {
    if (raw_ && samples_.size() < most_) {
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

  Grid grid_;
  size_t most_;
  bool raw_ = true;
  std::vector<Sample> samples_;
  SampleColumn column_;
  int64_t number_ = 0;
};

struct Gathered {
  std::vector<Curve> curves;  // none of them empty
  uint64_t held = 0, in_range = 0;
  bool wide = false;
};

Gathered gather(const std::vector<ChartRequest>& members, const ChartSpec& spec) {
  Gathered found;
  for (const ChartRequest& member : members) {
    const Curve tag = tag_curve(member, spec);
    with_view(member.parts, spec.purge, spec.smoothing, [&](const View& view) {
      found.held += view.held;
      found.wide = found.wide || view.wide;
      if (spec.x0 > spec.x1) return;
      const Axis axis(spec.axis, view, &tag);
      Curve curve = make_curve(view, axis, spec.x0, spec.x1, spec.smoothing);
      found.in_range += curve.size();
      if (!curve.empty()) found.curves.push_back(std::move(curve));
    });
  }
  return found;
}

// The first and last x to look at: those of [x0, x1] and one neighbour on either side. None if all lie on one side.
bool find_ends(const std::vector<Curve>& curves, double x0, double x1, double& first, double& last) noexcept {
  first = -infinity;
  last = infinity;
  bool some_after = false, some_before = false;
  for (const Curve& curve : curves) {
    const double front = curve.xs().front(), back = curve.xs().back();
    if (front < x0) first = std::max(first, front);
    if (back > x1) last = std::min(last, back);
    some_after = some_after || back >= x0;
    some_before = some_before || front <= x1;
  }
  return some_after && some_before;
}

Grid make_grid(const std::vector<Curve>& curves, const ChartSpec& spec) noexcept {
  double left = infinity, right = -infinity;
  for (const Curve& curve : curves) {
    left = std::min(left, curve.xs().front());
    right = std::max(right, curve.xs().back());
  }
  return Grid(std::isfinite(spec.x0) ? spec.x0 : left, std::isfinite(spec.x1) ? spec.x1 : right, spec.px);
}

void put_samples(const std::vector<Sample>& samples, const ChartSpec& spec, Block& block) {
  const Axis axis(spec.axis, View());
  for (const Sample& sample : samples) {
    block.xs.push_back(axis.sent(sample.x));
    block.ys.push_back(sample.y);
    block.los.push_back(sample.low);
    block.his.push_back(sample.high);
    block.members.push_back(sample.members);
  }
}

void draw_group(const GroupRequest& group, const ChartSpec& spec, Statistic statistic, Band band, std::string& out) {
  const Gathered found = gather(group.members, spec);
  Thinning thinning(make_grid(found.curves, spec), spec.px);
  double first, last, x;
  if (find_ends(found.curves, spec.x0, spec.x1, first, last)) {
    std::vector<double> values;
    values.reserve(found.curves.size());
    Sweep sweep(found.curves);
    while (sweep.next(x, values) && x <= last)
      if (x >= first) thinning.add(summarise(x, values, statistic, band));
  }
  thinning.finish();
  Block block;
  block.run = group.id;
  block.flags = block_flag::group | axis_flag(spec.axis) | (thinning.raw() ? block_flag::raw : 0u) |
                (found.wide ? block_flag::wide : 0u);
  block.held = found.held;
  block.in_range = found.in_range;
  put_samples(thinning.samples(), spec, block);
  block.encode(out);
}

// Whether a second thread earns more than it costs to start.
bool worth_a_thread(std::span<const GroupRequest> groups) {
  constexpr size_t rows_worth = 16'000;
  size_t rows = 0;
  for (const GroupRequest& group : groups)
    for (const ChartRequest& member : group.members) rows += extend_indexes(member.parts);
  return rows >= rows_worth;
}

}  // namespace

std::vector<std::string> draw_groups(std::span<const GroupRequest> groups, const ChartSpec& spec, Statistic statistic,
                                     Band band) {
  return make_shared(groups.size(), worth_a_thread(groups), [&](size_t i, std::string& out) {
    draw_group(groups[i], spec, statistic, band, out);
  });
}

}  // namespace lightboard

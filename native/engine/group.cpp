#include "group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "block.hpp"
#include "curve.hpp"
#include "parallel.hpp"
#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Where all members have been looked at.
struct Sample {
  double x, y, low, high;
  uint32_t members, nonfinite;
};

// The number in the middle, or between the two in the middle.
double median_of(std::vector<double>& values) noexcept {
  const size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  const double below = *std::max_element(values.begin(), middle), sum = below + *middle;
  return std::isfinite(sum) ? sum / 2 : below / 2 + *middle / 2;
}

// Values whose sum or squares are beyond all numbers are made this much smaller meanwhile.
constexpr double small = 0x1p-530;

struct Spread {
  double mean, deviation;
};

Spread spread_of(const std::vector<double>& values, double scale) noexcept {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value * scale;
  const double mean = sum / count;
  for (const double value : values) squares += (value * scale - mean) * (value * scale - mean);
  return {mean / scale, std::sqrt(squares / count) / scale};
}

// `values` may come back in another order; where there is none the sample has no number either.
Sample summarise(double x, std::vector<double>& values, uint32_t nonfinite, Statistic statistic, Band band) noexcept {
  if (values.empty()) return {x, nan, nan, nan, 0, nonfinite};
  const auto count = static_cast<double>(values.size());
  double low = values[0], high = values[0];
  for (const double value : values) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  Spread spread = spread_of(values, 1);
  if (!std::isfinite(spread.mean) || !std::isfinite(spread.deviation)) [[unlikely]] {
    spread = spread_of(values, small);
    spread.mean = std::clamp(spread.mean, low, high);
  }
  const double y = statistic == Statistic::mean ? spread.mean : median_of(values);
  const auto members = static_cast<uint32_t>(values.size());
  if (band == Band::range) return {x, y, low, high, members, nonfinite};
  double reach = band == Band::none ? 0 : spread.deviation;
  if (band == Band::error) reach /= std::sqrt(count);
  constexpr double most = std::numeric_limits<double>::max();
  return {x, y, std::max(y - reach, -most), std::min(y + reach, most), members, nonfinite};
}

// Goes over all x of some curves in ascending order and says what each curve is there.
class Sweep {
 public:
  explicit Sweep(const std::vector<Curve>& curves) {
    for (const Curve& curve : curves)
      legs_.push_back(Leg{&curve, 0, 0, 0, 0, 0, at_or_infinity(curve.xs(), 0), at_or_infinity(curve.nonfinite_xs(), 0)});
  }

  // The next x, in `values` what the curves that cover it are there, and how many have no number there; false at the end.
  bool next(double& x, std::vector<double>& values, uint32_t& nonfinite) {
    x = infinity;
    for (const Leg& leg : legs_) x = std::min({x, leg.next_x, leg.next_nonfinite});
    if (x == infinity) return false;
    values.clear();
    nonfinite = 0;
    for (Leg& leg : legs_) {
      if (leg.next_x == x) advance(leg);
      const bool here = leg.next_nonfinite == x;
      if (here) leg.next_nonfinite = at_or_infinity(leg.curve->nonfinite_xs(), ++leg.passed_nonfinite);
      if (here || x >= leg.curve->lost_from()) {
        nonfinite++;
        continue;
      }
      if (leg.passed == 0 || (leg.next_x == infinity && leg.x != x)) continue;
      values.push_back(leg.x == x ? leg.y : at(leg, x));
    }
    return true;
  }

 private:
  // A curve from the point passed last to the one that comes next.
  struct Leg {
    const Curve* curve;
    size_t passed, passed_nonfinite;
    double x, y, slope, next_x, next_nonfinite;
  };

  // Between two points; where the slope is no number, the long way.
  static double at(const Leg& leg, double x) noexcept {
    if (std::isfinite(leg.slope)) [[likely]] return leg.slope * (x - leg.x) + leg.y;
    return between(leg.x, leg.y, leg.next_x, leg.curve->ys()[leg.passed], x);
  }

  static double at_or_infinity(const std::vector<double>& xs, size_t place) noexcept {
    return place < xs.size() ? xs[place] : infinity;
  }

  static void advance(Leg& leg) noexcept {
    const std::vector<double>& xs = leg.curve->xs();
    const std::vector<double>& ys = leg.curve->ys();
    const size_t here = leg.passed++;
    leg.x = xs[here];
    leg.y = ys[here];
    leg.next_x = leg.passed < xs.size() ? xs[leg.passed] : infinity;
    leg.slope = leg.passed < xs.size() ? (ys[leg.passed] - leg.y) / (leg.next_x - leg.x) : 0;
    if (!std::isfinite(leg.next_x - leg.x)) leg.slope = nan;
  }

  std::vector<Leg> legs_;
};

// The samples of a pixel column that are drawn: first and last, where the line is lowest and highest, where its band
// reaches lowest and highest, and where most members have no number.
class SampleColumn {
 public:
  void add(const Sample& sample) noexcept {
    if (count_ == 0) first_ = low_ = high_ = lowest_ = highest_ = worst_ = {0, sample};
    last_ = {count_, sample};
    if (sample.nonfinite > worst_.sample.nonfinite) worst_ = last_;
    if (low_.sample.members == 0) low_ = high_ = lowest_ = highest_ = last_;  // what has no number is no extreme
    if (sample.y < low_.sample.y) low_ = last_;
    if (sample.y > high_.sample.y) high_ = last_;
    if (sample.low < lowest_.sample.low) lowest_ = last_;
    if (sample.high > highest_.sample.high) highest_ = last_;
    count_++;
  }

  void drain(std::vector<Sample>& out) {
    if (count_ == 0) return;
    Kept kept[] = {first_, low_, high_, lowest_, highest_, worst_, last_};
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
  Kept first_, last_, low_, high_, lowest_, highest_, worst_;
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
  std::vector<Curve> curves;  // none of them without any point
  uint64_t held = 0, in_range = 0;
  bool wide = false;
};

Gathered gather(const std::vector<ChartRequest>& members, const ChartSpec& spec, Stop stop) {
  Gathered found;
  for (const ChartRequest& member : members) {
    if (stop) break;
    const Curve tag = tag_curve(member, spec);
    with_view(member.parts, spec.purge, spec.smoothing, [&](const View& view) {
      found.held += view.held;
      found.wide = found.wide || view.wide;
      if (spec.x0 > spec.x1) return;
      const Axis axis(spec.axis, view, &tag);
      Curve curve = make_curve(view, axis, spec.x0, spec.x1, spec.smoothing);
      found.in_range += curve.size();
      if (!curve.empty() || curve.lost_from() < infinity) found.curves.push_back(std::move(curve));
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

Grid make_grid(const std::vector<Curve>& curves, const ChartSpec& spec) noexcept {
  double left = infinity, right = -infinity;
  for (const Curve& curve : curves)
    for (const std::vector<double>* xs : {&curve.xs(), &curve.nonfinite_xs()})
      if (!xs->empty()) {
        left = std::min(left, xs->front());
        right = std::max(right, xs->back());
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
    block.nonfinite.push_back(sample.nonfinite);
  }
}

void draw_group(const GroupRequest& group, const ChartSpec& spec, Statistic statistic, Band band, Stop stop,
                std::string& out) {
  const Gathered found = gather(group.members, spec, stop);
  Thinning thinning(make_grid(found.curves, spec), spec.px);
  double first, last, x;
  uint32_t nonfinite;
  if (find_ends(found.curves, spec.x0, spec.x1, first, last)) {
    std::vector<double> values;
    values.reserve(found.curves.size());
    Sweep sweep(found.curves);
    while (!stop && sweep.next(x, values, nonfinite) && x <= last)
      if (x >= first) thinning.add(summarise(x, values, nonfinite, statistic, band));
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
                                     Band band, Stop stop) {
  return run_parallel(groups.size(), worth_a_thread(groups), stop, [&](size_t i, std::string& out) {
    draw_group(groups[i], spec, statistic, band, stop, out);
  });
}

}  // namespace lightboard

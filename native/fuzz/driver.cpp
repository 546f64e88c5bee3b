// Runs a fuzz target if libFuzzer is not available: mutates the seeds in a fixed order, for some seconds or, with an x
// after the number, that many times.
//
// driver SECONDS|TIMESx SEED...
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

class Mutator {
 public:
  explicit Mutator(std::vector<Bytes> seeds) : seeds_(std::move(seeds)) {}

  Bytes next() {
    Bytes bytes = any_seed();
    for (size_t changes = 1 + below(6); changes > 0; changes--) change(bytes);
    return bytes;
  }

 private:
  size_t below(size_t count) { return count == 0 ? 0 : chance_() % count; }
  const Bytes& any_seed() { return seeds_[below(seeds_.size())]; }

  void change(Bytes& bytes) {
    const size_t at = below(bytes.size());
    switch (bytes.empty() ? 5 : below(8)) {
      case 0:
        bytes[at] ^= static_cast<uint8_t>(1u << below(8));
        break;
      case 1:
        bytes[at] = static_cast<uint8_t>(chance_());
        break;
      case 2:
        bytes[at] = edge();
        break;
      case 3:
        bytes.erase(bytes.begin() + static_cast<ptrdiff_t>(at),
                    bytes.begin() + static_cast<ptrdiff_t>(std::min(bytes.size(), at + 1 + below(8))));
        break;
      case 4:
        bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), 1 + below(8), edge());
        break;
      case 5:
        splice(bytes, at, any_seed());
        break;
      case 6:
        splice(bytes, at, Bytes(bytes));
        break;
      default:
        bytes.resize(at);
    }
    if (bytes.size() > 4096) bytes.resize(4096);
  }

  void splice(Bytes& bytes, size_t at, const Bytes& from) {
    const size_t begin = below(from.size()), end = begin + below(from.size() - begin + 1);
    bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), from.begin() + static_cast<ptrdiff_t>(begin),
                 from.begin() + static_cast<ptrdiff_t>(end));
  }

  uint8_t edge() {
    constexpr uint8_t edges[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0x08, 0x09, 0x0A, 0x10, 0x2A, 0x3A, 0x42};
    return edges[below(std::size(edges))];
  }

  std::vector<Bytes> seeds_;
  std::mt19937_64 chance_{20240229};
};

// Writes the input to a file, so that a crash can be reproduced.
void keep(const Bytes& bytes) {
  std::ofstream file("fuzz-last-input", std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string limit = argc > 1 ? argv[1] : "0";
  const bool counted = limit.back() == 'x';
  const double most = std::stod(limit);
  std::vector<Bytes> seeds{{}};
  for (int i = 2; i < argc; i++) {
    std::ifstream file(argv[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    LLVMFuzzerTestOneInput(seeds.back().data(), seeds.back().size());
  }
  Mutator mutator(std::move(seeds));
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  size_t runs = 0;
  while ((counted ? static_cast<double>(runs) : elapsed()) < most) {
    const Bytes bytes = mutator.next();
    keep(bytes);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    runs++;
  }
  std::remove("fuzz-last-input");
  std::printf("%zu inputs, nothing found\n", runs);
  return 0;
}

// Fuzzes framing. Checksums would stop a fuzzer immediately, so the input is a recipe: valid and invalid frames,
// headers without data and raw bytes, fed in chunks. The result must not depend on how the file is read.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "checks.hpp"

namespace {

using namespace lightboard;

template <class Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// One step of the recipe: a kind, a length, and that many bytes.
void add(std::string& file, uint8_t kind, const uint8_t* data, size_t size) {
  if (kind % 6 == 0) {
    file.append(reinterpret_cast<const char*>(data), size);
    return;
  }
  uint64_t length = size;
  if (kind % 6 == 4) length += kind;  // longer than the data
  put(file, length);
  put(file, masked(crc32c_of_u64(length)) ^ (kind % 6 == 2 ? 1u : 0u));
  if (kind % 6 == 5) return;  // a header without data
  file.append(reinterpret_cast<const char*>(data), size);
  put(file, masked(crc32c(0, data, size)) ^ (kind % 6 == 3 ? 1u : 0u));
}

std::string make_file(const uint8_t* data, size_t size) {
  std::string file;
  while (size >= 2) {
    const size_t length = std::min<size_t>(data[1], size - 2);
    add(file, data[0], data + 2, length);
    data += 2 + length;
    size -= 2 + length;
  }
  return file;
}

void feed_in_chunks(Decoder& decoder, const std::string& file, size_t piece) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(file.data());
  for (size_t end = piece; end < file.size(); end += piece) {
    const uint64_t from = decoder.progress().offset;
    decoder.feed(bytes + from, end - from);
    fuzz::require(decoder.progress().offset <= end, "consumed bytes were fed");
  }
  const uint64_t from = decoder.progress().offset;
  decoder.feed(bytes + from, file.size() - from);
}

void read_from_file(Decoder& decoder, const std::string& file, uint64_t limit) {
  const int fd = memfd_create("fuzz", 0);
  fuzz::require(fd >= 0 && write(fd, file.data(), file.size()) == static_cast<ssize_t>(file.size()),
                "a temporary file can be created");
  while (decoder.read(fd, limit) > 0) {
  }
  close(fd);
}

void require_equal(const Decoder& a, const Decoder& b) {
  const Progress one = a.progress(), other = b.progress();
  fuzz::require(one.offset == other.offset && one.records == other.records && one.points == other.points,
                "readers agree");
  fuzz::require(a.damage().size() == b.damage().size(), "readers agree on damage");
  for (size_t i = 0; i < a.damage().size(); i++)
    fuzz::require(a.damage()[i].offset == b.damage()[i].offset && a.damage()[i].length == b.damage()[i].length &&
                      a.damage()[i].crc == b.damage()[i].crc,
                  "readers agree on each damaged range");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const std::string file = make_file(data + 1, size - 1);
  Decoder whole, pieces, reader;
  whole.feed(reinterpret_cast<const uint8_t*>(file.data()), file.size());
  feed_in_chunks(pieces, file, size_t{data[0]} + 1);
  read_from_file(reader, file, uint64_t{data[0]} * 16 + 1);
  require_equal(whole, reader);
  lightboard::fuzz::check_all(whole, pieces);
  return 0;
}

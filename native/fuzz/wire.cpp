// Fuzzes the messages: splits the input into bodies, puts each into a valid frame, and makes two files of them.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "checks.hpp"

namespace {

using namespace lightboard;

void add_record(std::string& file, const uint8_t* data, uint64_t size) {
  const uint32_t header = masked(crc32c_of_u64(size)), body = masked(crc32c(0, data, size));
  file.append(reinterpret_cast<const char*>(&size), sizeof size);
  file.append(reinterpret_cast<const char*>(&header), sizeof header);
  file.append(reinterpret_cast<const char*>(data), size);
  file.append(reinterpret_cast<const char*>(&body), sizeof body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string files[2];
  for (size_t number = 0; size >= 2; number++) {
    uint16_t length;
    std::memcpy(&length, data, 2);
    const size_t body = std::min<size_t>(length & 0x7FFF, size - 2);
    add_record(files[length >> 15], data + 2, body);
    data += 2 + body;
    size -= 2 + body;
  }
  Decoder decoders[2];
  for (size_t i = 0; i < 2; i++)
    fuzz::require(
        decoders[i].feed(reinterpret_cast<const uint8_t*>(files[i].data()), files[i].size()) == files[i].size(),
        "valid frames are consumed");
  fuzz::check_all(decoders[0], decoders[1]);
  return 0;
}

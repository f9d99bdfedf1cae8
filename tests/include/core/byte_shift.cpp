// 16 bytes out of two words of 16 bytes, from every byte on, and the first bytes of 16: against a loop over bytes.
#include <tile2cpp/backend/byte_shift.hpp>

#include <cstring>

#include "check.hpp"

using namespace tile2cpp::backend;

int main() {
  unsigned char bytes[32], wanted[16], got[16];
  for (int i = 0; i < 32; ++i) bytes[i] = static_cast<unsigned char>(0x91 + 37 * i);
  four_words low, high;
  std::memcpy(&low, bytes, 16);
  std::memcpy(&high, bytes + 16, 16);
  for (unsigned start = 0; start < 16; ++start)
    for (unsigned address : {start, start + 0xfffffff0u})
      for (int count = 1; count <= 16; ++count) {
        for (int i = 0; i < 16; ++i) wanted[i] = i < count ? bytes[int(start) + i] : 0;
        four_words const found = bytes_from(low, high, address) & first_bytes(count);
        std::memcpy(got, &found, 16);
        CHECK(std::memcmp(got, wanted, 16) == 0);
      }
  return failures() != 0;
}

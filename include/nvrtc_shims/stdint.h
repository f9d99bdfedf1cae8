// <stdint.h> for NVRTC.
#pragma once
#include "cstdint"

using std::int8_t, std::int16_t, std::int32_t, std::int64_t;
using std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t;

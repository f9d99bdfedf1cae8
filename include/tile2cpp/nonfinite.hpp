// nonfinite.hpp: INFINITY and NAN, as <math.h> has them, where no such header is included (NVRTC has none).
#pragma once

#ifndef INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000u)
#endif

#ifndef NAN
#define NAN __builtin_bit_cast(float, 0x7fc00000u)
#endif

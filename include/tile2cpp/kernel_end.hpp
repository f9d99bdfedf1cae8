// kernel_end.hpp: see kernel_begin.hpp.
#ifndef __CUDACC_TILE__
#pragma pop_macro("__tile__")
#pragma pop_macro("__tile_global__")
#ifdef T2C_GPU
#pragma pop_macro("printf")
#pragma nv_diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
#endif

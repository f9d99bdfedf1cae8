// launcher.hpp: what the generated launchers (`tile2cpp translate --launcher`) begin with: whether a file holds their
// kernels, or only calls them.
//
// By itself a launcher is defined in the file that includes it, for that file alone. In a program of several files,
// T2C_DECLARE_LAUNCHERS leaves a declaration (add T2C_CUDA where a plain compiler calls what nvcc compiled), and
// T2C_DEFINE_LAUNCHERS, in one file, the function that all of them call.
#pragma once

#if defined(T2C_DEFINE_LAUNCHERS)
#define T2C_LAUNCHER
#define T2C_HAS_KERNELS
#elif defined(T2C_DECLARE_LAUNCHERS)
#define T2C_LAUNCHER
#else
#define T2C_LAUNCHER static inline
#define T2C_HAS_KERNELS
#endif

// The threads of a GPU are laid out when the library is compiled; other compilers do that by themselves.
#if defined(__CUDACC__) && !defined(__CUDACC_TILE__) && defined(T2C_HAS_KERNELS)
#define T2C_WANTS_SCHEDULE
#endif

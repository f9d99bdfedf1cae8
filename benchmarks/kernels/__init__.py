"""The kernels that are measured, written as a user would; no other module of the benchmarks knows their insides."""

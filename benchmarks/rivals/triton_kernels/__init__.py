"""Kernels in Triton; importing one of these modules needs Triton."""

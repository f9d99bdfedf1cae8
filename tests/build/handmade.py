"""An emitted file written by hand: the build is tested without the translator."""

from tile2cpp import dtypes
from tile2cpp.emitted import Emitted, Parameter, Schedule

TEXT = """\
// scaled_add.cu: z = x + s * y
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void scaled_add(
    float const* __restrict__ x_ptr, int x_shape0,
    float const* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ z_ptr, int z_shape0,
    float s) {
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto z = ct::tensor_span{z_ptr, ct::extents{z_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{128_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{128_ic}};
  auto z_tiles = ct::partition_view{z, ct::shape{128_ic}};

  int i = ct::bid().x;
  z_tiles.store_masked(x_tiles.load_masked(i) + y_tiles.load_masked(i) * s, i);
}
"""


def array(name, argument, element, const):
    return (
        Parameter(f"{name}_ptr", f"{element}{' const' if const else ''}*", "pointer", argument, dtypes.float32),
        Parameter(f"{name}_shape0", "int", "extent", argument, dtypes.int32),
    )


def vector_add(text=TEXT, element="float", **schedule):
    """z = x + s * y; `element` is the C++ type of all elements and of s."""
    text = text.replace("float", element)
    arrays = (*array("x", 0, element, True), *array("y", 1, element, True), *array("z", 2, element, False))
    scalar = Parameter("s", element, "scalar", 3, dtypes.float32)
    return Emitted("scaled_add", "scaled_add.cu", text, (*arrays, scalar), Schedule(**schedule), "x: f32[?], y: f32[?], z: f32[?], s: f32")

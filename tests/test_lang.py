"""The names a user meets, and `cuda.tile` standing for them."""

import copy
import inspect
import pickle
import subprocess
import sys
from types import ModuleType

import pytest

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp.install import standing_for_cuda_tile

PUBLIC = """
    function Constant ByTarget Array Tile Scalar TiledView DType PaddingMode RoundingMode MemoryOrder MemoryScope
    bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 tfloat32 float8_e4m3fn float8_e5m2
    bid num_blocks num_tiles cdiv assume_divisible_by full zeros ones arange load store gather scatter
    atomic_add atomic_xchg atomic_cas atomic_max atomic_min atomic_and atomic_or atomic_xor
    reshape expand_dims broadcast_to permute transpose cat extract
    add sub mul truediv floordiv mod pow atan2 minimum maximum negative abs
    exp exp2 log log2 sqrt rsqrt sin cos tan sinh cosh tanh floor ceil isnan
    greater greater_equal less less_equal equal not_equal where
    bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_lshift bitwise_rshift astype bitcast
    sum prod max min argmax argmin cumsum cumprod mma matmul
    TileError TileSyntaxError TileTypeError TileValueError TileRecursionError TileStaticEvalError StaticException
    TileStaticAssertionError TileUnsupportedFeatureError TileCompilerExecutionError TileCompilerTimeoutError TileInternalError
""".split()


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there(name):
    assert name in ct.__all__
    assert getattr(ct, name) is not None


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        ct.lod
    with pytest.raises(AttributeError, match="no attribute 'jitt'"):
        tile2cpp.jitt


def test_constant_annotations():
    alias = ct.Constant[int]
    assert ct.is_constant(alias) and ct.is_constant(ct.Constant) and ct.is_constant(ct.Constant[tuple[int, float]])
    assert not ct.is_constant(int) and not ct.is_constant(inspect.Parameter.empty)


def test_by_target():
    hint = ct.ByTarget(default=2, sm_100=4)
    assert (hint.value_for(90), hint.value_for(100), hint.value_for(None)) == (2, 4, 2)
    assert ct.ByTarget(sm_90=1).value_for(80) is None
    assert repr(hint) == "ByTarget(default=2, sm_100=4)" and hint == ct.ByTarget(default=2, sm_100=4)
    with pytest.raises(ValueError, match="sm_100"):
        ct.ByTarget(ampere=1)


@ct.function
def tile_code(x):
    return x + 1


@ct.function(host=True)
def both_worlds(x):
    """Adds one."""
    return x + 1


def test_functions_on_the_host():
    assert both_worlds(1) == 2 and both_worlds.__doc__ == "Adds one."
    with pytest.raises(RuntimeError, match="tile code"):
        tile_code(1)
    assert pickle.loads(pickle.dumps(both_worlds)) is both_worlds
    assert pickle.loads(pickle.dumps(ct.load)) is ct.load


def test_ops_and_dtypes_on_the_host():
    assert ct.cdiv(10, 4) == 3
    with pytest.raises(RuntimeError, match="ct.load is only available inside a kernel"):
        ct.load(None, 0, 4)
    with pytest.raises(RuntimeError, match=r"ct.int8\(...\) is only available inside a kernel"):
        ct.int8(3)
    assert ct.load.__doc__.startswith("Load the tile")


def test_errors_have_one_base():
    assert issubclass(ct.TileTypeError, ct.TileError) and issubclass(ct.TileError, tile2cpp.Tile2cppError)
    assert tile2cpp.Tile2cppError is ct.Tile2cppError


# --- import -------------------------------------------------------------------------


def in_new_python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_is_cheap():
    heavy = "numpy libcst jinja2 cupy rich click subprocess".split()
    assert in_new_python(f"import tile2cpp, sys; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_public_names_stay_functions_when_submodules_are_loaded():
    code = "import tile2cpp, importlib, types, pkgutil\n"
    code += "for m in ('errors', 'install', 'translate', 'jit', 'launch'):\n"
    code += "    if importlib.util.find_spec('tile2cpp.' + m): importlib.import_module('tile2cpp.' + m)\n"
    code += "print([n for n in tile2cpp.__all__ if isinstance(getattr(tile2cpp, n), types.ModuleType)])"
    assert in_new_python(code) == "[]"


IMPORTS = "import cuda.tile\nimport cuda.tile as a\nfrom cuda import tile as b\nfrom cuda.tile import load\nimport tile2cpp.lang as ct\n"
IMPORTS += "import cuda.tile.tune, cuda.tile_experimental as e; from cuda.tile._exception import TileTypeError, TypeCheckingError; from cuda.tile import _datatype\n"
IMPORTS += "from cuda.tile._execution import kernel, TileDispatcher; from cuda.tile._cext import default_tile_context, launch\n"
IMPORTS += "assert TileTypeError is TypeCheckingError is ct.TileTypeError and _datatype.float16 is ct.float16 and e.autotune_launch\n"
IMPORTS += "assert kernel is TileDispatcher is ct.kernel and launch is ct.launch and not hasattr(_datatype, 'load_all')\n"
IMPORTS += "default_tile_context.config.compiler_timeout_sec = 5; assert default_tile_context.config.compiler_timeout_sec == 5\n"
IMPORTS += "from cuda.tile._bytecode.version import BytecodeVersion as V; from cuda.tile._bytecode import BytecodeVersion; from cuda.tile._compile import get_sm_arch, _SUPPORTED_VERSIONS, _get_max_supported_bytecode_version as newest\n"
IMPORTS += "assert V is BytecodeVersion and V.V_13_3 < V.V_13_4 == newest('') and (V.V_13_4.major(), V.V_13_4.minor()) == (13, 4) and V.V_13_1 in _SUPPORTED_VERSIONS\n"
IMPORTS += "from cuda.tile._ir.typing_support import to_dtype; from cuda.tile._ir.cast_ops import _is_implicit_cast_ok as implicit; from cuda.tile._datatype import is_numeric, is_foreign_pointer_dtype\n"
IMPORTS += "import numpy; assert to_dtype(numpy.int8) is ct.int8 and implicit(ct.int8, ct.int32) and not implicit(ct.int32, ct.int8) and not is_numeric(ct.foreign_pointer_dtype(ct.int8)) and not is_foreign_pointer_dtype(ct.int8)\n"
IMPORTS += "from cuda.tile._cext import CallingConvention, cconv_v3_enabled; assert CallingConvention is cuda.tile.compilation.CallingConvention and not cconv_v3_enabled()\n"
IMPORTS += "from cuda.tile._compile import _bytecode_to_mlir_text\ntry: _bytecode_to_mlir_text(b'')\nexcept ct.TileUnsupportedFeatureError as e: assert 'writes CUDA Tile C++' in str(e)\nelse: raise AssertionError\n"
IMPORTS += "assert cuda.tile is a is b is ct and load is ct.load\n"
IMPORTS += "import cuda.tile._ir.typing_support as typing; assert cuda.tile._ir.typing_support is typing and typing.to_dtype(bool) is ct.bool_ and V.V_13_3.as_string() == '13.3'\n"


def test_install_where_there_is_no_cuda_package():
    print(in_new_python(f"import sys; sys.path[:] = [p for p in sys.path if 'cuda' not in p]\nimport tile2cpp; tile2cpp.install_as_cuda_tile()\n{IMPORTS}"))


@pytest.mark.parametrize("regular", [True, False])
def test_install_beside_a_real_cuda_package(tmp_path, regular):
    (tmp_path / "cuda" / "tile").mkdir(parents=True)
    (tmp_path / "cuda" / "tile" / "__init__.py").write_text("real = True\n")
    (tmp_path / "cuda" / "other.py").write_text("value = 7\n")
    if regular:
        (tmp_path / "cuda" / "__init__.py").write_text("")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport cuda.tile; assert cuda.tile.real\n"
    code += f"import tile2cpp; tile2cpp.install_as_cuda_tile()\n{IMPORTS}import cuda.other; assert cuda.other.value == 7\n"
    in_new_python(code)


def test_what_private_modules_answer():
    from tile2cpp.standins import MODULES

    dtypes, casts, compiler = MODULES["_datatype"], MODULES["_ir.cast_ops"], MODULES["_compile"]
    for source, target, fits in (("bool_", "int8", True), ("int8", "int16", True), ("int16", "int8", False), ("uint8", "float16", True), ("float16", "bfloat16", False), ("int32", "float8_e5m2", False)):
        assert casts._is_implicit_cast_ok(getattr(ct, source), getattr(ct, target)) is fits
    assert dtypes.is_signed(ct.float32) and not dtypes.is_signed(ct.bool_) and dtypes.is_float(ct.tfloat32) and not dtypes.is_unrestricted_float(ct.tfloat32)
    assert dtypes.promote_dtypes(ct.uint32, ct.float16) is ct.float16
    with pytest.raises(ct.TileTypeError):
        dtypes.promote_dtypes(ct.uint32, ct.int32)
    assert compiler.format_sm_arch(9, 0) == "sm_90" and compiler.CompilerOptions.__dataclass_fields__["opt_level"].default == 3
    with pytest.raises(AttributeError):
        compiler.nothing_of_the_kind


def marked(x, n: int):
    ct.store(x, (ct.assume_divisible_by(n, 24),), 0)


def test_kernels_compiled_for_described_arguments():
    from tile2cpp.standins import MODULES

    described = ct.compilation.ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=[], may_alias_internally=False, stride_constant=(1,))
    signature = ct.compilation.KernelSignature((described, ct.compilation.ScalarConstraint(ct.int32)), ct.compilation.CallingConvention.from_code("t2"))
    assert signature.calling_convention.version == 2 and signature.calling_convention.code == "t2"
    assert "ct::assume_divisible<8>(n)" in MODULES["_compile"].compile_tile(marked, [signature]).sources[0]
    with pytest.raises(ct.TileUnsupportedFeatureError, match="Tile IR"):
        MODULES["_compile"].compile_tile(marked, [signature], return_final_ir=True)


def test_dtypes_are_themselves_when_copied():
    assert ct.bool_.__name__ == "bool_" and type(ct.bool_).__name__ == "DType"
    for dtype in (ct.float16, ct.bool_, ct.float4_e2m1fn, ct.foreign_pointer_dtype(ct.int32)):
        assert pickle.loads(pickle.dumps(dtype)) is dtype is copy.deepcopy(dtype)


def test_standing_for_a_while():
    before = {name: sys.modules.get(name) for name in ("cuda", "cuda.tile", "cuda.tile._stub", "cuda.tile_experimental")}
    with standing_for_cuda_tile():
        import cuda.tile

        assert cuda.tile is ct and sys.modules["cuda.tile._stub"].load is ct.load
    assert {name: sys.modules.get(name) for name in before} == before or isinstance(sys.modules.get("cuda"), ModuleType)
    assert sys.modules.get("cuda.tile") is before["cuda.tile"]

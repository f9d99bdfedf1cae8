"""Compile CUDA text with the NVRTC wheel: `compile_cubin(text)`, or by hand `python nvrtc_compile.py FILE...` for times."""

import ctypes
import sys
import time
from pathlib import Path

INCLUDE = Path(__file__).parents[2] / "include"
OPTIONS = ("-std=c++20", "-default-device", "--minimal", "-diag-suppress=177,550")


class CompileError(Exception):
    """What NVRTC printed about a text it refused."""


def find_library() -> Path:
    """The newest libnvrtc among the installed NVIDIA wheels."""
    import nvidia

    found = [p for root in nvidia.__path__ for p in Path(root).glob("*/lib/libnvrtc.so.*") if "alt" not in p.name]
    if not found:
        raise FileNotFoundError("no libnvrtc in the nvidia wheels")
    return max(found, key=lambda path: path.name)


def headers() -> dict[str, str]:
    """The library as in-memory headers, by the names that includes use."""
    files = [INCLUDE / "cuda_tile.h", *sorted((INCLUDE / "tile2cpp").rglob("*.hpp"))]
    shims = sorted((INCLUDE / "device_shims").glob("*.h"))
    named = {str(path.relative_to(INCLUDE)): path.read_text() for path in files}
    return named | {path.name: path.read_text() for path in shims}


def compile_cubin(text: str, arch: str = "sm_90", options: tuple[str, ...] = ()) -> bytes:
    """The cubin of `text`, or CompileError with the log."""
    library = find_library()
    for builtins in library.parent.glob("libnvrtc-builtins.so.*"):
        if "alt" not in builtins.name:
            ctypes.CDLL(str(builtins))  # NVRTC looks it up by name, so it has to be loaded already
    rtc = ctypes.CDLL(str(library))
    named = headers()
    program = ctypes.c_void_p()
    strings = lambda items: (ctypes.c_char_p * len(items))(*[item.encode() for item in items])
    rtc.nvrtcCreateProgram(
        ctypes.byref(program), text.encode(), b"kernel.cu", len(named), strings(list(named.values())), strings(list(named))
    )
    flags = [*OPTIONS, f"-arch={arch}", *options]
    failed = rtc.nvrtcCompileProgram(program, len(flags), strings(flags))
    size = ctypes.c_size_t()
    rtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    rtc.nvrtcGetProgramLog(program, log)
    if failed:
        raise CompileError(log.value.decode())
    rtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    rtc.nvrtcGetCUBIN(program, cubin)
    rtc.nvrtcDestroyProgram(ctypes.byref(program))
    return cubin.raw


if __name__ == "__main__":
    for name in sys.argv[1:]:
        start = time.process_time()
        size = len(compile_cubin(Path(name).read_text()))
        print(f"{name}  {time.process_time() - start:.3f} s  {size} bytes")

"""What translation hands to the build: the reviewed file and how its kernel is called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tile2cpp.dtypes import DType
from tile2cpp.types import Array

WARP = 32  # threads
FEEDING_THREADS = 128  # one warp feeds; but each quarter of a multiprocessor has registers of its own, and only whole warpgroups can pass them on
FEEDER_REGISTERS = 40  # addresses and loops
FULL_THREADS = 1536  # of a multiprocessor; those of some generations hold 2048
REGISTERS, MOST_ASKED_REGISTERS = 65536, 240  # of a multiprocessor; of a thread that asked for more
SWIZZLED_BYTES = 128  # of a row in shared memory, at most
SCRATCH_BYTES = 16 * 1024  # in which tiles move between threads, where rings take most of the shared memory


@dataclass(frozen=True)
class Parameter:
    """One C++ parameter of the kernel.

    `role` is "pointer", "extent", "stride" or "scalar"; for a list of arrays "pointers",
    "extents" and "strides", which are tables, and "length". `argument` is the position of
    the Python argument it comes from, `path` the way from there through tuples, `axis` the
    dimension of an extent or stride. `cpp` is the type's spelling, such as `float const*`.
    """

    name: str
    cpp: str
    role: str
    argument: int
    dtype: DType
    axis: int = 0
    path: tuple[int, ...] = ()

    @property
    def is_memory(self) -> bool:
        """Whether it is the address of something."""
        return self.role in ("pointer", "pointers", "extents", "strides")


@dataclass(frozen=True)
class Factor:
    """The form of a factor of products: `lines` rows of the left one or columns of the right one, `depth` elements of
    `size` bytes along the summed axis. `turned`: rows in memory run across the summed axis."""

    lines: int
    depth: int
    size: int
    turned: bool

    @property
    def bytes(self) -> int:
        return self.lines * self.depth * self.size


@dataclass(frozen=True)
class Ring:
    """Stages in shared memory for the factors of a product that change from turn to turn; None for one that does not.

    `offset`: of the first stage, in bytes. `mapped`: the copy engine fills them, from descriptors of the arrays.
    """

    left: Factor | None
    right: Factor | None
    offset: int
    stages: int
    mapped: bool

    @property
    def bytes(self) -> int:
        """Of one stage."""
        return sum(f.bytes for f in (self.left, self.right) if f is not None)


@dataclass(frozen=True)
class Resident:
    """The place in shared memory of a left or right factor ("a" or "b") that stays."""

    role: str
    factor: Factor
    offset: int


@dataclass(frozen=True)
class TensorMap:
    """A descriptor of an array for the copy engine, which a launch passes to the kernel.

    `argument` and `path` say which argument it is of, `name` what the kernel calls it. The axes of the view are
    the array's in this `order`; boxes of `factor` have rows that follow each other along axis `row`, one
    below the other, and axis `column` is adjacent in memory. `part`: the axis of the array along which views are of parts of it
    that are only known in the kernel, and end where these end.
    """

    argument: int
    path: tuple[int, ...]
    name: str
    array: Array
    order: tuple[int, ...]
    row: int
    column: int
    factor: Factor
    part: int | None = None

    @property
    def box(self) -> tuple[int, int]:
        """Elements of a row and rows of a box: what is copied at a time."""
        rows, columns = (self.factor.depth, self.factor.lines) if self.factor.turned else (self.factor.lines, self.factor.depth)
        return min(columns, SWIZZLED_BYTES // self.factor.size), rows


@dataclass(frozen=True)
class Schedule:
    """How a kernel is run, never what it computes.

    `threads` per block, `vector` elements side by side in one thread, `column_threads`
    of the threads along the last axis; `ordered`: the block's stores and loads need
    barriers to appear in program order; `blocks` per multiprocessor to aim for (0: free);
    `product`: tiles lie as tensor cores hold them, so four `column_threads` mean one warp;
    `shared` bytes of dynamic shared memory, in which loads run ahead of the products;
    `rings` and `residents`: how it is divided where whole warpgroups multiply; `maps`: the
    descriptors that the kernel wants beside its parameters; `fixed_loads`: no variable that
    was loaded takes another value; `feeder`: the function that one more warp runs to
    fill the rings, if it is not the products that do so; `walks`: a launch has no more blocks than
    fit the GPU at once, and each runs many blocks of the grid; `wide`: results leave in rows of whole lines of memory; `ahead`: lines of the file with products
    that are complete before anyone asks for their elements; `written_zeros`: lines with sums that are read before a product adds to them;
    `packs_early`: narrow factors of turned loops are packed before the next product begins; `opt_level`: how hard the machine code is optimised, from 0 to 3;
    `scratch` bytes of shared memory in which tiles move between threads, in parts if need be; `turned`: warpgroups compute
    results with rows and columns swapped; `flat`: results have too few rows for warpgroups, so single warps multiply what the
    feeder fetches; `keeps_sums`: sums may be asked for after another product began with them, or never;
    `parked`: lines of the file whose loaded tiles wait in the shared memory, which they share equally;
    `reads_ahead`: a product reads the first fragments of the next one, which stay in registers in between;
    `rows`: a launch may have as many blocks along axis 0 as an axis of an array has pieces: its name, the axis, and elements of a piece;
    `stores_meet`: only stores need barriers, to arrays that nobody loads; `early`: products may fetch ahead although the kernel is `ordered`;
    `lets_begin`: the next kernel may begin when all blocks have begun;
    `unasked`: nobody uses what atomic operations give, so that a block never knows what others have done; `tells`: they may wait for what it has done.
    """

    threads: int = 128
    vector: int = 4
    column_threads: int = 32
    ordered: bool = True
    blocks: int = 0
    product: bool = False
    shared: int = 0
    rings: tuple[Ring, ...] = ()
    residents: tuple[Resident, ...] = ()
    maps: tuple[TensorMap, ...] = ()
    fixed_loads: bool = False
    feeder: str = ""
    walks: bool = False
    wide: bool = False
    ahead: tuple = ()
    written_zeros: tuple = ()
    packs_early: bool = False
    opt_level: int = 3
    scratch: int = 32 * 1024
    turned: bool = False
    flat: bool = False
    keeps_sums: bool = False
    parked: tuple = ()
    reads_ahead: bool = False
    rows: tuple = ()
    stores_meet: bool = False
    early: bool = False
    lets_begin: bool = False
    unasked: bool = False
    tells: bool = False

    @property
    def launched_threads(self) -> int:
        """Of a block, with those that feed the others."""
        return self.threads + (FEEDING_THREADS if self.feeder else 0)

    @property
    def first_registers(self) -> int:
        """Registers with which each thread of a block begins: in steps of eight."""
        return REGISTERS // max(1, self.blocks) // self.launched_threads // 8 * 8

    @property
    def product_registers(self) -> int:
        """Registers of a thread that multiplies: all that those who feed leave, in steps of eight. A block
        has no more than it began with: threads that ask for more would wait for ever."""
        left = self.first_registers * self.launched_threads - FEEDING_THREADS * FEEDER_REGISTERS
        return min(MOST_ASKED_REGISTERS, left // self.threads // 8 * 8)

    @property
    def is_full(self) -> bool:
        """Whether a multiprocessor is to run as many threads as it can hold: a limit to registers that kernels do not have by themselves."""
        return self.threads * self.blocks >= FULL_THREADS

    @property
    def least_blocks(self) -> int:
        """The blocks that the compiler must leave room for. One means: no more than that. Left to itself, ptxas may spill for more."""
        return self.blocks or int(self.product)


class CellContents:
    """A closure cell as a mapping, for `Watched`."""

    def __init__(self, cell):
        self.cell = cell

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return default


@dataclass(frozen=True)
class Watched:
    """A global, closure cell or attribute that translation read; a change makes the result stale."""

    mapping: Any
    key: Any
    value: Any

    def is_fresh(self) -> bool:
        return self.mapping.get(self.key, Watched) is self.value


@dataclass(frozen=True)
class Emitted:
    """A translated kernel: the reviewed file's name and text, its entry point and parameters."""

    name: str
    file_name: str
    text: str
    parameters: tuple[Parameter, ...]
    schedule: Schedule
    signature: str
    watched: tuple[Watched, ...] = field(default=(), repr=False)  # it names all globals of a module
    assumed: tuple[str, ...] = ()

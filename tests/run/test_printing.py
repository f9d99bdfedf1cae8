"""What `print` and `ct.printf` write, as Python would: tiles as nested lists, strings in tuples in quotes, dataclasses as they show themselves."""

import ctypes
import dataclasses
import enum

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.build import host


class Color(enum.Enum):
    GREEN = 1


@dataclasses.dataclass(frozen=True)
class Shown:
    x: object
    hidden: object = dataclasses.field(repr=False)
    name: object = "it's"


@dataclasses.dataclass(frozen=True)
class Spoken:
    x: object

    def __str__(self):
        return f"{{{self.x}}}"


@dataclasses.dataclass(frozen=True, repr=False)
class Silent:
    x: object

    def __repr__(self):
        return f"~{self.x}"


@dataclasses.dataclass(frozen=True, repr=False)
class Nameless:
    x: object


@ct.kernel
def tiles(x, y):
    b = ct.bid(0)
    t = ct.load(x, (b,), (4,))
    ct.printf("printf%%[%d]: %d\n", b, t)
    print("square:", t.reshape((2, 2)), sep="")
    text = f"{ct.load(y, (0,), (2,)):6.2f}"
    ct.print(f"<{text}> {ct.sum(t)}")
    print(x.shape, (t, "a"), ct.float16, Color.GREEN, (b,), ())


@ct.kernel
def texts(x):
    b = ct.bid(0)
    print(("foo", "'''foo'''", "\"foo'", f"'{b}'", f"\"'{b}", f"{b}%d"))
    print(Shown(b, b), (Spoken(b), Silent(b)), Spoken(b), Nameless(b))
    print(f"{Shown(1, 2)}", str(Spoken(b)), end="")


PRINTED = {
    tiles: """\
printf%[0]: [0, 1, 2, 3]
square:[[0, 1], [2, 3]]
<[  0.50,   1.50]> 6
(4,) ([0, 1, 2, 3], 'a') float16 Color.GREEN (0,) ()
""",
    texts: """\
('foo', "'''foo'''", '"foo\\'', "'0'", '"\\'0', '0%d')
Shown(x=0, name="it's") (Spoken(x=0), ~0) {0} <Nameless object>
Shown(x=1, name="it's") {0}""",
}


@pytest.mark.skipif(not host.find(), reason="no C++ compiler")
@pytest.mark.parametrize("kernel", PRINTED, ids=lambda kernel: kernel.__name__)
def test_printed(kernel, capfd):
    args = (np.arange(4, dtype=np.int32), np.array([0.5, 1.5], np.float32))[: len(kernel.names)]
    ct.launch(0, (1,), kernel, args, backend="host")
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == PRINTED[kernel]

"""The emulator itself, by small programs in PTX."""

import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))

from emulator import Deadlock, EmulationError, Policy, Program  # noqa: E402
from emulator.memory import Global  # noqa: E402
from emulator.products import places  # noqa: E402

HEAD = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry main(.param .u64 out) .maxntid {threads}, 1, 1
{{
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
.shared .align 8 .b8 room[256];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
mov.u32 %r9, room;
"""


def run(body, threads=32, seed=0, apart=0.0):
    """What `body` leaves in %r2 of each thread."""
    program = Program(HEAD.format(threads=threads) + body + "\nst.global.u32 [%rd3], %r2;\nret;\n}\n")
    arrays = Global()
    region = arrays.allocate("out", 4 * threads)
    program.run([region.base.to_bytes(8, "little")], arrays, (1, 1, 1), threads, Policy(seed, apart=apart))
    return region.bytes[: 4 * threads].view(np.int32)


LANE = np.arange(32)
PROGRAMS = {
    "bits": ("shl.b32 %r3, %r1, 3; bfi.b32 %r4, %r1, %r3, 16, 8; prmt.b32 %r2, %r4, %r1, 0x1032;", (LANE << 3) | (LANE << 16), lambda x: x << 16 & 0xFFFF0000 | x >> 16),
    "shifts past the end": ("shl.b32 %r3, %r1, 32; mov.b32 %r4, -8; shr.s32 %r5, %r4, 40; add.s32 %r2, %r3, %r5;", -np.ones(32), None),
    "division": ("sub.s32 %r3, %r1, 16; div.s32 %r2, %r3, 3;", np.trunc((LANE - 16) / 3), None),
    "floats": ("cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f2, %f1, 0f3F000000, 0f3F800000; cvt.rzi.s32.f32 %r2, %f2;", LANE // 2 + 1, None),
    "halves": ("cvt.rn.f16.u32 %h1, %r1; mov.b32 %r3, {%h1, %h1}; fma.rn.f16x2 %r4, %r3, %r3, %r3; mov.b32 {%h2, %h3}, %r4; cvt.rzi.s32.f16 %r2, %h3;", LANE * LANE + LANE, None),
    "a select": ("setp.lt.s32 %p1, %r1, 7; selp.b32 %r2, 5, %r1, %p1;", np.where(LANE < 7, 5, LANE), None),
    "a guard": ("mov.b32 %r2, 1; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; @!%p1 mov.b32 %r2, %r1;", np.where(LANE % 2, LANE, 1), None),
    "lanes that loop": ("mov.b32 %r2, 0; $L: add.s32 %r2, %r2, 2; setp.lt.s32 %p1, %r2, %r1; @%p1 bra $L;", np.maximum(2, LANE + LANE % 2), None),
    "two ways": ("setp.lt.s32 %p1, %r1, 9; @%p1 bra $A; mov.b32 %r2, 3; bra.uni $B; $A: mov.b32 %r2, 4; $B: shfl.sync.bfly.b32 %r2, %r2, 31, 31, -1;",
                 np.where(LANE > 31 - 9, 4, 3), None),
    "sums of a warp": ("mov.b32 %r2, %r1; shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1; add.s32 %r2, %r2, %r3;", LANE + (LANE ^ 1), None),
    "one lane": ("{ .reg .pred leads; mov.b32 %r2, 0; elect.sync _|leads, 0xffffffff; @leads mov.b32 %r2, 7; }", np.where(LANE == 0, 7, 0), None),
    "scopes": ("{ .reg .b32 %r1; mov.b32 %r1, 50; again: add.s32 %r1, %r1, 1; } { again: mov.b32 %r2, %r1; }", LANE, None),
    "votes": ("setp.gt.u32 %p1, %r1, 29; vote.sync.ballot.b32 %r2, %p1, -1;", np.full(32, -(1 << 30)), None),
    "shared memory": ("shl.b32 %r3, %r1, 2; add.s32 %r4, %r9, %r3; st.shared.u32 [%r4], %r1; xor.b32 %r3, %r3, 4; add.s32 %r4, %r9, %r3; bar.warp.sync -1; ld.shared.u32 %r2, [%r4];",
                      LANE ^ 1, None),
    "parts of words": ("st.shared.u32 [%r9], -2; ld.shared.s8 %r3, [%r9]; ld.shared.u16 %r4, [%r9+2]; add.s32 %r2, %r3, %r4;", np.full(32, 65533), None),
    "atomics": ("st.shared.u32 [%r9], 0; bar.warp.sync -1; atom.shared.add.u32 %r2, [%r9], 2;", 2 * LANE, None),
}  # fmt: skip


@pytest.mark.parametrize("apart", [0.0, 0.5])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, apart):
    body, want, after = PROGRAMS[name]
    np.testing.assert_array_equal(run(body, apart=apart), (after(want) if after else want).astype(np.int64).astype(np.int32))


def test_blocks_meet():
    """Warps exchange values through shared memory; without the barrier some order shows old ones."""
    body = "shr.u32 %r3, %r1, 5; and.b32 %r4, %r1, 31; st.shared.u32 [%r9], 0; bar.sync 0; setp.eq.u32 %p1, %r1, 33; @%p1 st.shared.u32 [%r9], 9; BAR ld.shared.u32 %r2, [%r9];"
    for seed in range(8):
        assert (run(body.replace("BAR", "bar.sync 0;"), 96, seed) == 9).all()
    assert not all((run(body.replace("BAR", ""), 96, seed) == 9).all() for seed in range(8))


PHASES = """
setp.ne.u32 %p1, %r1, 0;
@%p1 bra $READY;
mbarrier.init.shared::cta.b64 [%r9], {count};
$READY: bar.sync 0;
setp.lt.u32 %p2, %r1, 32;
@%p2 bra $WAIT;
setp.ne.u32 %p3, %r1, 32;
@%p3 bra $END;
st.shared.u32 [%r9+8], 77;
mbarrier.arrive.shared::cta.b64 _, [%r9];
bra.uni $END;
$WAIT:
{{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%r9], 0; @!done bra again; }}
ld.shared.u32 %r2, [%r9+8];
$END:
"""


def test_barriers_in_shared_memory():
    for seed in range(4):
        assert (run(PHASES.format(count=1), 64, seed)[:32] == 77).all()
    with pytest.raises(Deadlock, match=r"warp 0, lanes 0xffffffff.*waits for the end of a phase of parity 0 of room\+0 \(phase 0, 1 of 2 arrivals and 0 bytes missing\)"):
        run(PHASES.format(count=2), 64)


MISTAKES = {
    "out of bounds": ("add.s64 %rd3, %rd3, 4; st.global.u32 [%rd3], %r1;", "out of bounds: 128 of 128 bytes of out"),
    "not aligned": ("add.s64 %rd4, %rd1, 2; ld.global.u32 %r2, [%rd4];", "not aligned"),
    "nowhere": ("mov.b64 %rd4, 64; ld.global.u32 %r2, [%rd4];", "no global memory"),
    "a barrier that is none": ("mbarrier.arrive.shared::cta.b64 _, [%r9];", r"there is no barrier at room\+0"),
    "a lane that is not there": ("setp.gt.u32 %p1, %r1, 3; @%p1 bra $X; shfl.sync.idx.b32 %r2, %r1, 9, 31, 15; $X:", "a lane reads from one that is not there"),
    "an unknown instruction": ("tex.1d.v4.f32.s32 %r2, %r3;", "unknown instruction"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name):
    body, message = MISTAKES[name]
    with pytest.raises(EmulationError, match=message):
        run(body)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("width", [32, 64, 128])
def test_descriptors_lead_to_each_element_once(width, turned):
    """A factor of 64 lines by 64 halves, in blocks as wide as the swizzle: its steps cover it, in distinct banks."""
    rows, mode = 64, {128: 1, 64: 2, 32: 3}[width]
    upper = 8 * width // 16 | mode << 30
    seen = []
    for step in range(4):
        start = step * 16 * width if turned else step * 32 // width * rows * width + step * 32 % width
        lower = 4096 + start >> 4 | rows * width // 16 << 16
        where, _ = places(upper << 32 | lower, 0, 64, 16, 2, turned)
        seen.append(where)
        if not turned:
            assert len(set(where[:8, 0] * 2 % 128 // 16)) == 8
    found = np.concatenate(seen, 1)
    assert sorted(found.ravel()) == list(range((4096 - 1024) // 2, (4096 - 1024) // 2 + 64 * 64))


def test_arrays_may_begin_anywhere():
    """They keep their alignment, and what lies before the first element is out of bounds."""
    body = "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 2; add.s64 %rd3, %rd1, %rd2; cvt.u16.u32 %h1, %r1; st.global.u16 [%rd3], %h1; AND ret; }"
    head = HEAD.format(threads=32).split("ld.param")[0]
    for more, right in (("", True), ("ld.global.u16 %h2, [%rd1+-2];", False), ("ld.global.u32 %r2, [%rd1];", False)):
        arrays = Global()
        region = arrays.allocate("out", 64, like=6)
        address = region.base + region.first
        program = Program(head + body.replace("AND", more))
        parameters = [address.to_bytes(8, "little")]
        if right:
            program.run(parameters, arrays, (1, 1, 1), 32)
            np.testing.assert_array_equal(region.bytes[region.first : region.size].view(np.uint16), np.arange(32))
        else:
            with pytest.raises(EmulationError, match="out of bounds|not aligned"):
                program.run(parameters, arrays, (1, 1, 1), 32)

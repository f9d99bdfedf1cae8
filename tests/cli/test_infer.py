"""Signatures from use alone: the kernels of kernels/bare.py say theirs in their docstrings."""

from pathlib import Path

import pytest

from tile2cpp.errors import Tile2cppError
from tile2cpp.translate import kernels_of, translate

BARE = Path(__file__).parent / "kernels" / "bare.py"
KERNELS = kernels_of(BARE)


@pytest.mark.parametrize("name", KERNELS)
def test_signature_from_use(name):
    emitted = translate(BARE, kernel=name)
    assert emitted.signature == KERNELS[name].__wrapped__.__doc__


def test_what_was_assumed_is_in_the_file():
    emitted = translate(BARE, kernel="scale")
    assert emitted.assumed == ("x: f32[?]", "y: f32[?]", "factor: f32", "TILE=128")
    head = emitted.text.partition("#include")[0]
    assert "assumed" in head and "TILE=128" in head


def test_what_is_given_is_not_assumed():
    emitted = translate(BARE, "TILE=32, x: f16[?]", "scale")
    assert emitted.signature == "x: f16[?], y: f32[?], factor: f32, TILE=32"
    assert emitted.assumed == ("y: f32[?]", "factor: f32")


def test_a_whole_file():
    assert list(translate(BARE)) == list(KERNELS)


def test_signatures_for_some_of_the_kernels():
    done = translate(BARE, ["bits(x: u8[?], y: u8[?])", "views(x: f64[?,?], y: f64[?,?])"])
    assert done["bits"].signature == "x: u8[?], y: u8[?]"
    assert done["views"].signature == "x: f64[?,?], y: f64[?,?]"


@pytest.mark.parametrize(
    "signature, words",
    [
        ("x: f16[?]", ["13 kernels", "--kernel"]),
        ("nothing(x: f16[?])", ["`nothing`"]),
        ("scale(z: f16[?])", ["no parameter `z`", "`factor`"]),
        ("scale(x: f17[?])", ["unknown dtype `f17`", "^^^"]),
        (["bits(x: u8[?])", "bits(x: i8[?])"], ["two signatures for `bits`"]),
    ],
)
def test_signatures_that_do_not_fit(signature, words):
    with pytest.raises(Tile2cppError) as caught:
        translate(BARE, signature)
    for word in words:
        assert word in str(caught.value)


def test_annotations_for_64_bits(tmp_path):
    file = tmp_path / "wide.py"
    file.write_text(
        "import tile2cpp.lang as ct\n\n\n@ct.kernel\ndef wide(x: ct.IndexedWithInt64, n: ct.ScalarInt64, y: 'ct.Array'):\n"
        "    i = ct.bid(0)\n    if i < n:\n        ct.store(y, (i,), ct.load(x, (i,), (16,)))\n"
    )
    from tile2cpp.translate import translate

    assert "wide(x: f32[?]W, n: i64, y: f32[?])" in translate(file).text

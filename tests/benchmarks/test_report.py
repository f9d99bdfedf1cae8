"""The page and the pictures are those of the JSON files; `pytest --update-golden` writes them anew."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from benchmarks import catalogue, commandline, plots, report, results

DOCS = Path(__file__).parents[2] / "docs"
FILES = sorted(results.FOLDER.glob("*.json"))


def times(figure):
    return {"us": 10.0, "low": 9.9, "high": 10.1, "runs": 9, "figure": figure}


def run(date="2026-01-02T03:04:05+00:00", **entries):
    about = {"gpu": "A GPU", "driver": "1.2", "nvrtc": "13.0", "python": "3.12", "versions": {"torch": "2"}, "commit": "abc123", "quick": True}
    return {"date": date, **about, "entries": entries}


def entry(ours=100.0, **extra):
    facts = {"registers": 168, "shared_bytes": 1024, "stack_bytes": 0, "spill_stores": 8, "spill_loads": 4, "serialised": ["C7510"], "seconds": 0.5, "threads": 256}
    return {
        "title": "a product", "group": "products", "unit": "TFLOP/s", "bars": [{"of": "tile2cpp", "against": ["cuBLAS"], "least": 1.0, "most": None}],
        "rivals": {"tile2cpp": times(ours), "cuBLAS": times(99.0)}, "missing": {}, "wrong": {}, "spent": 1.0, "limit": 1e-3,
        "form": "128x256x64", "forms": {"128x256x64": {"kernels": {"product": facts}}}, **extra,
    }  # fmt: skip


def test_pages_are_fresh(golden):
    made = commandline.rendered(list(catalogue.works()))
    for file, text in made.items():
        golden(DOCS / file, text)
    stale = {path.name for path in DOCS.glob("benchmarks*.svg")} - set(made)
    assert not stale, "pictures that no result stands behind"


def test_machines_are_told_apart():
    here = run(product=entry()) | {"gpu_uuid": "GPU-1a2b3c4d-0000-0000-0000-000000000000"}
    lines = report.runs_of(results.newest([("a.json", here), ("b.json", run("2026-01-01T00:00:00+00:00", other=entry()))]).values())
    assert "| a.json | A GPU (1a2b3c4d) |" in "\n".join(lines) and "| b.json | A GPU |" in "\n".join(lines)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_results_have_the_format(path):
    found = json.loads(path.read_text(encoding="utf-8"))
    if "format" not in found:  # the first ones, of four benchmarks
        assert found["rows"]
        return
    assert results.problems(found) == []


def test_what_is_written_is_read(tmp_path):
    path = results.write(tmp_path, run(a=entry()))
    assert path.name == "2026-01-02T030405-A-GPU.json"
    ((name, found),) = results.read_all(tmp_path)
    assert name == path.name and results.problems(found) == []
    assert results.problems({}) and results.problems({"entries": {"a": {"rivals": {"x": {**times(1.0), "low": 11.0}}}}})


def test_the_newest_entry_counts():
    found = results.newest([("old.json", run(a=entry(90.0), b=entry(1.0))), ("new.json", run(a=entry(110.0)))])
    assert found["a"].file == "new.json" and found["a"].before["rivals"]["tile2cpp"]["figure"] == 90.0
    assert found["b"].file == "old.json"


def test_an_entry_beside_some_rivals_takes_the_place_of_no_other():
    partial = {**run(a=entry(110.0), c=entry(2.0)), "against": ["cuBLAS"]}
    found = results.newest([("old.json", run(a=entry(90.0))), ("new.json", partial)])
    assert found["a"].file == "old.json" and found["c"].file == "new.json"


def test_a_table_says_what_is_met_and_what_is_not():
    runs = [("r.json", run(a=entry(), b=entry(90.0), c={**entry(), "failed": "no | memory"}, d=entry(100.0, rivals={"tile2cpp": times(5.0)})))]
    text = report.page(runs, ["a", "b", "c", "d", "e"])
    assert "| a product | 100 TFLOP/s (128x256x64) ±1% |" not in text  # the form stands behind the unit
    assert "| a product | 100 ±1% TFLOP/s (128x256x64) | cuBLAS 99.0 ±1% | 1.01, 1.00x cuBLAS | 2026-01-02 abc123 |" in text
    assert "**0.91**, 1.00x cuBLAS" in text
    assert "failed: no \\| memory" in text
    assert "not measured, 1.00x cuBLAS" in text
    assert "| a product | product | 256 | 168 | 1024 | 12 | C7510 | 0.50 s |" in text
    assert "`e`" in text
    assert "Bars met: 2 of 3, and 1 not measured." in text


def test_pictures_are_svg():
    made = plots.pictures([("r.json", run(a=entry()))], ["a"])
    root = ElementTree.fromstring(made["benchmarks-products.svg"])
    bars = [float(r.get("width")) for r in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert bars == [plots.WIDTH, pytest.approx(plots.WIDTH * 0.99, abs=0.1)]


def test_screens():
    lines = commandline.lines(entry(90.0, missing={"cuTile": "not installed"}, wrong={"Triton": {"norm": 0.5, "largest": 2.0}}))
    assert lines[0] == "a product  (1.0 s)"
    assert "  bar: 0.91, 1.00x cuBLAS  NOT MET" in lines
    assert any(line.startswith("  WRONG: Triton: error 5.00e-01") for line in lines)
    assert any("168 registers" in line and "C7510" in line for line in lines)


def test_names_and_groups(capsys):
    quick, everything = catalogue.chosen([], True), catalogue.chosen([], False)
    assert {w.group for w in everything} == set(report.HEADINGS) == set(catalogue.groups())
    assert {w.group for w in quick} == set(report.HEADINGS) - {"others"}
    assert len(quick) < len(everything)
    assert {w.group for w in catalogue.chosen(["memory"], False)} == {"memory"}
    assert [w.name for w in catalogue.chosen(["product-f16-8192x8192x1024"], False)] == ["product-f16-8192x8192x1024"]
    with pytest.raises(SystemExit, match="no benchmark is called nothing"):
        catalogue.chosen(["nothing"], False)
    assert commandline.main(["--list", "--quick"]) == 0
    assert "warm-call " in capsys.readouterr().out

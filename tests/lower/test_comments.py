"""Comments belong to the statements that LibCST gives them to."""

import ast
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from tile2cpp.comments import comments_of

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("samples/*.py"), *ROOT.glob("tests/golden/cases/*.py"), *ROOT.glob("tests/run/programs/*.py"), *ROOT.glob("tile2cpp/**/*.py")])
STATEMENTS = (cst.SimpleStatementLine, cst.FunctionDef, cst.ClassDef, cst.If, cst.For, cst.While, cst.With, cst.Try)


class Owners(cst.CSTVisitor):
    """The comments above statements, and those at the end of blocks, by LibCST."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self):
        self.above, self.footer = {}, {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, STATEMENTS):
            first = node.decorators[0] if getattr(node, "decorators", None) else node
            self.keep(self.above, first, node.leading_lines)
        elif isinstance(node, cst.IndentedBlock) and node.body:
            self.keep(self.footer, node.body[-1], node.footer)
        return True

    def keep(self, where: dict, node: cst.CSTNode, lines) -> None:
        texts = tuple(line.comment.value for line in lines if line.comment)
        if texts:
            where[self.get_metadata(PositionProvider, node).start.line] = texts


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_owners_agree_with_libcst(path):
    """Ours has all of LibCST's, in order; it keeps some more: those inside calls and beside `else:`."""
    text = path.read_text(encoding="utf-8")
    expected = Owners()
    MetadataWrapper(cst.parse_module(text)).visit(expected)
    found = comments_of(text, ast.parse(text))
    for mine, theirs in ((found.above, expected.above), (found.footer, expected.footer)):
        for line, texts in theirs.items():
            assert mine.get(line, ())[: len(texts)] == texts


def test_nothing_is_lost():
    text = "if a:\n    b = (\n        # inside\n        1\n    )  # beside\n    # end\nelse:  # otherwise\n    c = 2\n# last\n"
    found = comments_of(text, ast.parse(text))
    assert found.above == {2: ("# inside",), 8: ("# otherwise",)}
    assert found.beside == {5: "# beside"}
    assert found.footer == {2: ("# end",), 1: ("# last",)}

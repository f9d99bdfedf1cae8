"""The command line: translate, run, ops, include-path, doctor, cache.

Quiet when all is well, one line per result. A user's mistake is one clear message on
standard error and exit status 1 (2 for wrong usage), never a traceback.
"""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import NoReturn

import click

from tile2cpp import settings
from tile2cpp.errors import Diagnostic, Tile2cppError

FIRST_MINUTE = """\
  tile2cpp translate samples/softmax.py --stdout     # a Python kernel as CUDA Tile C++
  tile2cpp run samples/softmax.py                    # runs it: on a GPU if there is one, else on the CPU
"""
BACKENDS = ("cuda", "host", "interpret")
LONGEST_CELL = 60  # a signature of many arrays would make every line of a list too long to read


class FirstMinute(click.Group):
    """A group whose help opens with lines to paste."""

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(FIRST_MINUTE + "\n")
        super().format_help(context, formatter)


def version() -> str:
    try:
        return importlib.metadata.version("tile2cpp")
    except importlib.metadata.PackageNotFoundError:
        return "in a checkout that is not installed"


@click.group(cls=FirstMinute, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(version(), prog_name="tile2cpp", message="%(prog)s %(version)s")
def commands() -> None:
    """Translate Python tile kernels into CUDA Tile C++, and run that very file."""


@commands.command(short_help="Kernels of a file as CUDA Tile C++")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), default=Path("."), help="Folder to write to (the current one).")
@click.option("--signature", "signatures", metavar="TEXT", multiple=True, help='Types and constants, such as "x: f16[?,?], n: i32, TILE=256"; what it leaves out is inferred.')
@click.option("--kernel", metavar="NAME", help="Translate only this kernel of the file.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the C++ instead of writing a file.")
@click.option("--launcher", "with_launcher", is_flag=True, help="Also write KERNEL.hpp, a function that starts the kernel from C++.")
@click.option("--target", metavar="sm_XX", help="The oldest GPU that the launcher is for (sm_80; sm_89 for 8-bit floats).")
def translate(file: Path, output: Path, signatures: tuple[str, ...], kernel: str | None, to_stdout: bool, with_launcher: bool, target: str | None) -> None:
    """Translate the kernels of a Python FILE to CUDA Tile C++, one file per kernel."""
    from tile2cpp.build.launcher import USUAL_TARGET, launcher
    from tile2cpp.emitted import Emitted
    from tile2cpp.launch.prepare import target_number
    from tile2cpp.translate import translate as translate_file

    if target is not None and not with_launcher:
        raise click.UsageError("--target is for --launcher: a kernel's own file is the same for all GPUs.")
    number = (target_number(target) if target else USUAL_TARGET) if with_launcher else None
    result = translate_file(file, list(signatures), kernel, target=number)
    emitted = [result] if isinstance(result, Emitted) else list(result.values())
    for item in emitted:
        if item.assumed:
            click.echo(f"{paint('note', 'cyan', sys.stderr)}: {item.name}: assumed {', '.join(item.assumed)} (--signature says otherwise)", err=True)
    files = [{item.file_name: item.text, **({f"{item.name}.hpp": launcher(item)} if with_launcher else {})} for item in emitted]
    if to_stdout:
        click.echo("\n".join(text for texts in files for text in texts.values()), nl=False)
    else:
        write({name: text for texts in files for name, text in texts.items()}, output)
        print_columns([(item.name, item.signature, " ".join(str(output / name) for name in texts)) for item, texts in zip(emitted, files)])


def write(files: dict[str, str], folder: Path) -> None:
    """Write texts by file name; a file that tile2cpp did not write is never replaced."""
    paths = [folder / name for name in files]
    for path in paths:
        if path.exists() and "written by tile2cpp" not in path.read_text(encoding="utf-8", errors="replace")[:400]:
            raise Tile2cppError(Diagnostic(f"{path} exists and was not written by tile2cpp", hints=("choose another folder with -o",)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, files.values()):
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Tile2cppError(f"cannot write {error.filename}: {error.strerror}") from None


@commands.command(short_help="Run a script in which cuda.tile means tile2cpp", context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
@click.option("--backend", type=click.Choice(BACKENDS), help="Where kernels run; without it the arrays decide.")
@click.argument("script", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[--backend ...] [ARGUMENTS]...")
def run(backend: str | None, script: Path, arguments: tuple[str, ...]) -> None:
    """Run a Python SCRIPT in which `import cuda.tile` means tile2cpp; ARGUMENTS are its own."""
    from tile2cpp.script import run_script

    if backend is None:
        backend, arguments = leading_backend(arguments)
    run_script(script, list(arguments), backend)


def leading_backend(arguments: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Take `--backend NAME` if it stands right after the script; all else belongs to the script."""
    if arguments and arguments[0] == "--backend" and len(arguments) > 1:
        name, rest = arguments[1], arguments[2:]
    elif arguments and arguments[0].startswith("--backend="):
        name, rest = arguments[0].partition("=")[2], arguments[1:]
    else:
        return None, arguments
    if name not in BACKENDS:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(BACKENDS)}.", param_hint="'--backend'")
    return name, rest


@commands.command(short_help="The operations of the language")
@click.argument("family", required=False)
def ops(family: str | None) -> None:
    """List the operations of the tile language, or those of one FAMILY."""
    from tile2cpp import catalogue

    families = catalogue.families()
    if family is not None and family not in families:
        raise Tile2cppError(Diagnostic(f"there is no family of operations called `{family}`", hints=(f"the families are {', '.join(families)}",)))
    for number, name in enumerate(families if family is None else [family]):
        click.echo("\n" if number else "", nl=False)
        print_columns([(row.name, row.call, row.spelling, row.summary) for row in catalogue.rows(name)])


@commands.command("include-path", short_help="Where the C++ library is")
@click.option("--cmake", is_flag=True, help="The folder for CMake's tile2cpp_DIR instead.")
@click.option("--cpu", is_flag=True, help="Also what stands in for CUDA's own headers on a machine without them.")
def include_path(cmake: bool, cpu: bool) -> None:
    """Print the folder of cuda_tile.h, for a compiler's -I; one folder a line."""
    from tile2cpp import resources

    click.echo(resources.cmake() if cmake else resources.include())
    if cpu and not cmake:
        click.echo(resources.include() / "host_shims")


@commands.command(short_help="What this machine can do")
def doctor() -> None:
    """Say what this machine can do: run on the host, on a GPU, check with NVIDIA's compiler."""
    from tile2cpp.doctor import findings

    print_columns(findings())


@commands.command(short_help="The compiled kernels")
@click.argument("action", type=click.Choice(["list", "path", "clear"]), default="list")
def cache(action: str) -> None:
    """Show where compiled kernels are kept (path), list them, or clear them."""
    from tile2cpp.build import cache as kernels
    from tile2cpp.doctor import counted, readable, short

    if action == "path":
        click.echo(settings.cache_folder())
    elif action == "clear":
        click.echo(f"removed {counted(kernels.clear(), 'kernel')}")
    else:
        entries = [(entry.facts, entry) for entry in kernels.entries()]
        print_columns([(f["name"], beginning(f["signature"]), f"{f['kind']} {f['target']}", readable(e.size), short(e.folder)) for f, e in entries])


def print_columns(rows: list[tuple[str, ...]]) -> None:
    """Rows with aligned columns, two spaces apart; the last column is as wide as it is."""
    if not rows:
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        click.echo("  ".join([*cells, row[-1]]).rstrip())


def beginning(text: str) -> str:
    """What fits into a column of a list; the whole stands in the file's head."""
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 3] + "..."


def paint(text: str, colour: str, stream) -> str:
    return click.style(text, fg=colour, bold=True) if settings.colour(stream) else text


def report(error: Tile2cppError) -> None:
    """A user's mistake, or several, on standard error."""
    for number, diagnostic in enumerate(error.diagnostics):
        text = str(diagnostic)
        heading, rest = text[: len("error")], text[len("error") :]
        click.echo(("\n" if number else "") + paint(heading, "red", sys.stderr) + rest, err=True, color=settings.colour(sys.stderr))


def main() -> NoReturn:
    """Run the command line on `sys.argv`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name may hold what the terminal cannot show
    try:
        commands(prog_name="tile2cpp")
    except Tile2cppError as error:
        report(error)
        sys.exit(1)
    sys.exit(0)


if __name__ == "__main__":
    main()

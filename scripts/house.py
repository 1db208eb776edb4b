"""The house as it stands, counted: which rooms import which, and what no room may hold. `make house` prints it.

The order of the rooms is written down here and nowhere else. A room may use those before it in `ROOMS`, never those behind it.
Each count below lists what should not be there: in order, it lists nothing.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PACKAGE = "kernelscribe"

# Files beside the rooms that any of them may use.
FOUNDATIONS = (
    "arrays", "config", "effort", "errors", "faces", "files", "folders", "leftovers", "links", "locking", "priors", "scales",
    "streams", "version",
)  # fmt: skip
# Lowest first. A module stands in the room whose name begins its own; the face is the package itself and its command.
ROOMS = (
    "foundations", "data", "datasets", "kernels", "noises", "codec", "engines", "statements", "fit", "events", "search",
    "outcome", "discovery", "model", "report", "summary", "api", "app", "web", "testing", "face",
)  # fmt: skip

# A function that does not fit on a screen, and a file that does not fit in a head.
LONGEST_FUNCTION = 60
LONGEST_FILE = 400
# Modules that search/state.py imports, at most: it decides, and needs little for that.
MOST_IMPORTS = 14


@dataclass(frozen=True, order=True)
class Finding:
    """Something that should not be there: where, and what it is."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@dataclass(frozen=True, order=True)
class Import:
    """One module of the package asks for another. `loads` is false where that waits for a call, or is for types alone."""

    importer: str
    imported: str
    line: int
    loads: bool


def room(module: str) -> str:
    """The room that a module of the package stands in.

    >>> room("kernelscribe.kernels.bases.se"), room("kernelscribe.files"), room("kernelscribe")
    ('kernels', 'foundations', 'face')
    """
    _, _, rest = module.partition(".")
    top = rest.split(".")[0]
    return "face" if top in ("", "__main__") else "foundations" if top in FOUNDATIONS else top


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the package by its dotted name."""
    files = sorted((SOURCE / PACKAGE).rglob("*.py"))
    return {".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports() -> tuple[Import, ...]:
    """Every import between modules of the package: also those inside functions, for types alone, and by a name in a text."""
    return tuple(sorted({each for module in modules() for each in _imports(module)}))


def _imports(module: str) -> Iterator[Import]:
    syntax = tree(modules()[module])
    idle = _idle(syntax)
    for node in ast.walk(syntax):
        for name in _asked(node):
            if name != module:
                yield Import(module, name, node.lineno, node not in idle and not isinstance(node, ast.Constant))


def _idle(syntax: ast.AST) -> set[ast.AST]:
    """All that loading the module does not run: functions, and what is for the checker of types."""
    bodies = (node for node in ast.walk(syntax) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or _for_types(node))
    return {inner for node in bodies for inner in ast.walk(node)}


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _asked(node: ast.AST) -> Iterator[str]:
    """The modules of the package that a piece of syntax names."""
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names if each.name in modules())
        case ast.ImportFrom(module=str(origin), names=names) if origin in modules():
            found = {f"{origin}.{each.name}" if f"{origin}.{each.name}" in modules() else origin for each in names}
            yield from found
        case ast.Constant(value=str(name)) if name in modules() and name != PACKAGE:
            yield name


def upward() -> Iterator[Finding]:
    """Imports of a room that stands above, and modules that stand in none."""
    lost = [module for module in modules() if room(module) not in ROOMS]
    yield from (
        Finding(_shown(modules()[module]), 1, f"{room(module)} has no place in ROOMS of scripts/house.py") for module in lost
    )
    for each in imports():
        if {each.importer, each.imported} & set(lost):
            continue
        low, high = room(each.importer), room(each.imported)
        if ROOMS.index(low) < ROOMS.index(high):
            yield Finding(_shown(modules()[each.importer]), each.line, f"{low} imports {each.imported}, of {high} above it")


def kernel_names() -> Iterator[Finding]:
    """Base kernels and operators by name outside their own files: in a text of the program, or by an import of the file. A word
    of a statement is a kernel as it is said, so that room may import them.

    A name of one letter means other things in most texts, and is not looked for.
    """
    from kernelscribe.kernels.bases import BASES  # noqa: PLC0415  (all other counts need no library)
    from kernelscribe.kernels.operators import OPERATORS  # noqa: PLC0415

    homes = (f"{PACKAGE}.kernels.bases", f"{PACKAGE}.kernels.operators")
    files = {type(each).__module__ for each in (*BASES.values(), *OPERATORS.values())}
    names = [name for name in (*BASES, *OPERATORS) if len(name) > 1]
    named = re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(names)})(?![A-Za-z_])")
    for module, path in modules().items():
        if not module.startswith(homes):
            yield from (Finding(_shown(path), n.lineno, repr(n.value)) for n in _texts(tree(path)) if named.search(n.value))
    for each in imports():
        if each.imported in files and not each.importer.startswith((*homes, f"{PACKAGE}.statements")):
            yield Finding(_shown(modules()[each.importer]), each.line, f"imports {each.imported}")
    for path in sorted(SOURCE.rglob("*.js")):
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        yield from (Finding(_shown(path), number, line.strip()) for number, line in lines if named.search(line))


def _texts(syntax: ast.Module) -> Iterator[ast.Constant]:
    """Texts that the program works with: not those that only explain it."""
    told = {node.value for node in ast.walk(syntax) if isinstance(node, ast.Expr)}
    yield from (
        node for node in ast.walk(syntax) if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told
    )


def engine_branches() -> Iterator[Finding]:
    """Decisions by the name of an engine outside engines/. An engine's name is that of its folder."""
    names = {path.parent.name for path in (SOURCE / PACKAGE / "engines").glob("*/__init__.py")}
    for module, path in modules().items():
        if room(module) != "engines":
            yield from (
                Finding(_shown(path), node.lineno, ast.unparse(node)) for node in ast.walk(tree(path)) if _decides(node, names)
            )


def _decides(node: ast.AST, names: set[str]) -> bool:
    """Whether it compares with a name, matches one, or is a table by at least two of them."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return any(_texts_in(each) & names for each in (left, *others))
        case ast.MatchValue(value=ast.Constant(value=value)):
            return value in names
        case ast.Dict(keys=keys):
            return len(names & {key.value for key in keys if isinstance(key, ast.Constant)}) > 1
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=args):
            return any(_texts_in(each) & names for each in args)
    return False


def _texts_in(node: ast.expr) -> set[str]:
    """A text, or those in a tuple, list or set."""
    elements = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {each.value for each in elements if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def type_names() -> Iterator[Finding]:
    """Classes whose name another class of the package has too."""
    found: dict[str, list[Finding]] = defaultdict(list)
    for path in modules().values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(Finding(_shown(path), node.lineno, f"class {node.name}"))
    yield from (each for same in found.values() if len(same) > 1 for each in same)


def state_imports() -> Iterator[Finding]:
    """The modules that search/state.py imports, where they are too many."""
    asked = {each.imported: each for each in reversed(imports()) if each.importer == f"{PACKAGE}.search.state"}
    if len(asked) > MOST_IMPORTS:
        yield from (Finding(_shown(modules()[each.importer]), each.line, f"imports {name}") for name, each in asked.items())


def long_functions() -> Iterator[Finding]:
    for path in written():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    yield Finding(_shown(path), node.lineno, f"{node.name} has {lines} lines")


def long_files() -> Iterator[Finding]:
    for path in written():
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > LONGEST_FILE:
            yield Finding(_shown(path), 1, f"{lines} lines")


def constants_together() -> Iterator[Finding]:
    """Several constants in one statement, which can have no reason each. What tests make up needs none."""
    for path in written():
        for node in ast.walk(tree(path)):
            match node:
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple()) if all(map(_constant, names)):
                    if not path.is_relative_to(ROOT / "tests"):
                        yield Finding(_shown(path), node.lineno, ast.unparse(node))


def _constant(node: ast.expr) -> bool:
    """A name in capitals of more than one letter: matrices have one."""
    return isinstance(node, ast.Name) and node.id.isupper() and len(node.id.strip("_")) > 1


@cache
def written() -> tuple[Path, ...]:
    """All Python of the repository."""
    folders = ("src", "tests", "scripts", "benchmarks", "experiments")
    return tuple(path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


COUNTS = {
    "imports upwards": upward,
    "kernels by name": kernel_names,
    "branches on engine names": engine_branches,
    "type names used twice": type_names,
    "modules that search/state imports": state_imports,
    "long functions": long_functions,
    "long files": long_files,
    "constants in one statement": constants_together,
}


def counted() -> dict[str, list[Finding]]:
    """Every count with what it found."""
    return {name: sorted(count()) for name, count in COUNTS.items()}


def main() -> int:
    """Print the counts with every finding; the exit code."""
    found = counted()
    for name, each in found.items():
        sys.stdout.write("".join(f"{line}\n" for line in (f"{name}: {len(each)}", *(f"  {finding}" for finding in each))))
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

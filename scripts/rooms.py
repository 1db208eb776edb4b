"""Draws the rooms for docs/rooms.md, from the imports and the first sentences of the code: `make rooms`.

The picture says which room uses which. The tables say what each is for, and whom the data meet on their way through them. Nothing
of that is written by hand but the order of the stations; tests/test_rooms.py holds the page to it.
"""

import ast
import re
from collections.abc import Iterator
from html import escape

from house import FOUNDATIONS, PACKAGE, ROOMS, ROOT, imports, modules, room, tree

PAGE = ROOT / "docs" / "rooms.md"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
MADE = re.compile(r"<!-- (rooms|walk) -->\n\n(.*?)\n\n<!-- end \1 -->", re.DOTALL)

# Whom the data meet from a file to a report: the room, and a function that it has.
WALK = (
    ("data", "read"), ("search", "explore"), ("search", "neighbours"), ("search", "perform"), ("fit", "fit"),
    ("engines", "prepare"), ("model", "decompose"), ("model", "criticise"), ("model", "backtest"), ("report", "compose"),
    ("report", "write_report"), ("app", "write_results"),
)  # fmt: skip

# Pixels of the picture, no wider than the page of the site, so that its letters are those of the page: the height of a floor.
_FLOOR = 32
# The names on the floors.
_NAMES = 130
# A column of dots.
_COLUMN = 36
# Room for the names of the columns, which lean to the right.
_HEAD = 96
# ... and beyond the last of them.
_RIGHT = 60
_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .name { font-weight: 600 } .head { fill: #57606a }
.floor { fill: #f6f8fa; stroke: #d0d7de } .dot { fill: #0969da } .up { fill: #cf222e } .self { fill: #d0d7de }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .head { fill: #9198a1 } .floor { fill: #161b22; stroke: #30363d }
.dot { fill: #4493f8 } .up { fill: #f85149 } .self { fill: #30363d }
}
"""


def main() -> None:
    """Draw the picture and fill in the page."""
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def filled(page: str) -> str:
    made = {"rooms": table(), "walk": walk()}
    return MADE.sub(lambda found: f"<!-- {found[1]} -->\n\n{made[found[1]]}\n\n<!-- end {found[1]} -->", page)


def standing() -> list[str]:
    """The rooms that there are, the highest first."""
    there = {room(module) for module in modules()}
    return [name for name in reversed(ROOMS) if name in there]


def uses() -> set[tuple[str, str]]:
    """Which room imports from which."""
    return {(room(each.importer), room(each.imported)) for each in imports()}


def sentence(name: str) -> str:
    """What a room is for: the first sentence of its package, or of its one file."""
    if name == "foundations":
        return f"What any room may use: {', '.join(name for name in FOUNDATIONS if f'{PACKAGE}.{name}' in modules())}."
    if name == "face":
        return "What `import kernelscribe` and the command `kernelscribe` give."
    return first(tree(modules()[f"{PACKAGE}.{name}"]))


def first(node: ast.Module | ast.FunctionDef) -> str:
    """The first sentence of a docstring, on one line."""
    told = " ".join((ast.get_docstring(node) or "").split())
    return re.split(r"(?<=[.])\s", told)[0]


def table() -> str:
    """The rooms from the top to the ground."""
    lines = ["| room | what it is for | uses |", "|---|---|---|"]
    for name in standing():
        lower = ", ".join(other for other in standing() if other != name and (name, other) in uses()) or "none"
        lines.append(f"| `{name}` | {sentence(name)} | {lower} |")
    return "\n".join(lines)


def walk() -> str:
    """The stations of the data, each with what it takes and gives and with who calls it."""
    lines = ["| | whom | takes | gives | called by |", "|---|---|---|---|---|"]
    for number, (name, function) in enumerate(WALK, start=1):
        module, node = station(name, function)
        where = module.removeprefix(f"{PACKAGE}.").replace(".", "/")
        takes = ", ".join(f"`{each}`" for each in _types(node))
        gives = "" if node.returns is None else f"`{_plain(node.returns)}`"
        users = ", ".join(callers(module, function))
        lines.append(f"| {number} | `{function}` in `{where}.py`<br>{first(node)} | {takes} | {gives} | {users} |")
    return "\n".join(lines)


def station(name: str, function: str) -> tuple[str, ast.FunctionDef]:
    """The function of that name in a room, with its module."""
    found = [
        (module, node)
        for module, path in modules().items()
        if room(module) == name
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    if len(found) != 1:
        raise LookupError(f"expected one function {function} in {name}, got {len(found)}: mend WALK of scripts/rooms.py")
    return found[0]


def callers(module: str, function: str) -> list[str]:
    """The rooms in which a name is imported, from its module or from the package around it, the lowest first."""
    homes = (module, module.rpartition(".")[0])
    rooms = {
        room(importer)
        for importer, path in modules().items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module in homes and function in {each.name for each in node.names}
    }
    return [name for name in ROOMS if name in rooms - {"face"}]


def _types(node: ast.FunctionDef) -> list[str]:
    """The package's own types among the arguments, and paths."""
    told = [_plain(each.annotation) for each in (*node.args.args, *node.args.kwonlyargs) if each.annotation is not None]
    return list(dict.fromkeys(each for each in told if re.match(r"(?!Callable|Any)[A-Z]", each)))


def _plain(node: ast.expr) -> str:
    return ast.unparse(node).replace("'", "").replace(" | None", "").replace("|", "or")


def picture() -> str:
    """The floors, with a dot for every room below that one uses; a dot on the other side of the diagonal would be red."""
    floors = standing()
    width = _NAMES + _COLUMN * len(floors) + _RIGHT
    height = _HEAD + _FLOOR * len(floors) + 8
    parts = [*_heads(floors), *(line for i, name in enumerate(floors) for line in _floor(i, name, floors, width))]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
        f"<title>The rooms from the top to the ground, and which of those below each uses</title>\n<style>{_STYLE}</style>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _heads(floors: list[str]) -> Iterator[str]:
    for i, name in enumerate(floors):
        yield f'<text class="head" transform="translate({_middle(i) + 4} {_HEAD - 8}) rotate(-60)">{escape(name)}</text>'


def _floor(i: int, name: str, floors: list[str], width: int) -> Iterator[str]:
    top = _HEAD + _FLOOR * i
    yield f'<rect class="floor" x="1" y="{top + 2}" width="{width - 2}" height="{_FLOOR - 4}" rx="4"/>'
    yield f'<text class="name" x="12" y="{top + _FLOOR // 2 + 5}">{escape(name)}</text>'
    for j, other in enumerate(floors):
        spot = f'cx="{_middle(j)}" cy="{top + _FLOOR // 2}"'
        if name == other:
            yield f'<circle class="self" {spot} r="3"/>'
        elif (name, other) in uses():
            yield f'<circle class="{"dot" if j > i else "up"}" {spot} r="7"><title>{name} uses {other}</title></circle>'


def _middle(column: int) -> int:
    return _NAMES + _COLUMN * column + _COLUMN // 2


if __name__ == "__main__":
    main()

"""The floors of the report: each knows those below it, none those above, and only the words speak."""

import ast
import re
from pathlib import Path

import pytest

import kernelscribe

ROOM = Path(kernelscribe.__file__).parent
REPORT = ROOM / "report"
# From the ground up. A floor may import itself and those before it.
FLOORS = ("document", "description", "words", "formats", "figures", "sections", "compose")
# What lies below the report and may not know it.
BELOW = (
    "arrays",
    "config",
    "data",
    "discovery",
    "engines",
    "errors",
    "events",
    "files",
    "fit",
    "kernels",
    "model",
    "priors",
    "search",
)
# Two words in a row, or one that begins a sentence.
SPEECH = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}|^[A-Z][a-z]+\b")
# Names of other projects are the same in all languages.
NAMES = {"Python", "NumPy", "SciPy"}


def imported(path):
    """The modules that a file imports, wherever in it that stands, those for types among them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def floor(name):
    """The number of the floor on which a module stands; None where it is no part of the report."""
    parts = name.split(".")
    return FLOORS.index(parts[2]) if parts[:2] == ["kernelscribe", "report"] and len(parts) > 2 and parts[2] in FLOORS else None


def modules(*rooms):
    for room in rooms:
        yield from (ROOM / f"{room}.py",) if (ROOM / f"{room}.py").exists() else sorted((ROOM / room).rglob("*.py"))


def test_every_file_stands_on_a_floor():
    assert {each.stem for each in REPORT.iterdir() if each.name not in ("__init__.py", "__pycache__")} == set(FLOORS)


@pytest.mark.parametrize("name", FLOORS)
def test_a_floor_knows_none_above_it(name):
    for path in modules(f"report/{name}"):
        above = {each for each in imported(path) if (floor(each) or 0) > FLOORS.index(name)}
        assert not above, f"{path} imports {above}"


def test_the_document_knows_nothing():
    assert not [each for each in imported(REPORT / "document.py") if each.startswith("kernelscribe")]


@pytest.mark.parametrize("name", BELOW)
def test_nothing_below_knows_the_report(name):
    for path in modules(name):
        above = {each for each in imported(path) if each.split(".")[:2][-1] in ("report", "api", "app", "web", "summary")}
        assert not {each for each in above if each.startswith("kernelscribe.")}, path


def test_the_report_knows_nothing_above_it():
    for path in REPORT.rglob("*.py"):
        assert not [each for each in imported(path) if re.match(r"kernelscribe\.(api|app|web|summary)\b", each)], path


def speech(path):
    """The strings of a file that are words to be read: neither documentation, names nor code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    quiet = {id(child) for node in ast.walk(tree) for part in unspoken(node) for child in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet:
            if SPEECH.search(node.value) and node.value not in NAMES:
                yield node.value


def unspoken(node):
    """Documentation, annotations, regular expressions and the list of a module's names."""
    match node:
        case ast.Expr(value=ast.Constant()):
            yield node
        case ast.FunctionDef():
            yield from (each for each in (node.returns, *(arg.annotation for arg in node.args.args)) if each is not None)
        case ast.AnnAssign():
            yield node.annotation
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Call(func=ast.Attribute(attr="compile")):
            yield node


@pytest.mark.parametrize("name", ["description", "sections", "compose"])
def test_only_the_words_speak(name):
    for path in modules(f"report/{name}"):
        if path.name != "program.py":  # which writes Python
            assert not list(speech(path)), path


def test_speech_is_noticed(tmp_path):
    path = tmp_path / "one.py"
    path.write_text('"""No one hears this."""\nid = "part-1"\nsaid = f"What was {id} found"\ntitle = "Appendix"\n')
    assert sorted(speech(path)) == ["Appendix", "What was "]


def test_the_language_is_chosen_in_one_place():
    named = [
        path
        for path in ROOM.rglob("*.py")
        if any("words.english" in each for each in imported(path)) and path.parent.name != "english"
    ]
    assert named == [REPORT / "words" / "__init__.py"], "ask kernelscribe.report.words for the language"

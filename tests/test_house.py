"""The house is counted, and the counting is right: on files made up for the test, each count finds what it is for and no more."""

import subprocess
import sys

import house
import pytest


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Makes a house of files, by their dotted names below the package, with packages around them."""
    monkeypatch.setattr(house, "ROOT", tmp_path)
    monkeypatch.setattr(house, "SOURCE", tmp_path / "src")
    return lambda *empty, **files: make(tmp_path / "src" / "kernelscribe", dict.fromkeys(empty, "") | files)


def make(package, files):
    for name, text in files.items():
        path = package.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in path.relative_to(package).parents:
            (package / folder / "__init__.py").touch()
        path.write_text(text)


@pytest.fixture(autouse=True)
def forgetful():
    """What was read of one house is not told of the next."""
    yield
    for each in (house.modules, house.tree, house.imports, house.written):
        each.cache_clear()


def told(count):
    return [(finding.path.removeprefix("src/kernelscribe/"), finding.line) for finding in sorted(count())]


def test_the_house_is_in_order():
    """By the script, which prints what it finds."""
    done = subprocess.run([sys.executable, house.__file__], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines() == [f"{name}: 0" for name in house.COUNTS]


def test_the_script_fails_where_something_is_found_and_says_where(made, monkeypatch, capsys):
    made(**{"data.a": "ONE, TWO = 1, 2\n"})
    monkeypatch.setattr(house, "COUNTS", {"long files": house.long_files, "constants": house.constants_together})
    assert house.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "long files: 0", "constants: 1", "  src/kernelscribe/data/a.py:1: ONE, TWO = (1, 2)",
    ]  # fmt: skip


def test_imports_upwards_are_found_wherever_they_hide(made):
    lines = (
        "from typing import TYPE_CHECKING", "from kernelscribe import errors", "from kernelscribe.web.app import x",
        "import kernelscribe.app.run", "if TYPE_CHECKING:", "    from kernelscribe import api", "def f():",
        "    from kernelscribe.model.file import load", "WORKER = 'kernelscribe.web.app'", "from kernelscribe.data.rows import y",
    )  # fmt: skip
    made("data.rows", "errors", "web.app", "app.run", "api.x", "model.file", **{"data.table": "\n".join(lines)})
    assert told(house.upward) == [("data/table.py", line) for line in (3, 4, 6, 8, 9)]


def test_the_face_may_use_all_and_nobody_the_face(made):
    made(__main__="import kernelscribe.web", **{"web.app": "from kernelscribe import __version__"})
    assert told(house.upward) == [("web/app.py", 1)]


def test_a_module_without_a_room_is_found(made):
    made(attic="import kernelscribe.web", **{"web.app": "import kernelscribe.attic"})
    assert told(house.upward) == [("attic.py", 1)]


def test_kernels_are_found_by_name(made, tmp_path):
    name = "SE"
    lines = (
        f'"""{name} explained."""', f'KIND = "{name}"', f'TEXT = f"{name}{{1}}"', f'BOUND = "lengthscale of {name}1"',
        f'FINE = "{name}T {name.lower()} C"', "from kernelscribe.kernels.bases.se import X",
    )  # fmt: skip
    made(**{"fit.draw": "\n".join(lines), "kernels.bases.se": f'NAME = "{name}"'})
    (tmp_path / "src" / "page.js").write_text(f"if (kind === '{name}') grow();\n")
    assert told(house.kernel_names) == [("fit/draw.py", line) for line in (2, 3, 4, 6)] + [("src/page.js", 1)]


def test_branches_on_engine_names_are_found(made):
    lines = (
        "a = engine.name == 'exact'", "b = name in ('exact', 'auto')", "c = {'exact': 1, 'spectral': 2}[name]", "match name:",
        "    case 'spectral': ...", "d = {'exact': evidence.exact}", "e = data['exact']", "choices = ('exact', 'spectral')",
        "f = name.startswith('spectral')",
    )  # fmt: skip
    made("engines.spectral.engine", **{"fit.ladder": "\n".join(lines), "engines.exact.engine": lines[0]})
    assert told(house.engine_branches) == [("fit/ladder.py", line) for line in (1, 2, 3, 5, 9)]


def test_type_names_are_found_where_they_stand_twice(made):
    made(**{"data.rows": "class Row: ...\nclass Rows: ...", "report.rows": "\ndef f():\n    class Row: ..."})
    assert told(house.type_names) == [("data/rows.py", 1), ("report/rows.py", 3)]


def test_what_the_state_imports_is_listed_where_it_is_too_much(made, monkeypatch):
    """Each module once, also one that waits for a call; not what comes with them."""
    lines = (
        "from kernelscribe.fit.facts import Fit", "import kernelscribe.kernels.tree", "def f():",
        "    import kernelscribe.web.app", "    import kernelscribe.fit.facts",
    )  # fmt: skip
    made("kernels.tree", "web.app", "errors", **{"fit.facts": "import kernelscribe.errors", "search.state": "\n".join(lines)})
    assert told(house.state_imports) == []
    monkeypatch.setattr(house, "MOST_IMPORTS", 2)
    assert told(house.state_imports) == [("search/state.py", line) for line in (1, 2, 4)]


def test_long_functions_and_files_are_found(made, tmp_path):
    body = "    pass\n"
    made(**{"data.a": "def f():\n" + body * 59, "data.b": "\ndef f():\n" + body * 60, "data.c": "\n" * 400})
    assert told(house.long_functions) == [("data/b.py", 2)]
    assert told(house.long_files) == []
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("\n" * 401)
    house.written.cache_clear()
    assert told(house.long_files) == [("tests/test_a.py", 1)]


def test_constants_in_one_statement_are_found(made):
    made(**{"data.a": "_A1, _B1 = 1, 2\nQ, R = qr(A)\nONE = 1\nx, y = 1, 2\nPAIR = 1, 2\nONE, TWO = both()\n"})
    assert told(house.constants_together) == [("data/a.py", 1)]

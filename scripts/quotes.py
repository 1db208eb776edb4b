"""Writes into README.md and docs what commands print, so that no page quotes a run that nobody gets: `make quotes`.

A quote stands between <!-- quote NAME --> and <!-- end quote -->, and is made anew as a whole. Times and folders, which differ
from run to run, are left out. Numbers about a run stand in quotes alone; tests/test_quotes.py holds the pages to that.
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401  (what is loaded is told below)
from threadpoolctl import threadpool_info

import kernelscribe
from kernelscribe.data.reading import reading_options
from kernelscribe.effort import Effort

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
TUTORIAL = ROOT / "docs" / "tutorial.md"
QUOTE = re.compile(r"<!-- quote (\w+) -->\n\n(.*?)\n\n<!-- end quote -->", re.DOTALL)
# Characters in a line of code, which pages do not wrap.
_CODE_WIDTH = 110
# Characters in a line of prose, as the pages have them.
_PROSE_WIDTH = 150


def main() -> None:
    """Fill in every page."""
    with tempfile.TemporaryDirectory() as folder:
        runs = demo(Path(folder)) | sales(Path(folder))
    made = {"arithmetic": arithmetic(), "reading_options": reading_table(), **effort_tables(), **runs}
    for page in PAGES:
        page.write_text(filled(page.read_text(), made))


def filled(page: str, quotes: Mapping[str, str]) -> str:
    return QUOTE.sub(lambda found: f"<!-- quote {found[1]} -->\n\n{quotes[found[1]]}\n\n<!-- end quote -->", page)


def arithmetic() -> str:
    """What rounding depends on: with another one a search may come to another description that is nearly as good."""
    loaded = [each for each in threadpool_info() if each["user_api"] == "blas"]
    blas = sorted({str(each.get("architecture", each["internal_api"])) for each in loaded}) or ["unknown"]
    return textwrap.fill(
        f"What is quoted here was printed with numpy {version('numpy')}, scipy {version('scipy')} and linear algebra for "
        f"processors of type {' and '.join(blas)}. Others round otherwise in the last digit, and that may lead a search to "
        "another description which is nearly as good.",
        _PROSE_WIDTH,
    )


def reading_table() -> str:
    """The options of how a table is read, as the docs list them."""
    rows = [f"| `--{name.replace('_', '-')}` | {each.usual} | {each.help} |" for name, each in reading_options().items()]
    return "\n".join(["| option | without it | meaning |", "| --- | --- | --- |", *rows])


def effort_tables() -> dict[str, str]:
    """How much work is done when, room by room, as the docs list it."""
    amounts: dict[str, list[str]] = {}
    for each in fields(Effort):
        row = f"| `{each.name}` | {_amount(each.default)} | {each.metadata['reason']} |"
        amounts.setdefault(f"effort_{each.metadata['room']}", []).append(row)
    return {name: "\n".join(["| amount | value | why |", "| --- | --- | --- |", *rows]) for name, rows in amounts.items()}


def _amount(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(": ".join(map(_amount, each)) if isinstance(each, tuple) else _amount(each) for each in value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def demo(folder: Path) -> dict[str, str]:
    """Quotes of `kernelscribe demo` and of its report."""
    blocks = _blocks(_printed(folder, "demo"))
    told = blocks[1].splitlines()
    rounds = [re.sub(r" \([^()]* s\)$", "", line) for line in told if line.startswith("depth ")]
    return {
        "demo_reading": _code(*told[:4], "  ...", *rounds),
        "demo_tree": _code(*(line for line in told if line[0] in "├│└ " and re.search(r"[├└]", line))),
        "demo_findings": _code(*_findings(blocks[-2])),
        "demo_end": _code(*_findings(blocks[-2]), "", *_files(blocks[-1], folder)),
        "demo_judgement": _judgement(_report(folder)),
    }


def sales(folder: Path) -> dict[str, str]:
    """Quotes of the tutorial's own table, which its code writes."""
    _run(folder, "-c", re.findall(r"```python\n(.*?)```", TUTORIAL.read_text(), re.DOTALL)[0])
    *_, kernel, score, _values, _engine, chosen, findings, _files = _blocks(_printed(folder, "run", "sales.csv"))
    ahead = ("forecast", "sales-kernelscribe/model.json", "--horizon", "3", "--level", "80", "--level", "95")
    header, row, *_ = _printed(folder, *ahead).splitlines()
    choice = [line for line in chosen.splitlines() if not line.startswith("  searched")]
    return {
        "sales_run": _code(kernel, "", score, "  ...", *choice, "", *_findings(findings)),
        "sales_findings": _code("$ kernelscribe run sales.csv", "...", *_findings(findings)),
        "sales_forecast": _code(f"$ kernelscribe {' '.join(ahead)}", header, re.sub(r"(\.\d{4})\d+", r"\1...", row), "..."),
    }


def _blocks(printed: str) -> list[str]:
    return printed.strip("\n").split("\n\n")


def _findings(block: str) -> list[str]:
    """The headline in lines that fit on a page, and the parts."""
    headline, *parts = block.splitlines()
    return [*textwrap.wrap(headline, _CODE_WIDTH), *parts]


def _files(block: str, folder: Path) -> list[str]:
    return block.replace(str(folder), "...").splitlines()


def _report(folder: Path) -> str:
    _printed(folder, "report", "kernelscribe-demo", "--format", "md")
    return (folder / "kernelscribe-demo" / "report.md").read_text()


def _judgement(report: str) -> str:
    """The last two paragraphs of the first section: how sure the findings are, and whether the model fits."""
    first = report.split("\n## ")[1].strip().split("\n\n")
    return "\n>\n".join(textwrap.fill(each, _PROSE_WIDTH, initial_indent="> ", subsequent_indent="> ") for each in first[-2:])


def _code(*lines: str) -> str:
    return "\n".join(("```", *lines, "```"))


def _printed(folder: Path, *command: str) -> str:
    return _run(folder, "-m", "kernelscribe", *command)


def _run(folder: Path, *command: str) -> str:
    """What Python prints there, messages included, with the source that this process has."""
    environment = {**os.environ, "PYTHONPATH": str(Path(kernelscribe.__file__).parents[1])}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environment, check=False, **both)
    if done.returncode:
        raise RuntimeError(f"expected {command} to end well, but it ended with {done.returncode} and said:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()

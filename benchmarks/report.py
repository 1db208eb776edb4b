"""Tables, and the file that collects the results of all benchmarks, one section each."""

import datetime
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

__all__ = ["machine", "table", "write"]

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"


def machine() -> str:
    """Date and machine in one line."""
    try:
        info = Path("/proc/cpuinfo").read_text()
        model = re.findall(r"model name\s*:\s*(.*)", info)[0]
    except (OSError, IndexError):
        model = platform.processor() or platform.machine()
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def write(script: str, title: str, text: str) -> None:
    """Replace the section of this script in RESULTS.md, or add it."""
    begin, end = f"<!-- {script} -->", f"<!-- end {script} -->"
    section = f"{begin}\n## {title}\n\n`benchmarks/{script}`: {text}\n{end}"
    old = (
        RESULTS.read_text()
        if RESULTS.exists()
        else "# Benchmark results\n\nMeasured, never typed: each section is written by its script.\n"
    )
    if begin in old:
        new = old[: old.index(begin)] + section + old[old.index(end) + len(end) :]
    else:
        new = old.rstrip() + "\n\n" + section + "\n"
    partial = RESULTS.with_suffix(".part")
    partial.write_text(new)
    partial.replace(RESULTS)

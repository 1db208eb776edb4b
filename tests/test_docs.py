"""Docs that cannot rot: their code runs, and every link, page, file and room that they name is there."""

import inspect
import re

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe import parallel
from kernelscribe.api.analysis import analyse
from kernelscribe.data.formats.text import TextFormat
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.bases.matern import Matern
from kernelscribe.kernels.operators.change import Change
from kernelscribe.noises import Constant
from kernelscribe.report.formats.markdown import Markdown
from kernelscribe.search.pool import Inline
from pages import DOCS, PAGES, ROOT
from searches import dataset


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_compiles(page):
    for number, block in enumerate(blocks(page), start=1):
        compile(block, f"{page.name}, block {number}", "exec")


@pytest.mark.parametrize("name", ["tutorial", "python", "forecast"])
def test_code_runs(name, tmp_path, monkeypatch):
    """The code of a page from top to bottom, on a small table, with searches that go no further than base kernels."""
    monkeypatch.chdir(tmp_path)
    shallow = {"depth": 0, "restarts": 1, "budget": None}

    def quick(*args, **more):
        with parallel(Inline()):
            return analyse(*args, **{**more, **shallow})

    monkeypatch.setattr(ks, "analyse", quick)
    monkeypatch.setattr(ks, "discover", lambda *args, **more: quick(*args, **more).outcome)
    names = {}
    exec(blocks(ROOT / "docs" / "tutorial.md")[0], names)  # noqa: S102  (our own page; it makes the table)
    small = names["table"] = names["table"].head(48)
    small.to_csv("sales.csv", index=False)
    names.update(x=np.arange(48.0), y=small["sales"].to_numpy())
    quick("sales.csv").save(_folder(tmp_path) / "model.json")
    for block in blocks(ROOT / "docs" / f"{name}.md")[name == "tutorial" :]:
        exec(block, names)  # noqa: S102
    assert names["found"].kernel is not None
    assert name == "forecast" or (tmp_path / "sales.html").read_text().startswith("<!DOCTYPE html>")


def test_code_for_new_parts_runs(tmp_path):
    """The tests of docs/extend.md, with parts that there are in place of new ones, and once each."""
    names = {
        "MyKernel": Matern, "MyOperator": Change, "MyNoise": lambda variance, length: Constant(variance), "MyEngine": Exact,
        "MyFormat": TextFormat, "MyReportFormat": Markdown,
    }  # fmt: skip
    for block in blocks(ROOT / "docs" / "extend.md"):
        exec(block, names)  # noqa: S102  (our own page)
    (tmp_path / "series.csv").write_text("x,y\n" + "".join(f"{i},{i * i}\n" for i in range(9)))
    given = {
        "data": dataset(30), "kernel": ks.parse("SE(variance=1, lengthscale=0.7)"), "interval": Interval(1.0, 2.0), "exact": 1.5,
        "path": tmp_path / "series.csv", "tmp_path": tmp_path,
    }  # fmt: skip
    tests = {name: each for name, each in names.items() if name.startswith("test_")}
    checks = {name for name in names if name.startswith("check_")}
    assert len(tests) == len(checks) == 7
    for each in tests.values():
        each(**{name: given[name] for name in inspect.signature(each).parameters})


def _folder(tmp_path):
    folder = tmp_path / "sales-kernelscribe"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]+))?\)", page.read_text()):
        path = page if not target else page.parent / target
        assert path.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
            assert anchor in {_anchor(title) for title in titles}, f"{target}#{anchor}"


def _anchor(title):
    """As the site and the forges make it of a heading."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def test_every_page_is_in_the_navigation():
    listed = re.findall(r": (\w+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(f"{name}.md" for name in DOCS)


@pytest.mark.parametrize("page", [*sorted(DOCS), "CONTRIBUTING"])
def test_files_named_in_the_docs_exist(page):
    """By their path from the top, from the package or from the engines; a name alone is that of some file."""
    written = DOCS[page] if page in DOCS else (ROOT / f"{page}.md").read_text()
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if ".venv" not in path.parts}
    for name in re.findall(r"`([\w/]+\.py)`", written):
        above = ("", "src/kernelscribe/", "src/kernelscribe/engines/")
        assert {f"{each}{name}" for each in above} & files or ("/" not in name and any(f.endswith(f"/{name}") for f in files)), (
            name
        )


def test_rooms_named_in_the_method_exist():
    for name in re.findall(r"`(\w+/)`", DOCS["method"]):
        assert (ROOT / "src" / "kernelscribe" / name).exists(), name


def test_no_code_is_evaluated_or_unpickled():
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text()
        assert not re.search(r"\b(eval|exec)\(|import pickle|pickle\.load|np\.load\(", source), path

"""Docs that cannot rot: their code runs, and every link, page, file and room that they name is there."""

import re

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe import parallel
from kernelscribe.api.analysis import analyse
from kernelscribe.search.pool import Inline
from pages import DOCS, PAGES, ROOT


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

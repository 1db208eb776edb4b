"""Reports of every sort of analysis: that all read well, render in every format, and can be made again."""

import math
import re
import time
from dataclasses import replace

import numpy as np
import pytest

import analyses
import kernelscribe as ks
from analyses import ALL, HOSTILE
from kernelscribe.config import options
from kernelscribe.data.axis import Axis
from kernelscribe.report.compose import compose
from kernelscribe.report.description.program import program
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Code, Figure, Section, figures, plain, walk
from kernelscribe.report.formats import html, markdown, pdf
from kernelscribe.report.formats.saved import from_json, to_json
from reading import section, sentences, words

# What must never stand in a report: numbers that are none, values of the language, doubled or missing words.
BAD = re.compile(
    r"\b(nan|inf|None|True|False)\b|(?<!are )unknown|  |\( | \)| ,| \.(?!\d)|\.\.(?!\.)|,,|[{}]|<object|\(\)|\ba a\b|\bthe the\b"
)
REPORTS = {make.__name__: make for make in ALL}


@pytest.fixture(scope="module")
def documents():
    return {name: compose(make()) for name, make in REPORTS.items()}


@pytest.mark.parametrize("name", [name for name in REPORTS if name != "hostile"])
def test_no_text_holds_what_is_no_word(documents, name):
    document = documents[name]
    code = {each.text for each in walk(document.sections) if isinstance(each, Code)}
    settings = {each.help for each in options().values()}
    for text in map(plain, words(document)):
        if text not in code and text not in settings:
            assert BAD.search(text) is None, text


@pytest.mark.parametrize("name", REPORTS)
def test_no_chart_holds_a_number_that_is_none(documents, name):
    for figure in figures(documents[name]):
        values = [value for table in figure.spec["datasets"].values() for row in table for value in row.values()]
        assert all(isinstance(value, str) or (value is not None and math.isfinite(value)) for value in values), figure.id
        assert len(figure.spec["datasets"].get("curve", ())) <= 400


@pytest.mark.parametrize("name", REPORTS)
def test_sentences_are_whole(documents, name):
    for text in (plain(each.text) for each in walk(documents[name].sections) if type(each).__name__ in ("Paragraph", "Callout")):
        assert text[-1] in ".:", text
    for figure in figures(documents[name]):
        assert plain(figure.caption).endswith(".")
        assert figure.alt.endswith(".")
        assert figure.id


@pytest.mark.parametrize("name", REPORTS)
def test_every_format_takes_every_report(documents, name):
    document = documents[name]
    assert from_json(to_json(document)) == document
    page = html.render(document)
    assert len(page.encode()) < 3_000_000
    assert page.count("<script>alert") == 0
    text = markdown.render(document)
    assert text.count("\n## ") == len(document.sections)


def test_links_lead_somewhere_on_a_page_and_are_words_elsewhere(documents):
    assert '<a href="#sure">How sure are we?</a>' in html.render(documents["one"])
    assert "More in *How sure are we?*." in markdown.render(documents["one"])
    assert '#emph("How sure are we?")' in pdf.source(documents["few"])


def test_one_report_of_each_kind_is_set_by_typst(documents):
    for name in ("table", "none"):
        assert "#masthead" in pdf.source(documents[name])


def test_a_constant_target_has_a_headline_and_its_data(documents):
    document = documents["constant"]
    assert [each.id for each in document.sections] == ["findings", "data"]
    assert "level is constant at 7.5: there is nothing to explain." in sentences(section(document, "findings"))
    assert "always 7.5." in " ".join(sentences(section(document, "data")))


def test_no_structure_is_told_without_components_or_forecast(documents):
    document = documents["nothing"]
    assert [each.id for each in document.sections] == ["findings", "data", "sure", "checks", "appendix"]
    said = " ".join(sentences(section(document, "findings")))
    assert "shows no structure that noise alone would not show" in said
    assert "they lie about the mean" in said
    assert "No kernel exceeds the BIC of noise alone" in " ".join(sentences(section(document, "sure")))


def test_no_model_is_told_with_the_reason(documents):
    document = documents["none"]
    assert [each.id for each in document.sections] == ["findings", "data", "sure", "appendix"]
    said = " ".join(sentences(section(document, "findings")))
    assert "No model of level could be fitted." in said
    assert "The search ended early: asked to end." in said


@pytest.mark.parametrize("n", [3, 5, 9])
def test_few_rows_are_called_too_few(n):
    document = compose(analyses.few(n))
    said = " ".join(sentences(section(document, "findings")))
    assert "rows are too few to judge structure by" in said
    assert "Take what follows as a hint, not as a finding." in said
    for name in ("sure", "checks"):
        assert re.search("too few|nothing below can be judged", " ".join(sentences(section(document, name))))
    assert "decisive" not in " ".join(each for each in sentences(section(document, "sure")) if "noise alone" in each)


def test_one_component_is_told_in_the_singular(documents):
    said = " ".join(sentences(section(documents["one"], "findings")))
    assert "The model explains level by one component. It explains" in said
    assert "components" not in said.split("Table 1")[0].replace("Components", "")


def test_an_axis_that_is_no_time_has_no_dates_and_no_next(documents):
    document = documents["plain"]
    assert plain(section(document, "forecast").title) == "Beyond the data"
    said = " ".join(map(plain, words(document)))
    assert "depth" in said
    assert re.search(r"\b(January|months|years|days)\b", said.split("Appendix")[0]) is None


def test_hostile_names_are_shown_as_text(documents):
    page = html.render(documents["hostile"])
    assert "&lt;script&gt;alert(" in page
    assert "\x1b" not in page
    assert "\x1b" not in markdown.render(documents["hostile"])


def test_ids_are_ours_whatever_the_names(documents):
    for each in walk(documents["hostile"].sections):
        if isinstance(each, Section | Figure):
            assert re.fullmatch(r"[a-z0-9-]+", each.id)


@pytest.mark.parametrize("make", [analyses.series, analyses.dated, analyses.table, analyses.hostile, analyses.many])
def test_the_program_does_it_again(make, tmp_path, monkeypatch):
    found = make()
    asked = {}

    def analyse(file, **given):
        asked.update(given, file=file)
        return found

    monkeypatch.setattr(ks, "analyse", analyse)
    monkeypatch.setattr(type(found), "report", lambda self, path: asked.update(report=path))
    exec(compile(program(View(found)), "program", "exec"), {"print": lambda *_: None})  # noqa: S102
    assert asked.pop("file") == "FILE"
    assert asked.pop("report") == "report.html"
    assert asked.pop("target") == found.model.data.target
    times = [axis.name for axis in found.model.axes if axis.temporal]
    assert asked.pop("time", None) == (times[0] if times else None)
    assert asked.pop("inputs", []) == [axis.name for axis in found.model.axes if axis.name not in times]
    assert ks.Config(**asked) == found.model.config


def test_the_program_reads_the_same_data(tmp_path):
    import pandas as pd

    path = tmp_path / "table.csv"
    dates = pd.date_range("2004-01-01", periods=30, freq="MS")
    pd.DataFrame({"when": dates, "other": 1.5, "price": np.arange(30.0) ** 2}).to_csv(path, index=False)
    from kernelscribe.data import read

    data = read(path, target="price", time="when")
    found = replace(analyses.series(), model=replace(analyses.series().model, data=data))
    given = re.findall(r'^    (target|time)="(.*)",$', program(View(found)), flags=re.MULTILINE)
    assert read(path, **dict(given)).digest == data.digest


def test_the_program_chooses_the_same_rows():
    where = {"store": "A", HOSTILE: 'it\'s "B"'}
    text = program(View(analyses.series()), "table.csv", {"where": where})
    namespace = {}
    exec(compile("where = " + re.search(r"where=(.*),", text)[1], "where", "exec"), namespace)  # noqa: S102
    assert namespace["where"] == where
    assert 'where={"store": "A", ' in text


def test_a_name_is_a_literal_in_the_program():
    found = analyses.hostile()
    text = program(View(found))
    assert text.isascii()
    assert text.count("\n") == len(text.splitlines())
    namespace = {}
    exec(compile("name = " + re.search(r"target=(.*),", text)[1], "name", "exec"), namespace)  # noqa: S102
    assert namespace["name"] == HOSTILE


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_units_of_any_size_can_be_read(size):
    x, y = analyses.months(60)
    kernel = f"SE(variance={4 * size**2}, lengthscale=3)"
    document = compose(analyses.analysis(kernel, x, size * y, noise=0.1 * size**2, axes=(analyses.YEARS,)))
    for text in map(plain, words(document)):
        assert not re.search(r"\d{13}|0\.0000000", text), text


def test_the_last_day_of_the_calendar_ends_the_forecast():
    axis = Axis("date", "days", "9990-01-01T00:00:00")
    x = np.array(
        [(np.datetime64(f"{year}-01-01") - np.datetime64("9990-01-01")).astype(int) for year in range(9940, 10000)], dtype=float
    )
    y = np.sin(np.arange(60) / 9)
    found = analyses.analysis("SE(variance=1, lengthscale=4000)", x, y, noise=0.01, axes=(axis,))
    assert "the end of the calendar" in " ".join(sentences(section(compose(found), "forecast")))
    assert "raw" in {each.id for each in figures(compose(found))}


def test_many_rows_are_drawn_with_few_points():
    n = 2500
    x = 2004 + np.arange(n) / 8766
    day = 1 / 365.25
    y = 0.5 * (x - 2004) + np.sin(2 * np.pi * x / day) + 0.3 * np.random.default_rng(0).normal(size=n)
    kernel = f"LIN(variance=0.3, location=2000) + SE(variance=1, lengthscale=2)*PER(variance=1, lengthscale=1, period={day!r})"
    found = analyses.analysis(kernel, x, y, axes=(analyses.YEARS,), noise=0.09, options={"inducing": 40})
    found.__dict__["decomposition"], found.__dict__["criticism"] = found.decomposition, None
    began = time.process_time()
    document = compose(found)
    assert time.process_time() - began < 6
    for figure in figures(document):
        assert len(figure.spec["datasets"].get("curve", ())) <= 400
        assert len(figure.spec["datasets"].get("points", ())) <= 802
    main = next(each for each in figures(document) if each.id == "main")
    curve = np.array([[row["x"], row["mean"]] for row in main.spec["datasets"]["curve"]])
    known = curve[curve[:, 0] <= x[-1]]
    # Every point that is drawn is on the curve, and the envelope of the daily cycle is there from end to end.
    np.testing.assert_allclose(known[::20, 1], found.model.predict(known[::20, :1]).median, atol=1e-3)
    assert np.ptp(known[:40, 1]) > 1.2
    assert np.ptp(known[-40:, 1]) > 1.2

"""What experts find at the end."""

from dataclasses import replace

import pytest

from analyses import series
from kernelscribe.report.document import Code, plain, walk
from reading import section, sentences
from sections import long, only, tables


@pytest.mark.parametrize(("options", "basis"), [
    ({}, "all rows."),
    ({"engine": "spectral"}, "all rows, by "),
    ({"inducing": 100}, "912 inducing points"),
])  # fmt: skip
def test_what_curves_rest_on(options, basis):
    found = long(6000 if "inducing" in options else 2500, options=options)
    assert f"Components, their bands and forecasts rest on {basis}" in " ".join(sentences(only("appendix", (found))))


def test_the_appendix_has_all_that_it_takes_to_check(document):
    found = section(document, "appendix")
    said = " ".join(sentences(found))
    for text in ("tried 31 kernels in two rounds of growth", "4,321", "12.3 seconds with 2 workers", series().model.data.digest):
        assert text in said
    # Of base kernels those that the kernel is made of.
    assert "alike: SE for those near each other, PER for those a whole number of periods apart, LIN for those on a line;" in said
    (tree, program) = (each for each in walk((found,)) if isinstance(each, Code))
    assert tree.text == "└ * SE  -110.9"
    assert program.language == "python"
    scores = next(each for each in tables(found) if each.rows[0][0] == "evidence")
    assert scores.rows[0][1:] == ("−101.25", "−100.75")
    assert scores.rows[1][1:] == ("−111.25", "−110.75")
    values = tables(found)[0]
    assert [plain(row[0]) for row in values.rows] == ["SE", "PER", "LIN", "noise"]
    assert "period 1.000" in plain(values.rows[1][2])
    assert "location 2000" in plain(values.rows[2][2])


def test_a_search_whose_time_is_not_known_does_not_tell_it():
    found = series()
    said = " ".join(sentences(only("appendix", replace(found, outcome=replace(found.outcome, seconds=None, workers=None)))))
    assert "It evaluated the evidence 4,321 times." in said

"""What is told of the data."""

import analyses
from kernelscribe.report.document import plain
from reading import sentences
from sections import figures, only, tables


def test_the_data_are_told_with_dates_gaps_notes_and_odd_rows():
    found = only("data", analyses.dated())
    said = " ".join(sentences(found))
    (inputs, odd) = tables(found)
    assert [plain(cell) for cell in inputs.rows[0]][1:3] == ["a date", "2004-01-01"]
    assert "The typical step along date is one month; the longest gap is 4.0 months, between 2008-01-31" in said
    for text in ("The column date was taken for the time.", "Two rows were left out.", "All well."):
        assert text in said
    assert said.index("What was guessed") < said.index("What was repaired") < said.index("What was noticed")
    assert "One row lies so far from what the model expects" in said
    assert odd.rows[0][0].startswith("2007-05")
    assert odd.rows[0][2] == "above"
    assert float(odd.rows[0][3]) > 10
    assert "raw" in figures(found)

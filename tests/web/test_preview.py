"""How a file is read, shown before anything is searched."""

import json

import pytest

from data.conftest import _workbook
from kernelscribe.data.reader import read
from kernelscribe.web.preview import look, main
from serving import serving
from webapp import PATIENCE


def asked(tmp_path, table, name="table.csv", **reading):
    """The answer of the process that looks at tables, without the process."""
    path = tmp_path / "0123456789abcdef"
    path.write_bytes(table if isinstance(table, bytes) else table.encode())
    return json.loads(main(json.dumps({"file": str(path), "name": name, "reading": reading, "memory": 2000.0})))


DATES = "day,sales,shop,visitors\n" + "".join(f"2020-01-{i:02d},{i % 5}.5,north,{100 - i}\n" for i in range(1, 29))


def test_what_was_read(tmp_path):
    found = asked(tmp_path, DATES)
    assert found["ok"] is True
    assert (found["name"], found["rows"], found["target"], found["time"]) == ("table.csv", 28, "visitors", "day")
    assert found["inputs"] == ["day"]
    kinds = {"day": "date", "sales": "number", "shop": "text", "visitors": "number"}
    assert found["columns"] == [{"name": name, "kind": kind} for name, kind in kinds.items()]
    assert found["numeric"] == ["sales", "visitors"]
    assert (found["series"], found["horizon"]) == (True, 3)
    assert found["head"]["columns"] == ["day", "sales", "shop", "visitors"]
    assert found["head"]["rows"][0] == ["2020-01-01", "1.5", "north", "99"]
    assert len(found["head"]["rows"]) == 8
    chart = found["chart"]
    assert (chart["x_label"], chart["y_label"], chart["x_dates"]) == ("day", "visitors", True)
    assert chart["series"][0] == ["2020-01-01T00:00:00", pytest.approx(99), pytest.approx(99)]
    assert len(chart["series"]) == 28


def test_a_path_may_be_given_as_text(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(DATES)
    assert read(str(path)).digest == read(path).digest


def test_notes_name_no_options_of_the_command_line(tmp_path):
    found = asked(tmp_path, DATES)
    assert {note["kind"] for note in found["notes"]} == {"guess", "repair", "rhythm"}
    assert "--" not in json.dumps(found["notes"])
    assert "The column visitors was taken for the target, as the last one of numbers." in [
        note["text"] for note in found["notes"]
    ]


def test_choices_are_followed(tmp_path):
    found = asked(tmp_path, DATES, target="sales", inputs=["visitors"])
    assert (found["target"], found["time"], found["inputs"]) == ("sales", None, ["visitors"])
    both = asked(tmp_path, DATES, target="sales", time="day", inputs=["visitors"])
    assert (both["time"], both["inputs"], both["series"], both["horizon"]) == ("day", ["day", "visitors"], False, None)
    assert both["chart"]["x_label"] == "row"


def test_names_with_commas_are_one_name(tmp_path):
    table = '"a, b",c,y\n' + "".join(f"{i % 7},{i * i % 11},{i * 3 % 5}\n" for i in range(30))
    assert asked(tmp_path, table, target="y", inputs=["a, b"])["inputs"] == ["a, b"]


def test_day_or_month_is_asked(tmp_path):
    table = "day,y\n" + "".join(f"0{i}/02/2020,{i}\n" for i in range(1, 10))
    ask = asked(tmp_path, table)["ask"]
    assert ask == {
        "field": "date_format",
        "question": "Which date is '01/02/2020'? Both readings fit every row.",
        "choices": [
            {"value": "dmy", "label": "day first: 1 February 2020"},
            {"value": "mdy", "label": "month first: 2 January 2020"},
        ],
    }
    starts = {value: asked(tmp_path, table, date_format=value)["chart"]["series"][0][0] for value in ("dmy", "mdy")}
    assert starts == {"dmy": "2020-02-01T00:00:00", "mdy": "2020-01-02T00:00:00"}


STORES = "day,store,sales\n" + "".join(
    f"2020-01-{i:02d},{store},{i % 5 + 10 * (store == 'S = B')}\n" for store in ("A", "S = B") for i in range(1, 29)
)


def test_which_of_several_series_is_asked(tmp_path):
    ask = asked(tmp_path, STORES)["ask"]
    assert ask == {
        "field": "where",
        "column": "store",
        "question": "Each day stands 2 times, told apart by store (A and S = B). Which store is to be analysed?",
        "choices": [
            {"value": "A", "label": "A"},
            {"value": "S = B", "label": "S = B"},
            {"value": "*", "label": "All of them together, as if they were one series"},
        ],
    }
    one = asked(tmp_path, STORES, where={"store": "S = B"})
    assert (one["rows"], one["where"], one["target"]) == (28, {"store": "S = B"}, "sales")
    assert one["head"]["rows"][0] == ["2020-01-01", "11"]
    assert asked(tmp_path, STORES, where={"store": "*"})["rows"] == 56
    assert "has no row in which store is 'C'" in asked(tmp_path, STORES, where={"store": "C"})["wrong"]


def test_years_of_two_digits_are_asked(tmp_path):
    table = "day,y\n" + "".join(f"{i}.02.20,{i}\n" for i in range(1, 29))
    ask = asked(tmp_path, table)["ask"]
    assert ask["field"] == "date_format"
    assert ask["choices"] == [{"value": "%d.%m.%y", "label": "day, month, year"}]
    for choice in ask["choices"]:
        assert asked(tmp_path, table, date_format=choice["value"])["rows"] == 28


def test_letters_that_are_not_utf_8_are_asked(tmp_path):
    table = ("jahr,höhe\n" + "".join(f"{1990 + i},{i % 4}\n" for i in range(30))).encode("latin-1")
    ask = asked(tmp_path, table)["ask"]
    assert ask["field"] == "encoding"
    assert "cp1252" in [choice["value"] for choice in ask["choices"]]
    for choice in ask["choices"]:
        assert asked(tmp_path, table, encoding=choice["value"])["rows"] == 30
    assert asked(tmp_path, table, encoding="cp1252")["target"] == "höhe"


@pytest.mark.parametrize(
    ("table", "reading", "says"),
    [
        ("a,b\nx,y\n", {}, "sales.csv has no column of numbers that could be the target"),
        ("x,y\n1,2\n2,3\n3,five\n4,6\n5,1\n", {}, "sales.csv, line 4, column y: 'five' is not a number"),
        (DATES, {"target": "profit"}, "sales.csv has no column 'profit'"),
        (DATES, {"date_format": "soon"}, "the date format 'soon' is not known"),
        ("x,y\n1,\n2,\n", {}, "sales.csv"),
        (b"\x00\x01\x02", {}, "this is not a text file"),
    ],
)
def test_what_is_wrong_is_one_sentence_without_a_path(tmp_path, table, reading, says):
    answer = asked(tmp_path, table, "sales.csv", **reading)
    assert says in answer["wrong"]
    assert str(tmp_path) not in answer["wrong"]
    assert "--" not in answer["wrong"]


def test_gaps_repairs_and_outliers_are_told(tmp_path):
    rows = [f"{i},{i % 5}" for i in range(60) if not 20 <= i < 30]
    rows[5], rows[9] = "5,", "9,9000"
    found = asked(tmp_path, "time,y\n" + "\n".join(rows) + "\n")
    text = " ".join(note["text"] for note in found["notes"])
    assert "1 of 50 rows (2.0 %) has no value of y and was left out." in text
    assert "the longest is 11, from 19 to 30" in text
    assert "1 value lies far outside the others of y, in line 11." in text


def test_a_workbook_and_a_parquet_file_need_no_ending_on_disk(tmp_path):
    pl = pytest.importorskip("polars")
    book = _workbook(tmp_path / "b.xlsx", {"s": [["x", "y"], *([i, i % 4] for i in range(20))]})
    assert asked(tmp_path, (tmp_path / "b.xlsx").read_bytes() if book is None else book.read_bytes(), "b.xlsx")["rows"] == 20
    from datetime import date, timedelta

    frame = pl.DataFrame({"day": [date(2020, 1, 1) + timedelta(i) for i in range(20)], "y": [float(i % 4) for i in range(20)]})
    frame.write_parquet(tmp_path / "p")
    found = asked(tmp_path, (tmp_path / "p").read_bytes(), "p.parquet")
    assert (found["rows"], found["time"]) == (20, "day")
    assert found["head"]["rows"][1] == ["2020-01-02 00:00:00", "1"]


def test_many_columns_and_long_cells_are_cut(tmp_path):
    wide = (
        ",".join(f"c{d}" for d in range(400)) + "\n" + "\n".join(",".join(str((i * d) % 7) for d in range(400)) for i in range(9))
    )
    (tmp_path / "wide").write_text(wide)
    with pytest.raises(Exception, match="more than the 50"):
        look(tmp_path / "wide", "wide.csv", {}, 2000.0)
    found = look(tmp_path / "wide", "wide.csv", {"target": "c5", "inputs": ["c1"]}, 2000.0)
    assert len(found["columns"]) == len(found["head"]["rows"][0]) == 300
    long = asked(tmp_path, "x,y,note\n" + "".join(f"{i},{i % 3},{'z' * 500}\n" for i in range(9)))
    assert long["head"]["rows"][0][2] == "z" * 80


def test_many_rows_are_few_bins(tmp_path):
    found = asked(tmp_path, "x,y\n" + "".join(f"{i},{i % 7}\n" for i in range(5000)))
    assert len(found["chart"]["series"]) == 400
    assert found["chart"]["series"][0][1:] == [pytest.approx(0, abs=1e-9), pytest.approx(6)]


def test_over_the_network(tmp_path):
    with serving(tmp_path, preview_time=PATIENCE) as client:
        id = client.upload(DATES, "sales.csv").json["id"]
        assert client.preview(id).json["rows"] == 28
        wrong = client.preview(id, target="profit")
        assert (wrong.status, "sales.csv has no column 'profit'" in wrong.wrong) == (422, True)
        ambiguous = client.upload("day,y\n" + "".join(f"0{i}/02/2020,{i}\n" for i in range(1, 10))).json["id"]
        assert client.preview(ambiguous).json["ok"] is False
        for reading in (
            [],
            {"targets": "x"},
            {"target": 1},
            {"inputs": "x"},
            {"inputs": [1]},
            {"where": "a=1"},
            {"where": {"a": 1}},
        ):
            assert client.ask("POST", f"/api/uploads/{id}/preview", {"reading": reading}).status == 422


def test_a_table_that_takes_too_long_is_given_up(tmp_path):
    with serving(tmp_path, preview_time=0.01) as client:
        answer = client.preview(client.upload(DATES).json["id"])
        assert (answer.status, "takes too long" in answer.wrong) == (422, True)

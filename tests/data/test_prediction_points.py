"""Points to predict at: by name, on the model's own axes."""

from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from kernelscribe.data import Axis, frame_points, read_points
from kernelscribe.errors import DataError

DATES = Axis("when", "days", "2004-02-29T12:00:00")


def write(path, text):
    path.write_text(text)
    return path


def test_columns_are_found_by_their_names_in_any_order(tmp_path):
    path = write(tmp_path / "t.csv", "b,c,a\n1,x,2\n3,y,4\n")
    np.testing.assert_array_equal(read_points(path, [Axis("a"), Axis("b")]), [[2, 1], [4, 3]])


def test_dates_are_days_from_the_models_origin(tmp_path):
    path = write(tmp_path / "t.csv", "when\n2004-02-29 12:00\n2004-03-01 00:00:00\n1999-12-31T23:59:59\n")
    found = read_points(path, [DATES])[:, 0]
    apart = datetime(1999, 12, 31, 23, 59, 59) - datetime(2004, 2, 29, 12)
    np.testing.assert_allclose(found, [0, 0.5, apart / timedelta(days=1)], rtol=1e-14)


def test_frames_too():
    frame = pd.DataFrame({"when": pd.to_datetime(["2004-03-01 12:00"]), "other": [1]})
    np.testing.assert_array_equal(frame_points(frame, [DATES]), [[1.0]])


def test_numbers_that_look_like_years_stay_numbers_where_the_model_has_no_time(tmp_path):
    path = write(tmp_path / "t.csv", "year\n2001\n2002\n2003\n")
    np.testing.assert_array_equal(read_points(path, [Axis("year")])[:, 0], [2001, 2002, 2003])
    np.testing.assert_array_equal(read_points(path, [Axis("year", "years")])[:, 0], [2001, 2002, 2003])


@pytest.mark.parametrize(
    ("text", "axes", "says"),
    [
        ("a\n1\n", [Axis("b")], "no column 'b', which the model needs; it has a"),
        ("a,b\n1,2\n,3\n", [Axis("a")], "column a has no value"),
        ("a\nx\ny\n", [Axis("a")], "holds text"),
        ("when\n1.5\n2.5\n", [DATES], "holds numbers, the model needs dates"),
        ("when,b\n01/02/2020,1\n03/04/2020,2\n", [DATES], "date-format|ambiguous|order"),
    ],
)
def test_what_cannot_be_a_point_is_refused(tmp_path, text, axes, says):
    with pytest.raises(DataError, match=says):
        read_points(write(tmp_path / "t.csv", text), axes)


def test_the_order_of_day_and_month_can_be_told(tmp_path):
    path = write(tmp_path / "t.csv", "when,b\n01/03/2004,1\n02/03/2004,2\n")
    np.testing.assert_array_equal(read_points(path, [DATES], date_format="%d/%m/%Y")[:, 0], [0.5, 1.5])

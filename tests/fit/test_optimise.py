"""Climbing: to the top inside a box, in coordinates of its own scale, with a time limit, and past values that are no numbers."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config, Dataset, Status, parse
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.fit.limit import UNLIMITED, Limit
from kernelscribe.fit.objective import reach
from kernelscribe.fit.optimise import climb
from kernelscribe.kernels import Form, pack

OVER = Limit(end=-math.inf)
WIDE = np.tile([-100.0, 100.0], (5, 1))
TOP = np.array([1.0, -2.0, 3.0, 0.5, -1.0])
# As sharp as a period of a long series, beside coordinates that are not.
WIDTHS = np.array([1.0, 1.0, 1e-3, 1.0, 3e-4])


def hill(u):
    """Its sides lean on each other, so that no coordinate can be climbed alone."""
    mix = np.eye(5) + 0.3 * np.ones((5, 5))
    z = mix @ ((u - TOP) / WIDTHS)
    return -0.5 * float(z @ z), -(mix.T @ z) / WIDTHS


def test_a_scale_leads_to_the_same_top_in_fewer_evaluations():
    start = TOP + WIDTHS * np.array([2.0, -3.0, 4.0, 1.0, -2.0])
    plain = climb(hill, start, WIDE, steps=2000)
    scaled = climb(hill, start, WIDE, steps=2000, scale=WIDTHS)
    np.testing.assert_allclose(scaled.u, TOP, atol=1e-3)
    assert scaled.value == pytest.approx(0, abs=1e-4)
    assert plain.value == pytest.approx(0, abs=1e-2)
    assert scaled.evaluations < plain.evaluations / 2


def test_a_scale_of_one_is_none():
    start = TOP + WIDTHS
    one, none = climb(hill, start, WIDE, steps=50, scale=np.ones(5)), climb(hill, start, WIDE, steps=50)
    np.testing.assert_array_equal(one.u, none.u)
    assert (one.value, one.evaluations) == (none.value, none.evaluations)


def test_the_box_holds_in_any_scale():
    box = np.column_stack([TOP - 1, TOP + 1])
    box[2] = TOP[2] + 5e-4, TOP[2] + 1
    for scale in (None, WIDTHS):
        found = climb(hill, TOP + 50, box, steps=500, scale=scale)
        assert (box[:, 0] - 1e-12 <= found.u).all()
        assert (found.u <= box[:, 1] + 1e-12).all()
        assert found.u[2] == pytest.approx(box[2, 0], abs=1e-6)


def test_a_rough_climb_ends_near_the_top():
    """Where little is left to gain it stops."""

    sharp, box = np.logspace(-3, 2, 40), np.tile([-100.0, 100.0], (40, 1))

    def slow(u):
        return -0.5 * float(sharp @ u**2), -sharp * u

    full, rough = (climb(slow, np.ones(40), box, steps=500, patient=each) for each in (None, 12))
    assert rough.evaluations < full.evaluations
    assert rough.value == pytest.approx(full.value, abs=0.1)


class TestTheFirstStep:
    """However steep the start is, the first step leads no further than one part of the scale."""

    @pytest.mark.parametrize("steep", [1.0, 1e3, 1e6])
    @pytest.mark.parametrize("scale", [None, np.array([0.1, 10.0])])
    def test_is_short(self, steep, scale):
        box, start = np.tile([-10.0, 10.0], (2, 1)), np.array([2.0, -1.0])
        found = climb(lambda u: (-steep * float(u @ u), -2 * steep * u), start, box, steps=200, scale=scale)
        first = (found.path[1][0] - found.path[0][0]) / (np.ones(2) if scale is None else scale)
        assert 0.1 < np.linalg.norm(first) < 1 + 1e-9
        assert found.value == pytest.approx(0, abs=1e-4)

    def test_a_wall_at_the_start_does_not_shorten_it(self):
        """A slope through the wall is none."""
        box, start = np.array([[0.0, 10.0], [-10.0, 10.0]]), np.array([0.0, 3.0])
        found = climb(lambda u: (-1e6 * u[0] - u[1] ** 2, np.array([-1e6, -2 * u[1]])), start, box, steps=200)
        assert found.path[1][0] == pytest.approx([0.0, 2.0])

    def test_a_start_far_below_does_not_end_the_climb_early(self):
        """What is next to nothing beside -1e16 is not beside the top."""
        box, start = np.tile([-1e4, 1e4], (2, 1)), np.array([9e3, -5e3])
        found = climb(lambda u: (-float((u**4).sum()) - float(u @ u), -4 * u**3 - 2 * u), start, box, steps=500)
        assert found.path[0][1] < -1e15
        assert found.value == pytest.approx(0, abs=1e-3)

    def test_is_evaluated_once(self):
        met = []

        def watched(u):
            met.append(u.copy())
            return hill(u)

        found = climb(watched, TOP + WIDTHS, WIDE, steps=200, scale=WIDTHS)
        assert len(met) == found.evaluations == len(found.path)
        assert len(np.unique(met, axis=0)) == len(met)


class TestTakenUp:
    """A climb that was left goes on as if it had not been, and evaluates only what is new."""

    START = TOP + WIDTHS * np.array([2.0, -3.0, 4.0, 1.0, -2.0])

    def test_as_if_it_had_not_been_left(self):
        whole = climb(hill, self.START, WIDE, steps=100, scale=WIDTHS)
        part = climb(hill, self.START, WIDE, steps=100, scale=WIDTHS, most=4)
        rest = climb(hill, part.start, WIDE, steps=100, scale=WIDTHS, past=part)
        np.testing.assert_array_equal(part.start, self.START)
        np.testing.assert_allclose(rest.u, whole.u, rtol=0, atol=1e-9)
        assert (part.evaluations, rest.evaluations) == (4, whole.evaluations - 4)
        assert len(rest.path) == whole.evaluations
        assert part.value < rest.value

    def test_in_fewer_evaluations_than_begun_anew(self):
        part = climb(hill, self.START, WIDE, steps=100, scale=WIDTHS, most=8)
        rest, anew = (climb(hill, *each, steps=100, scale=WIDTHS, past=past) for each, past in (
            ((part.start, WIDE), part), ((part.u, WIDE), None)
        ))  # fmt: skip
        assert rest.value == pytest.approx(anew.value, abs=1e-3)
        assert rest.evaluations < anew.evaluations

    def test_when_time_is_up_what_was_known_is_kept(self):
        part = climb(hill, self.START, WIDE, steps=100, scale=WIDTHS, most=4)
        late = climb(hill, part.start, WIDE, steps=100, scale=WIDTHS, past=part, limit=OVER)
        assert (late.status, late.evaluations, late.value) == (Status.TIMEOUT, 0, part.value)
        np.testing.assert_array_equal(late.u, part.u)


class TestRivals:
    """Two tops, at −3 and at 3 in the first coordinate, the right one higher by one nat."""

    BOX = np.tile([-10.0, 10.0], (2, 1))

    @staticmethod
    def tops(u):
        heights, centres = np.array([20.0, 21.0]), np.array([[-3.0, 0.0], [3.0, 0.0]])
        away = u - centres
        each = heights * np.exp(-0.1 * (away**2).sum(axis=1))
        return float(each.sum()), -0.2 * (each[:, None] * away).sum(axis=0)

    def climb(self, start, **more):
        return climb(self.tops, np.array(start), self.BOX, steps=200, **more)

    def test_a_climb_ends_early_where_another_has_been(self):
        first, alone = self.climb([2.0, 2.0]), self.climb([6.0, -4.0])
        second = self.climb([6.0, -4.0], rivals=[first])
        assert alone.u == pytest.approx(first.u, abs=1e-2)
        assert second.evaluations < alone.evaluations

    def test_a_climb_ends_early_where_it_will_stay_below(self):
        right = self.climb([2.0, 2.0])
        alone, second = self.climb([-3.0, 6.0]), self.climb([-3.0, 6.0], rivals=[replace(right, value=1e3)])
        assert second.evaluations < alone.evaluations

    def test_a_climb_to_a_higher_top_is_not_held_up(self):
        left = self.climb([-2.0, 1.0])
        free, beside = self.climb([4.0, 5.0]), self.climb([4.0, 5.0], rivals=[left])
        assert beside.value > left.value + 0.5
        np.testing.assert_array_equal(free.u, beside.u)

    def test_a_climb_whose_first_steps_reach_too_far_is_not_given_up(self):
        """Beside a needle in one coordinate every step along the slope leads far beyond it at first."""
        tip = 1e-6

        def needle(u):
            v = u[0] / tip
            return -math.log1p(v * v), np.array([-2 * v / (1 + v * v) / tip, 0.0])

        start, below = np.array([3 * tip, 0.0]), replace(self.climb([2.0, 2.0]), value=-1.0, u=np.array([9.0, 9.0]))
        free = climb(needle, start, self.BOX, steps=200)
        beside = climb(needle, start, self.BOX, steps=200, rivals=[below])
        values = [value for _, value, _ in free.path]
        assert max(values[1:6]) < values[0] < below.value < free.value  # the case is as it is said to be
        np.testing.assert_array_equal(free.u, beside.u)


def test_hope_is_value_and_gains():
    found = climb(hill, TOP + WIDTHS, WIDE, steps=200, scale=WIDTHS, most=6)
    assert found.hope == pytest.approx(found.value + 3 * found.gain)
    assert found.hope > -0.5


def test_when_time_is_up_there_is_one_value_at_least():
    found = climb(hill, TOP + WIDTHS, WIDE, steps=500, limit=OVER)
    assert (found.status, found.evaluations) == (Status.TIMEOUT, 1)
    np.testing.assert_array_equal(found.u, TOP + WIDTHS)
    assert found.value == hill(TOP + WIDTHS)[0]


def test_work_is_counted_while_it_is_done_and_the_clock_goes_on_regardless():
    """A thread that others keep waiting has as much work to do as before."""
    work, clock = Limit.of(0.05), Limit.of(None, end=time.monotonic() + 0.05)
    time.sleep(0.1)
    assert not work.over
    assert clock.over
    while not work.over:
        sum(range(1000))
    assert not UNLIMITED.over
    assert not Limit.of(None).over


def test_steps_into_what_is_no_number_are_turned_back():
    def holed(u):
        value, slope = hill(u)
        return (math.nan, slope) if u[0] > TOP[0] + 1 else (value, slope)

    found = climb(holed, TOP + WIDTHS * np.array([-5.0, 1, 1, 1, 1]), WIDE, steps=200, scale=WIDTHS)
    assert found.status is Status.OK
    assert found.value == pytest.approx(0, abs=1e-3)
    assert climb(lambda u: (math.nan, u), TOP, WIDE, steps=20).status is Status.NONFINITE


def test_a_period_reaches_only_as_far_as_its_cycles_stay_in_step():
    x = np.arange(400.0)
    data = Dataset.of(x, np.sin(x))
    span = data.extents[0].span
    expr = parse(f"SE(variance=1, lengthscale=1) + PER(variance=1, lengthscale=1, period={span / 100})")
    far = reach(Exact.of(data, Config()), Form.of(expr), data, np.append(pack(expr), 0.0))
    assert sorted(far) == [pytest.approx(0.002), *[1.0] * 5]

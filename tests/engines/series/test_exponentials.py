"""The bounds of the sums of exponentials hold for every d, and are tight: proven anew, from the stored doubles and in balls."""

import math
import re
from itertools import pairwise

import exponentials as script
import flint
import numpy as np
import pytest
from flint import acb, acb_series, arb, arb_series

from kernelscribe.engines.series import exponentials
from kernelscribe.engines.series.exponentials import CELL, SUMS, fewest
from pages import DOCS

# Terms of the Taylor series about the middle of a piece, and pieces that a cell is first cut into.
ORDER, PIECES = 12, 8
UNIT = 2.0**-53


@pytest.fixture(autouse=True)
def many_bits():
    before = flint.ctx.prec, flint.ctx.cap
    flint.ctx.prec, flint.ctx.cap = 160, ORDER + 1
    yield
    flint.ctx.prec, flint.ctx.cap = before


def size(sum_):
    return 2 * len(sum_.rates)


every = pytest.mark.parametrize("sum_", SUMS, ids=lambda sum_: f"J={size(sum_)}")


def series(sum_, middle):
    """The error as a power series about the middle. With a ball in the middle's place, its terms hold at every point of it."""
    d = arb_series([middle, 1])
    found = (-d * d / 2).exp()
    for s, w in zip(sum_.rates, sum_.weights, strict=True):
        exponential = acb_series([-acb(s) * middle, -acb(s)]).exp() * acb(w)
        found -= arb_series([2 * term.real for term in exponential.coeffs()])
    assert len(found.coeffs()) == ORDER + 1
    return found.coeffs()


def above(sum_, middle, radius):
    """A bound of |error(d)| within the radius of the middle: Taylor with Lagrange's remainder."""
    terms, rest = series(sum_, middle)[:ORDER], series(sum_, middle + arb(0, radius))[ORDER]
    return sum((abs(c) * radius**k for k, c in enumerate(terms)), abs(rest) * radius**ORDER)


def error(sum_, d):
    d = arb(d)
    terms = (acb(w) * (-acb(s) * d).exp() for s, w in zip(sum_.rates, sum_.weights, strict=True))
    return (-d * d / 2).exp() - 2 * sum(term.real for term in terms)


def holds(sum_, left, width, bound):
    """Whether |error(d)| ≤ bound from left on: pieces are cut in two until they are below it, or their middle is above it."""
    pieces = [(arb(left) + arb(width) / PIECES * k, arb(width) / PIECES) for k in range(PIECES)]
    while pieces:
        start, length = pieces.pop()
        if not above(sum_, start + length / 2, length / 2) <= arb(bound):
            if abs(error(sum_, start + length / 2)) > arb(bound):
                return False
            pieces += [(start, length / 2), (start + length / 2, length / 2)]
    return True


@every
def test_no_cell_is_exceeded_anywhere(sum_):
    assert [cell for cell, bound in enumerate(sum_.cells) if not holds(sum_, CELL * cell, CELL, float(bound))] == []


@every
def test_no_bound_is_more_than_needed(sum_):
    taken = [max(abs(float(error(sum_, CELL * (cell + k / 64)))) for k in range(65)) for cell in range(len(sum_.cells))]
    np.testing.assert_array_less(sum_.cells, 1.01 * np.array(taken))
    assert sum_.largest <= 1.01 * max(taken)


def test_a_bound_that_is_too_small_is_found_out():
    """The proof can fail: with a bound that the error exceeds by a hundredth, somewhere in the cell."""
    assert holds(SUMS[3], 0.5, CELL, 1.001 * float(SUMS[3].cells[2]))
    assert not holds(SUMS[3], 0.5, CELL, 0.99 * float(SUMS[3].cells[2]))


@every
def test_beyond_the_cells_the_error_is_below_the_tail_which_is_small(sum_):
    """|error| is at most the sum of absolute values, all of which fall as e^(−decay·d) or faster from there on."""
    end = arb(CELL * len(sum_.cells))
    rates, weights = [acb(s) for s in sum_.rates], [acb(w) for w in sum_.weights]
    at_end = (-end * end / 2).exp() + 2 * sum(abs(w) * (-s.real * end).exp() for s, w in zip(rates, weights, strict=True))
    assert at_end <= arb(sum_.tail)
    assert arb(sum_.tail) <= 1.01 * at_end
    assert all(s.real >= sum_.decay for s in rates)
    assert end >= sum_.decay
    assert sum_.tail <= 1e-3 * sum_.largest
    for further in np.random.default_rng(0).exponential(2.0, 50):
        assert abs(error(sum_, end + further)) <= arb(sum_.tail) * (-sum_.decay * arb(further)).exp()


@every
def test_the_largest_and_the_integral_bound_all_cells_and_the_tail(sum_):
    assert sum_.largest == max(sum_.cells) >= sum_.tail
    exact = arb(CELL) * sum((arb(float(bound)) for bound in sum_.cells), arb(0)) + arb(sum_.tail) / arb(sum_.decay)
    assert exact <= arb(sum_.integral) <= exact * (1 + arb(1e-14))
    weight = 2 * sum(abs(acb(w)) for w in sum_.weights)
    assert weight <= arb(sum_.weight)
    assert arb(sum_.weight) <= weight * (1 + arb(1e-14))


@every
def test_the_error_peaks_with_signs_in_turn_and_at_one_height(sum_):
    """2J + 1 times: the mark of the least largest error. Doubles move the peaks of J = 14 a little."""
    errors = np.array([float(error(sum_, 0.001 * k**1.5)) for k in range(600)])
    turns = np.flatnonzero(np.diff(np.sign(errors))) + 1
    peaks = np.array([np.abs(part).max() for part in np.split(errors, turns)])
    assert np.sum(peaks > 0.97 * sum_.largest) == 2 * size(sum_) + 1


@every
def test_rounding_adds_no_more_than_is_said(sum_):
    """e^(−a d)·(Re w cos bd + Im w sin bd), added up in double precision, beside the exact sum of the same doubles."""
    (a, b), w = (sum_.rates.real, sum_.rates.imag), sum_.weights
    assert np.all(b < 2 * a)
    off = []
    for d in np.random.default_rng(1).uniform(0, 4, 400):
        computed = 2 * np.sum(np.exp(-a * d) * (w.real * np.cos(b * d) + w.imag * np.sin(b * d)))
        off.append(abs(float((-arb(d) * arb(d) / 2).exp() - arb(float(computed)) - error(sum_, d))))
    assert 0 < max(off) <= sum_.weight * (6 + size(sum_) / 2) * UNIT


def test_the_sums_go_from_few_to_many_and_their_errors_fall():
    assert [size(sum_) for sum_ in SUMS] == [2, 4, 6, 8, 10, 12, 14]
    assert all(many.largest < few.largest / 80 for few, many in pairwise(SUMS))
    assert all(many.integral < few.integral / 60 for few, many in pairwise(SUMS))
    assert all(np.all(sum_.rates.real > 0) and np.all(sum_.rates.imag > 0) for sum_ in SUMS)


def test_the_fewest_that_are_allowed():
    for sum_ in SUMS:
        assert fewest(sum_.largest) is sum_
    assert fewest(math.inf) is SUMS[0]
    assert [fewest(math.nextafter(sum_.largest, 0)) for sum_ in SUMS] == [*SUMS[1:], None]


def test_nobody_can_change_the_table():
    for sum_ in SUMS:
        for each in (sum_.rates, sum_.weights, sum_.cells):
            with pytest.raises(ValueError, match="read-only"):
                each[0] = 0


@pytest.mark.parametrize("text", [exponentials.__doc__, DOCS["series"]], ids=["docstring", "docs"])
def test_what_is_written_of_the_sums_is_what_they_are(text):
    written = re.findall(r"^\| (\d+) \| (\S+) \| (\S+) \| (\S+) \|$", text, re.MULTILINE)
    assert written == [
        (f"{size(sum_)}", f"{sum_.largest:.2e}", f"{2 * sum_.integral:.1e}", f"{sum_.weight:.3g}") for sum_ in SUMS
    ]  # fmt: skip


@pytest.mark.parametrize("count", [2, 4, *(pytest.param(count, marks=pytest.mark.slow) for count in (6, 8, 10, 12, 14))])
def test_the_script_makes_the_table(count):
    flint.ctx.prec = script.BITS
    assert script.row(count) in script.TABLE.read_text(encoding="utf-8")

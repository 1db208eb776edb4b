"""Makes the sums of exponentials for the Gaussian, and proves how good they are: `python scripts/exponentials.py`.

    exp(−d²/2) ≈ 2 Re Σ_j w_j e^(−s_j d),  d ≥ 0

1. Rates to begin with: samples of the Gaussian fill a Hankel matrix. Its leading singular vectors span nearly a space of sums of
   exponentials, and such a space is its own when it is shifted by a step: the shift's eigenvalues are e^(−s h).
2. Least squares over rates and weights, by steps of Gauss and Newton, on points that lie as Chebyshev's do.
3. The same again with more weight where the error peaks high, until all peaks are of one height. A sum of J exponentials has 2J
   parameters, and 2J + 1 peaks of one height and of signs in turn are the mark of the least largest error.
4. The rates are rounded to doubles; so are the weights, one after the other from the largest on, and those that are left are
   fitted anew each time, so that small ones make up for the rounding of large ones.
5. Bounds of the error of the doubles as stored, cell by cell: Taylor's polynomial with its remainder on pieces, in balls, pieces
   cut in two until the bound is within a thousandth of a value that the error takes. They are rounded upwards.

It writes src/kernelscribe/engines/series/exponential_table.py and prints what docs/series.md says.
"""

import heapq
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from flint import acb, acb_mat, arb, arb_mat, ctx

TABLE = Path(__file__).resolve().parents[1] / "src" / "kernelscribe" / "engines" / "series" / "exponential_table.py"
# Numbers of exponentials. Sixteen would have an error of 4e-16 and weights of 520, which cost more than that in double precision.
COUNTS = (2, 4, 6, 8, 10, 12, 14)
# Bits: normal equations of fourteen exponentials lose some two hundred.
BITS = 400
# Rows of the Hankel matrix, and the step of its samples.
SAMPLES = 72
STEP = 0.1
# Points of the least squares, at which each peak is seen ten times.
POINTS = 300
# The last peak lies at about so many roots of the number of exponentials (5.4 for 4, 10.3 for 14).
REACH = 2.75
# Where extrema are looked for: beyond, sums have died away below a thousandth of their error.
FAR = 16.0
# Rounds after which peaks are of one height, and how much they may still differ.
ROUNDS = 6
LEVEL = 1e-3
# Steps of least squares are done when so many in turn gain little: a share of the error.
STILL = 2
LITTLE = 1e-4
# Terms of Taylor's polynomial: on pieces of CELL/8 the next is below 1e-30.
ORDER = 24
# Pieces that each cell is first cut into.
PIECES = 8
# A bound is good enough when it is so near above a value that the error takes.
NEAR = 1.001
# max |He_m(x)| e^(−x²/4) / √m! of Hermite's polynomials is below 1.0865 (Cramér's inequality).
CRAMER = arb("1.09")
# Lengthscales that one bound is given for.
CELL = 0.25
# Beyond the last cell the sum of absolute values bounds the error. There it is so small a part of the largest.
FADED = 1e-3


@dataclass(frozen=True)
class Exponents:
    """Rates and weights, one of each pair, to many digits or as doubles."""

    rates: list[acb]
    weights: list[acb]

    def sums(self, d: arb) -> list[acb]:
        return [w * (-s * d).exp() for s, w in zip(self.rates, self.weights, strict=True)]

    def error(self, d: arb) -> arb:
        return ((-d * d / 2).exp() - 2 * sum((each.real for each in self.sums(d)), arb(0))).mid()

    def slopes(self, d: arb) -> list[arb]:
        """Of the error, by the real and imaginary parts of all weights, then of all rates."""
        powers = [(-s * d).exp() for s in self.rates]
        by_rate = [d * each for each in self.sums(d)]
        parts = [(-2 * e.real, 2 * e.imag) for e in powers] + [(2 * e.real, -2 * e.imag) for e in by_rate]
        return [part.mid() for pair in parts for part in pair]

    def moved(self, step: Sequence[arb]) -> "Exponents":
        """With steps of the weights and, where there are that many, of the rates."""
        pairs = [acb(step[i], step[i + 1]) for i in range(0, len(step), 2)]
        size = len(self.weights)
        weights = [middle(w + by) for w, by in zip(self.weights, pairs[:size], strict=True)]
        rates = [middle(s + by) for s, by in zip(self.rates, pairs[size:], strict=True)] if pairs[size:] else self.rates
        return Exponents(rates, weights)


def middle(z: acb) -> acb:
    return acb(z.real.mid(), z.imag.mid())


def first_rates(count: int) -> list[acb]:
    """Those of the Hankel matrix, one of each pair."""
    g = [(-((arb(STEP) * k) ** 2) / 2).exp() for k in range(2 * SAMPLES - 1)]
    values, vectors = acb_mat([g[i : i + SAMPLES] for i in range(SAMPLES)]).eig(right=True, algorithm="approx")
    leading = sorted(range(SAMPLES), key=lambda k: -float(abs(values[k]).mid()))[:count]
    U = [[vectors[i, k].real.mid() for k in leading] for i in range(SAMPLES)]
    before, after = arb_mat(U[:-1]), arb_mat(U[1:])
    shift = (before.transpose() * before).solve(before.transpose() * after)
    entries = [[acb(shift[i, j].mid()) for j in range(count)] for i in range(count)]
    rates = [middle(-middle(z).log() / STEP) for z in acb_mat(entries).eig(algorithm="approx")]
    return sorted((s for s in rates if s.imag > 0), key=lambda s: float(s.imag.mid()))


class Squares:
    """Least squares of the error at points with weights."""

    def __init__(self, points: list[arb], emphasis: Iterable[float]) -> None:
        self.points, self.emphasis = points, [arb(each) for each in emphasis]

    def size(self, sum_: Exponents) -> float:
        return math.sqrt(sum(float((sum_.error(d) * e) ** 2) for d, e in zip(self.points, self.emphasis, strict=True)))

    def normal(self, sum_: Exponents, free: Sequence[int]) -> tuple[arb_mat, arb_mat]:
        """The normal equations for steps of the free parameters."""
        slopes = [sum_.slopes(d) for d in self.points]
        A = arb_mat([[slope[k] * e for k in free] for slope, e in zip(slopes, self.emphasis, strict=True)])
        b = arb_mat([[-sum_.error(d) * e] for d, e in zip(self.points, self.emphasis, strict=True)])
        return A.transpose() * A, A.transpose() * b

    def weighted(self, sum_: Exponents, free: Sequence[int]) -> Exponents:
        """With the best values of the free weights, the parts of which are numbered; the others stay."""
        N, right = self.normal(sum_, free)
        found = exact(N).solve(right)
        step = [arb(0)] * (2 * len(sum_.weights))
        for place, k in enumerate(free):
            step[k] = found[place, 0].mid()
        return sum_.moved(step)

    def best(self, sum_: Exponents) -> Exponents:
        """Steps of Gauss and Newton, damped as far as needed, and the best weights after each."""
        weights, everything = range(2 * len(sum_.weights)), range(4 * len(sum_.weights))
        sum_ = self.weighted(sum_, weights)
        size, damping, still = self.size(sum_), arb(2) ** -200, 0
        while still < STILL:
            N, right = self.normal(sum_, everything)
            while True:
                step = exact(N, 1 + damping).solve(right)
                tried = sum_.moved([step[k, 0].mid() for k in everything])
                if all(s.real > 0 and s.imag > 0 for s in tried.rates):
                    tried = self.weighted(tried, weights)
                    if self.size(tried) < size:
                        break
                damping = (damping * 2**8).mid()
                if damping > 1:
                    return sum_
            before, size = size, self.size(tried)
            sum_, damping, still = tried, (damping / 2**12).mid(), still + 1 if size > (1 - LITTLE) * before else 0
        return sum_


def exact(N: arb_mat, diagonal: arb | int = 1) -> arb_mat:
    """The middles, with the diagonal multiplied."""
    size = range(N.nrows())
    return arb_mat([[(N[i, j] * diagonal if i == j else N[i, j]).mid() for j in size] for i in size])


def peaks(sum_: Exponents) -> list[tuple[float, float]]:
    """Where the error is largest between its changes of sign, and how large."""
    steps = 1500
    places = [arb(FAR) * (arb(k) / steps) ** 2 for k in range(steps + 1)]
    errors = [sum_.error(d) for d in places]
    highest = [0]
    for k in range(1, steps + 1):
        if (errors[k] > 0) != (errors[highest[-1]] > 0):
            highest.append(k)
        elif abs(errors[k]) > abs(errors[highest[-1]]):
            highest[-1] = k
    return [(float(places[k]), abs(float(errors[k]))) for k in highest]


def level(count: int) -> tuple[Exponents, Squares]:
    """The sum whose peaks are of one height, and the least squares that it solves."""
    reach = REACH * math.sqrt(count)
    points = [(reach * (1 - (arb.pi() * k / POINTS).cos()) / 2).mid() for k in range(POINTS + 1)]
    rates = first_rates(count)
    sum_ = Exponents(rates, [acb(0)] * len(rates))
    logs = [0.0] * len(points)
    for _ in range(ROUNDS):
        squares = Squares(points, map(math.exp, logs))
        sum_ = squares.best(sum_)
        top = peaks(sum_)[: 2 * count + 1]
        if len(top) <= 2 * count:
            raise SystemExit(f"{count}: {len(top)} peaks, {2 * count + 1} are wanted")
        heights = [math.log(height) for _, height in top]
        mean = sum(heights) / len(heights)
        roots = [math.sqrt(place) for place, _ in top]
        logs = [log + between(math.sqrt(float(d)), roots, heights) - mean for log, d in zip(logs, points, strict=True)]
    if max(heights) - min(heights) > LEVEL:
        raise SystemExit(f"{count}: peaks from {math.exp(min(heights)):.3g} to {math.exp(max(heights)):.3g}")
    return sum_, squares


def between(x: float, places: list[float], values: list[float]) -> float:
    """Straight from point to point, and level beyond them."""
    for (left, right), (low, high) in zip(pairwise(places), pairwise(values), strict=True):
        if x <= right:
            return low + (high - low) * max(0.0, x - left) / (right - left)
    return values[-1]


def stored(sum_: Exponents, squares: Squares) -> Exponents:
    """In doubles: rates first, then weights from the largest on, with those that are left fitted anew."""
    rounded = replace(sum_, rates=[acb(float(s.real), float(s.imag)) for s in sum_.rates])
    free = list(range(2 * len(sum_.weights)))
    while free:
        rounded = squares.weighted(rounded, free)
        parts = [part for w in rounded.weights for part in (w.real, w.imag)]
        largest = max(free, key=lambda k: abs(float(parts[k])))
        parts[largest] = arb(float(parts[largest]))
        free.remove(largest)
        rounded = replace(rounded, weights=[acb(*parts[k : k + 2]) for k in range(0, len(parts), 2)])
    return rounded


def taylor(sum_: Exponents, centre: arb, radius: arb) -> tuple[list[arb], arb]:
    """The first coefficients of the error about the centre, and a bound of all that follows within the radius."""
    gauss = [(-centre * centre / 2).exp()]
    gauss.append(-centre * gauss[0])
    for k in range(1, ORDER - 1):  # from g′ = −x g
        gauss.append(-(centre * gauss[k] + gauss[k - 1]) / (k + 1))
    terms, coefficients = sum_.sums(centre), []
    for k in range(ORDER):
        coefficients.append(gauss[k] - 2 * sum((each.real for each in terms), arb(0)))
        terms = [-s * each / (k + 1) for s, each in zip(sum_.rates, terms, strict=True)]
    # What are terms of the next order at the centre are larger at the left end.
    rest = 2 * sum((abs(each) * (s.real * radius).exp() for s, each in zip(sum_.rates, terms, strict=True)), arb(0))
    return coefficients, (rest + CRAMER / arb.fac_ui(ORDER).sqrt()) * radius**ORDER


def piece(sum_: Exponents, left: arb, right: arb) -> tuple[arb, arb]:
    """Above |error| on the piece, and below its largest value there."""
    centre, radius = (left + right) / 2, (right - left) / 2
    coefficients, rest = taylor(sum_, centre, radius)
    above = sum((abs(c) * radius**k for k, c in enumerate(coefficients)), rest)
    ends = [sum((c * t**k for k, c in enumerate(coefficients)), arb(0)) for t in (-radius, arb(0), radius)]
    return above.upper(), max((abs(each).lower() for each in ends), key=float) - rest.upper()


def highest(sum_: Exponents, left: arb, right: arb) -> arb:
    """A bound of |error| between the two, within a thousandth."""
    width = (right - left) / PIECES
    pieces = [(left + width * k, left + width * (k + 1)) for k in range(PIECES)]
    below, heap = arb(0), []
    while True:
        for each in pieces:
            above, taken = piece(sum_, *each)
            below = max(below, taken, key=float)
            heapq.heappush(heap, (-float(above), len(heap), float(each[0]), above, each))
        _, _, _, above, (start, end) = heapq.heappop(heap)
        if above <= NEAR * below:
            return above
        pieces = [(start, (start + end) / 2), ((start + end) / 2, end)]


def upwards(bound: arb) -> float:
    """The next number above of four digits, and so much that it is above when written as a double."""
    value = float(bound)
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    found = float(f"{math.floor(value / unit) * unit + unit:.3e}")
    if not bound < arb(found) < 1.01 * bound:
        raise ArithmeticError(f"{found} is not next above {bound}")
    return found


def beyond(sum_: Exponents, start: float) -> arb:
    """At the start, the sum of absolute values: e^(−d²/2) falls faster than any e^(−s d) from there on."""
    if not all(s.real < start for s in sum_.rates):
        raise ArithmeticError("the cells end too early")
    return (-(arb(start) ** 2) / 2).exp() + 2 * sum((abs(each) for each in sum_.sums(arb(start))), arb(0))


def bounds(sum_: Exponents) -> tuple[list[float], float]:
    """Of every cell, and at the end of the last."""
    cells: list[float] = []
    while not cells or beyond_is_large(sum_, cells):
        left = arb(CELL) * len(cells)
        cells.append(upwards(highest(sum_, left, left + CELL)))
    return cells, upwards(beyond(sum_, CELL * len(cells)))


def beyond_is_large(sum_: Exponents, cells: list[float]) -> bool:
    start = CELL * len(cells)
    return not all(s.real < start for s in sum_.rates) or not beyond(sum_, start) < FADED * max(cells)


HEAD = '''"""Sums of exponentials: rates, weights, bounds beyond the cells and in each. Made by scripts/exponentials.py."""

__all__ = ["CELL", "TABLE"]

Stored = tuple[tuple[complex, ...], tuple[complex, ...], float, tuple[float, ...]]

# Lengthscales that one bound is given for.
CELL = {cell}

# fmt: off
TABLE: tuple[Stored, ...] = (
'''


def lines(name: str, values: Iterable[object]) -> str:
    """A tuple, so many of its entries to a line as there is room for."""
    text, room = f"        (  # {name}\n", 0
    for each in values:
        entry = f"{each!r},"
        room -= len(entry) + 1
        text += f" {entry}" if room > 0 else f"{chr(10) if text[-1] == ',' else ''}            {entry}"
        room = room if room > 0 else 130 - 12 - len(entry)
    return f"{text}\n        ),\n"


def row(count: int) -> str:
    """One sum as it is written down."""
    found = stored(*level(count))
    rates, weights = ([complex(float(z.real), float(z.imag)) for z in each] for each in (found.rates, found.weights))
    cells, tail = bounds(found)
    integral, weight = CELL * math.fsum(cells) + tail / min(s.real for s in rates), 2 * sum(map(abs, weights))
    sys.stdout.write(f"| {count} | {max(cells):.2e} | {2 * integral:.1e} | {weight:.3g} |\n")
    return f"    (\n{lines('rates', rates)}{lines('weights', weights)}        {tail!r},\n{lines('cells', cells)}    ),\n"


def main() -> None:
    """Write the table."""
    ctx.prec = BITS
    TABLE.write_text(HEAD.format(cell=CELL) + "".join(map(row, COUNTS)) + ")\n", encoding="utf-8")


if __name__ == "__main__":
    main()

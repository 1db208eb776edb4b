"""Where the optimiser starts: inherited values kept, and what is new at the paper's draws and at what the data show."""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.fit.hints import Hints, Periods
from kernelscribe.fit.posterior import in_step
from kernelscribe.kernels.algebra import amplify, scale
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.expression import Expression, Leaf, Product, Sum, leaves, pack, rebuild, text

__all__ = ["fractions", "generator", "shaken", "starts"]

# How far inherited values are moved, in their logarithms: a little, and farther in every other start or when nothing is new.
_MOVE = 0.1
_SHAKE = 0.5
# What something new may take of the target's variance at the start, and what of the noise is too little to be seen.
_LARGEST = 0.5
_UNSEEN = 0.01
_QUIETEST, _LOUDEST = 1e-4, 0.3
_QUIETER = 0.03
# How many periods long the smooth partner of a new cycle may be at the start.
_LONGEST = 8.0


def generator(seed: int, expr: Expression) -> np.random.Generator:
    """Randomness that depends on the seed and the kernel's text alone, never on the order in which kernels are fitted."""
    digest = hashlib.sha256(text(expr).encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def starts(
    expr: Expression,
    noise: float | None,
    extents: Sequence[Extent],
    rng: np.random.Generator,
    *,
    number: int,
    hints: Hints | None,
) -> list[Array]:
    """That many starts, as coordinates with the logarithm of the noise variance last.

    Without hints as in the paper: what is new is drawn, what is inherited is kept, and moved a little after the first start.
    With hints: of a kernel that is new altogether, every other start is scattered over all scales, with periods that stand out in
    the target. Where only a part is new, the first start is all but the parent itself, most put the new part at the size and the
    periods of what the parent leaves unexplained, and one in four begins anew. Where nothing is new, values are moved.
    """
    draw, reach = _Draw(rng, extents), _reach(expr, extents)
    fresh = [leaf.values is None for leaf in leaves(expr)]
    found = []
    for i in range(number):
        # One in four inherits nothing, since inherited starts inherit bad optima too.
        anew = hints is not None and any(fresh) and not all(fresh) and i % 4 == 3  # noqa: PLR2004
        s2 = noise if noise is not None else draw.noise()
        if hints is None or (all(fresh) and i % 2 == 1):
            filled = rebuild(expr, draw.paper)
        elif all(fresh):
            filled, s2 = draw.scattered(expr, hints.target, i // 2), draw.any_noise()
        elif anew:
            filled, s2 = draw.scattered(expr, hints.target, i // 4), draw.any_noise()
        elif any(fresh):
            # A smooth part may have taken the cycle in, so that nothing of it is left in the residual: look in the target too.
            if i > 0 and i % 2 == 0:
                filled = draw.stretched(expr, draw.grown(expr, s2, hints.target, i // 2))
            else:
                filled = draw.grown(expr, s2, hints.residual, i)
            # What is new may explain most of what was noise.
            s2 = s2 if i % 2 == 0 else s2 * draw.share()
        else:
            filled = expr
        moved = 0.0 if i == 0 or anew else _MOVE if any(fresh) and i % 2 == 1 else _SHAKE
        theta = pack(filled) + moved * reach * rng.normal(size=len(reach))
        found.append(np.append(theta, math.log(s2)))
    return found


def shaken(expr: Expression, noise: float, extents: Sequence[Extent], rng: np.random.Generator) -> Array:
    """A fitted kernel with its values shaken, to climb to a better top than it is on, if there is one near."""
    theta = pack(expr)
    theta = theta + _SHAKE * _reach(expr, extents) * rng.normal(size=len(theta))
    return np.append(theta, math.log(noise) + _SHAKE * rng.normal())


def _reach(expr: Expression, extents: Sequence[Extent]) -> Array:
    """How far each coordinate may be moved, in parts of a move: inherited ones, new ones not at all. A period only as far as the
    cycles at both ends of the data stay in step: beyond that the cycle is lost."""
    reach = []
    for leaf in leaves(expr):
        for i, parameter in enumerate(leaf.base.parameters):
            if leaf.values is None:
                reach.append(0.0)
            elif parameter.name == "period":
                reach.append(in_step(leaf.values[i], extents[leaf.dim - 1]))
            else:
                reach.append(1.0)
    return np.array(reach)


def fractions(expr: Expression, u: Array, box: Array) -> list[Array]:
    """The point with each new period halved, and cut to a third: a cycle is as well described by twice its period, with more
    detail than there is, and no small step leads from there to the truth."""
    found, at = [], 0
    for leaf in leaves(expr):
        if leaf.kind == "PER" and leaf.values is None:
            for part in (2, 3):
                v = u.copy()
                # The same shape over time: the period is shorter and the length-scale, which is counted in periods, longer.
                v[at + 1 : at + 3] += math.log(part), -math.log(part)
                found.append(np.clip(v, box[:, 0], box[:, 1]))
        at += len(leaf.base.parameters)
    return found


@dataclass(frozen=True, slots=True)
class _Draw:
    """Random values for the leaves of a kernel."""

    rng: np.random.Generator
    extents: Sequence[Extent]

    def noise(self) -> float:
        return 0.1 * math.exp(self.rng.normal() / 2)

    def any_noise(self) -> float:
        """Over all scales: from a large noise, a climb tends to leave fine structure to the noise."""
        return math.exp(self.rng.uniform(math.log(_QUIETEST), math.log(_LOUDEST)))

    def share(self) -> float:
        """A part of the noise."""
        return math.exp(self.rng.uniform(math.log(_QUIETER), 0.0))

    def paper(self, leaf: Leaf) -> Leaf:
        return leaf if leaf.values is not None else replace(leaf, values=leaf.base.draw(self.rng, self.extents[leaf.dim - 1]))

    def scattered(self, expr: Expression, periods: Periods, turn: int) -> Expression:
        """Every leaf anew, over all scales, with periods that stand out."""
        return rebuild(expr, self._scatter(periods, turn))

    def grown(self, expr: Expression, s2: float, periods: Periods, number: int) -> Expression:
        """What is inherited, and what is new at a size between the noise and half the target's variance.

        Number 0 is all but the parent: an addition too small to be seen, a factor that is one almost everywhere.
        """
        if number == 0:
            return self._fill(expr, _UNSEEN * s2, 1.0, self._scatter(periods, 0), flat=True)
        size = math.exp(self.rng.uniform(math.log(min(s2, _LARGEST)), math.log(_LARGEST)))
        return self._fill(expr, size, 1.0, self._scatter(periods, number - 1), flat=False)

    def stretched(self, expr: Expression, filled: Expression) -> Expression:
        """With every SE on the input of a new PER longer than the period: it leaves the cycle to PER and follows its change."""
        pairs = zip(leaves(expr), leaves(filled), strict=True)
        new = {leaf.dim: leaf.values[2] for old, leaf in pairs if leaf.kind == "PER" and old.values is None and leaf.values}

        def longer(leaf: Leaf) -> Leaf:
            period = new.get(leaf.dim)
            if leaf.kind != "SE" or leaf.values is None or period is None or leaf.values[1] > 2 * period:
                return leaf
            return replace(leaf, values=(leaf.values[0], period * math.exp(self.rng.uniform(0.0, math.log(_LONGEST)))))

        return rebuild(filled, longer)

    def _scatter(self, periods: Periods, turn: int) -> Callable[[Leaf], Leaf]:
        """Leaves over all scales. The best period leads in every other turn, the others in the turns between, and each further
        PER of the same kernel takes the next."""
        at = 0 if turn % 2 == 0 else (turn + 1) // 2

        def make(leaf: Leaf) -> Leaf:
            nonlocal at
            values, known = leaf.base.scatter(self.rng, self.extents[leaf.dim - 1]), periods.get(leaf.dim)
            if leaf.kind == "PER" and known:
                values, at = (*values[:2], known[at % len(known)]), at + 1
            return replace(leaf, values=values)

        return make

    def _fill(self, expr: Expression, size: float, others: float, make: Callable[[Leaf], Leaf], *, flat: bool) -> Expression:
        """New leaves filled in: a summand with its size, the factors around it (`others`) counted in; a factor with size one."""
        match expr:
            case Leaf(values=None):
                new = make(expr)
                return amplify(new, size / (others * scale(new)))
            case Leaf():
                return expr
            case Sum(args):
                return Sum(tuple(self._fill(arg, size, others, make, flat=flat) for arg in args))
            case Product(args):
                parts: list[Expression] = []
                for arg in args:
                    if isinstance(arg, Leaf) and arg.values is None:
                        new = make(arg)
                        new = self._flattened(new) if flat else new
                        parts.append(amplify(new, 1 / scale(new)))
                    else:
                        around = others * math.prod(scale(other) for other in args if other is not arg)
                        parts.append(self._fill(arg, size, around, make, flat=flat))
                return Product(tuple(parts))

    def _flattened(self, leaf: Leaf) -> Leaf:
        return replace(leaf, values=leaf.base.flatten(leaf.values or (), self.extents[leaf.dim - 1]))

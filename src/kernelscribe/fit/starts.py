"""Where the optimiser starts: inherited values kept, and what is new at the paper's draws and at what the data show."""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

import numpy as np

from kernelscribe.fit.hints import Hints, Periods
from kernelscribe.fit.posterior import in_step
from kernelscribe.kernels.algebra import amplify, scale
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.expression import Expression, Leaf, Product, Sum, leaves, pack, rebuild, text

__all__ = ["finer", "fractions", "generator", "narrow", "shaken", "starts"]

# How far inherited values are moved, in their logarithms: a little, and farther in every other start or when nothing is new.
_MOVE = 0.1
_SHAKE = 0.5
# What something new may take of the target's variance at the start, and what of the noise is too little to be seen.
_LARGEST = 0.5
_UNSEEN = 0.01
_QUIETEST, _LOUDEST = 1e-4, 0.3
_QUIETER = 0.3
# Where inherited values stay: periods that a new PER takes from each list, and how many other starts there are at least.
_PERIODS, _OTHERS = 8, 3
# How many periods long the smooth partner of a new cycle may be at the start.
_LONGEST = 8.0
# Periods nearer than this, relatively, are one.
_SAME = 0.03
# What a part keeps of its variance when a new factor takes its place, and the start that tries it.
_LEFT = 0.1
_EXCHANGE = 2
# The starts where new lines that are factors are zero just below the data, and just above.
_ASIDE = (1, 2)


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
    periods of what the parent leaves unexplained, one lets it take the place of an old part of its kind, and one in four begins
    anew, with other periods than the parent has. Where nothing is new, values are moved.
    """
    draw, reach = _Draw(rng, extents), _reach(expr, extents)
    fresh = [leaf.values is None for leaf in leaves(expr)]
    found = []
    for i in range(number):
        # One in four inherits nothing, since inherited starts inherit bad optima too.
        anew = hints is not None and any(fresh) and not all(fresh) and i % 4 == 3  # noqa: PLR2004
        s2 = noise if noise is not None else draw.noise()
        calm = any(fresh) and i % 2 == 1
        if hints is None or (all(fresh) and i % 2 == 1):
            filled = rebuild(expr, draw.paper)
        elif all(fresh):
            filled, s2 = draw.scattered(expr, hints.target, i // 2), draw.any_noise()
        elif anew:
            filled, s2 = draw.scattered(expr, _others(expr, hints.target), i // 4), s2 * draw.share()
        elif any(fresh):
            # A smooth part may have taken the cycle in, so that nothing of it is left in the residual: look in the target too.
            if i > 0 and i % 2 == 0:
                filled = draw.stretched(expr, draw.grown(expr, s2, hints.target, i // 2))
            else:
                filled = draw.grown(expr, s2, hints.residual, i)
            if i in _ASIDE:
                filled = draw.aside(expr, filled, below=i == _ASIDE[0])
            if i == _EXCHANGE:
                plain, filled = filled, draw.exchanged(expr, filled)
                calm = filled != plain
            # What is new may explain most of what was noise.
            s2 = s2 if i % 2 == 0 else s2 * draw.share()
        else:
            filled = expr
        moved = 0.0 if i == 0 or anew else _MOVE if calm else _SHAKE
        theta = pack(filled) + moved * reach * rng.normal(size=len(reach))
        found.append(np.append(theta, math.log(s2)))
    return found


def narrow(expr: Expression, noise: float, extents: Sequence[Extent], rng: np.random.Generator, hints: Hints) -> list[Array]:
    """Starts where rows are so many that inherited values are all but certain: these stay, and only what is new is tried.

    The first is all but the parent itself. Then a new PER takes every period that stands out, in what the parent leaves
    unexplained and, with its neighbours made longer so that they leave it the cycle, in the target; a new SE or LIN some values
    in turn.
    """
    draw = _Draw(rng, extents)
    ends = math.log(noise)
    found = [np.append(pack(draw.grown(expr, noise, hints.residual, 0)), ends)]
    if any(leaf.values is None and leaf.kind == "PER" for leaf in leaves(expr)):
        for i in range(_PERIODS):
            for periods, stretch in ((hints.residual, False), (hints.target, True)):
                chosen = {dim: known[i : i + 1] for dim, known in periods.items() if i < len(known)}
                if chosen:
                    filled = draw.grown(expr, noise, chosen, 1)
                    found.append(np.append(pack(draw.stretched(expr, filled) if stretch else filled), ends))
    while len(found) <= _OTHERS:
        filled = draw.grown(expr, noise, hints.residual, len(found))
        found.append(np.append(pack(filled), ends))
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


def _beside(expr: Sum | Product) -> Iterator[tuple[Leaf, int, int, int]]:
    """Inherited parts of a sum that have beside them a product with a new factor of their kind on their input: with their place,
    that of the product, and that of the factor in it."""
    for (i, part), (j, product) in permutations(enumerate(expr.args), 2):
        if isinstance(expr, Sum) and isinstance(part, Leaf) and part.values is not None and isinstance(product, Product):
            yield from ((part, i, j, at) for at, factor in enumerate(product.args) if factor == Leaf(part.kind, part.dim))


def _others(expr: Expression, periods: Periods) -> Periods:
    """The periods with those that the kernel has inherited last: a cycle may have been taken for one of its overtones."""
    old = [(leaf.dim, leaf.values[2]) for leaf in leaves(expr) if leaf.kind == "PER" and leaf.values is not None]

    def known(dim: int, period: float) -> bool:
        return any(dim == other and abs(period / value - 1) < _SAME for other, value in old)

    return {dim: tuple(sorted(each, key=lambda period: known(dim, period))) for dim, each in periods.items()}


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


def finer(expr: Expression, u: Array, box: Array) -> list[Array]:
    """The point with each length-scale cut to a third, and to a sixth: what was smooth while other things were noise may show
    detail now, and there is a dip on the way to it."""
    found, at = [], 0
    for leaf in leaves(expr):
        for i, parameter in enumerate(leaf.base.parameters):
            if parameter.name == "lengthscale":
                for part in (3, 6):
                    v = u.copy()
                    v[at + i] -= math.log(part)
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
        """With every SE beside a new PER on its input, as a factor or a summand, longer than the period: it leaves the cycle to
        PER and follows its change, or what is left."""
        if isinstance(expr, Leaf) or isinstance(filled, Leaf):
            return filled
        pairs = list(zip(expr.args, filled.args, strict=True))
        new = {
            now.dim: now.values[2]
            for old, now in pairs
            if isinstance(old, Leaf) and isinstance(now, Leaf) and now.kind == "PER" and old.values is None and now.values
        }
        return replace(filled, args=tuple(self.stretched(old, self._longer(now, new)) for old, now in pairs))

    def _longer(self, part: Expression, periods: Mapping[int, float]) -> Expression:
        """An SE that is not much longer than the period on its input, made so."""
        if not isinstance(part, Leaf) or part.kind != "SE" or part.values is None or part.dim not in periods:
            return part
        period = periods[part.dim]
        if part.values[1] > 2 * period:
            return part
        return replace(part, values=(part.values[0], period * math.exp(self.rng.uniform(0.0, math.log(_LONGEST)))))

    def aside(self, expr: Expression, filled: Expression, *, below: bool) -> Expression:
        """With every new LIN that is a factor zero just outside the data: what it multiplies grows from nothing, or shrinks to
        it. Drawn at random the side would be the wrong one half of the time, and no climb leads to the other."""
        if isinstance(expr, Leaf) or isinstance(filled, Leaf):
            return filled
        args = []
        for old, new in zip(expr.args, filled.args, strict=True):
            if isinstance(expr, Product) and isinstance(old, Leaf) and old.kind == "LIN" and old.values is None:
                extent, far = self.extents[old.dim - 1], self.rng.uniform(0.0, 0.5)
                place = extent.low - far * extent.span if below else extent.high + far * extent.span
                line = replace(old, values=(1.0, place))
                args.append(amplify(line, 1 / scale(line)))
            else:
                args.append(self.aside(old, new, below=below))
        return replace(filled, args=tuple(args))

    def exchanged(self, expr: Expression, filled: Expression) -> Expression:
        """With a new factor in the place of a part of its kind in the sum around it, as the new SE in SE + SE*PER: the new one is
        the trend, of which the cycle becomes a part, and the old one is left to follow the detail. No small step leads there.
        """
        if isinstance(expr, Leaf) or isinstance(filled, Leaf):
            return filled
        args = [self.exchanged(old, new) for old, new in zip(expr.args, filled.args, strict=True)]
        for part, i, j, at in islice(_beside(expr), 1):
            match args[j]:
                case Product(factors):
                    new = [self._around(factor, part) for factor in factors]
                    new[at] = self._smoother(part)
                    args[i], args[j] = amplify(part, _LEFT), Product(tuple(new))
        return replace(filled, args=tuple(args))

    def _smoother(self, leaf: Leaf) -> Leaf:
        """An SE with a length-scale nearer to the whole span than its own is; others as they are."""
        if leaf.kind != "SE" or leaf.values is None:
            return leaf
        variance, short = leaf.values
        longest = max(self.extents[leaf.dim - 1].span, short)
        return replace(leaf, values=(variance, longest * (short / longest) ** self.rng.uniform(0.0, 0.5)))

    @staticmethod
    def _around(factor: Expression, part: Expression) -> Expression:
        """A factor of size one. A cycle is flattened until what varies of it, times the part, is as large as the cycle was."""
        if isinstance(factor, Leaf) and factor.kind == "PER" and factor.values is not None:
            variance, detail, period = factor.values
            factor = replace(factor, values=(variance, max(detail, math.sqrt(scale(part) / variance)), period))
        return amplify(factor, 1 / scale(factor))

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

"""Values for the leaves of a kernel that are new: at random, or as what is inherited and what the data show suggest."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

import numpy as np

from kernelscribe.fit.hints import Periods
from kernelscribe.kernels.base import Role, Shape
from kernelscribe.kernels.laws import amplify, scale
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Product, Sum, Zero, rebuild
from kernelscribe.scales import Extent

__all__ = ["Draw"]

# What something new may take of the target's variance at the start, and what of the noise is too little to be seen.
_LARGEST = 0.5
_UNSEEN = 0.01
# The noise of a start, of the target's variance: from a series that one would draw with a pen ...
_QUIETEST = 1e-4
# ... to one of which a third is noise.
_LOUDEST = 0.3
_QUIETER = 0.3
# How many periods long the smooth partner of a new cycle may be at the start.
_LONGEST = 8.0
# What a part keeps of its variance when a new factor takes its place.
_LEFT = 0.1


@dataclass(frozen=True, slots=True)
class Draw:
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

    def paper(self, expr: Expression) -> Expression:
        """What is new drawn as in the paper."""
        return self._gates(rebuild(expr, self._drawn), anew=False)

    def _drawn(self, leaf: Leaf) -> Leaf:
        return leaf if leaf.values is not None else replace(leaf, values=leaf.base.draw(self.rng, self.extents[leaf.dim - 1]))

    def scattered(self, expr: Expression, periods: Periods, turn: int) -> Expression:
        """All values anew, over all scales, with periods that stand out."""
        return self._gates(rebuild(expr, self._scatter(periods, turn)), anew=True)

    def _gates(self, expr: Expression, *, anew: bool) -> Expression:
        """With values for the operations that have none, or for all of them."""
        if isinstance(expr, Leaf):
            return expr
        filled = replace(expr, args=tuple(self._gates(arg, anew=anew) for arg in expr.args))
        if isinstance(filled, Operation) and (anew or filled.values is None):
            return replace(filled, values=filled.base.scatter(self.rng, self.extents[filled.dim - 1]))
        return filled

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
            now.dim: now.values[now.base.index("period")]
            for old, now in pairs
            if isinstance(old, Leaf)
            and isinstance(now, Leaf)
            and now.base.role is Role.CYCLE
            and old.values is None
            and now.values
        }
        return replace(filled, args=tuple(self.stretched(old, self._longer(now, new)) for old, now in pairs))

    def _longer(self, part: Expression, periods: Mapping[int, float]) -> Expression:
        """A smooth part that is not much longer than the period on its input, made so."""
        if not isinstance(part, Leaf) or part.base.role is not Role.SMOOTH or part.values is None or part.dim not in periods:
            return part
        period = periods[part.dim]
        if part.values[part.base.index("lengthscale")] > 2 * period:
            return part
        return _with(part, "lengthscale", period * math.exp(self.rng.uniform(0.0, math.log(_LONGEST))))

    def aside(self, expr: Expression, filled: Expression, *, below: bool) -> Expression:
        """With every new LIN that is a factor zero just outside the data: what it multiplies grows from nothing, or shrinks to
        it. Drawn at random the side would be the wrong one half of the time, and no climb leads to the other."""
        if isinstance(expr, Leaf) or isinstance(filled, Leaf):
            return filled
        args = []
        for old, new in zip(expr.args, filled.args, strict=True):
            if isinstance(expr, Product) and isinstance(old, Leaf) and old.base.role is Role.LINE and old.values is None:
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
        """A smooth part with a length-scale nearer to the whole span than its own is; others as they are."""
        if leaf.base.role is not Role.SMOOTH or leaf.values is None:
            return leaf
        short = leaf.values[leaf.base.index("lengthscale")]
        longest = max(self.extents[leaf.dim - 1].span, short)
        return _with(leaf, "lengthscale", longest * (short / longest) ** self.rng.uniform(0.0, 0.5))

    @staticmethod
    def _around(factor: Expression, part: Expression) -> Expression:
        """A factor of size one. A cycle is flattened until what varies of it, times the part, is as large as the cycle was."""
        if isinstance(factor, Leaf) and factor.base.role is Role.CYCLE and factor.values is not None:
            variance, detail = factor.values[0], factor.values[factor.base.index("lengthscale")]
            factor = _with(factor, "lengthscale", max(detail, math.sqrt(scale(part) / variance)))
        return amplify(factor, 1 / scale(factor))

    def _scatter(self, periods: Periods, turn: int) -> Callable[[Leaf], Leaf]:
        """Leaves over all scales. The best period leads in every other turn, the others in the turns between, and each further
        PER of the same kernel takes the next."""
        at = 0 if turn % 2 == 0 else (turn + 1) // 2

        def make(leaf: Leaf) -> Leaf:
            nonlocal at
            new = _holding(leaf, leaf.base.scatter(self.rng, self.extents[leaf.dim - 1]))
            known = periods.get(leaf.dim)
            if leaf.base.role is Role.CYCLE and known:
                new, at = _with(new, "period", known[at % len(known)]), at + 1
            return new

        return make

    def _fill(self, expr: Expression, size: float, others: float, make: Callable[[Leaf], Leaf], *, flat: bool) -> Expression:
        """New leaves filled in: a summand with its size, the factors around it (`others`) counted in; a factor with size one."""
        match expr:
            case Leaf(values=None):
                new = make(expr)
                return amplify(new, size / (others * scale(new)))
            case Leaf():
                return expr
            case Zero():
                return expr
            case Sum(args):
                return Sum(tuple(self._fill(arg, size, others, make, flat=flat) for arg in args))
            case Operation(args=args):
                filled = replace(expr, args=tuple(self._fill(arg, size, others, make, flat=flat) for arg in args))
                return self._gates(filled, anew=False)
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


def _holding(leaf: Leaf, values: Shape) -> Leaf:
    """The leaf with these values, but for those that are held and that it has."""
    own = zip(leaf.base.parameters, values, leaf.values or values, strict=True)
    return replace(leaf, values=tuple(old if parameter.held else new for parameter, new, old in own))


def _with(leaf: Leaf, quantity: str, value: float) -> Leaf:
    """The leaf with another value of this name."""
    at = leaf.base.index(quantity)
    return replace(leaf, values=tuple(value if i == at else own for i, own in enumerate(leaf.values or ())))


def _beside(expr: Sum | Product | Operation | Zero) -> Iterator[tuple[Leaf, int, int, int]]:
    """Inherited parts of a sum that have beside them a product with a new factor of their kind on their input: with their place,
    that of the product, and that of the factor in it."""
    for (i, part), (j, product) in permutations(enumerate(expr.args), 2):
        if isinstance(expr, Sum) and isinstance(part, Leaf) and part.values is not None and isinstance(product, Product):
            yield from ((part, i, j, at) for at, factor in enumerate(product.args) if factor == Leaf(part.kind, part.dim))

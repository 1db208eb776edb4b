"""Where the optimiser starts: inherited values kept, and what is new at the paper's draws and at what the data show."""

from collections.abc import Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import Effort
from kernelscribe.fit.draw import Draw
from kernelscribe.fit.hints import Hints, Periods
from kernelscribe.fit.objective import in_step
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.tree import Expression, leaves, owners, pack, text
from kernelscribe.noises import Noise
from kernelscribe.scales import Extent
from kernelscribe.streams import stream_of

__all__ = ["generator", "narrow", "shaken", "starts"]

# How far inherited values are moved, in their logarithms: a little, and farther in every other start or when nothing is new.
_MOVE = 0.1
_SHAKE = 0.5
# Periods nearer than this, relatively, are one.
_SAME = 0.03
# The start that tries a new factor in the place of an old part.
_EXCHANGE = 2
# The starts where new lines that are factors are zero just below the data, and just above.
_ASIDE = (1, 2)


def generator(seed: int, expr: Expression) -> np.random.Generator:
    """Randomness that depends on the seed and the kernel's text alone, never on the order in which kernels are fitted."""
    return stream_of(seed, text(expr))


def starts(
    expr: Expression,
    noise: Noise | None,
    extents: Sequence[Extent],
    rng: np.random.Generator,
    *,
    number: int,
    hints: Hints | None,
    shown: Noise,
) -> list[Array]:
    """That many starts, as coordinates with those of the noise last. Where no noise is given, it is as the data have shown in
    every other start, and drawn in the others.

    Without hints as in the paper: what is new is drawn, what is inherited is kept, and moved a little after the first start.
    With hints: of a kernel that is new altogether, every other start is scattered over all scales, with periods that stand out in
    the target. Where only a part is new, the first start is all but the parent itself, most put the new part at the size and the
    periods of what the parent leaves unexplained, one lets it take the place of an old part of its kind, and one in four begins
    anew, with other periods than the parent has. Where nothing is new, values are moved.
    """
    draw, reach = Draw(rng, extents), _reach(expr, extents)
    fresh = [owner.values is None for owner in owners(expr)]
    found = []
    for i in range(number):
        # One in four inherits nothing, since inherited starts inherit bad optima too.
        anew = hints is not None and any(fresh) and not all(fresh) and i % 4 == 3  # noqa: PLR2004
        s2 = noise.level if noise is not None else draw.noise()
        calm = any(fresh) and i % 2 == 1
        if hints is None or (all(fresh) and i % 2 == 1):
            filled = draw.paper(expr)
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
        begun = noise or (shown if i % 2 == 0 else shown.draw(rng, extents[0]))
        found.append(np.append(theta, begun.at_level(s2).pack()))
    return found


def narrow(
    expr: Expression,
    noise: Noise,
    extents: Sequence[Extent],
    rng: np.random.Generator,
    hints: Hints,
    effort: Effort,
) -> list[Array]:
    """Starts where rows are so many that inherited values are all but certain: these stay, and only what is new is tried.

    The first is all but the parent itself. Then a new PER takes every period that stands out, in what the parent leaves
    unexplained and, with its neighbours made longer so that they leave it the cycle, in the target; a new SE or LIN some values
    in turn.
    """
    draw = Draw(rng, extents)
    ends, s2 = noise.pack(), noise.level
    found = [np.append(pack(draw.grown(expr, s2, hints.residual, 0)), ends)]
    if any(leaf.values is None and leaf.base.role is Role.CYCLE for leaf in leaves(expr)):
        for i in range(effort.new_periods):
            for periods, stretch in ((hints.residual, False), (hints.target, True)):
                chosen = {dim: known[i : i + 1] for dim, known in periods.items() if i < len(known)}
                if chosen:
                    filled = draw.grown(expr, s2, chosen, 1)
                    found.append(np.append(pack(draw.stretched(expr, filled) if stretch else filled), ends))
    while len(found) <= effort.new_starts:
        filled = draw.grown(expr, s2, hints.residual, len(found))
        found.append(np.append(pack(filled), ends))
    return found


def shaken(expr: Expression, noise: Noise, extents: Sequence[Extent], rng: np.random.Generator) -> Array:
    """A fitted kernel with its values shaken, to climb to a better top than it is on, if there is one near."""
    theta = pack(expr)
    theta = theta + _SHAKE * _reach(expr, extents) * rng.normal(size=len(theta))
    far = np.array(noise.reach(extents[0]))
    return np.append(theta, noise.pack() + _SHAKE * far * rng.normal(size=len(far)))


def _reach(expr: Expression, extents: Sequence[Extent]) -> Array:
    """How far each coordinate may be moved, in parts of a move: inherited ones; new and held ones not at all. A period only as
    far as the cycles at both ends of the data stay in step: beyond that the cycle is lost."""
    reach = []
    for leaf in owners(expr):
        for i, parameter in enumerate(leaf.base.parameters):
            if leaf.values is None or parameter.held:
                reach.append(0.0)
            elif parameter.name == "period":
                reach.append(in_step(leaf.values[i], extents[leaf.dim - 1]))
            else:
                reach.append(1.0)
    return np.array(reach)


def _others(expr: Expression, periods: Periods) -> Periods:
    """The periods with those that the kernel has inherited last: a cycle may have been taken for one of its overtones."""
    cycles = [leaf for leaf in leaves(expr) if leaf.base.role is Role.CYCLE]
    old = [(leaf.dim, leaf.values[leaf.base.index("period")]) for leaf in cycles if leaf.values is not None]

    def known(dim: int, period: float) -> bool:
        return any(dim == other and abs(period / value - 1) < _SAME for other, value in old)

    return {dim: tuple(sorted(each, key=lambda period: known(dim, period))) for dim, each in periods.items()}

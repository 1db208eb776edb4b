"""What a search shows of what it tries: a kernel, or a statement with its values in the user's units."""

from dataclasses import replace

from kernelscribe.fit.facts import Fit
from kernelscribe.kernels.tree import Expression, owners
from kernelscribe.kernels.units import to_user
from kernelscribe.scales import Affine, Scales
from kernelscribe.search.facts import Candidate
from kernelscribe.statements.statement import Part, Statement

__all__ = ["in_user_units", "shown"]


def shown(candidate: Candidate, fit: Fit | None, scales: Scales) -> Expression | Statement:
    """What was tried, with the values of its fit where there is one."""
    if not candidate.starts:
        return candidate.expr if fit is None else fit.expr
    return in_user_units(candidate.starts[0] if fit is None or fit.statement is None else fit.statement, scales)


def in_user_units(statement: Statement, scales: Scales) -> Statement:
    """The statement with its values in the user's units. By what it holds it is known, so that is not converted: the values say
    it too."""
    return replace(statement, parts=tuple(_user(part, scales) for part in statement.parts))


def _user(part: Part, scales: Scales) -> Part:
    """Of a product the noun has the size: adjectives have none of their own."""
    outputs = (scales.output, *(Affine(0.0, 1.0) for _ in part.adjectives))
    leaves = (to_user(leaf, scales.inputs, output) for leaf, output in zip(part.leaves(), outputs, strict=True))
    return replace(part, values=tuple(owner.values or () for leaf in leaves for owner in owners(leaf)))

"""Which component of a statement a term of its kernel is.

A component is a product of its noun's base kernel and those of its adjectives, of which the normal form makes exactly one term.
"""

from collections.abc import Sequence

from kernelscribe.kernels.laws import multiply
from kernelscribe.kernels.normal import Term, normal
from kernelscribe.statements.statement import Part, Statement

__all__ = ["told"]


def told(terms: Sequence[Term], statement: Statement | None) -> tuple[Part | None, ...]:
    """Of every term the component that it is, by their factors; None for the level, and where there is no statement."""
    parts = {} if statement is None else {_term(part).factors: part for part in statement.parts}
    return tuple(parts.get(term.factors) for term in terms)


def _term(part: Part) -> Term:
    (term,) = normal(multiply(list(part.leaves())))
    return term

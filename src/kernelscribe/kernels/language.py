"""From text to kernel: `SE1*PER1 + LIN2`, read by a grammar and never evaluated as code.

sum       := product ('+' product)*
product   := factor (('*' | '×') factor)*
factor    := '(' sum ')' | operation | leaf
operation := OPERATOR [input] '(' branch (',' branch)* (',' parameter '=' number)* ')'
branch    := sum | '0'
leaf      := NAME [input] [ '(' parameter '=' number (',' parameter '=' number)* ')' ]
"""

import re
from dataclasses import dataclass, field

from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Parametric
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.operators import OPERATORS
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Product, Sum, Zero

__all__ = ["LONGEST", "parse"]

# Characters that are read, at most: ten times what any search has found.
LONGEST = 4000
# Brackets within brackets, at most: well within Python's own limit of recursion.
_DEEPEST = 40
_NAME = re.compile(r"\s*(?P<name>[A-Za-z]+)(?P<dim>[0-9]{0,6})")
_NUMBER = re.compile(r"\s*[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?")


def parse(text: str, *, inputs: int | None = None) -> Expression:
    """The kernel that the text describes.

    Args:
        inputs: how many inputs the data have, where known. With one, the number behind a name may be left out;
            with several it must be there and must not exceed them. Unknown, a missing number means input 1.

    >>> str(parse("LIN2 + PER1*SE1"))
    'SE1*PER1 + LIN2'
    >>> str(parse("change(SE, PER + LIN)"))
    'CHANGE1(SE1, PER1 + LIN1)'
    """
    if len(text) > LONGEST:
        raise KernelError(f"the kernel text has {len(text)} characters; at most {LONGEST} are read")
    reader = _Reader(text, inputs)
    expr = reader.sum(0)
    if reader.sign():
        raise reader.error("expected the end")
    return expr


@dataclass(slots=True)
class _Reader:
    """A cursor over the text; one method a rule of the grammar."""

    text: str
    inputs: int | None
    at: int = field(default=0)

    def sum(self, depth: int) -> Expression:
        """sum := product ('+' product)*"""
        parts = [self.product(depth)]
        while self.take("+"):
            parts.append(self.product(depth))
        return parts[0] if len(parts) == 1 else Sum(tuple(parts))

    def product(self, depth: int) -> Expression:
        """product := factor (('*' | '×') factor)*"""
        parts = [self.factor(depth)]
        while self.take("*") or self.take("×"):
            parts.append(self.factor(depth))
        return parts[0] if len(parts) == 1 else Product(tuple(parts))

    def factor(self, depth: int) -> Expression:
        """factor := '(' sum ')' | operation | leaf"""
        if depth > _DEEPEST:
            raise self.error(f"brackets are nested more than {_DEEPEST} deep")
        if not self.take("("):
            return self.named(depth)
        inner = self.sum(depth + 1)
        if not self.take(")"):
            raise self.error("expected ')'")
        return inner

    def named(self, depth: int) -> Expression:
        """An operation or a leaf, by the name in front."""
        token = _NAME.match(self.text, self.at)
        if token is None:
            raise self.error(f"expected a base kernel ({', '.join(BASES)})")
        kind = token["name"].upper()
        if kind not in BASES and kind not in OPERATORS:
            raise self.error(f"there is no base kernel {token['name'][:20]!r}; there are {', '.join((*BASES, *OPERATORS))}")
        dim = self.dim(kind, token["dim"])
        self.at = token.end()
        if kind in OPERATORS:
            return self.operation(kind, dim, depth)
        return Leaf(kind, dim, self.values(kind, BASES[kind]) if self.take("(") else None)

    def operation(self, kind: str, dim: int, depth: int) -> Operation:
        """OPERATOR [input] '(' branch (',' branch)* (',' parameter '=' number)* ')'"""
        operator = OPERATORS[kind]
        if not self.take("("):
            raise self.error(f"{kind} needs its kernels in brackets ({', '.join(operator.branches)})")
        args: list[Expression] = []
        for branch in operator.branches:
            if args and not self.take(","):
                raise self.error(f"expected ',' and the kernel {branch}")
            args.append(Zero() if self.nothing() else self.sum(depth + 1))
        values = self.values(kind, operator) if self.take(",") else None
        if values is None and not self.take(")"):
            raise self.error("expected ')'")
        return Operation(kind, tuple(args), dim, values)

    def nothing(self) -> bool:
        """branch := '0'"""
        return self.take("0")

    def dim(self, kind: str, digits: str) -> int:
        if not digits:
            if self.inputs is not None and self.inputs > 1:
                raise self.error(f"the data have {self.inputs} inputs, so say which one, as in {kind}1")
            return 1
        dim = int(digits)
        if dim < 1 or (self.inputs is not None and dim > self.inputs):
            have = f"the data have {self.inputs}" if self.inputs else "inputs are counted from 1"
            raise self.error(f"{kind}{dim} names input {dim}, but {have}")
        return dim

    def values(self, kind: str, base: Parametric) -> tuple[float, ...]:
        """The named values up to the closing bracket, in the order of the parameters."""
        given: dict[str, float] = {}
        names = [parameter.name for parameter in base.parameters]
        while True:
            token = _NAME.match(self.text, self.at)
            if token is None or token["name"] not in names or token["dim"] or token["name"] in given:
                raise self.error(f"expected each of {', '.join(names)} once, as in {names[0]}=1.0")
            self.at = token.end()
            if not self.take("="):
                raise self.error("expected '='")
            given[token["name"]] = self.number()
            if self.take(")"):
                break
            if not self.take(","):
                raise self.error("expected ',' or ')'")
        if len(given) != len(names):
            raise self.error(f"{kind} needs all of {', '.join(names)}")
        return tuple(given[name] for name in names)

    def number(self) -> float:
        token = _NUMBER.match(self.text, self.at)
        try:
            value = float(token[0]) if token else None
        except ValueError:
            value = None
        if token is None or value is None:
            raise self.error("expected a number")
        self.at = token.end()
        return value

    def sign(self) -> str:
        """What is left, without leading blanks."""
        return self.text[self.at :].lstrip()

    def take(self, sign: str) -> bool:
        """Step over this sign if it comes next."""
        if not self.sign().startswith(sign):
            return False
        self.at = self.text.index(sign, self.at) + 1
        return True

    def error(self, what: str) -> KernelError:
        rest = self.sign()
        where = f"at {rest[:20]!r}" if rest else "at the end"
        return KernelError(
            f"cannot read the kernel {self.text[:60]!r}: {what} {where} (character {len(self.text) - len(rest) + 1})"
        )

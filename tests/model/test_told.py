"""Which component of a statement a term of its kernel is."""

import pytest

from kernelscribe.kernels.normal import normal
from kernelscribe.model.told import told
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.statement import Part, Statement
from spoken_parts import made


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("adjectives", [(), *((each,) for each in ADJECTIVES), tuple(ADJECTIVES)])
def test_every_component_is_one_term_beside_the_level(noun, adjectives):
    part = made(noun, adjectives)
    terms = normal(Statement((part,)).expr)
    assert sorted(told(terms, Statement((part,))), key=lambda each: each is None) == [part, None]


def test_of_all_components_at_once_each_is_the_term_of_its_own():
    more = made("cycle", ("changing", "growing"), period=0.9), made("step", place=-0.2)
    parts = (*(made(noun) for noun in NOUNS), *more)
    statement = Statement(parts)
    found = told(normal(statement.expr), statement)
    assert len(found) == len(parts) + 1
    assert set(found) == {*parts, None}


def test_without_a_statement_no_term_is_a_component():
    terms = normal(Statement((made("line"), made("rough"))).expr)
    assert told(terms, None) == (None, None, None)
    assert told(terms, Statement((Part("bend", (), (), ((1.0, -3.0),)),))) == (None, None, None)

"""The normal form: the same kernel as a sum of terms that hide nothing in each other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import i0e

from cases import kernel, points, seeds
from kernelscribe import KernelError
from kernelscribe.kernels import parse
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.bases import BASES, PAPER
from kernelscribe.kernels.normal import Factor, Term, gather, normal, times
from kernelscribe.scales import Affine
from kernelscribe.testing import evaluate


@pytest.mark.parametrize("kinds", [PAPER, tuple(BASES)], ids=["searched", "written"])
@given(seed=seeds)
@settings(max_examples=300)
def test_the_terms_add_up_to_the_kernel(kinds, seed):
    rng = np.random.default_rng(seed)
    inputs = int(rng.integers(1, 4))
    expr = kernel(rng, inputs, 6, kinds)
    X, Z = points(rng, 9, inputs, "irregular"), points(rng, 7, inputs, "regular")
    K = evaluate(expr, X, Z)
    terms = normal(expr)
    scale = sum(np.abs(term.cross(X, Z)).max() for term in terms)
    np.testing.assert_allclose(sum(term.cross(X, Z) for term in terms), K, rtol=1e-9, atol=1e-12 * scale)
    diagonal = np.diagonal(evaluate(expr, X, X))
    np.testing.assert_allclose(sum(term.diagonal(X) for term in terms), diagonal, rtol=1e-9, atol=1e-12 * scale)


@pytest.mark.parametrize("kinds", [PAPER, tuple(BASES)], ids=["searched", "written"])
@given(seed=seeds)
@settings(max_examples=300)
def test_no_two_terms_could_be_one(kinds, seed):
    rng = np.random.default_rng(seed)
    terms = normal(kernel(rng, 2, 6, kinds))
    assert len({term.factors for term in terms}) == len(terms)
    assert gather(terms) == terms
    assert all(term.variance > 0 for term in terms)
    for term in terms:
        merged = [(factor.kind, factor.dim) for factor in term.factors if factor.kind in ("SE", "ROUGH")]
        assert len(set(merged)) == len(merged)


@pytest.mark.parametrize("kinds", [PAPER, tuple(BASES)], ids=["searched", "written"])
@given(seed=seeds)
@settings(max_examples=300)
def test_units(kinds, seed):
    """A term in the user's units at the user's points is the term at the standard ones, scaled."""
    rng = np.random.default_rng(seed)
    inputs = [Affine(float(rng.normal() * 50), float(np.exp(rng.normal()))) for _ in range(2)]
    output = Affine(float(rng.normal() * 9), float(np.exp(rng.normal())))
    X = points(rng, 8, 2, "irregular")
    user_X = np.column_stack([each.centre + each.scale * X[:, d] for d, each in enumerate(inputs)])
    for term in (*normal(kernel(rng, 2, 5, kinds)), Term(2.0, (Factor("WN", 1), Factor("LIN", 2, (0.5,))))):
        K = term.cross(X, X) * output.scale**2
        user = term.user(inputs, output)
        np.testing.assert_allclose(user.cross(user_X, user_X), K, rtol=1e-7, atol=1e-9 * np.abs(K).max())
        back = user.user([each.inverse for each in inputs], output.inverse)
        assert math.isclose(back.variance, term.variance, rel_tol=1e-9)
        for one, other in zip(back.factors, term.factors, strict=True):
            np.testing.assert_allclose(one.values, other.values, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("lengthscale", [0.05, 0.3, 1.0, 4.0, 99.0, 101.0, 1e4, 1e7])
def test_a_cycle_has_mean_zero_and_variance_one(lengthscale):
    cycle = Factor("PER", 1, (lengthscale, 3.0))
    x = np.linspace(0.0, 3.0, 2000, endpoint=False)
    values = cycle.evaluate(x, np.array(0.7))
    assert abs(values.mean()) < 1e-9
    assert math.isclose(float(cycle.evaluate(np.array(0.7), np.array(0.7))), 1.0, rel_tol=1e-12)
    assert math.isclose(float(cycle.evaluate(np.array(0.7), np.array(6.7))), 1.0, rel_tol=1e-9)


def test_a_smooth_cycle_is_a_cosine():
    x = np.linspace(0.0, 9.0, 50)
    cycle = Factor("PER", 1, (1e6, 3.0)).evaluate(x, np.array(0.0))
    np.testing.assert_allclose(cycle, np.cos(2 * np.pi * x / 3.0), atol=1e-9)


def test_a_cycle_sheds_its_constant():
    cycle, constant = normal(parse("PER(variance=5, lengthscale=0.8, period=3)"))
    hidden = i0e(0.8**-2)
    assert (str(cycle), str(constant)) == ("PER1", "C")
    np.testing.assert_allclose([cycle.variance, constant.variance], [5 * (1 - hidden), 5 * hidden])


def test_lines_become_one():
    """v₁(x−l₁)(z−l₁) + v₂(x−l₂)(z−l₂) is one line and a constant."""
    line, rest = normal(parse("LIN(variance=1, location=2) + LIN(variance=3, location=6)"))
    assert (line, rest) == (Term(4.0, (Factor("LIN", 1, (5.0,)),)), Term(12.0))
    three = normal(parse("LIN(variance=1, location=0) + LIN(variance=1, location=1) + LIN(variance=1, location=2)"))
    assert [str(term) for term in three] == ["LIN1", "C"]
    assert three[0].factors[0].values == (1.0,)
    assert math.isclose(three[1].variance, 2.0)


def test_lines_with_the_same_company_become_one():
    smooth = "SE(variance=1, lengthscale=2)"
    terms = normal(parse(f"{smooth}*LIN(variance=1, location=0) + {smooth}*LIN(variance=1, location=2)"))
    assert [str(term) for term in terms] == ["SE1*LIN1", "SE1"]
    other = normal(parse(f"{smooth}*LIN(variance=1, location=0) + LIN(variance=1, location=2)"))
    assert [str(term) for term in other] == ["SE1*LIN1", "LIN1"]
    inputs = normal(parse("LIN1(variance=1, location=0) + LIN2(variance=1, location=2)"))
    assert [str(term) for term in inputs] == ["LIN1", "LIN2"]


def test_lines_with_other_company_of_the_same_kinds_stay_two():
    """As sets, what stands beside the two lines is the same."""
    line, other, cycle = Factor("LIN", 2, (1.0,)), Factor("LIN", 1, (3.0,)), Factor("PER", 1, (1.0, 2.0))
    one = Term(1.0, (cycle, other, line, line))
    two = Term(1.0, (cycle, cycle, Factor("LIN", 1, (4.0,)), line))
    assert gather([one, two]) == (one, two)


def test_equal_terms_are_added():
    terms = normal(parse("SE(variance=1, lengthscale=2) + SE(variance=3, lengthscale=2) + SE(variance=3, lengthscale=1)"))
    assert [(term.variance, term.factors[0].values) for term in terms] == [(4.0, (2.0,)), (3.0, (1.0,))]


def test_products_of_terms():
    smooth, noise, line = Factor("SE", 1, (3.0,)), Factor("WN", 1), Factor("LIN", 1, (1.0,))
    assert times(Term(2.0, (smooth,)), Term(3.0, (Factor("SE", 1, (4.0,)), line))) == Term(6.0, (Factor("SE", 1, (2.4,)), line))
    assert times(Term(2.0, (smooth, line)), Term(3.0, (noise,))) == Term(6.0, (noise, line))
    assert times(Term(2.0), Term(3.0)) == Term(6.0)


@given(seeds)
@settings(max_examples=150)
def test_a_product_of_terms_is_the_product_of_their_kernels(seed):
    rng = np.random.default_rng(seed)
    noise = Term(1.5, (Factor("WN", 1),))
    one, other = (rng.choice([*normal(kernel(rng, 2, 4)), noise]) for _ in range(2))
    X = points(rng, 12, 2, "repeated")
    expected = one.cross(X, X) * other.cross(X, X)
    np.testing.assert_allclose(times(one, other).cross(X, X), expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max())


def test_white_noise_is_new_at_every_value_of_its_input():
    noise = Term(2.0, (Factor("WN", 1),))
    X = np.array([[0.0, 1.0], [0.5, 1.0], [0.0, 2.0]])
    np.testing.assert_array_equal(noise.cross(X, X), [[2, 0, 2], [0, 2, 0], [2, 0, 2]])
    assert (str(noise), noise.dims, noise.stationary) == ("WN1", (), True)


def test_what_a_term_knows():
    term = Term(2.0, (Factor("SE", 1, (1.0,)), Factor("LIN", 3, (1.0,)), Factor("LIN", 3, (2.0,))))
    assert (str(term), term.dims, term.stationary) == ("SE1*LIN3*LIN3", (1, 3), False)
    assert (len(term.of(Role.LINE)), len(term.of(Role.LINE, 1)), len(term.of(Role.SMOOTH, 1))) == (2, 0, 1)
    assert (str(Term(1.0)), Term(1.0).dims) == ("C", ())


def test_a_kernel_without_values_cannot_be_read():
    with pytest.raises(KernelError, match="SE1 has no values to read"):
        normal(parse("SE"))

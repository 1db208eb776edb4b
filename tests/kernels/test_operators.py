"""Operators against their contract, and kernels with operators against the textbook, in every arithmetic."""

import numpy as np
import pytest

from kernelscribe import evidence, fit_kernel
from kernelscribe.errors import KernelError
from kernelscribe.kernels import Form, count, distribute, pack, parse, simplify, text, to_standard, to_user, unpack
from kernelscribe.kernels.gram import Numpy, arithmetic
from kernelscribe.kernels.operators import OPERATORS
from kernelscribe.kernels.operators.change import Change
from kernelscribe.kernels.operators.window import Window
from kernelscribe.scales import Affine
from kernelscribe.testing import check_gradient, check_operator, evaluate

SE, PER = "SE1(variance=0.7, lengthscale=0.8)", "PER1(variance=0.4, lengthscale=0.9, period=0.6)"
MATERN, LIN = "MATERN1(variance=0.9, lengthscale=0.5)", "LIN1(variance=0.3, location=-2.0)"
KERNELS = [
    f"CHANGE1({SE}, {PER}, location=0.3, width=0.2)",
    f"CHANGE1(0, {SE}*{PER}, location=-0.4, width=0.05)",
    f"WINDOW1({SE}, {SE}*{LIN} + {PER}, location=0.1, width=1.1, edge=0.1)",
    f"{LIN}*CHANGE1({SE} + {PER}, WINDOW1({MATERN}, 0, location=0.8, width=0.5, edge=0.07), location=-0.2, width=0.3)",
    f"CHANGE1({SE}, 0, location=0.5, width=0.1)*CHANGE1({MATERN}, {LIN}, location=-0.5, width=0.2) + {PER}",
    f"{MATERN}*{PER}*{MATERN} + {LIN}*{MATERN}",
    f"CHANGE2({SE}, {PER}, location=0.1, width=0.3)*SE2(variance=1.1, lengthscale=0.7)",
]


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_keeps_the_contract(name):
    check_operator(OPERATORS[name])


class _WrongSlope(Change):
    def pull(self, x, values, branch, bar):
        theta, points = super().pull(x, values, branch, bar)
        return theta * [1, 2], points


class _WrongPoints(Window):
    def pull(self, x, values, branch, bar):
        theta, points = super().pull(x, values, branch, bar)
        return theta, points * 1.01


class _WrongRegions(Window):
    def regions(self, values, branch):
        return super().regions(values, 1 - branch)


class _TooWide(Change):
    def gate(self, x, values, branch):
        return 2 * super().gate(x, values, branch)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_WrongSlope, "derivative of the parameters"),
        (_WrongPoints, "derivative of the points"),
        (_WrongRegions, "its branch is said"),
        (_TooWide, "between 0 and 1"),
    ],
)
def test_contract_notices(broken, message):
    with pytest.raises(AssertionError, match=message):
        check_operator(broken())


@pytest.mark.parametrize("kernel", KERNELS)
def test_grams_are_the_textbooks(kernel):
    expr, rng = parse(kernel), np.random.default_rng(0)
    X, Z = rng.normal(size=(90, 2)), rng.normal(size=(17, 2))
    form, theta = Form.of(expr), pack(expr)
    x, z = form.side(X, theta), form.side(Z, theta)
    for sums in (Numpy(), arithmetic()):
        np.testing.assert_allclose(sums.gram(form, x, z), evaluate(expr, X, Z), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(np.tril(sums.symmetric_gram(form, x)), np.tril(evaluate(expr, X, X)), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(form.diagonal(x), np.diagonal(evaluate(expr, X, X)), rtol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradients_are_differences(kernel):
    """Of a random functional of a Gram matrix and a diagonal, in the coordinates and in the points."""
    expr, rng = parse(kernel), np.random.default_rng(1)
    X, Z = rng.normal(size=(70, 2)), rng.normal(size=(9, 2))
    form, theta, weights = Form.of(expr), pack(expr), rng.normal(size=(70, 9))

    def value(u):
        filled = unpack(expr, u)
        return float((weights * evaluate(filled, X, Z)).sum() + 0.3 * np.diagonal(evaluate(filled, X, X)).sum())

    def moved(flat):
        points = flat.reshape(Z.shape)
        return float((weights * evaluate(expr, X, points)).sum())

    for sums in (Numpy(), arithmetic()):
        x, z = form.side(X, theta), form.side(Z, theta)
        x_bar, z_bar = form.bar(len(X)), form.bar(len(Z))
        tape = np.empty((len(form.terms), 70, 9)) if sums.tapes else None
        sums.gram(form, x, z, tape)
        sums.adjoint(form, x, z, weights.copy(), x_bar, z_bar, tape)
        to_points = form.pull(z, z_bar)
        form.pull_diagonal(x, 0.3, x_bar)
        check_gradient(value, theta, form.pull(x, x_bar)[0] + to_points[0])
        check_gradient(moved, Z.ravel(), to_points[1].ravel())


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_symmetric_adjoint_sees_every_pair_once(kernel):
    expr, rng = parse(kernel), np.random.default_rng(2)
    X = rng.normal(size=(80, 2))
    form, theta, weights = Form.of(expr), pack(expr), np.tril(rng.normal(size=(80, 80)))
    for sums in (Numpy(), arithmetic()):
        side, bar = form.side(X, theta), form.bar(80)
        sums.symmetric_adjoint(form, side, weights.copy(), bar)
        check_gradient(lambda u: float((weights * evaluate(unpack(expr, u), X, X)).sum()), theta, form.pull(side, bar)[0])


@pytest.mark.parametrize("kernel", KERNELS)
def test_text_there_and_back(kernel):
    expr = parse(kernel)
    assert parse(text(expr, values=True)) == expr
    assert text(parse(text(expr))) == text(expr)
    np.testing.assert_array_equal(pack(unpack(expr, pack(expr))), pack(expr))


def test_branches_keep_their_places():
    assert text(parse("change(per, se)"), inputs=1) == "CHANGE(PER, SE)"
    assert text(parse("CHANGE1(SE1, 0) + WINDOW2(0, LIN2)")) == "CHANGE1(SE1, 0) + WINDOW2(0, LIN2)"
    assert parse("CHANGE(SE, PER)") != parse("CHANGE(PER, SE)")


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        ("CHANGE", "needs its kernels in brackets"),
        ("CHANGE(SE)", "expected ',' and the kernel after"),
        ("CHANGE(SE, PER, LIN)", "expected each of location, width once"),
        ("CHANGE(SE, PER", r"expected '\)'"),
        ("CHANGE(0, 0)", "needs a kernel in one of its branches"),
        ("CHANGE(SE, PER, location=1)", "needs all of location, width"),
        ("CHANGE(SE, PER, location=1, width=-1)", "width of CHANGE must be positive"),
        ("SE + 0", "expected a base kernel"),
        (
            "SWITCH(SE, PER)",
            "there are WN, SE, MATERN, ROUGH, PER, CYCLE, WALK, SPLINE, LIN, STEP, KINK, SPELL, C, CHANGE, WINDOW",
        ),
    ],
)
def test_what_cannot_be_read_is_said(kernel, message):
    with pytest.raises(KernelError, match=message):
        parse(kernel)


def test_counts():
    """Own numbers once, though both branches use them; one variance a product."""
    assert count(parse("CHANGE(SE, PER)")) == 1 + 2 + 2 + 3
    assert count(parse("CHANGE(SE, 0)")) == 1 + 2 + 2
    assert count(parse("LIN*CHANGE(SE, PER)")) == 1 + 2 + 2 + 2 + 3 - 1
    assert count(parse("WINDOW(SE*SE, PER)"), "paper") == 1 + 3 + 4 + 3
    assert text(simplify(parse("WINDOW(SE*SE, PER)"))) == "WINDOW1(SE1, PER1)"


def test_summands_stay_in_their_branches():
    parts = [text(part, inputs=1) for part in distribute(parse("LIN*CHANGE(SE + PER, WINDOW(0, LIN))"))]
    assert parts == ["CHANGE(SE*LIN, 0)", "CHANGE(PER*LIN, 0)", "CHANGE(0, WINDOW(0, LIN*LIN))"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_units_both_ways(kernel):
    """The kernel in user units on user data is the kernel on standardised data, scaled; and back again."""
    expr, rng = parse(kernel), np.random.default_rng(3)
    inputs, output = [Affine(40.0, 3.0), Affine(-7.0, 0.2)], Affine(5.0, 4.0)
    X = rng.normal(size=(12, 2))
    user_X = np.column_stack([axis.centre + axis.scale * X[:, d] for d, axis in enumerate(inputs)])
    user = to_user(expr, inputs, output)
    np.testing.assert_allclose(evaluate(user, user_X, user_X), 16 * evaluate(expr, X, X), rtol=1e-9)
    np.testing.assert_allclose(pack(to_standard(user, inputs, output)), pack(expr), rtol=1e-9)


def test_a_change_is_fitted_and_scored():
    """A cycle that begins in the middle: the kernel that says so explains it better than one that does not, and finds where."""
    rng, x = np.random.default_rng(0), np.arange(200) / 10
    y = np.where(x > 12, 2 * np.sin(2 * np.pi * x), 0.0) + 0.1 * rng.normal(size=200)
    fits = {kernel: fit_kernel(kernel, x, y, engine="exact") for kernel in ("CHANGE(0, PER)", "PER", "SE")}
    best = fits["CHANGE(0, PER)"]
    assert all(best.bic.lower > other.bic.upper + 50 for kernel, other in fits.items() if kernel != "CHANGE(0, PER)")
    assert best.user.values[0] == pytest.approx(12, abs=0.3)
    assert best.user.args[1].values[2] == pytest.approx(1, abs=0.02)
    bound = evidence(text(best.user, values=True), x, y, noise=best.user_noise, engine="inducing", inducing=80)
    assert bound.interval.lower <= best.evidence.exact + 1e-6 <= bound.interval.upper + 2e-6

"""The box that an engine narrows, and what lies on its edge."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config, Dataset, parse
from kernelscribe.engines.choose import prepare
from kernelscribe.fit.facts import AtBound, End
from kernelscribe.fit.objective import LogPosterior, at_bound, box
from kernelscribe.kernels import Form, Leaf, Operation, Zero, pack
from kernelscribe.priors import Normal
from kernelscribe.testing import numerical_gradient


def data(n):
    rng = np.random.default_rng(0)
    return Dataset.of(np.arange(float(n)), rng.normal(size=n))


def posterior(text, n, **options):
    rows, form = data(n), Form.of(parse(text))
    return LogPosterior.of(prepare(rows, Config(**options)), form, rows, "none")


def test_the_box_knows_what_stands_beside():
    rows, form = data(2500), Form.of(parse("SE*(PER + LIN) + SE*LIN + SE"))
    edges, span = box(form, rows, prepare(rows, Config(engine="spectral"))), rows.extents[0].span
    low = {
        tuple(sorted(form.owners[j].kind for term in form.terms if i in term for j in term if j != i)): edges[where.start + 1, 0]
        for i, (leaf, where) in enumerate(zip(form.owners, form.slices, strict=True))
        if leaf.kind == "SE"
    }
    assert low == {
        ("LIN", "PER"): pytest.approx(math.log(1e-2 * span)),
        ("LIN",): pytest.approx(math.log(2e-3 * span)),
        (): pytest.approx(math.log(2e-3 * span)),
    }


def test_what_lies_on_the_edge_of_the_box_is_known_by_its_owner_and_its_end():
    expr = parse("CHANGE1(SE1, 0) + LIN2")
    rng = np.random.default_rng(0)
    rows, form = Dataset.of(rng.normal(size=(30, 2)), rng.normal(size=30)), Form.of(expr)
    engine = prepare(rows, Config(placement="learned", inducing=3))
    edges = box(form, rows, engine)
    u = edges.mean(axis=1)
    assert at_bound(engine, form, u, edges) == ()
    names = [(owner.kind, parameter.name) for owner in form.owners for parameter in owner.base.parameters]
    u[names.index(("SE", "lengthscale"))] = edges[names.index(("SE", "lengthscale")), 0]
    u[names.index(("LIN", "variance"))] = edges[names.index(("LIN", "variance")), 1] - 1e-9
    u[names.index(("CHANGE", "location"))] = edges[names.index(("CHANGE", "location")), 1]
    u[len(names)] = edges[len(names), 0]
    change = Operation("CHANGE", (Leaf("SE"), Zero()))
    assert set(at_bound(engine, form, u, edges)) == {
        AtBound.of(Leaf("SE"), "lengthscale", End.LOWER),
        AtBound.of(Leaf("LIN", 2), "variance", End.UPPER),
        AtBound.of(change, "location", End.UPPER),
        AtBound.of(None, "variance", End.LOWER),
    }


HELD = "STEP(variance=1, location=0.31)*SE(variance=1, lengthscale=0.5) + SPELL(variance=2, location=0.1, width=9)"


def test_what_is_held_has_no_slope_and_no_sides():
    found, u = posterior(HELD, 40, engine="exact"), np.append(pack(parse(HELD)), -1.0)
    held = list(found.held)
    assert u[held].tolist() == [0.31, 0.1, math.log(9)]
    _, slope = found(u)
    assert not slope[held].any()
    np.testing.assert_allclose(slope, numerical_gradient(lambda v: found(v)[0], u), rtol=1e-4, atol=1e-4)
    edges = box(found.form, data(40), found.engine)
    assert np.isinf(edges[held]).all()
    assert np.isfinite(np.delete(edges, held, axis=0)).all()
    assert at_bound(found.engine, found.form, u, edges) == ()


def test_a_prior_does_not_move_what_is_held():
    found = posterior(HELD, 40, engine="exact")
    steep = replace(found, densities=tuple(Normal(100.0, 1.0) for _ in found.densities))
    _, slope = steep(np.append(pack(parse(HELD)), -1.0))
    assert not slope[list(found.held)].any()

"""An engine is one class: a toy that wraps the exact one goes through search, posterior, components and report as it is."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import kernelscribe as ks
import searches
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import choose, condition, prepare
from kernelscribe.engines.engine import Engine, Work
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.inducing.engine import Inducing
from kernelscribe.engines.registry import ENGINES, Traits, engine_choices, traits
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.errors import OptionError
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.normal import normal
from kernelscribe.noises import Constant
from kernelscribe.search.pool import Inline
from kernelscribe.testing import check_engine, check_gradient


class ToyPosterior(Dense):
    """Told apart by what it says that it rests on."""

    basis = "the toy's rows"


@dataclass(frozen=True)
class Toy(Engine):
    """The exact engine, behind another name: for one input, and dear."""

    name = "toy"
    traits: ClassVar = Traits(low=True)

    inner: Exact

    @property
    def data(self):
        return self.inner.data

    @classmethod
    def accepts(cls, data, form=None):
        if form is not None and len(form.members) > 3:
            return "the toy takes three terms"
        return None if data.X.shape[1] == 1 else f"the toy is for one input, got {data.X.shape[1]}"

    @classmethod
    def cost(cls, data, config):
        return Work(2.0 * Exact.cost(data, config).operations, 1e6 * len(data.y), "the toy's blocks", "use fewer")

    @classmethod
    def of(cls, data, config):
        return cls(Exact.of(data, config))

    @classmethod
    def condition(cls, data, terms, noise, config):
        return ToyPosterior(terms, noise, data.X, data.y)

    def objective(self, form, u):
        return self.inner.objective(form, u)

    def certify(self, form, u):
        return self.inner.certify(form, u)

    def residual(self, form, u):
        return self.inner.residual(form, u)

    def whitening(self, form, u):
        return self.inner.whitening(form, u)


@pytest.fixture
def _toy(monkeypatch):
    monkeypatch.setitem(ENGINES, "toy", Toy)


@pytest.mark.usefixtures("_toy")
def test_a_search_with_it_finds_what_one_with_what_it_wraps_finds():
    toy, exact = (searches.run(options={**searches.SMALL, "engine": name}) for name in ("toy", "exact"))
    assert [fit.engine for fit in toy.fits if fit.usable] == ["toy"] * sum(fit.usable for fit in exact.fits)
    assert toy.best.expr == exact.best.expr
    assert toy.best.bic == exact.best.bic
    assert toy.best.traits.low


@pytest.mark.usefixtures("_toy")
def test_all_that_is_told_of_a_model_rests_on_it(tmp_path):
    x, y = searches.table()
    with ks.parallel(Inline()):
        found = ks.analyse(x, y, engine="toy", **searches.SMALL)
    assert found.outcome.engine == "toy"
    assert type(found.model.posterior) is ToyPosterior
    assert found.components
    assert np.isfinite([value for each in found.components for values in each.spread for value in values]).any()
    assert found.backtest is not None
    assert len(found.criticism.errors) == len(y)
    text = found.report(tmp_path / "report.md").read_text()
    assert "by the engine toy" in text
    again = ks.load(found.save(tmp_path / "model.json"))
    assert type(again.model.posterior) is ToyPosterior


@pytest.mark.usefixtures("_toy")
def test_it_is_chosen_by_what_it_accepts_and_costs(monkeypatch):
    data = searches.dataset()
    table = Dataset.of(np.random.default_rng(0).normal(size=(60, 2)), data.y)
    assert choose(data, Config()) is Exact
    monkeypatch.setattr(Toy, "cost", classmethod(lambda cls, data, config: Work(1.0)))
    assert choose(data, Config()) is Toy
    assert choose(data, Config(), Form.of(parse("SE + PER + LIN"))) is Toy
    assert choose(data, Config(), Form.of(parse("SE + PER + LIN + SE*LIN"))) is Exact
    assert choose(table, Config()) is Exact
    assert condition(data, normal(parse("SE(variance=1, lengthscale=1)")), Constant(0.1), Config()).basis == "the toy's rows"
    with pytest.raises(OptionError, match="the toy is for one input, got 2"):
        prepare(table, Config(engine="toy"))


@pytest.mark.usefixtures("_toy")
def test_what_it_takes_is_refused_before_it_is_prepared():
    data = searches.dataset()
    with pytest.raises(OptionError, match=r"the toy's blocks need about 60 MB, 50 are allowed: use fewer, or allow more memory"):
        prepare(data, Config(engine="toy", memory=50))


def test_names_that_are_none_are_refused_where_an_engine_is_chosen():
    assert engine_choices() == ("auto", "exact", "inducing", "series", "spectral")
    with pytest.raises(OptionError, match="engine must be one of auto, exact, inducing, series, spectral, got 'toy'"):
        searches.run(options={**searches.SMALL, "engine": "toy"})
    with pytest.raises(OptionError, match="got 'toy'"):
        condition(searches.dataset(), (), Constant(0.1), Config(engine="toy"))
    assert traits("toy") == Traits()


@pytest.mark.parametrize("kind", [Toy, Exact, Spectral, Inducing])
def test_every_engine_keeps_its_contract(kind):
    rng = np.random.default_rng(0)
    data = Dataset.of(np.sort(rng.uniform(size=80)), rng.normal(size=80))
    expr = parse("SE(variance=1, lengthscale=0.4) + PER(variance=0.5, lengthscale=1, period=0.7)*LIN(variance=1, location=0.1)")
    check_engine(kind, data, expr)


@pytest.mark.parametrize("kind", [Exact, Inducing])
@pytest.mark.parametrize(
    "kernel",
    [
        "ROUGH(variance=1, lengthscale=0.4)*LIN(variance=1, location=0.1)",
        "WALK(variance=1, location=-1.9) + ROUGH(variance=0.3, lengthscale=0.1)*PER(variance=1, lengthscale=1, period=0.7)",
        "SPLINE(variance=0.5, location=-2)*PER(variance=0.5, lengthscale=1, period=0.7) + SPLINE(variance=1, location=-3)",
    ],
)
def test_engines_of_any_kernel_keep_it_with_what_is_rough_or_walks(kind, kernel):
    rng = np.random.default_rng(0)
    check_engine(kind, Dataset.of(np.sort(rng.uniform(size=80)), rng.normal(size=80)), parse(kernel))


@pytest.mark.parametrize(
    "kind",
    [
        "MATERN(variance=1, lengthscale=0.4)",
        "ROUGH(variance=1, lengthscale=0.4)",
        "WALK(variance=1, location=-2)",
        "SPLINE(variance=1, location=-2)",
    ],
)
def test_points_that_move_have_the_gradient_of_pairwise_factors(kind):
    """Points stand between rows, where there is a slope; K_mm has a diagonal, where two points are one."""
    rng = np.random.default_rng(0)
    data = Dataset.of(np.arange(60.0), rng.normal(size=60))
    engine, expr = Inducing.of(data, Config(engine="inducing", inducing=12, placement="learned")), parse(kind)
    between = data.X[2::5, 0] + 0.3 * (data.X[1, 0] - data.X[0, 0])
    u = np.concatenate([pack(expr), [math.log(0.1)], between])
    assert len(u) == 2 + 1 + len(engine.extra)
    check_gradient(lambda v: engine.objective(Form.of(expr), v)[0], u, engine.objective(Form.of(expr), u)[1])


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ({"objective": lambda self, form, u: (self.inner.objective(form, u)[0], np.zeros_like(u))}, "gradient"),
        (
            {"objective": lambda self, form, u: (1.0 + self.inner.objective(form, u)[0], self.inner.objective(form, u)[1])},
            "above",
        ),
        ({"value": lambda self, form, u: 0.0}, "value and objective differ"),
        ({"stages": lambda self, config: ()}, "there must be a stage"),
        ({"residual": lambda self, form, u: u}, "one number a row"),
    ],
)
def test_an_engine_that_breaks_it_is_told_how(broken, says):
    rng = np.random.default_rng(0)
    data = Dataset.of(np.sort(rng.uniform(size=30)), rng.normal(size=30))
    with pytest.raises(AssertionError, match=says):
        check_engine(type("Broken", (Toy,), broken), data, parse("SE(variance=1, lengthscale=0.4)"))


@pytest.mark.usefixtures("_toy")
def test_stages_go_from_cheap_to_dear_on_any_engine():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(size=2500))
    series = Dataset.of(x, rng.normal(size=2500))
    table = replace(Dataset.of(rng.normal(size=(2500, 2)), rng.normal(size=2500)))
    for data, name in ((searches.dataset(), "exact"), (searches.dataset(), "toy"), (series, "spectral"), (table, "inducing")):
        engine = prepare(data, Config(engine=name))
        found = engine.stages(Config())
        assert sum(stage.repeat > 0 for stage in found) == 1, name
        assert np.isfinite(found[-1].behind), name
        rows = [len(stage.engine.data.y) for stage in found]
        assert rows == sorted(rows), name
        kept = [stage.kept for stage in found if stage.kept is not None]
        assert kept == sorted(kept, reverse=True), name
        assert (found[-1].engine is engine) == (name in ("exact", "toy")), name

"""A model with noise that varies: bands, checks, tests on the past and standard errors have it where it is; its file keeps it."""

import json
from dataclasses import replace

import numpy as np
import pytest

import analyses
from kernelscribe.errors import DataError
from kernelscribe.model.backtest import backtest
from kernelscribe.model.criticism import criticise
from kernelscribe.model.file import load, save
from kernelscribe.model.spread import covariance, spreads
from kernelscribe.noises import Changing, Constant, Growing
from models import drawn, model, numbers, with_effort

KERNEL = "SE(variance=4, lengthscale=3)"
GROWING, CHANGING = Growing(0.2, 0.15, middle=10.0), Changing(0.05, 0.8, 12.0, 0.1, middle=10.0)


def made(noise, n=300, seed=0, **options):
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 20, n)
    y = drawn(KERNEL, x, 0.0, rng) + np.sqrt(noise.diagonal(x[:, None])) * rng.normal(size=n)
    return model(KERNEL, x, y, noise=noise, **options)


@pytest.fixture(scope="module", params=[GROWING, CHANGING], ids=str)
def given(request):
    return made(request.param), request.param


class TestBands:
    def test_they_have_the_noise_of_the_place(self, given):
        found, noise = given
        X = np.array([[1.0], [10.0], [19.0], [22.0]])
        (mean, sd), (same, curve) = numbers(found.predict(X)), numbers(found.predict(X, noisy=False))
        np.testing.assert_array_equal(mean, same)
        np.testing.assert_allclose(sd**2 - curve**2, noise.diagonal(X), rtol=1e-6)
        np.testing.assert_allclose(found.noise_at(X), np.sqrt(noise.diagonal(X)), rtol=1e-9)

    def test_one_number_for_it_is_the_average_over_the_rows(self, given):
        found, noise = given
        assert found.noise_sd**2 == pytest.approx(noise.diagonal(found.inputs).mean())

    def test_posteriors_on_points_have_it_too(self, given):
        found, _ = given
        sparse = with_effort(found, dense_rows=100, posterior_points=200)
        X = np.linspace(-1, 21, 30)[:, None]
        for one, other in zip(numbers(found.predict(X)), numbers(sparse.predict(X)), strict=True):
            np.testing.assert_allclose(other, one, rtol=0.01, atol=0.01)


class TestChecks:
    def test_errors_are_standard_normal_where_the_noise_is_right(self, given):
        found = criticise(given[0])
        assert found.findings == ()
        assert abs(found.errors.std() - 1) < 0.1

    def test_noise_that_is_taken_for_constant_is_found_out(self, given):
        found, _ = given
        average = Constant(found.noise.average(found.data.X))
        wrong = criticise(replace(found, noise=average, config=replace(found.config, noise="constant")))
        assert {"drift"} <= {each.name for each in wrong.findings}


def test_forecasts_of_the_past_are_judged_by_the_noise_of_their_place():
    """Loud at the end, where the forecasts lie: a constant noise would be far too quiet for them."""
    steady = [backtest(made(GROWING, seed=seed, restarts=1)).covered[-1][1] for seed in range(4)]
    assert 85 <= np.mean(steady) <= 100


def test_standard_errors_count_its_coordinates(given):
    found, noise = given
    matrix, scale, loose = covariance(found)
    assert len(matrix) == len(scale) == len(loose) == 2 + noise.size()
    assert 0 < spreads(found)[0][0][0] < 2


@pytest.mark.parametrize("noise", [GROWING, CHANGING], ids=str)
class TestFile:
    def kept(self, noise, path):
        x = 2004 + np.arange(80) / 12
        shifted = replace(noise, middle=2007.0, **({"location": 2006.0} if isinstance(noise, Changing) else {}))
        found = analyses.analysis(KERNEL, x, np.sin(x) + 0.1 * np.cos(50 * x), noise=shifted, axes=(analyses.YEARS,))
        save(found.model, found.outcome, None, path)
        return found

    def test_it_comes_back_to_the_last_bit(self, noise, tmp_path):
        found = self.kept(noise, tmp_path / "model.json")
        again, outcome, _ = load(tmp_path / "model.json")
        assert again.noise == found.model.noise == outcome.best.noise
        assert again.config.noise == noise.name
        X = np.linspace(2000, 2015, 20)[:, None]
        for one, other in zip(numbers(found.model.predict(X)), numbers(again.predict(X)), strict=True):
            np.testing.assert_array_equal(one, other)

    @pytest.mark.parametrize("wrong", [
        {"options": {"noise": "constant"}},
        {"noise": {"type": "rising"}},
        {"noise": {"type": "constant", "variance": 0.1}},
    ])  # fmt: skip
    def test_what_does_not_fit_together_is_refused(self, noise, tmp_path, wrong):
        path = tmp_path / "model.json"
        self.kept(noise, path)
        content = json.loads(path.read_text())
        content["options"] |= wrong.get("options", {})
        content["outcome"]["best"]["noise"] = wrong.get("noise", content["outcome"]["best"]["noise"])
        path.write_text(json.dumps(content))
        with pytest.raises(DataError, match="damaged"):
            load(path)

"""What the benchmark of statements draws is what it says it has drawn."""

import numpy as np
import pytest

import statement_shapes as shapes
from statement_draws import LARGE_ROWS, RECIPES, draw, summed
from statement_runs import NOISES, noise, thinned_series

SMALL = range(len(RECIPES))


@pytest.mark.parametrize("seed", SMALL)
def test_the_truth_and_the_noise_add_up_to_the_data(seed):
    drawn = draw(seed)
    linked = np.log(drawn.y) if drawn.link == "log" else drawn.y
    np.testing.assert_allclose(linked - drawn.noise, summed(drawn), rtol=1e-9, atol=1e-9 * np.ptp(summed(drawn)))
    assert [part.noun for part in drawn.parts] == drawn.recipe.split(" + ")
    assert 100 <= len(drawn.y) <= 2000
    assert np.isfinite(drawn.y).all()
    assert (np.diff(drawn.times.x) > 0).all()


@pytest.mark.parametrize("seed", [3, 27, 41])
def test_a_seed_gives_the_same_draw_again(seed):
    one, other = draw(seed), draw(seed)
    np.testing.assert_array_equal(one.y, other.y)
    np.testing.assert_array_equal(one.times.given, other.times.given)
    assert not np.array_equal(one.y[:100], draw(seed + 50).y[:100])


def test_every_fifty_seeds_hold_ten_large_ones_and_all_kinds_of_times_noise_and_transform():
    small = [draw(seed) for seed in SMALL]
    assert [seed for seed in range(50) if draw(seed, rows=30).large] == list(range(40, 50))
    assert len(draw(40).y) == LARGE_ROWS
    assert {each.times.kind for each in small} == {"days", "months", "hours", "numbers", "irregular"}
    assert {each.link for each in small} == {"none", "log"}
    assert {each.growing for each in small} == {False, True}


@pytest.mark.parametrize("seed", SMALL)
def test_what_moves_throughout_can_be_seen(seed):
    drawn = draw(seed)
    sizes = [part.values.std() / drawn.noise.std() for part in drawn.parts if part.noun not in ("spell", "outlier")]
    assert min(sizes, default=2.0) >= 2.0


@pytest.mark.parametrize("seed", [seed for seed in SMALL if "step" in RECIPES[seed]])
def test_a_step_jumps_by_its_size_at_its_row_and_nowhere_else(seed):
    (step,) = (part for part in draw(seed).parts if part.noun == "step")
    moves = np.diff(step.values)
    assert np.flatnonzero(moves).tolist() == [step.row - 1]
    assert moves[step.row - 1] == pytest.approx(step.size)


@pytest.mark.parametrize("noun", ["spell", "outlier", "late cycle", "kink"])
def test_what_begins_at_a_row_is_nothing_before_it(noun):
    drawn = draw(next(seed for seed in SMALL if noun in RECIPES[seed]))
    (part,) = (each for each in drawn.parts if each.noun == noun)
    assert not part.values[: part.row].any()
    assert part.values[part.row : part.row + 2].any()
    assert (np.count_nonzero(part.values) == 1) == (noun == "outlier")


@pytest.mark.parametrize("seed", [seed for seed in SMALL if RECIPES[seed].endswith("+ cycle")])
def test_a_cycle_repeats_after_its_period(seed):
    x, cycle = np.linspace(0, 3, 50), next(part for part in draw(seed).parts if part.noun == "cycle")
    once, again = (shapes.cycle(at, np.random.default_rng(0), cycle.period) for at in (x, x + 4 * cycle.period))
    np.testing.assert_allclose(once, again, atol=1e-9)


@pytest.mark.parametrize("name", ["rough", "matern", "smooth"])
def test_processes_have_the_covariance_that_they_are_named_for(name):
    """At three uneven times, over many draws."""
    x, length = np.array([0.0, 0.5, 2.0]), 1.5
    d = np.abs(x[:, None] - x) / length
    true = {"rough": np.exp(-d), "matern": (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d), "smooth": np.exp(-(d**2) / 2)}[name]
    rng = np.random.default_rng(1)
    drawn = np.array([getattr(shapes, name)(x, rng, length) for _ in range(4000)])
    np.testing.assert_allclose(drawn.T @ drawn / len(drawn), true, atol=0.08)


def test_the_bend_is_the_integral_of_the_drift():
    """Variances t³/3 at t, and the covariance s²(3t − s)/6 with an earlier s."""
    rng, x = np.random.default_rng(2), np.array([0.0, 0.4, 1.0])
    drawn = np.array([shapes.bend(x, rng) for _ in range(8000)])[:, 1:]
    cross = 0.4**2 * (3 - 0.4) / 6
    np.testing.assert_allclose(drawn.T @ drawn / len(drawn), [[0.4**3 / 3, cross], [cross, 1 / 3]], rtol=0.08)


@pytest.mark.parametrize("kind", NOISES)
def test_noises_are_functions_of_their_seed(kind):
    np.testing.assert_array_equal(noise(kind, 4, 50), noise(kind, 4, 50))
    assert not np.array_equal(noise(kind, 4, 50), noise(kind, 5, 50))


def test_one_day_in_five_is_left_of_a_thinned_series():
    dates, y = thinned_series(0, 1000)
    assert len(dates) == len(y) == 200
    assert len(np.unique(np.diff(dates))) > 2

"""Options: times in words, unknown names, values that make no sense."""

import pytest

from kernelscribe import Config, OptionError
from kernelscribe.config import configure, options, seconds


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("90", 90),
        ("90s", 90),
        ("10m", 600),
        ("2h", 7200),
        (" 1.5 H ", 5400),
        ("0", 0),
        ("3.", 3),
        (90, 90),
        (2.5, 2.5),
        (None, None),
    ],
)
def test_times(given, found):
    assert seconds(given) == found


@pytest.mark.parametrize("given", ["", "soon", "-3", "1d", "10 min", "1h30m", "1e3", "nan", "s", ".5"])
def test_what_is_no_time(given):
    with pytest.raises(OptionError, match="write it as 90, 90s, 10m or 2h"):
        seconds(given)


def test_durations_are_read_by_configure_alone():
    found = configure({"budget": "2h", "patience": "90s"})
    assert (found.budget, found.patience) == (7200, 90)
    assert {name for name, option in options().items() if option.duration} == {"budget", "patience"}
    with pytest.raises(OptionError, match="budget must be a number"):
        Config(budget="2h")


def test_an_unknown_option_is_named_and_the_known_ones_listed():
    with pytest.raises(OptionError, match=r"there is no option 'beam'; there are strategy, depth, buffer"):
        configure({"seed": 1, "beam": 3})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"strategy": "best"}, "strategy must be one of auto, skc, skc-lb, cks, subset, got 'best'"),
        ({"moves": "up"}, "moves must be one of sub, root"),
        ({"ladder": True}, "ladder must be one of on, off"),
        ({"depth": -1}, "depth must be at least 0, got -1"),
        ({"buffer": 0}, "buffer must be at least 1"),
        ({"subset": 2}, "subset must be at least 3"),
        ({"budget": -1}, "budget must be at least 0"),
        ({"seed": True}, "seed must be a number, got True"),
        ({"depth": "4"}, "depth must be a number, got '4'"),
        ({"slack": float("nan")}, "slack must be a number"),
        ({"depth": 2.5}, "depth must be a whole number, got 2.5"),
        ({"restarts": 1e-3}, "restarts must be a whole number, got 0.001"),
        ({"inducing": 80.5}, "inducing must be a whole number"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"cycles": 3}, "cycles must be a list of names, got 3"),
        ({"cycles": ["a", 3]}, "cycles must be a list of names"),
    ],
)
def test_values_that_make_no_sense(given, says):
    with pytest.raises(OptionError) as error:
        configure(given)
    assert says in str(error.value)


def test_whole_numbers():
    """Counts are whole, measures need not be."""
    measures = {"slack", "jitter", "budget", "patience", "memory"}
    numbers = {name for name, option in options().items() if not (option.choices or option.names or option.named)}
    assert {name for name, option in options().items() if option.whole} == numbers - measures
    assert configure({"depth": 3.0, "memory": 1.5, "slack": 0.25}).depth == 3


@pytest.mark.parametrize(
    ("given", "found"),
    [("hour", ("hour",)), ("hour, day of week", ("hour", "day of week")), (["a,b"], ("a,b",)), ("", ()), ([], ()), (None, None)],
)
def test_names_in_a_list_or_with_commas_between_them(given, found):
    assert configure({"cycles": given}).cycles == found


def test_no_limit_at_all():
    assert configure({"patience": None, "budget": None, "inducing": None}).patience is None


def test_every_option_has_a_sentence_and_a_default_that_passes():
    for name, option in options().items():
        assert option.help[0].islower(), name
        assert not option.help.endswith("."), name
    assert configure({}) == Config()


def test_options_that_may_change_on_resuming():
    assert {name for name, option in options().items() if option.free} == {"budget", "patience", "memory", "threads"}
    assert {name for name, option in options().items() if option.search} == {
        "strategy", "depth", "buffer", "moves", "cycles", "subset", "budget",
    }  # fmt: skip

"""Rules of a search on fits made by hand: how deep it goes, which kernels grow, and which are dropped."""

import math
from dataclasses import replace

from handmade import Table, fits, fitted, play, scales, screened, start
from kernelscribe import parse
from kernelscribe.effort import STANDARD
from kernelscribe.engines.interval import Interval
from kernelscribe.fit.facts import Behind
from kernelscribe.search import rules
from kernelscribe.search.rules import STRATEGIES, drops, grows, overtaken, ranked


def test_far_behind_is_nearer_where_rows_are_many():
    known = fits(best=0, near=-19, far=-2900, farther=-3100)
    known |= {name: replace(known[name], expr=parse(kernel)) for name, kernel in {"near": "PER", "far": "LIN"}.items()}
    assert grows(STRATEGIES["auto"], known, "best", list(known), 4, 100_000, STANDARD) == ["best", "near"]
    assert grows(STRATEGIES["auto"], known, "best", list(known), 4, 100_001, STANDARD) == ["best", "near", "far"]
    assert grows(STRATEGIES["auto"], known, "best", list(known), 2, 100_001, STANDARD) == ["best", "near"]


def test_of_kernels_that_are_the_same_multiplied_out_one_grows_where_rows_are_many():
    texts = {"product": "SE*(SE + PER)", "sum": "SE + SE*PER", "other": "SE*PER + LIN"}
    known = {name: replace(fit, expr=parse(texts[name])) for name, fit in fits(product=0, sum=-5, other=-9).items()}
    auto = STRATEGIES["auto"]
    assert grows(auto, known, "product", list(known), 3, 2000, STANDARD) == ["product", "sum", "other"]
    assert grows(auto, known, "product", list(known), 3, 2001, STANDARD) == ["sum", "other"]
    worse = {**known, "sum": replace(known["sum"], bic=Interval(-25.0, -25.0))}
    assert grows(auto, worse, "product", list(known), 3, 100_001, STANDARD) == ["product", "other"], "not from a worse top"
    assert grows(auto, known, "product", list(known), 1, 2001, STANDARD) == ["product"]


def test_a_search_that_is_not_told_goes_as_deep_as_a_minute_allows():
    plain = fits(best=0)["best"]
    on_waves = replace(plain, engine="spectral")
    few = (9, 10, 150, 151, 250, 251, 400, 401)
    assert [rules.rounds(rows, plain, STANDARD) for rows in (*few, 10**6)] == [0, 6, 6, 5, 5, 4, 4, 3, 3]
    long_ones = (2000, 2001, 10**5, 10**5 + 1)
    assert [rules.rounds(rows, on_waves, STANDARD) for rows in (*few, *long_ones)] == [0, 6, 6, 5, 5, 4, 4, 3, 3, 4, 4, 3]
    for depth, rows in ((None, 401), (None, 300), (1, 300)):
        state = start("auto", depth=depth, rows=rows, exact=True)
        table = Table({}, rest=lambda name: (100.0 * len(name),) * 2)
        assert play(state, table).depth == (depth or rules.rounds(rows, plain, STANDARD))


def test_width_does_not_win_on_waves():
    known = fits(sharp=(-10, -9.9), wide=(-11, 1000))
    assert ranked(known, known, "middle") == ["wide", "sharp"]
    on_waves = {name: replace(fit, engine="spectral") for name, fit in known.items()}
    assert ranked(on_waves, on_waves, "middle") == ["sharp", "wide"]


def test_drops():
    """Even its hope must stay behind the best score by the margin, which is wider where scores are bounds."""
    found = {"best": screened(0.0), "hopeful": screened(-500.0, -9.9), "lost": screened(-20.0, -10.5)}
    assert list(drops(found, 100, STANDARD, sharp=True)) == ["lost"]
    assert drops(found, 100, STANDARD, sharp=True)["lost"] == Behind(-20.0, -10.5, 0.0)
    assert drops(found, 100, STANDARD, sharp=False) == {}
    assert list(drops(found, 49, STANDARD, sharp=False)) == ["lost"]
    assert drops({}, 100, STANDARD, sharp=True) == {}
    assert drops({"off": screened(math.inf)}, 100, STANDARD, sharp=True) == {}


def test_overtaken():
    """Polishing has raised others by 30 at most: what stays more than ten nats behind even so is dropped, unless it has hope."""
    polished = [
        (screened(0.0), fitted(parse("SE"), scales(), (25, 30))),
        (screened(10.0), fitted(parse("PER"), scales(), (30, 30))),
    ]
    failed = (screened(0.0), fitted(parse("LIN"), scales(), None))
    waiting = {
        "near": screened(-10.0),
        "edge": screened(-10.001),
        "hopeful": screened(-500.0, hope=20.0),
        "far": screened(-500.0),
    }
    gone = overtaken(waiting, [*polished, failed], 30.0, STANDARD)
    assert set(gone) == {"edge", "far"}
    assert (gone["far"].rise, gone["far"].best) == (30.0, 30.0)
    assert overtaken(waiting, [failed], 30.0, STANDARD) == {}
    # Of an interval on waves that is far too wide only the lower end counts.
    wide = [(each, replace(fit, engine="spectral", bic=Interval(fit.bic.upper, 1e6))) for each, fit in polished]
    assert overtaken(waiting, wide, 30.0, STANDARD).keys() == gone.keys()
    assert overtaken(waiting, [(each, replace(fit, engine="inducing")) for each, fit in wide], 30.0, STANDARD) == {}

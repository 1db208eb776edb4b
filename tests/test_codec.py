"""Frozen dataclasses as JSON: what comes back is the same to the last bit, and what is none of them is refused in a sentence."""

import json
import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelscribe.arrays import Array
from kernelscribe.codec import UNSAVED, decode, encode
from kernelscribe.kernels import Expression, parse


class Colour(Enum):
    RED = "a sentence"
    DARK_BLUE = "another"


@dataclass(frozen=True)
class Ground:
    width: float


@dataclass(frozen=True)
class Stone:
    weight: float = 1.0
    colour: Colour = Colour.RED


@dataclass(frozen=True)
class Wall:
    stones: tuple["Stone | Wall", ...]
    ground: Ground
    pair: tuple[int, str] = (1, "a")
    mark: float | None = None
    text: str | Stone = ""
    side: Literal["left", "right"] = "left"
    spec: dict[str, Any] = field(default_factory=dict)
    dry: bool = False
    live: object = field(default=None, metadata=UNSAVED, compare=False)


@dataclass(frozen=True)
class Sheet:
    numbers: Array


GROUND = Ground(math.pi)
WALL = Wall((Stone(), Wall((), GROUND), Stone(-math.inf, Colour.DARK_BLUE)), GROUND, (7, "λ"), 0.1 + 0.2, Stone(1e-320), "right")


def back(value, apart=()):
    return json.loads(json.dumps(encode(value, apart), allow_nan=False))


def test_a_tree_comes_back_as_it_was():
    assert decode(Wall, back(WALL)) == WALL
    assert back(Stone()) == {"type": "stone", "weight": 1.0, "colour": "red"}


@given(st.floats())
def test_every_number_comes_back_to_the_last_bit(number):
    again = decode(Stone, back(Stone(number))).weight
    assert np.array([again]).tobytes() == np.array([number]).tobytes() or (math.isnan(number) and math.isnan(again))


@pytest.mark.parametrize("shape", [(0,), (5,), (3, 2), (2, 0)])
def test_an_array_comes_back_with_its_shape(shape):
    numbers = np.random.default_rng(0).normal(size=shape) / 3
    again = decode(Sheet, back(Sheet(numbers))).numbers
    assert again.shape == shape
    assert again.tobytes() == numbers.tobytes()


def test_what_travels_apart_is_written_nowhere_and_given_to_the_reader():
    kept = back(WALL, apart=(Ground,))
    assert "ground" not in json.dumps(kept)
    assert decode(Wall, kept, {Ground: GROUND}) == WALL


def test_what_is_not_saved_has_its_default():
    assert decode(Wall, back(Wall((), GROUND, live=object()))).live is None
    assert "live" not in back(Wall((), GROUND, live=object()))


@pytest.mark.parametrize(
    "kernel", ["SE", "SE2*(PER1 + LIN3)", "SE1(variance=0.1, lengthscale=1e-300)*LIN2(variance=3, location=-7)"]
)
def test_a_kernel_travels_as_a_tree(kernel):
    expr = parse(kernel)
    kept = back(expr)
    assert decode(Expression, kept) == expr
    assert kept["type"] in ("leaf", "product")


@pytest.mark.parametrize(("change", "said"), [
    ({"type": "ground"}, r"^wall: expected the type wall, got None|expected the type wall"),
    ({"height": 3}, r"^wall: a wall has no height$"),
    ({"mark": "text"}, r"^wall\.mark: expected float or nonetype, got 'text'$"),
    ({"mark": True}, r"^wall\.mark: expected"),
    ({"dry": 1}, r"^wall\.dry: expected true or false, got 1$"),
    ({"dry": None}, r"^wall\.dry: expected true or false"),
    ({"pair": [1]}, r"^wall\.pair: expected 2 values"),
    ({"pair": [1.5, "a"]}, r"^wall\.pair\[0\]: expected a whole number, got 1\.5$"),
    ({"pair": {}}, r"^wall\.pair: expected a list"),
    ({"side": "above"}, r"^wall\.side: expected 'left' or 'right', got 'above'$"),
    ({"spec": []}, r"^wall\.spec: expected an object"),
    ({"stones": [{"type": "brick"}]}, r"^wall\.stones\[0\]: expected the type stone or wall, got 'brick'$"),
    ({"stones": [{"type": ["wall"]}]}, r"^wall\.stones\[0\]: expected the type stone or wall, got list$"),
    ({"stones": [{"type": "stone", "weight": 1, "colour": "green"}]}, r"stones\[0\]\.colour: expected one of red, dark_blue"),
    ({"stones": [{"type": "stone", "weight": 1}]}, r"^wall\.stones\[0\]: a stone needs colour$"),
    ({"stones": ["os.system"]}, r"^wall\.stones\[0\]: expected stone or wall, got 'os\.system'$"),
    ({"text": 5}, r"^wall\.text: expected str or stone, got 5$"),
    ({"text": {"type": "wall"}}, r"^wall\.text: expected the type stone, got 'wall'$"),
])  # fmt: skip
def test_what_is_no_such_value_is_refused_in_a_sentence(change, said):
    with pytest.raises(ValueError, match=said):
        decode(Wall, {**back(WALL), **change})


@pytest.mark.parametrize("value", [None, [], "wall", 5, {}, {"type": None}])
def test_what_is_no_object_of_the_kind_is_refused(value):
    with pytest.raises(ValueError, match="expected the type wall"):
        decode(Wall, value)


@pytest.mark.parametrize("array", [
    None, {}, {"shape": [1], "doubles": 5}, {"shape": [1], "doubles": "?"}, {"shape": [2], "doubles": "AAAAAAAA8D8="},
    {"shape": ["1"], "doubles": "AAAAAAAA8D8="}, {"shape": [1], "doubles": "AAAA"},
])  # fmt: skip
def test_a_damaged_array_is_refused(array):
    with pytest.raises(ValueError, match=r"^sheet\.numbers"):
        decode(Sheet, {"type": "sheet", "numbers": array})


def test_a_kernel_that_is_none_is_refused():
    for value in (
        {"type": "leaf", "kind": "XX", "dim": 1, "values": None},
        {"type": "leaf", "kind": "SE", "dim": 1, "values": [1.0, -1.0]},
        {"type": "sum", "args": []},
        {"type": "eval", "args": []},
    ):
        with pytest.raises(ValueError, match=r"leaf|sum"):
            decode(Expression, value)


def test_nesting_without_end_is_refused():
    value = {"type": "wall", "stones": []}
    for _ in range(100_000):
        value = {**back(WALL), "stones": [value]}
    with pytest.raises(ValueError, match="nested too deeply"):
        decode(Wall, value)


def test_what_has_no_form_is_not_written():
    with pytest.raises(TypeError, match="object has no form in JSON"):
        encode(Wall((), GROUND, mark=object()))

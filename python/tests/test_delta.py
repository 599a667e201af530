"""δ is exact, whatever its type."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from palmtop._delta import bound_text, delta_texts, fraction_of

pytestmark = pytest.mark.no_program


@pytest.mark.parametrize(
    ("bound", "exact"),
    [
        ("1/10", Fraction(1, 10)),
        ("5%", Fraction(1, 20)),
        (" 0.05 ", Fraction(1, 20)),
        (0.1, Fraction(1, 10)),
        (0.1 + 0.2, Fraction("0.30000000000000004")),
        (1e-7, Fraction(1, 10**7)),
        (Fraction(2, 6), Fraction(1, 3)),
        (Decimal("0.050"), Fraction(1, 20)),
        (1, Fraction(1)),
    ],
)
def test_a_bound_is_exact(bound: Any, exact: Fraction) -> None:
    assert fraction_of(bound_text(bound)) == exact


def test_numbers_of_numpy_are_taken_by_their_shortest_text() -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
    assert bound_text(numpy.float64(0.1)) == "0.1"
    assert bound_text(numpy.float32(0.1)) == "0.1"


@pytest.mark.parametrize("bound", ["", "a", "1/0", "-0.1", "1.5", 2, float("nan"), "1e-3", "10 %"])
def test_a_wrong_bound_is_refused(bound: Any) -> None:
    with pytest.raises(ValueError):
        bound_text(bound)


@pytest.mark.parametrize("bound", [True, None, [0.1], b"1/10"])
def test_a_bound_of_another_type_is_refused(bound: Any) -> None:
    with pytest.raises(TypeError):
        bound_text(bound)


def test_delta_is_a_maximum_or_a_pair() -> None:
    assert delta_texts("1/10") == (None, "1/10")
    assert delta_texts((0.05, "1/10")) == ("0.05", "1/10")
    with pytest.raises(ValueError, match="above"):
        delta_texts((0.5, 0.1))

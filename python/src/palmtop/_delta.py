"""δ as the program reads it: exact."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Tuple, Union

Bound = Union[str, Fraction, int, float, Decimal]
"""One bound of δ: `"1/10"`, `"5%"`, `Fraction(1, 10)`, `0.1`."""

Delta = Union[Bound, Tuple[Bound, Bound]]
"""δmax, or the pair (δmin, δmax)."""

_TEXT = re.compile(r"\d+/\d+|\d+(\.\d+)?%?|\.\d+%?")


def bound_text(bound: Bound) -> str:
    """Returns the text of a bound for the program.

    A float is taken by its shortest decimal text: `0.1` is exactly 1/10.

    >>> bound_text(0.1), bound_text("5%"), bound_text(Fraction(2, 6))
    ('0.1', '5%', '1/3')

    Raises:
        TypeError: if the bound has another type.
        ValueError: if it is not a number from 0 to 1.
    """
    if isinstance(bound, bool):
        raise TypeError("a bound of δ is a number or a text, not a bool")
    if isinstance(bound, str):
        text = bound.strip()
    elif isinstance(bound, Fraction):
        text = str(bound)
    elif isinstance(bound, float):
        text = _plain(Decimal(float.__repr__(bound)))
    elif isinstance(bound, Decimal):
        text = _plain(bound)
    elif isinstance(bound, int):
        text = str(int(bound))
    elif hasattr(bound, "dtype") and bound.dtype.kind in "fiu":
        text = _plain(Decimal(str(bound)))
    else:
        raise TypeError(f"a bound of δ is a number or a text, not {type(bound).__name__}")
    if not 0 <= fraction_of(text) <= 1:
        raise ValueError(f"a bound of δ is from 0 to 1, not {text}")
    return text


def fraction_of(text: str) -> Fraction:
    """Returns the exact value of a text such as `1/10`, `0.05` or `5%`."""
    if not _TEXT.fullmatch(text):
        raise ValueError(
            f"{text!r} is no bound of δ: expected a fraction such as 2/3, a decimal such as 0.05 "
            "or a percentage such as 5%"
        )
    if text.endswith("%"):
        return Fraction(text[:-1]) / 100
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text!r} is no bound of δ: its denominator is 0") from None


def delta_texts(delta: Delta) -> tuple[str | None, str]:
    """Returns the texts of δmin, or None if it was not given, and of δmax."""
    if isinstance(delta, tuple):
        if len(delta) != 2:
            raise ValueError("δ is δmax, or the pair (δmin, δmax)")
        low, high = bound_text(delta[0]), bound_text(delta[1])
        if fraction_of(low) > fraction_of(high):
            raise ValueError(f"δmin {low} is above δmax {high}")
        return low, high
    return None, bound_text(delta)


def _plain(number: Decimal) -> str:
    if not number.is_finite():
        raise ValueError(f"{number} is no bound of δ")
    return format(number, "f")

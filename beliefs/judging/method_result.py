"""The result of one method in a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

#: What is smaller is rounding, and shown as 0.
ROUNDING: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class MethodResult:
    """The result of one method; None where a number has no meaning.

    Attributes:
        name: The engine.
        exact: Whether it claims to be exact.
        samples: Worlds it drew or kept; None for methods that draw none.
        kl_bits: Kullback-Leibler divergence KL(exact || method) of the joint of `about`, in
            bits. A sampling method's joint is smoothed by one more sample that is spread evenly
            over all values, so that a value it never drew does not make this infinite; for
            other methods it is infinite (null in JSON) where they rule out a possible value.
        tv: Total variation distance of the same joint, without smoothing, in [0, 1].
        max_marginal_error: Largest error of the probability that a copy of an item is in a
            place, over all items and places (and all choices and values).
        ess: Effective number of samples, as the method reports it.
        rhat: Largest potential scale reduction over chains, as the method reports it.
        seconds: What a caller waits with a declared model and its evidence: `infer`, all site
            marginals and the joint; imports, compiling and a warm-up are not counted.
        peak_mb: Most resident memory (10^6 bytes) above what its warmed-up process held.
        reason: Why the method gave no answer; empty where it did.
        notes: What the method says of its own answer.
    """

    name: str
    exact: bool
    samples: int | None = None
    kl_bits: float | None = None
    tv: float | None = None
    max_marginal_error: float | None = None
    ess: float | None = None
    rhat: float | None = None
    seconds: float | None = None
    peak_mb: float | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()

    def within(self, tv: float) -> bool:
        """True if it answered, and its joint is at most this far off in total variation."""
        return self.tv is not None and self.tv <= tv

    def to_json(self) -> dict[str, float | None]:
        """The numbers; null where they have no meaning or are infinite."""
        numbers = {
            "kl_bits": self.kl_bits,
            "tv": self.tv,
            "max_marginal_error": self.max_marginal_error,
            "ess": self.ess,
            "rhat": self.rhat,
            "seconds": self.seconds,
            "peak_mb": self.peak_mb,
        }
        return {
            key: None if number is None or not math.isfinite(number) else float(number)
            for key, number in numbers.items()
        }

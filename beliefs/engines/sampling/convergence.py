"""The mixing of chains: split R-hat and effective sample size over several quantities.

Gelman et al., Bayesian Data Analysis (3rd edition, 2013), sections 11.4 and 11.5; the truncation
of the autocorrelations is Geyer's initial positive sequence (1992).
"""

from __future__ import annotations

import numpy as np

from ...arrays.problem import Floats


def split_rhat(chains: Floats) -> Floats:
    """Potential scale reduction, every chain split into halves.

    Args:
        chains: Values of shape (chains, draws, quantities).

    Returns:
        One number per quantity: 1 when the halves agree, infinity when they differ without
        any of them varying, NaN when nothing varies. Shape (quantities,).
    """
    within, total, _ = _variances(_halves(chains))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(total / within)


def effective_samples(chains: Floats) -> Floats:
    """Independent draws that the mean of all chains is worth, at most as many as were drawn.

    Args:
        chains: Values of shape (chains, draws, quantities).

    Returns:
        One number per quantity; NaN when nothing varies. Shape (quantities,).
    """
    halves = _halves(chains)
    count, draws, quantities = halves.shape
    within, total, centred = _variances(halves)
    padded = 1 << (2 * draws - 1).bit_length()
    spectrum = np.fft.rfft(centred, n=padded, axis=1)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, n=padded, axis=1)[:, :draws].mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = 1.0 - (within - covariance / (draws - 1)) / total
    correlation[0] = 1.0
    pairs = correlation[: draws - draws % 2].reshape(-1, 2, quantities).sum(axis=1)
    positive = np.logical_and.accumulate(pairs > 0.0, axis=0)
    steady = np.minimum.accumulate(np.where(positive, pairs, 0.0), axis=0)
    length = np.maximum(2.0 * steady.sum(axis=0) - 1.0, 1.0)
    return np.where(total > 0.0, count * draws / length, np.nan)


def _halves(chains: Floats) -> Floats:
    half = chains.shape[1] // 2
    return np.concatenate([chains[:, :half], chains[:, half : 2 * half]], axis=0)


def _variances(chains: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean variance within chains, pooled variance, and the centred chains."""
    draws = chains.shape[1]
    means = chains.mean(axis=1, keepdims=True)
    centred = chains - means
    within = (centred * centred).sum(axis=1).mean(axis=0) / (draws - 1)
    between = means[:, 0].var(axis=0, ddof=1) if chains.shape[0] > 1 else np.zeros_like(within)
    return within, within * (draws - 1) / draws + between, centred

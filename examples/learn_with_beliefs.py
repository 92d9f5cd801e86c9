"""A learner with and without exact beliefs: what do they change?

A small network learns one seat of Leduc poker by playing: masked actor-critic with the clipped
objective of PPO (Schulman et al. 2017, arXiv 1707.06347), in NumPy. It is handed the fields of the
record; and in the other half of the runs the exact belief behind them. Larger runs, and what comes
out, are in docs/adapters.md.

    python examples/learn_with_beliefs.py [--game leduc_poker] [--games 512] [--seed 0]
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from sleuth.adapters import gymnasium_env

HIDDEN_UNITS, BATCH, EPOCHS, CLIP, RATE, ENTROPY = 64, 64, 4, 0.2, 3e-3, 0.01


class Network:
    """One layer of tanh, on it the logits of all actions and the value; learns by Adam."""

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        shapes = (inputs, HIDDEN_UNITS), (HIDDEN_UNITS, actions), (HIDDEN_UNITS, 1)
        scales = 1.0, 0.01, 1.0
        self.weights = [
            rng.normal(0.0, scale / np.sqrt(shape[0]), (shape[0] + 1, shape[1]))
            for shape, scale in zip(shapes, scales, strict=True)
        ]
        self.moments = [[np.zeros_like(each) for each in self.weights] for _ in range(2)]
        self.steps = 0

    def __call__(self, inputs: Any, masks: Any) -> tuple[Any, ...]:
        """Rows with a 1 behind them, probabilities of the legal actions, and values."""
        rows = _with_one(inputs)
        layer = _with_one(np.tanh(rows @ self.weights[0]))
        logits = np.where(masks, layer @ self.weights[1], -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return rows, layer, shares / shares.sum(axis=1, keepdims=True), layer @ self.weights[2]

    def learn(self, inputs: Any, masks: Any, actions: Any, before: Any, returns: Any) -> None:
        """One step: clipped policy gradient, squared error of the value, and entropy."""
        rows, layer, shares, values = self(inputs, masks)
        chosen = np.arange(len(actions)), actions
        gains = returns - values[:, 0]
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        ratio = shares[chosen] / before
        good = gains > 0
        heeded = good & (ratio < 1 + CLIP) | ~good & (ratio > 1 - CLIP)
        logs = np.log(np.maximum(shares, 1e-12))
        of_logits = -(gains * ratio * heeded)[:, None] * (_one_hot(actions, shares) - shares)
        entropy = -(shares * logs).sum(axis=1, keepdims=True)
        of_logits += ENTROPY * shares * (logs + entropy)
        of_value = 0.5 * (values - returns[:, None])
        back = of_logits @ self.weights[1][:-1].T + of_value @ self.weights[2][:-1].T
        back *= 1 - layer[:, :-1] ** 2
        slopes = [rows.T @ back, layer.T @ of_logits, layer.T @ of_value]
        self.steps += 1
        for weights, slope, mean, square in zip(self.weights, slopes, *self.moments, strict=True):
            slope /= len(actions)
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            step = mean / (1 - 0.9**self.steps)
            weights -= RATE * step / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)


def train(env: Any, games: int, seed: int) -> list[float]:
    """The return of each game, while the seat is learned from the first game to the last."""
    rng = np.random.default_rng(seed)
    low, high = env.observation_space.low, env.observation_space.high
    scale = np.where(np.isfinite(high - low), high - low, 1.0)
    network = Network(len(low), int(env.action_space.n), seed)
    won: list[float] = []
    batch: list[tuple[Any, Any, int, float, float]] = []
    told, info = env.reset(seed=seed)
    while len(won) < games:
        steps: list[tuple[Any, Any, int, float]] = []
        over, reward = False, 0.0
        while not over:
            numbers = np.clip((told - np.where(np.isfinite(low), low, 0.0)) / scale, -1.0, 1.0)
            mask = info["action_mask"].astype(bool)
            *_, shares, _ = network(numbers[None], mask[None])
            action = int(rng.choice(len(mask), p=shares[0]))
            steps.append((numbers, mask, action, float(shares[0, action])))
            told, reward, over, _, info = env.step(action)
        won.append(reward)
        batch += [(*step, reward) for step in steps]
        told, info = env.reset()
        if len(won) % BATCH == 0:
            columns = [np.array(column) for column in zip(*batch, strict=True)]
            for _ in range(EPOCHS):
                network.learn(*columns)
            batch = []
    return won


def _with_one(rows: Any) -> Any:
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def _one_hot(actions: Any, shares: Any) -> Any:
    return np.eye(shares.shape[1])[actions]


def main() -> None:
    """Print how both halves do while they learn."""
    parser = argparse.ArgumentParser(description="A learner with and without exact beliefs.")
    parser.add_argument("--game", default="leduc_poker")
    parser.add_argument("--others", default="random")
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    for belief in (False, True):
        env = gymnasium_env(chosen.game, seat=None, others=chosen.others, belief=belief)
        won = train(env, chosen.games, chosen.seed)
        parts = [np.mean(part) for part in np.array_split(won, 5)]
        words = "with beliefs:   " if belief else "without beliefs:"
        print(f"{words} mean return by fifths", *(f"{part:+.2f}" for part in parts))


if __name__ == "__main__":
    main()

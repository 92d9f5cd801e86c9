"""The kernel that counts, in a list of worlds, which values and answers come together."""

from __future__ import annotations

from typing import Any

from ...models.kernels.kernel import kernel


@kernel(allocates=False)
def count_pairs(
    index: Any, project: Any, outcomes: Any, chances: Any, values: Any, shares: Any,
    both: Any, by_outcome: Any, positive: Any,
) -> int:  # fmt: skip
    """Writes the probabilities of each value and outcome; returns the number of possible pairs.

    Args:
        index: See `listed.gains_of_rows`.
        project, outcomes, chances: See `SparseAnswers`.
        values, shares: The value in every world, and how likely it is.
        both: Zeros, shape (values, outcomes); left so.
        by_outcome: Zeros; how likely each outcome is.
        positive: How likely the pairs are that are possible, in order.
    """
    for world in range(index.shape[0]):
        row = project[index[world]]
        value, share = values[world], shares[world]
        for entry in range(outcomes.shape[1]):
            outcome = outcomes[row, entry]
            if outcome < 0:
                break
            both[value, outcome] += chances[row, entry] * share
    found = 0
    for value in range(both.shape[0]):
        for outcome in range(both.shape[1]):
            each = both[value, outcome]
            by_outcome[outcome] += each
            # Written over where it is not positive: to add is faster than to ask.
            positive[found] = each
            found += int(each > 0.0)
            both[value, outcome] = 0.0
    return found

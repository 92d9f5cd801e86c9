"""Bayesian networks: in files, of other libraries, and in slices of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.networks.dynamic import DynamicNetwork as DynamicNetwork
    from sleuth.beliefs.networks.dynamic import before as before
    from sleuth.beliefs.networks.examples import example_network as example_network
    from sleuth.beliefs.networks.export import to_bif as to_bif
    from sleuth.beliefs.networks.files import read_bif as read_bif
    from sleuth.beliefs.networks.files import read_evidence as read_evidence
    from sleuth.beliefs.networks.files import read_network as read_network
    from sleuth.beliefs.networks.files import write_evidence as write_evidence
    from sleuth.beliefs.networks.files import write_network as write_network
    from sleuth.beliefs.networks.handover import from_pgmpy as from_pgmpy
    from sleuth.beliefs.networks.handover import from_pyagrum as from_pyagrum
    from sleuth.beliefs.networks.network import Network as Network

__getattr__, __dir__, __all__ = attach(__name__)

"""Long work in several processes, or on a cluster: the same results, sooner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.data.jobs.clusters import cluster as cluster
    from sleuth.data.jobs.sharing import run_jobs as run_jobs

__getattr__, __dir__, __all__ = attach(__name__)

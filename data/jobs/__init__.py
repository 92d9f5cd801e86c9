"""The one way of running jobs: in processes of this machine, or on a cluster that is named.

A job is a plain function with plain arguments. `sharing` hands jobs out and takes their results,
`processes`, `dask_workers` and `ray_workers` are those who do them, and `clusters` says which.
"""

"""A fit has one thread of BLAS, and what comes after has as many as before."""

from threadpoolctl import threadpool_info

from sleuth.training.threads import one_thread


def _blas() -> list[int]:
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_blas_has_one_thread_inside() -> None:
    with one_thread():
        before = _blas()
    assert before
    assert set(before) == {1}
    free = _blas()
    with one_thread():
        pass
    assert _blas() == free

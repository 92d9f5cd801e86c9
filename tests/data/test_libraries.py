"""Libraries of the extras: a missing one is named with the extra that brings it."""

from __future__ import annotations

import json

import pytest

from sleuth.data.errors import SettingsError
from sleuth.data.libraries import library


def test_a_library_that_is_there_is_imported() -> None:
    assert library("json", "rl", where="belief") is json


def test_a_missing_library_is_told_with_the_extra_that_brings_it() -> None:
    with pytest.raises(SettingsError) as raised:
        library("no_such_library", "rl", where="sleuth.adapters")
    assert str(raised.value) == (
        "sleuth.adapters: the library no_such_library is not installed; "
        "install it with pip install 'sleuth[rl]'"
    )

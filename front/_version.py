"""The version of the installed package."""

from sleuth.data.version import version

__version__ = version()

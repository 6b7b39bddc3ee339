"""Where the files that come with the package are: inside it in a wheel, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The folder `name` (`schemas` or `examples`) that comes with the package."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def example(name: str) -> Path:
    """The folder of one of the examples that come with the package."""
    return resource("examples") / name

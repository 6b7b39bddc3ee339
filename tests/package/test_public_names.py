"""The public API: one list, every name importable, cheap to import, and never hidden by a submodule."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import schemacast

HEAVY = [
    "anthropic",
    "babel",
    "dateparser",
    "instructor",
    "jinja2",
    "langchain_core",
    "langgraph",
    "neo4j",
    "networkx",
    "numpy",
    "openai",
    "pint",
    "pydantic",
    "pytest",
    "rapidfuzz",
    "requests",
    "rich",
    "tavily",
    "unidecode",
    "yaml",
]


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_the_package_or_asking_for_help_loads_nothing_heavy() -> None:
    loaded = f"print([name for name in {HEAVY!r} if name in sys.modules])"
    assert python(f"import sys, schemacast; {loaded}") == "[]"
    assert python(f"import sys, schemacast.cli.main as main; main.parser().format_help(); {loaded}") == "[]"


def test_every_public_name_is_what_it_says_after_every_module_was_imported() -> None:
    code = """
import importlib, inspect, pkgutil, schemacast
for module in pkgutil.walk_packages(schemacast.__path__, "schemacast."):
    importlib.import_module(module.name)
print([name for name in schemacast.__all__ if inspect.ismodule(getattr(schemacast, name))])
"""
    assert python(code) == "[]"


def test_no_public_name_is_also_a_submodule() -> None:
    submodules = {module.name for module in pkgutil.iter_modules(schemacast.__path__)}
    assert submodules & set(schemacast.__all__) == set()


def test_the_list_of_public_names_is_sorted_and_an_unknown_name_is_an_attribute_error() -> None:
    assert schemacast.__all__ == sorted(schemacast.__all__)
    assert set(schemacast.__all__) <= set(dir(schemacast))
    with pytest.raises(AttributeError, match="no_such_name"):
        schemacast.no_such_name  # noqa: B018


def test_no_public_name_of_attribution_is_also_one_of_its_submodules_and_each_is_there() -> None:
    from schemacast import attribution

    submodules = {module.name for module in pkgutil.iter_modules(attribution.__path__)}
    assert submodules & set(attribution.__all__) == set()
    assert attribution.__all__ == sorted(attribution.__all__)
    for name in attribution.__all__:
        assert callable(getattr(attribution, name)), name
    with pytest.raises(AttributeError, match="no_such_name"):
        attribution.no_such_name  # noqa: B018

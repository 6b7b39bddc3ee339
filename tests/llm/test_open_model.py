"""Names, options and what is checked before anything is sent."""

from __future__ import annotations

import subprocess
import sys

import pytest

from schemacast.errors import InputError, MissingPackageError, ModelAccessError, UnknownNameError, UsageError
from schemacast.llm.open import open_model
from schemacast.llm.providers import PROVIDERS


def test_an_unknown_provider_is_told_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown provider 'opnai'.*did you mean 'openai'\?.*anthropic.*ollama"):
        open_model("opnai/gpt-x")
    with pytest.raises(UnknownNameError, match=r"no provider.*PROVIDER/MODEL or replay:FILE"):
        open_model("gpt-x")


@pytest.mark.parametrize("name", ["openai/", "", "/x"])
def test_a_name_without_a_model_is_told(name) -> None:
    with pytest.raises(UsageError):
        open_model(name)


def test_the_providers_are_those_that_instructor_reaches() -> None:
    from instructor.v2.auto_client import _PROVIDER_BUILDERS

    assert set(PROVIDERS) == set(_PROVIDER_BUILDERS)


def test_a_missing_client_is_told_with_what_to_install(monkeypatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-1")
    with pytest.raises(MissingPackageError, match="pip install 'groq'"):
        open_model("groq/llama")
    with pytest.raises(MissingPackageError, match="pip install 'google-genai'"):
        open_model("google/gemini")


def test_a_missing_key_is_told_with_its_variable(monkeypatch) -> None:
    with pytest.raises(ModelAccessError, match="OPENAI_API_KEY"):
        open_model("openai/gpt-x")
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    with pytest.raises(ModelAccessError, match="OPENAI_API_KEY"):
        open_model("openai/gpt-x")
    assert open_model("ollama/llama").name == "ollama/llama"


@pytest.mark.parametrize("url", ["localhost:1", "ftp://x/", "http://", "http://x:99999/", "http://[", ""])
def test_a_base_url_that_is_none_is_told(url) -> None:
    with pytest.raises(UsageError, match="base URL"):
        open_model("openai/x", base_url=url)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 0},
        {"timeout": "soon"},
        {"timeout": True},
        {"timeout": float("inf")},
        {"proxy": 5},
        {"stream": True},
        {"messages": []},
        {"model": "y"},
        {"n": 2},
        {"temperature": float("nan")},
        {"x": object()},
    ],
)
def test_an_option_that_cannot_be_sent_is_told(options) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        open_model("openai/x", base_url="http://127.0.0.1:9", options=options)


def test_a_provider_without_an_address_of_its_own_needs_one(monkeypatch) -> None:
    monkeypatch.setenv("DATABRICKS_TOKEN", "dapi-1")
    with pytest.raises(UsageError, match="needs the base URL"):
        open_model("databricks/x")


def test_no_model_library_is_loaded_before_the_first_request(tmp_path) -> None:
    script = f"""
import sys
from schemacast.llm.open import open_model
open_model("openai/x", base_url="http://127.0.0.1:9")
open_model("openai/x", cache={str(tmp_path)!r})
print([name for name in ("instructor", "openai", "anthropic", "httpx", "httpx2", "pydantic") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_a_replay_without_a_file_says_how_to_write_it() -> None:
    with pytest.raises(InputError, match="replay:FILE"):
        open_model("replay:")

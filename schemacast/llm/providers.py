"""Which providers there are, what each needs, and how its client is opened.

A provider is named as instructor names it. Most speak OpenAI's chat completions, one Anthropic's messages;
for these we send the bytes ourselves through the provider's own client. The rest are called through the
function that instructor wraps. Keys come from the provider's own environment variables and nothing else is
read from there: address, organisation, headers and proxies are always given to the client explicitly.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from schemacast.errors import MissingPackageError, ModelAccessError, UnknownNameError, UsageError, nearest

__all__ = ["PROVIDERS", "Provider", "check_package", "find_key", "open_instructor", "split_name"]

Protocol = Literal["chat", "messages", "foreign"]


@dataclass(frozen=True, slots=True)
class Provider:
    """What is known about a provider before its client is loaded.

    `keys`: its key variables, the first that is set is used; `keyless`: works without one;
    `base_url`: where it is, None: the user has to say or the client knows; `path`: where requests go.
    """

    protocol: Protocol
    package: str
    install: str
    keys: tuple[str, ...] = ()
    keyless: bool = False
    base_url: str | None = None
    path: str = "/chat/completions"


def _chat(key: str, base_url: str | None) -> Provider:
    return Provider("chat", "openai", "openai", (key,), base_url=base_url)


def _foreign(package: str, install: str, *keys: str, keyless: bool = False) -> Provider:
    return Provider("foreign", package, install, keys, keyless=keyless)


PROVIDERS: Mapping[str, Provider] = {
    "openai": _chat("OPENAI_API_KEY", "https://api.openai.com/v1"),
    "anthropic": Provider(
        "messages",
        "anthropic",
        "schemacast[anthropic]",
        ("ANTHROPIC_API_KEY",),
        base_url="https://api.anthropic.com",
        path="/v1/messages",
    ),
    "ollama": Provider(
        "chat", "openai", "openai", ("OLLAMA_API_KEY",), keyless=True, base_url="http://localhost:11434/v1"
    ),
    "anyscale": _chat("ANYSCALE_API_KEY", "https://api.endpoints.anyscale.com/v1"),
    "databricks": Provider("chat", "openai", "openai", ("DATABRICKS_TOKEN", "DATABRICKS_API_KEY")),
    "deepseek": _chat("DEEPSEEK_API_KEY", "https://api.deepseek.com"),
    "openrouter": _chat("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    "perplexity": _chat("PERPLEXITY_API_KEY", "https://api.perplexity.ai"),
    "together": _chat("TOGETHER_API_KEY", "https://api.together.xyz/v1"),
    "azure_openai": _foreign("openai", "openai", "AZURE_OPENAI_API_KEY"),
    "bedrock": _foreign("boto3", "boto3", keyless=True),
    "cerebras": _foreign("cerebras.cloud.sdk", "cerebras-cloud-sdk", "CEREBRAS_API_KEY"),
    "cohere": _foreign("cohere", "cohere", "CO_API_KEY"),
    "fireworks": _foreign("fireworks", "fireworks-ai", "FIREWORKS_API_KEY"),
    "gemini": _foreign("google.generativeai", "google-generativeai", "GOOGLE_API_KEY"),
    "generative-ai": _foreign("google.genai", "google-genai", "GOOGLE_API_KEY"),
    "google": _foreign("google.genai", "google-genai", "GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "groq": _foreign("groq", "groq", "GROQ_API_KEY"),
    "litellm": _foreign("litellm", "litellm", keyless=True),
    "mistral": _foreign("mistralai", "mistralai", "MISTRAL_API_KEY"),
    "vertexai": _foreign("vertexai", "google-cloud-aiplatform", keyless=True),
    "writer": _foreign("writerai", "writer-sdk", "WRITER_API_KEY"),
    "xai": _foreign("xai_sdk", "xai-sdk", "XAI_API_KEY"),
}


def split_name(name: str, *, base_url: str | None) -> tuple[str, str]:
    """Provider and model. With a base URL a name without a known provider is a model at that endpoint.

    Raises UnknownNameError, which lists the providers, and UsageError for a name without a model.
    """
    provider, slash, model = name.partition("/")
    if provider in PROVIDERS and slash:
        if not model:
            raise UsageError(f"model {name!r} names no model; write it as {provider}/MODEL")
        return provider, model
    if base_url is not None and name.strip():
        return "openai", name
    known = ", ".join(sorted(PROVIDERS))
    if not slash:
        raise UnknownNameError(
            f"model {name!r} has no provider; write PROVIDER/MODEL or replay:FILE, with one of the providers {known}, "
            "or give the base URL of an OpenAI-compatible endpoint"
        )
    close = nearest(provider, PROVIDERS)
    hint = close if close.startswith("; did you mean") else ""
    raise UnknownNameError(f"unknown provider {provider!r} in model {name!r}{hint}; known: {known}, and replay:FILE")


def check_package(provider: str) -> None:
    """Raises MissingPackageError when the provider's client is not installed; loads nothing."""
    wanted = PROVIDERS[provider]
    try:
        found = importlib.util.find_spec(wanted.package) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        raise MissingPackageError(
            f"models of {provider!r} need a package that is not installed: pip install '{wanted.install}'"
        )


def find_key(provider: str, *, base_url: str | None) -> str:
    """The key to send; `none` where there need not be one. Raises ModelAccessError naming the variable."""
    wanted = PROVIDERS[provider]
    for variable in wanted.keys:
        if value := os.environ.get(variable, "").strip():
            return value
    if base_url is not None or wanted.keyless:
        return "none"
    variables = " or ".join(wanted.keys)
    raise ModelAccessError(f"no key for {provider!r}: set the environment variable {variables}")


def open_instructor(provider: str, model: str, key: str, **arguments: Any) -> Any:
    """instructor's asynchronous client for a model. Raises UsageError when it cannot be made."""
    logging.getLogger("instructor").addHandler(logging.NullHandler())  # it logs a traceback for what is raised here
    instructor = importlib.import_module("instructor")
    try:
        return instructor.from_provider(f"{provider}/{model}", async_client=True, api_key=key, **arguments)
    except ImportError as error:
        raise MissingPackageError(
            f"the client of {provider!r} does not load ({error}): pip install '{PROVIDERS[provider].install}'"
        ) from None
    except Exception as error:  # noqa: BLE001 - each provider's client has errors of its own here
        raise UsageError(f"the client of {provider!r} cannot be opened: {str(error).replace(key, '***')}") from None

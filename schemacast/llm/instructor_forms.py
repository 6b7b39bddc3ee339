"""What is taken from instructor's registry: the parameters that ask one provider for a reply of one shape.

instructor makes these from a pydantic class on every call; here the class only carries a finished JSON Schema,
and the handler is asked once per reply type. Where a provider takes a schema as response format that is
preferred over a tool call, since the text of a reply cut at the output limit is then still there to read.
This module is imported with the first request, never with the package: instructor is heavy.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, cast

from instructor import Mode
from instructor.v2.core.provider_specs import ALIAS_TO_PROVIDER, PROVIDER_SPECS
from instructor.v2.core.providers import Provider
from instructor.v2.core.registry import mode_registry
from pydantic import BaseModel, create_model

from schemacast.llm.protocol import ReplyType
from schemacast.schema.values import Json

__all__ = ["form_of", "mode_of", "prepared", "reply_class"]

_PREFERRED: Mapping[str, tuple[Mode, ...]] = {"anthropic": (Mode.TOOLS,)}
_ORDER = (Mode.JSON_SCHEMA, Mode.TOOLS, Mode.JSON, Mode.MD_JSON)


def mode_of(provider: str) -> tuple[Provider, Mode]:
    """The provider whose handlers apply, and the mode that is used with it."""
    canonical = PROVIDER_SPECS[PROVIDER_SPECS[ALIAS_TO_PROVIDER[provider]].canonical_provider]
    if not canonical.supported_modes:
        canonical = PROVIDER_SPECS[Provider.OPENAI]
    modes = canonical.supported_modes
    chosen = next((mode for mode in (*_PREFERRED.get(provider, ()), *_ORDER) if mode in modes), Mode.TOOLS)
    return canonical.provider, chosen


def reply_class(reply_type: ReplyType) -> type[BaseModel]:
    """A class whose schema is the reply type's: what instructor's handlers take."""

    class Carrier(BaseModel):
        @classmethod
        def model_json_schema(cls, *_args: Any, **_options: Any) -> dict[str, Any]:
            schema = copy.deepcopy(dict(reply_type.schema))
            return {"title": reply_type.name, "description": "The reply.", **schema}

    made = create_model(reply_type.name, __base__=Carrier, __doc__=None)
    return cast("type[BaseModel]", made)


def prepared(provider: str, reply: type[BaseModel] | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """`arguments` (messages, options) as instructor's handler would send them for this reply."""
    handlers = mode_registry.get_handlers(*mode_of(provider))
    made: dict[str, Any] = handlers.request_handler(response_model=reply, kwargs=dict(arguments))[1]
    return made


def form_of(provider: str, reply_type: ReplyType, options: Mapping[str, Json]) -> dict[str, Json]:
    """Only what the handler adds to the options."""
    made = prepared(provider, reply_class(reply_type), {"messages": [], **options})
    added = {name: value for name, value in made.items() if name != "messages" and options.get(name) != value}
    return _without_names(added, reply_type)


def _without_names(added: dict[str, Any], reply_type: ReplyType) -> dict[str, Json]:
    """Title and description stand beside the schema in a request already; inside it they only cost tokens."""
    response_format = added.get("response_format") or {}
    schemas = [response_format.get("json_schema", {}).get("schema"), response_format.get("schema")]
    schemas += [tool.get("input_schema") for tool in added.get("tools") or ()]
    for schema in schemas:
        for name in ("title", "description"):
            if isinstance(schema, dict) and name not in reply_type.schema:
                schema.pop(name, None)
    return added

"""The JSON Schema of the schema file format, for editors that complete and check YAML as it is typed.

It says what single fields may hold, in both forms, with a description an editor shows. What needs two
places compared (a key naming a property, a relation's ends) JSON Schema cannot say; `load` does. The
package ships it as a file, so that an editor can be pointed at it without running anything.
"""

from __future__ import annotations

from pathlib import Path

from schemacast.schema.model import KEEPS, MATCH_KINDS, PROPERTY_TYPES, STANCES
from schemacast.schema.rules import MAX_NAME, RESERVED_PROPERTIES
from schemacast.schema.values import Json

SHIPPED = Path(__file__).with_name("schema.schema.json")
Object = dict[str, Json]
SCALAR: Json = ["string", "number", "boolean"]


def json_schema() -> Object:
    """The JSON Schema (draft 2020-12) of a schema file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SchemaCast schema",
        "description": "What a text may state: types of vertices and edges, their properties and keys.",
        **_closed(
            {
                "name": _text("The schema's name; by default its file's.", pattern=r"^[^\s@]+$"),
                "version": _scalar("The schema's version; 1.0.0 by default."),
                "description": _text("What the schema is about, in a line or two."),
                "defaults": _described(
                    "What holds where neither the episode nor the command says otherwise.",
                    _closed(
                        {
                            "locale": _text("A language tag such as en, de or en-GB: how numbers and dates are read."),
                            "timezone": _text("An IANA name such as Europe/Oslo; UTC by default."),
                        }
                    ),
                ),
                "instructions": _text("Shown to the model after the rules."),
                "examples": _list("Worked replies, shown to the model and checked by lint.", _ref("example")),
                "vertices": _map("The vertex types, by name.", "vertexTypeName", _ref("vertices"), least=1),
                "edges": _map("The edge types, by relation.", "name", _ref("edges")),
            },
            required=["vertices"],
        ),
        "$defs": _definitions(),
    }


def _definitions() -> Object:
    return {
        "name": {"type": "string", "maxLength": MAX_NAME, "pattern": r"^\S(.*[^\s?])?$"},
        "vertexTypeName": _ref("name"),
        "propertyName": {
            "allOf": [_ref("name"), {"not": {"enum": [*sorted(RESERVED_PROPERTIES)]}}, {"not": {"pattern": "^_"}}],
        },
        "words": {"anyOf": [{"type": SCALAR}, {"type": "array", "items": {"type": SCALAR}}]},
        "part": {"type": SCALAR, "description": "A property; `?` after it lets it be absent."},
        "parts": {"anyOf": [_ref("part"), {"type": "array", "items": _ref("part"), "minItems": 1}]},
        "stance": {"enum": list(STANCES)},
        "typeName": {"enum": list(PROPERTY_TYPES)},
        "type": {
            "description": "The type of the value; in brackets, a list of such values.",
            "anyOf": [
                _ref("typeName"),
                {"type": "array", "items": _ref("typeName"), "minItems": 1, "maxItems": 1},
            ],
        },
        "key": _key(),
        "vertex": _vertex(),
        "vertices": {"anyOf": [_ref("vertex"), {"type": "array", "items": _ref("vertex"), "minItems": 1}]},
        "edge": _edge(),
        "edges": {"anyOf": [_ref("edge"), {"type": "array", "items": _ref("edge"), "minItems": 1}]},
        "properties": _map("The properties, by name.", "propertyName", _ref("property")),
        "property": {"anyOf": [_ref("type"), _property(), {"type": "null"}]},
        "example": _closed(
            {
                "text": _text("A short text of the kind that will be read."),
                "reply": _described("The right reply to it.", _reply()),
            },
            required=["text", "reply"],
        ),
    }


def _key() -> Object:
    return {
        "description": "What identifies a vertex: properties taken from the text, likeness, or minted.",
        "anyOf": [
            {"const": "minted", "description": "A new one each time a text creates one."},
            _ref("parts"),
            _closed(
                {
                    "match": _described("Properties whose likeness finds it.", _ref("words")),
                    "threshold": {
                        "description": "How sure it must be that two records are one, such as 0.9.",
                        "type": "number",
                        "exclusiveMinimum": 0,
                        "exclusiveMaximum": 1,
                    },
                },
                required=["match"],
            ),
        ],
    }


def _vertex() -> Object:
    alternate: Json = {"type": "array", "items": {"type": SCALAR}, "minItems": 1}
    either: Json = {"anyOf": [{"type": SCALAR}, alternate]}
    return {
        **_closed(
            {
                "description": _text("What the type means; shown to the model."),
                "synonyms": _described("Other names for it.", _ref("words")),
                "key": _ref("key"),
                "alternates": _list("Other keys a text may use; each finds the entity.", either),
                "within": _described("The relation, or relations, to what it is identified inside of.", _ref("words")),
                "stances": _stances(),
                "properties": _ref("properties"),
            }
        ),
        "type": ["object", "null"],
    }


def _edge() -> Object:
    return _closed(
        {
            "description": _text("What the relation means; shown to the model."),
            "source": _text("The vertex type it goes from."),
            "target": _text("The vertex type it goes to."),
            "synonyms": _described("Other names for it.", _ref("words")),
            "inverse": _described("Names for it read from target to source.", _ref("words")),
            "symmetric": _flag("Whether its direction means nothing."),
            "key": _described("Edges with other values of these stay apart.", _ref("parts")),
            "stances": _stances(),
            "properties": _ref("properties"),
        },
        required=["source", "target"],
    )


def _property() -> Object:
    forms: Json = {"anyOf": [_ref("words"), {"type": "null"}]}
    return _closed(
        {
            "type": _ref("type"),
            "description": _text("What the property means; shown to the model."),
            "synonyms": _described("Other names for it.", _ref("words")),
            "enum": {
                "description": "The values it may take; as a mapping, each with the forms a text uses.",
                "anyOf": [
                    {"type": "array", "items": {"type": SCALAR}, "minItems": 1},
                    {"type": "object", "additionalProperties": forms, "minProperties": 1},
                ],
            },
            "pattern": _scalar("A regular expression for the whole value, without look-around and back-references."),
            "minimum": _bound("The least value."),
            "maximum": _bound("The greatest value."),
            "unit": _text("The unit the value is kept in; others are converted."),
            "required": _flag("Report each vertex (mentions aside) or edge that lacks it; it is kept all the same."),
            "verbatim": _flag("false: a summary in the model's words, which need not be in its quote."),
            "bound": _flag("true: a number beside words like `about` or `<` is taken all the same."),
            "match": _choice("How values are compared in resolution.", MATCH_KINDS),
            "veto": _flag("Whether differing values rule out that two records are one."),
            "keep": _choice("Which value stands when episodes differ; latest by default.", KEEPS),
        }
    )


def _reply() -> Object:
    items: Json = {"type": "array"}
    return _closed({"vertices": items, "edges": items, "unmapped": items})


def _stances() -> Json:
    return _described(
        "Stances taken besides asserted.",
        {"anyOf": [_ref("stance"), {"type": "array", "items": _ref("stance"), "uniqueItems": True}]},
    )


def _closed(properties: Object, *, required: list[Json] | None = None) -> Object:
    """A mapping with these fields, besides those that begin with `x-`; an empty field is absent."""
    return {
        "type": "object",
        "properties": {name: field if name == "vertices" else _optional(field) for name, field in properties.items()},
        "patternProperties": {"^x-": True},
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _optional(field: Json) -> Json:
    """The field, or nothing written after its colon."""
    if not isinstance(field, dict):
        return field
    described = {"description": field["description"]} if "description" in field else {}
    inner = {name: value for name, value in field.items() if name != "description"}
    return {**described, "anyOf": [inner, {"type": "null"}]}


def _map(description: str, names: str, values: Json, *, least: int = 0) -> Object:
    result: Object = {"description": description, "type": "object", "propertyNames": _ref(names)}
    result["additionalProperties"] = values
    return result | ({"minProperties": least} if least else {})


def _list(description: str, items: Json) -> Object:
    return {"description": description, "type": "array", "items": items}


def _ref(name: str) -> Object:
    return {"$ref": f"#/$defs/{name}"}


def _described(description: str, schema: Object) -> Object:
    return {"description": description, **schema}


def _scalar(description: str, **more: Json) -> Object:
    return {"description": description, "type": SCALAR, **more}


def _text(description: str, **more: Json) -> Object:
    return _scalar(description, **more)


def _bound(description: str) -> Object:
    return {"description": description, "type": ["number", "string"]}


def _flag(description: str) -> Object:
    return {"description": description, "type": "boolean"}


def _choice(description: str, words: tuple[str, ...]) -> Object:
    return {"description": description, "enum": list(words)}

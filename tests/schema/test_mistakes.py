"""Every kind of mistake in a schema file is reported at its place, with what to do, and all at once."""

from __future__ import annotations

import pytest

from schemacast.errors import Problem, SchemaError
from schemacast.schema.load import parse_schema

OK = "vertices: {V: {key: a, properties: {a: string, b: string, n: integer, l: [string]}}}\n"


def problems(text: str) -> list[Problem]:
    with pytest.raises(SchemaError) as caught:
        parse_schema(text, file="s.yaml")
    return list(caught.value.problems)


def of_property(text: str) -> str:
    """A schema whose only property after the key has this definition, on line 4 from column 14."""
    return f"vertices:\n  V:\n    key: a\n    properties: {{p: {text}, a: string}}\n"


MISTAKES = [
    # the file as a whole
    ("edges: {}", 1, 1, "has no `vertices`"),
    ("vertices: {}", 1, 11, "`vertices` is empty; a schema needs at least one"),
    ("vertices: []", 1, 11, "`vertices` is a list; a mapping is needed"),
    ("[1]", 1, 1, "the schema is a list"),
    ("just text", 1, 1, "the schema is the text 'just text'"),
    (OK + "vertexes: {}", 2, 1, "no field 'vertexes'; did you mean 'vertices'?"),
    (OK + "during: 1", 2, 1, "'during' is reserved"),
    (OK + "name: a b", 2, 7, "`name` is 'a b'"),
    (OK + "name: a@1", 2, 7, "`name` is 'a@1'"),
    (OK + "version: one", 2, 10, "numbers with dots"),
    (OK + "description: [a]", 2, 14, "`description` is a list; text is needed"),
    (OK + "defaults: {locale: de_DE}", 2, 20, "write 'de-DE'"),
    (OK + "defaults: {locale: english}", 2, 20, "write a language tag"),
    (OK + "defaults: {timezone: Europe/Olso}", 2, 22, "did you mean 'Europe/Oslo'?"),
    (OK + "defaults: {timezone: Europe}", 2, 22, "no time zone"),
    (OK + "defaults: {timezone: ../etc}", 2, 22, "no time zone"),
    (OK + "defaults: {lokale: de}", 2, 12, "did you mean 'locale'?"),
    # doubled keys
    ("vertices:\n  Town: {key: minted}\n  Town: {key: minted}", 3, 3, "'Town' stands twice, on lines 2 and 3"),
    ("vertices: {V: {key: minted, key: minted}}", 1, 29, "'key' stands twice, on lines 1 and 1"),
    (OK + "name: a\nname: b", 3, 1, "on lines 2 and 3"),
    # vertex types
    ("vertices: {V: {keys: a}}", 1, 16, "no field 'keys'; did you mean 'key'?"),
    ("vertices: {V: string}", 1, 15, "vertex type 'V' is the text 'string'; a mapping is needed"),
    ("vertices: {V: {}}", 1, 12, "has no `key` and no text to be recognised by"),
    ("vertices: {V: {properties: {n: integer, l: [string]}}}", 1, 12, "has no `key`"),
    ("vertices: {V: {key: minted}, v: {key: minted}}", 1, 30, "differs from 'V' (line 1) only by case"),
    ("vertices: {Big-V: {key: minted}, big_v: {key: minted}}", 1, 34, "only by case or separators"),
    ("vertices: {V: {key: minted}, W: {key: minted, synonyms: [x, v]}}", 1, 61, "'v' also means 'V'"),
    ("vertices: {V: {key: minted, synonyms: x}, W: {key: minted, synonyms: X}}", 1, 70, "'X' also means 'V'"),
    ("vertices: {V: {key: minted, synonyms: [a, ~]}}", 1, 43, "if the text '~' is meant, quote it"),
    ("vertices: {V: {key: minted, synonyms: {a: b}}}", 1, 39, "is a mapping; text is needed"),
    ("vertices: {V: {key: minted, stances: [plannd]}}", 1, 39, "did you mean 'planned'?"),
    ("vertices: {V: {key: minted, stances: asserted}}", 1, 38, "always taken"),
    ("vertices: {V: [{key: minted}, {key: minted}]}", 1, 37, "stands in two of its definitions (first on line 1)"),
    (
        "vertices: {V: [{key: a, properties: {a: string}}, {properties: {a: date}}]}",
        1,
        65,
        "property 'a' stands in two",
    ),
    ("vertices: {null: {key: minted}}", 1, 12, "if the name 'null' is meant, quote it"),
    ('vertices: {" V": {key: minted}}', 1, 12, "no blanks around it"),
    ('vertices: {"V?": {key: minted}}', 1, 12, "may not end in `?`"),
    ('vertices: {"--": {key: minted}}', 1, 12, "needs a letter"),
    ('vertices: {"a\\nb": {key: minted}}', 1, 12, "may not hold the character U+000A"),
    # keys
    ("vertices: {V: {key: acount, properties: {account: string}}}", 1, 21, "no property of V; did you mean 'account'?"),
    ("vertices: {V: {key: [a, b], properties: {a: string}}}", 1, 25, "names 'b', which is no property of V"),
    ("vertices: {V: {key: [], properties: {a: string}}}", 1, 21, "empty list"),
    ("vertices: {V: {key: [a?], properties: {a: string}}}", 1, 21, "only optional parts"),
    ("vertices: {V: {key: [a, a], properties: {a: string}}}", 1, 25, "names 'a' twice"),
    ("vertices: {V: {key: l, properties: {l: [string]}}}", 1, 21, "which is a list"),
    ("vertices: {V: {key: {match: [nam]}, properties: {name: string}}}", 1, 30, "did you mean 'name'?"),
    ("vertices: {V: {key: {match: [a?]}, properties: {a: string}}}", 1, 30, "needs no `?`"),
    ("vertices: {V: {key: {mach: [a]}, properties: {a: string}}}", 1, 22, "did you mean 'match'?"),
    ("vertices: {V: {key: {match: a, threshold: 90}, properties: {a: string}}}", 1, 43, "did you mean 0.9?"),
    ("vertices: {V: {key: {match: a, threshold: 85%}, properties: {a: string}}}", 1, 43, "did you mean 0.85?"),
    ("vertices: {V: {key: {match: a, threshold: '0,9'}, properties: {a: string}}}", 1, 43, "did you mean 0.9?"),
    ("vertices: {V: {key: {match: a, threshold: 0}, properties: {a: string}}}", 1, 43, "between 0 and 1, such as 0.9"),
    ("vertices: {V: {key: {match: a, threshold: 1}, properties: {a: string}}}", 1, 43, "between 0 and 1, such as 0.9"),
    ("vertices: {V: {key: {match: a, threshold: nan}, properties: {a: string}}}", 1, 43, "between 0 and 1"),
    ("vertices: {V: {key: {match: a, threshold: high}, properties: {a: string}}}", 1, 43, "between 0 and 1"),
    ("vertices: {V: {key: {match: a, threshold: [0.9]}, properties: {a: string}}}", 1, 43, "text is needed"),
    ("vertices: {V: {key: {match: a, treshold: 0.9}, properties: {a: string}}}", 1, 32, "did you mean 'threshold'?"),
    ("vertices: {V: {key: {threshold: 0.9}, properties: {a: string}}}", 1, 21, "write {match: [name, …]}"),
    ("vertices: {V: {key: {}, properties: {a: string}}}", 1, 21, "write {match: [name, …]}"),
    ("vertices: {V: {key: minted, properties: {minted: string}}}", 1, 21, "write [minted] for the property"),
    ("vertices: {V: {key: a, properties: {a: {keep: all}}}}", 1, 47, "`keep` has no place on it"),
    ("vertices: {V: {key: a, properties: {a: {verbatim: false}}}}", 1, 51, "so it is verbatim"),
    ("vertices: {V: {key: [a, b?], properties: {a: string, b: {required: true}}}}", 1, 68, "but an optional part"),
    (
        "vertices: {V: {key: a, alternates: [b], properties: {a: string}}}",
        1,
        37,
        "`alternates` of vertex type 'V' names 'b'",
    ),
    ("vertices: {V: {key: a, alternates: [[a, c]], properties: {a: string}}}", 1, 41, "names 'c'"),
    ("vertices: {V: {key: a, alternates: [b, b], properties: {a: string, b: string}}}", 1, 40, "has 'b' twice"),
    ("vertices: {V: {key: a, alternates: [[]], properties: {a: string}}}", 1, 37, "is no key"),
    ("vertices: {V: {key: a, alternates: ['b?'], properties: {a: string, b: string}}}", 1, 37, "leave the `?` out"),
    # properties
    (of_property("{typ: string}"), 4, 22, "no field 'typ'; did you mean 'type'?"),
    (of_property("{description: Why, in short.}"), 4, 40, "a text with a comma must be quoted"),
    (of_property("sting"), 4, 21, "no type 'sting'; did you mean 'string'?"),
    (of_property("float"), 4, 21, "did you mean 'number'?"),
    (of_property("[string, date]"), 4, 21, "a list type has one type"),
    (of_property("[]"), 4, 21, "a list type has one type"),
    (of_property("[[string]]"), 4, 22, "its type is a list"),
    (of_property("money"), 4, 21, "'money' is reserved"),
    (of_property("{type: [range]}"), 4, 29, "'range' is reserved"),
    (of_property("{type: date, was: 1}"), 4, 34, "'was' is reserved"),
    (of_property("{required: yes}"), 4, 32, "is 'yes'; write true, without quotes"),
    (of_property("{required: 'true'}"), 4, 32, "write true, without quotes"),
    (of_property("{bound: off}"), 4, 29, "write false"),
    (of_property("{veto: maybe}"), 4, 28, "write true or false"),
    (of_property("{match: fuzzy}"), 4, 29, "is none of exact, code, name"),
    (of_property("{keep: newest}"), 4, 28, "is none of latest, first, all"),
    (of_property("{pattern: '(a'}"), 4, 31, "cannot be used: unclosed group"),
    (of_property("{pattern: 'a)|(b'}"), 4, 31, "cannot be used: unopened group"),
    (of_property("{pattern: '(?=a)b'}"), 4, 31, "more than linear time"),
    (of_property("{pattern: '(a)\\1'}"), 4, 31, "more than linear time"),
    (of_property("{pattern: '(\\w{1,100}){1,100}'}"), 4, 31, "too many possibilities"),
    (of_property("{type: date, pattern: 'a'}"), 4, 43, "`pattern` is for strings"),
    (of_property("{type: integer, minimum: 1.5}"), 4, 46, "is no integer; write digits"),
    (of_property("{type: integer, minimum: 5, maximum: 1}"), 4, 46, "`minimum` is greater than `maximum`"),
    (of_property("{type: number, minimum: .inf}"), 4, 45, "is no number"),
    (of_property("{type: date, minimum: 1.2.2024}"), 4, 43, "write YYYY-MM-DD"),
    (of_property("{type: date, maximum: 2024-02-30}"), 4, 43, "is no date"),
    (of_property("{type: datetime, maximum: 2024-02}"), 4, 47, "is no datetime"),
    (of_property("{type: time, maximum: '25:00'}"), 4, 43, "is no time"),
    (of_property("{minimum: 1}"), 4, 31, "is for numbers, dates and times; the type is string"),
    (of_property("{type: boolean, maximum: 1}"), 4, 46, "is for numbers, dates and times"),
    (of_property("{unit: kW}"), 4, 28, "`unit` is for numbers; the type is string"),
    (of_property("{type: number, unit: ' '}"), 4, 42, "`unit` is blank"),
    (of_property("{type: date, bound: true}"), 4, 41, "`bound` is for numbers"),
    (of_property("{type: number, verbatim: false}"), 4, 46, "`verbatim: false` is for strings"),
    (of_property("{enum: open}"), 4, 28, "write a list of values"),
    (of_property("{enum: []}"), 4, 28, "has no values"),
    (of_property("{enum: [a, a]}"), 4, 32, "has the value 'a' twice (line 4)"),
    (of_property("{enum: [a, null]}"), 4, 32, "if the text 'null' is meant, quote it"),
    (of_property("{enum: [a, {b: c}]}"), 4, 32, "with forms, write {value: [forms]}"),
    (of_property("{enum: {a: [x], b: [y, X]}}"), 4, 44, "'X' stands for 'a' (line 4) and for 'b'"),
    (of_property("{enum: {a: [b], b: []}}"), 4, 37, "a form has one meaning"),
    (of_property("{type: integer, enum: [1, two]}"), 4, 47, "the value of property 'p' of V 'two' is no integer"),
    (of_property("{type: boolean, enum: [yes]}"), 4, 44, "is no boolean; write true or false"),
    ("vertices: {V: {key: _id, properties: {_id: string}}}", 1, 39, "names that begin with `_` are ours"),
    ("vertices: {V: {key: minted, properties: {stance: string}}}", 1, 42, "this name is reserved"),
    ("vertices: {V: {key: minted, properties: {schemacast_id: string}}}", 1, 42, "this name is reserved"),
    ("vertices: {V: {key: minted, properties: {schemacast_aliases: string}}}", 1, 42, "this name is reserved"),
    ("vertices: {V: {key: minted, properties: {d: date, d_partial: string}}}", 1, 51, "reserved beside 'd'"),
    ("vertices: {V: {key: minted, properties: {a_b: date, aB: date}}}", 1, 53, "differs from 'a_b'"),
    ("vertices: {V: {key: minted, properties: {a: date, b: {synonyms: A}}}}", 1, 65, "'A' also means 'a'"),
    # edges
    (OK + "edges: {R: {source: V}}", 2, 12, "relation 'R' has no `target`"),
    (OK + "edges: {R: V}", 2, 12, "a definition is the text 'V'"),
    (OK + "edges: {R: }", 2, 9, "write {source: …, target: …}"),
    (OK + "edges: {R: []}", 2, 12, "has no definition"),
    (OK + "edges: {R: {source: W, target: V}}", 2, 21, "is 'W', which is no vertex type; known: V"),
    (OK + "edges: {R: {source: [V], target: V}}", 2, 21, "one definition for each pair of types"),
    (OK + "edges: {R: {from: V, target: V, source: V}}", 2, 13, "no field 'from'"),
    (
        OK + "edges:\n  R:\n  - {source: V, target: V}\n  - {source: V, target: V}",
        5,
        5,
        "V-R->V stands twice, on lines 4 and 5",
    ),
    (OK + "edges: {R: {source: V, target: V, key: since}}", 2, 40, "names 'since', which is no property of 'V-R->V'"),
    (
        OK + "edges: {R: {source: V, target: V, key: d, properties: {d: {keep: all}}}}",
        2,
        66,
        "`keep` has no place on it",
    ),
    (
        OK + "edges: {R_S: {source: V, target: V}, rS: {source: V, target: V}}",
        2,
        38,
        "relation 'rS' differs from 'R_S'",
    ),
    (
        OK + "edges: {R: {source: V, target: V}, S: {source: V, target: V, synonyms: r}}",
        2,
        72,
        "from 'V' to 'V' also means 'R'",
    ),
    (OK + "edges: {R: {source: V, target: V, inverse: r}}", 2, 44, "would mean both directions"),
    # within
    (
        "vertices: {V: {within: R, key: minted}, W: {key: minted}}\nedges: {R: {source: V, target: W}}",
        1,
        32,
        "cannot be `within` another",
    ),
    (
        "vertices: {V: {within: RS}, W: {key: minted}}\nedges: {R: {source: V, target: W}}",
        1,
        24,
        "no relation between declared types; did you mean 'R'?",
    ),
    (
        "vertices: {V: {within: R}, W: {key: minted}}\nedges: {R: {source: W, target: W}}",
        1,
        24,
        "that relation has no end of type 'V'",
    ),
    ("vertices: {V: {within: R}}\nedges: {R: {source: V, target: V}}", 1, 24, "goes in a circle: 'V' in 'V'"),
    (
        "vertices: {V: {within: R}, W: {within: S}}\nedges: {R: {source: V, target: W}, S: {source: V, target: W}}",
        1,
        40,
        "goes in a circle: 'V' in 'W' in 'V'",
    ),
    # examples
    (OK + "examples: {text: a, reply: {}}", 2, 11, "write a list of {text: …, reply: …}"),
    (OK + "examples: [hello]", 2, 12, "an example is the text 'hello'"),
    (OK + "examples: [{text: a}]", 2, 12, "an example has no `reply`"),
    (OK + "examples: [{text: ' ', reply: {}}]", 2, 19, "`text` of an example is blank"),
    (OK + "examples: [{text: a, reply: []}]", 2, 29, "`reply` of an example is a list"),
    (OK + "examples: [{text: a, reply: {nodes: []}}]", 2, 30, "no field 'nodes'"),
    (OK + "examples: [{text: a, reply: {vertices: {}}}]", 2, 40, "a list is needed"),
]


@pytest.mark.parametrize(("text", "line", "column", "part"), MISTAKES, ids=[part for *_, part in MISTAKES])
def test_a_mistake_is_reported_at_its_place(text: str, line: int, column: int, part: str) -> None:
    found = problems(text)
    assert [(problem.line, problem.column) for problem in found] == [(line, column)], found
    assert part in found[0].message
    assert "\n" not in str(found[0])
    assert str(found[0]).startswith(f"s.yaml:{line}:{column}: ")


def test_every_mistake_is_reported_at_once_in_the_order_of_the_file() -> None:
    text = """\
verson: 1.0.0
vertices:
  Customer:
    key: acount
    properties: {account: strng, email: {type: string, match: close}}
  Customer: {key: minted, synonims: [client]}
  Ticket:
    key: number
    within: RAISD
    properties: {number: {type: string, pattern: '(', required: yes}}
edges:
  RAISED: {source: Custmer, target: Ticket}
  OWNS: {source: Customer, target: Ticket, key: since}
"""
    places = [(problem.line, problem.column) for problem in problems(text)]
    assert places == sorted(places)
    assert [line for line, _ in places] == [1, 4, 5, 5, 6, 6, 9, 10, 10, 12, 13]


def test_what_an_anchor_repeats_is_reported_once() -> None:
    text = "x-p: &p {a: strin}\nvertices: {V: {key: minted, properties: *p}, W: {key: minted, properties: *p}}"
    assert {problem.line for problem in problems(text)} == {1}


def test_a_message_never_holds_a_whole_long_text() -> None:
    found = problems(f"vertices: {{V: {{key: minted, stances: {'x' * 900}}}}}")
    assert max(len(str(problem)) for problem in found) < 250


def test_thousands_of_mistakes_are_counted_rather_than_listed() -> None:
    found = problems(OK + "".join(f"kay{number}: 1\n" for number in range(3000)))
    assert len(found) == 501
    assert found[-1].message == "and 2,500 more mistakes"

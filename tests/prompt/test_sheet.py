"""The sheet shows what decides how a text is read, on one line a thing."""

from __future__ import annotations

from schemacast.schema.load import parse_schema
from schemacast.schema.sheet import sheet

DESK = r"""
name: desk
vertices:
  Customer:
    description: |
      A customer
      account.
    synonyms: [client, buyer]
    key: account
    alternates: [email, [name, city]]
    properties: {account: {type: string, pattern: 'ACC-\d+'}, email: string, name: string, city: string}
  Agent: {key: handle, properties: {handle: string}}
  Company: {key: {match: [name, country]}, properties: {name: string, country: string}}
  Shift: {within: WORKED, key: [day, part?], properties: {day: date, part: string}}
  Escalation: {key: minted, properties: {reason: {type: string, verbatim: false}}, stances: [planned]}
  Ticket:
    key: number
    properties:
      number: string
      severity: {type: integer, minimum: 1, maximum: 5}
      status: {type: string, enum: {open: [new, active], closed: []}}
      wait: {type: number, unit: h, minimum: 0}
      urgent: boolean
      labels: [string]
      opened: {type: datetime, synonyms: [raised on], description: When it was opened.}
edges:
  RAISED: {source: Customer, target: Ticket, synonyms: [opened], inverse: [raised by]}
  HANDLES: {source: Agent, target: Ticket, properties: {since: date}}
  WORKED: {source: Agent, target: Shift}
  PARTNERS: {source: Company, target: Company, symmetric: true, stances: [planned], description: They work together.}
"""

SHEET = r"""
Customer [account | email | name+city] (also client, buyer): A customer account.
 account /ACC-\d+/
 email
 name
 city
Agent [handle]
 handle
Company [name+country]
 name
 country
Shift [day+part? with its WORKED edge]
 day date
 part
Escalation [new each time] (stance planned)
 reason in your words
Ticket [number]
 number
 severity integer 1..5
 status = open (new, active) | closed
 wait number 0.. in h
 urgent true/false
 labels several
 opened datetime (also raised on): When it was opened.
RAISED: Customer -> Ticket (also opened; reversed raised by)
HANDLES: Agent -> Ticket
 since date
WORKED: Agent -> Shift
PARTNERS: Company <-> Company (stance planned): They work together.
"""


def test_the_sheet_of_a_schema_is_this_text() -> None:
    assert sheet(parse_schema(DESK)) == SHEET.strip("\n")


def test_no_name_or_description_makes_a_line_of_its_own() -> None:
    text = sheet(
        parse_schema(
            'name: t\nvertices:\n  Town: {key: name, description: "a\\n\\nb", synonyms: ["c\\nd"], '
            'properties: {name: {type: string, description: "e\\u2028f"}}}\n'
        )
    )
    assert text.splitlines() == ["Town [name] (also c d): a b", " name: e f"]

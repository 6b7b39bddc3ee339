"""`try`, `sheet`, `lint`, `json-schema` and help, as a person runs them."""

from __future__ import annotations

import json
from collections.abc import Callable

from cli_desk import Desk, Ran, prop, raised, vertex

Run = Callable[..., Ran]
TEXT = "Customer ACC-1 opened HD-2 with severity 7 while it rains"


def record_try(desk: Desk) -> None:
    desk.write_replies(
        {
            "source_id": "text",
            "round": 0,
            "reply": {
                "vertices": [
                    vertex("c", "Customer", "Customer ACC-1", prop("account", "ACC-1")),
                    vertex("t", "ticket", "HD-2", prop("number", "HD-2"), prop("severity", 7, "severity 7")),
                ],
                "edges": [raised("ACC-1 opened HD-2")],
                "unmapped": [{"quote": "it rains", "note": "weather"}],
            },
        }
    )


def test_try_shows_items_with_marked_quotes_findings_and_fixes(desk: Desk, run: Run) -> None:
    record_try(desk)
    ran = run("try", desk.schema, "--text", TEXT, "--model", f"replay:{desk.replies}")
    assert ran.code == 0
    for part in (
        "partial: 2 vertices, 1 edge, 2 properties",
        "«Customer ACC-1» opened HD-2",
        "number = HD-2   Customer ACC-1 opened «HD-2» with",
        "RAISED  c Customer -> t Ticket",
        "unmapped",
        "«it rains»",
        "value_constraint",
        "7 is more than 5",
        "name_mended",
    ):
        assert part in ran.out, part


def test_try_reads_the_text_from_standard_input(desk: Desk, shell: Run) -> None:
    record_try(desk)
    ran = shell("try", desk.schema, "--text", "-", "--model", f"replay:{desk.replies}", input=TEXT)
    assert (ran.code, ran.err) == (0, "")
    assert "«it rains»" in ran.out


def test_try_marks_control_characters_of_a_text_harmlessly(desk: Desk, run: Run) -> None:
    text = "Customer \x1b[31m ACC-1 \x1b[0m\r\nopened it"
    desk.write_replies(
        {
            "source_id": "text",
            "round": 0,
            "reply": {"vertices": [vertex("c", "Customer", "ACC-1", prop("account", "ACC-1"))], "edges": []},
        }
    )
    ran = run("try", desk.schema, "--text", text, "--model", f"replay:{desk.replies}")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "«ACC-1»" in ran.out


def test_sheet_prints_what_a_model_is_shown(desk: Desk, run: Run) -> None:
    ran = run("sheet", desk.schema)
    assert ran.code == 0
    for name in ("Customer", "account", "Ticket", "severity integer 1..5", "RAISED"):
        assert name in ran.out
    assert run("sheet", "lib:helpdesk").code == 0


def test_lint_of_right_files_says_so(desk: Desk, run: Run) -> None:
    ran = run("lint", desk.schema, "lib:news")
    assert ran == Ran(0, f"{desk.schema}: ok\nlib:news: ok\n", "")


def test_lint_prints_every_mistake_of_every_file_with_its_place(desk: Desk, run: Run) -> None:
    bad = desk.folder / "bad.yaml"
    bad.write_text("name: x\nvertices:\n  A: {key: b, propertis: {b: strng}}\n  A: {}\n", encoding="utf-8")
    ran = run("lint", bad, desk.schema)
    assert ran.code == 2
    assert f"{bad}:3:15: vertex type 'A' has no field 'propertis'; did you mean 'properties'?" in ran.out
    assert f"{bad}:4:3: " in ran.out
    assert f"{desk.schema}: ok" in ran.out


def test_lint_checks_examples_with_the_validator_that_replies_go_through(desk: Desk, run: Run) -> None:
    text = desk.schema.read_text(encoding="utf-8")
    example = {
        "text": "ACC-1 raised HD-2.",
        "reply": {"vertices": [vertex("t", "Ticket", "HD-2", prop("number", "HD-3"))], "edges": []},
    }
    desk.schema.write_text(f"{text}examples:\n  - {json.dumps(example)}\n", encoding="utf-8")
    ran = run("lint", desk.schema)
    assert ran.code == 2
    assert "example 1: value_not_in_quote" in ran.out
    line = len(text.splitlines()) + 2
    assert ran.out.startswith(f"{desk.schema}:{line}: ")
    example["reply"]["vertices"] = [vertex("t", "Ticket", "HD-2", prop("number", "HD-2"))]
    desk.schema.write_text(f"{text}examples:\n  - {json.dumps(example)}\n", encoding="utf-8")
    assert run("lint", desk.schema).code == 0


def test_json_schema_prints_a_schema_that_takes_the_file(desk: Desk, run: Run) -> None:
    import jsonschema
    import yaml

    printed = json.loads(run("json-schema").out)
    jsonschema.validate(yaml.safe_load(desk.schema.read_text(encoding="utf-8")), printed)


def test_help_names_every_command_and_exit_code(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    for word in ("cast", "try", "sheet", "lint", "json-schema", "demo", "130"):
        assert word in ran.out


def test_a_flag_stands_before_the_environment(desk: Desk, shell: Run) -> None:
    # Only the providers' keys and what terminals use are read from the environment.
    environment = {"SCHEMACAST_OUT": "elsewhere", "SCHEMACAST_MODEL": "openai/x", "PATH": "/usr/bin:/bin"}
    ran = shell("cast", *desk.job, "--out", desk.folder / "out", env=environment)
    assert ran.code == 0
    assert (desk.folder / "out" / "graph.json").exists()

"""What the pages show is what happens: their Python runs, commands print it, schemas load, links lead somewhere.

A page is run from top to bottom in a folder of its own that holds a copy of `examples/`. A block of Python
shares its names with those before it on the page, and a `text` block right after it is what it prints. In a
`console` block each line that begins with `$ schemacast` is run and what stands below it is what it prints; a
line `…`, or `…` within a line, stands for anything. A block whose fence names a file (```` ```yaml desk.yaml ````) is
that file: of `examples/` it must equal it, else it is written for the blocks below.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from schemacast.cli.main import main, parser
from schemacast.llm.providers import PROVIDERS
from schemacast.schema.load import parse_schema

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("examples/*/*.md")),
]
RUN = [page for page in PAGES if page.name not in ("writing-an-adapter.md", "schema-format.md")]
"""Those two have tests of their own, beside what they describe."""
FENCE = re.compile(r"^( *)```(\w+)? ?([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    language: str
    file: str
    text: str
    line: int


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[2] or "", found[3].strip(), found[4], text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
    ]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that a page is read in."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    for provider in PROVIDERS.values():
        for variable in provider.keys:
            monkeypatch.delenv(variable, raising=False)
    return tmp_path


def shows(expected: str, printed: str) -> bool:
    """Whether `printed` is what a page shows, `…` standing for anything within a line or for any lines."""
    parts = []
    for line in expected.splitlines():
        if line.strip() == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append("[^\\n]*?".join(map(re.escape, line.rstrip().split("…"))) + r"[ \t]*\n")
    return re.fullmatch("".join(parts) + r"\s*", printed) is not None


def printed_by(command: str) -> tuple[int, str]:
    """The exit code and output, errors included, of one command of a page."""
    words = shlex.split(command)
    target = None
    if len(words) > 2 and words[-2] == ">":
        *words, _, target = words
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out if target is None else io.StringIO()):
        try:
            code = main(words[1:])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    if target is not None:
        Path(target).write_text(out.getvalue(), encoding="utf-8")
        return code, ""
    return code, out.getvalue()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, with what is shown below it."""
    joined = text.replace("\\\n", " ")
    for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


@pytest.mark.parametrize("page", RUN, ids=named)
def test_a_page_shows_what_happens(page: Path, desk: Path) -> None:
    names: dict[str, object] = {"__name__": "page"}
    code = 0
    found: list[Block | None] = [*blocks(page), None]
    for block, following in pairwise(found):
        assert block is not None
        where = f"{named(page)}:{block.line}"
        if block.file:
            source = ROOT / block.file
            if block.file.startswith("examples/"):
                assert source.read_text(encoding="utf-8") == block.text, f"{where} is not what {block.file} holds"
            else:
                (desk / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
            if following is not None and following.language == "text":
                assert shows(following.text, out.getvalue()), f"{where} prints\n{out.getvalue()}"
        elif block.language == "console":
            for command, shown in commands(block.text):
                if command == "echo $?":
                    assert shown.strip() == str(code), f"{where} ends with {code}"
                elif command.startswith(("schemacast ", "make demo")):
                    code, printed = printed_by(command.replace("make demo", "schemacast demo"))
                    assert shows(shown, printed), f"{where}: {command}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_schema_on_a_page_loads(page: Path) -> None:
    for block in blocks(page):
        if (
            block.language == "yaml"
            and not block.file.startswith("broken")
            and re.search(r"^vertices:", block.text, re.MULTILINE)
        ):
            parse_schema(block.text, file=f"{named(page)}:{block.line}")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_command_on_a_page_parses(page: Path) -> None:
    """Commands that need a model or a network are not run, but their options exist."""
    for block in blocks(page):
        if block.language == "sh":
            for line in block.text.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] == ["schemacast"]:
                    parser().parse_args(words[1:])


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        assert goal.exists(), f"{named(page)}: {target}"
        if anchor:
            assert anchor in anchors(goal), f"{named(page)}: {target}; there are {sorted(anchors(goal))}"


def test_the_matcher_tells_what_differs() -> None:
    assert shows("a\n…\nd\n", "a\nb\nc\nd\n")
    assert shows("one … three\n", "one two three  \n")
    assert not shows("a\nd\n", "a\nb\nd\n")
    assert not shows("a\n", "a\nb\n")


def test_the_first_page_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [
        page.name for page in ROOT.glob("docs/*.md") if f"({page.name})" not in index and page.name != "README.md"
    ] == []

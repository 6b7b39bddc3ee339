"""The prompt's templates: the packaged ones, or a user's own in a folder.

Templates run in a sandbox, with undefined names as errors and without escaping (a prompt is plain
text). They are compiled once. A folder may replace some of them and leave the rest to the package.
Whatever is wrong in one is told with its file and line, when it is loaded if that shows it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from schemacast.errors import InputError

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = ("system.j2", "user.j2", "repair.j2")
_ERRORS = (TypeError, ValueError, ArithmeticError, AttributeError, LookupError, RecursionError)


@dataclass(frozen=True, slots=True)
class Templates:
    """Compiled templates by name, and a digest of their sources (part of what decides a cast)."""

    compiled: Mapping[str, Template]
    paths: Mapping[str, str]
    digest: str

    def render(self, name: str, /, **values: object) -> str:
        """Render a template; InputError with file and line when it fails."""
        from jinja2 import TemplateError

        try:
            return self.compiled[name].render(values)
        except (TemplateError, *_ERRORS) as error:
            raise InputError(f"{self.paths[name]}{_line_of(error)}: {_one_line(error)}") from None


def load_templates(folder: Path | None = None, names: Sequence[str] = TEMPLATES) -> Templates:
    """The packaged templates of these names, with those that `folder` holds in their place.

    Raises InputError when the folder is missing, holds none of the names, or holds a broken template.
    """
    sources = {name: files("schemacast").joinpath("prompts", name).read_text("utf-8") for name in names}
    paths = {name: f"schemacast/prompts/{name}" for name in names}
    if folder is not None:
        own = _own(folder, names)
        sources |= own
        paths |= {name: str(folder / name) for name in own}
    digest = hashlib.sha256("\0".join(sources[name] for name in names).encode()).hexdigest()
    return Templates(_compile(sources, paths), paths, digest)


def _own(folder: Path, names: Sequence[str]) -> dict[str, str]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of templates")
    own = {}
    for name in names:
        path = folder / name
        try:
            own[name] = path.read_text("utf-8")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read as a template: {_one_line(error)}") from None
    if not own:
        raise InputError(f"{folder}: holds no template; expected one or more of {', '.join(names)}")
    return own


def _compile(sources: Mapping[str, str], paths: Mapping[str, str]) -> dict[str, Template]:
    from jinja2 import StrictUndefined, TemplateSyntaxError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, cache_size=0)
    compiled = {}
    for name in sources:
        try:
            compiled[name] = environment.from_string(sources[name])
        except TemplateSyntaxError as error:
            raise InputError(f"{paths[name]}:{error.lineno}: {_one_line(error.message or 'broken template')}") from None
    return compiled


def _line_of(error: BaseException) -> str:
    """The template's line that an error came from, as `:12`; templates are compiled under this name."""
    line = ""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line


def _one_line(error: object) -> str:
    return " ".join(str(error).split())[:300]

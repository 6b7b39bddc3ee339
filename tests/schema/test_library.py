"""Ready-made schemas are found by name in a checkout and in an installed package alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacast.errors import UnknownNameError
from schemacast.schema import library
from schemacast.schema.load import load_schema


def test_every_ready_made_schema_loads_by_its_name() -> None:
    assert {"claims", "helpdesk", "maintenance", "news"} <= set(library.library_names())
    for name in library.library_names():
        assert load_schema(f"lib:{name}").name == name


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(
        UnknownNameError, match=r"'helpdsk'; did you mean 'helpdesk'\? \(there are: claims, helpdesk, maintenance"
    ):
        load_schema("lib:helpdsk")
    with pytest.raises(UnknownNameError, match="there are: "):
        load_schema("lib:../helpdesk")


def test_a_path_stays_a_path() -> None:
    assert library.resolve_schema("a/b.yaml") == Path("a/b.yaml")
    assert library.resolve_schema(Path("lib:x")) == Path("lib:x")


def test_the_installed_home_goes_before_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, beside = tmp_path / "inside", tmp_path / "beside"
    monkeypatch.setattr(library, "HOMES", (inside, beside))
    assert library.library_names() == ()
    with pytest.raises(UnknownNameError, match="there are: none"):
        library.resolve_schema("lib:a")
    beside.mkdir()
    (beside / "a.yaml").write_text("")
    assert library.resolve_schema("lib:a") == beside / "a.yaml"
    (inside / "a").mkdir(parents=True)
    (inside / "a" / "schema.yaml").write_text("")
    assert library.resolve_schema("lib:a") == inside / "a" / "schema.yaml"

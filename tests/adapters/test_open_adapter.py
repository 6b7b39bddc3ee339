"""An address finds its adapter, or says in one line why it does not."""

from __future__ import annotations

from importlib.metadata import EntryPoints, entry_points
from pathlib import Path

import pytest

from schemacast import plugins
from schemacast.adapters import Adapter, adapter_entry, open_adapter, scheme_of
from schemacast.conformance_graphs import SCHEMA
from schemacast.errors import MissingPackageError, UnknownNameError, UsageError


def plug_in(folder: Path, scheme: str, module: str, code: str, *, package: str = "acme-store") -> None:
    """Install a package with an adapter, as an installer leaves it."""
    info = folder / f"{package.replace('-', '_')}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[schemacast.adapters]\n{scheme} = {module}:AcmeAdapter\n")
    (folder / f"{module}.py").write_text(code)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("address", ["networkx:graph.json", "NETWORKX:graph.json", "networkx:./sub/graph.json"])
def test_the_scheme_of_an_address_names_its_adapter(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_adapter(address, SCHEMA) as adapter:
        assert isinstance(adapter, Adapter)


@pytest.mark.parametrize("address", ["graph.json", r"C:\data\graph.json", "c:graph.json", "/data/a:b.json", "", ":x"])
def test_a_path_alone_has_no_scheme_and_the_message_names_the_schemes(address: str) -> None:
    with pytest.raises(UsageError, match=r"has no scheme; put one in front: .*networkx:"):
        open_adapter(address, SCHEMA)


@pytest.mark.parametrize("address", ["networkx:", "neo4j://", "networkx:/"])
def test_a_scheme_alone_names_no_place(address: str) -> None:
    with pytest.raises(UsageError, match="names no place"):
        open_adapter(address, SCHEMA)


def test_a_windows_path_may_stand_behind_a_scheme() -> None:
    assert scheme_of(r"networkx:C:\data\graph.json") == "networkx"
    assert scheme_of("neo4j+s://host:7687/db") == "neo4j+s"


@pytest.mark.parametrize(
    ("address", "hint"), [("netwrkx:graph.json", "did you mean 'networkx'"), ("zzz:graph.json", "known: .*networkx")]
)
def test_an_unknown_scheme_says_what_exists(address: str, hint: str) -> None:
    with pytest.raises(UnknownNameError, match=f"no adapter for the scheme .*{hint}"):
        open_adapter(address, SCHEMA)


def test_a_package_of_another_author_is_found_and_given_address_and_schema(site: Path) -> None:
    plug_in(site, "acme", "acme_one", "class AcmeAdapter:\n    def __init__(self, *given): self.given = given\n")
    adapter = open_adapter("acme://host/db", SCHEMA)
    assert adapter.given == ("acme://host/db", SCHEMA)  # type: ignore[attr-defined]


def test_an_adapter_whose_import_fails_names_its_package_and_what_is_missing(site: Path) -> None:
    plug_in(site, "acme", "acme_two", "import acme_driver_that_is_not_there\n")
    with pytest.raises(MissingPackageError, match=r"acme-store 1\.2.*install the package 'acme_driver_that"):
        open_adapter("acme:x", SCHEMA)


def test_a_driver_missing_when_the_store_is_opened_is_named_too(site: Path) -> None:
    code = "class AcmeAdapter:\n    def __init__(self, *given): import acme_driver_that_is_not_there\n"
    plug_in(site, "acme", "acme_three", code)
    with pytest.raises(MissingPackageError, match="install the package 'acme_driver_that_is_not_there'"):
        open_adapter("acme:x", SCHEMA)


def test_an_entry_point_to_nothing_names_its_package(site: Path) -> None:
    plug_in(site, "acme", "acme_four", "x = 1\n")
    with pytest.raises(UsageError, match=r"acme-store 1\.2 cannot be loaded"):
        open_adapter("acme:x", SCHEMA)


def test_two_packages_for_one_scheme_are_named(site: Path) -> None:
    plug_in(site, "acme", "acme_five", "class AcmeAdapter: ...\n")
    plug_in(site, "acme", "acme_six", "class AcmeAdapter: ...\n", package="other-store")
    with pytest.raises(UsageError, match=r"acme-store 1\.2, other-store 1\.2; keep one"):
        open_adapter("acme:x", SCHEMA)


def test_packages_are_read_once_until_one_is_installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []

    def counted(*, group: str) -> EntryPoints:
        reads.append(group)
        return entry_points(group=group)

    monkeypatch.setattr(plugins, "entry_points", counted)
    adapter_entry("networkx:graph.json")
    adapter_entry("networkx:other.json")
    assert len(reads) == 1
    plug_in(site, "late", "late_store", "")
    assert adapter_entry("late:here").value == "late_store:AcmeAdapter"
    assert len(reads) == 2

"""Build the wheel, install it in a clean environment and use it from another folder, as a user would.

The wheel goes through the source distribution, so that a file missing from either shows. Checked: the
top-level names it installs, that no test or benchmark is in it, the demo, the ready-made schemas, the adapter
entry point, and that the public names import.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {"schemacast", "schemacast_adapters"}
PROBE = """
import schemacast, sys
from schemacast.schema.library import library_names
for name in schemacast.__all__:
    getattr(schemacast, name)
assert "site-packages" in schemacast.__file__, schemacast.__file__
names = library_names()
assert {"claims", "helpdesk", "maintenance", "news"} <= set(names), names
for name in names:
    schemacast.load_schema(f"lib:{name}")
print("the wheel's names, schemas and adapters work on", sys.version.split()[0])
"""


def run(*command: str | Path, cwd: Path) -> str:
    """The command's output; its failure ends the check with what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": "", "PYTHONSAFEPATH": "1"},
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(sys.executable, "-m", "build", "--outdir", work, ROOT, cwd=work)
        wheel = next(work.glob("*.whl"))
        names = {Path(name).parts[0] for name in zipfile.ZipFile(wheel).namelist()}
        extra = {name for name in names if not name.endswith(".dist-info")} - TOP_LEVEL
        if extra:
            sys.exit(f"the wheel installs top-level names that are not ours: {sorted(extra)}")
        home = work / "environment"
        venv.create(home, with_pip=True)
        python = home / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", wheel, cwd=work)
        print(run(python, "-c", PROBE, cwd=work), end="")
        run(home / "bin" / "schemacast", "demo", "--out", work / "demo", cwd=work)
        run(home / "bin" / "schemacast", "lint", "lib:claims", "lib:helpdesk", "lib:news", "lib:maintenance", cwd=work)
        if not (work / "demo" / "graph.json").is_file():
            sys.exit("the demo of the installed wheel wrote no graph.json")


if __name__ == "__main__":
    main()

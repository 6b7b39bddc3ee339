"""What holds for every test: how inputs are looked for, that an interrupt arrives, and that nothing is compiled twice.

Property-based tests take the same inputs every time, so that a run tells of the change it tests. A search for new
ones: `HYPOTHESIS_PROFILE=search pytest`. A shell that starts the tests in its background has them ignore
interrupts, and every process that they start would too; those of tests are to be interrupted as from a terminal.

Tests start many commands. As an installed command, one finds its modules compiled, also where Python is told to
leave no bytecode beside the sources: it is kept in .cache then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.dont_write_bytecode and sys.pycache_prefix is None:
    kept = str(Path(__file__).parents[1] / ".cache" / "bytecode")
    sys.dont_write_bytecode, sys.pycache_prefix = False, kept
    os.environ.update(PYTHONDONTWRITEBYTECODE="", PYTHONPYCACHEPREFIX=kept)

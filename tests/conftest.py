"""How the property-based tests look for inputs.

By default they take the same inputs every time, so that a run tells of the change it tests. A search for new
ones: `HYPOTHESIS_PROFILE=search pytest`.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

from loopback_model import loopback  # noqa: F401 - a fixture

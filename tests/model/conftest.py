from local_model import local_model  # noqa: F401 - a fixture

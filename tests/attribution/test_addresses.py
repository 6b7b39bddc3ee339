"""URLs of sources: what is one, which are one page, and what an episode without one is shown by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacast.attribution.addresses import episode_url, is_episode_url, page_of, shown_source, validate_source_url


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://a.example/x", "https://a.example/x"),
        (" HTTP://A.Example ", "http://a.example/"),
        ("https://a.example/ä?q=ü#z", "https://a.example/%C3%A4?q=%C3%BC#z"),
        ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
    ],
)
def test_a_url_is_read(url: str, read: str) -> None:
    assert str(validate_source_url(url)) == read


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "nowhere",
        "a.example/x",
        "https://",
        "https:///x",
        "ftp://a.example",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://a b.example",
        "https://a.example/\nx",
        "https://a.example:99999/",
        "https://a.example/" + "x" * 3_000,
        None,
        7,
    ],
)
def test_what_is_no_url_is_none(url: object) -> None:
    assert validate_source_url(url) is None


@given(st.text(max_size=60))
def test_any_text_is_a_url_or_none(text: str) -> None:
    found = validate_source_url(text)
    assert found is None or str(found).startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x", "http://www.a.example/x/"),
        ("https://a.example/x#part", "https://a.example/x"),
        ("https://a.example/x?utm_source=b&id=3", "https://a.example/x?id=3&fbclid=zz"),
        ("https://a.example:443/x", "https://a.example/x"),
        ("https://A.example/x?b=1&a=2", "https://a.example/x?a=2&b=1"),
    ],
)
def test_urls_that_never_make_another_page_are_one(one: str, other: str) -> None:
    assert page_of(one) == page_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x", "https://a.example/y"),
        ("https://a.example/x", "https://b.example/x"),
        ("https://a.example/x?id=3", "https://a.example/x?id=4"),
        ("https://a.example/x", "https://a.example/X"),
        ("https://a.example:8080/x", "https://a.example/x"),
    ],
)
def test_urls_of_other_pages_are_other(one: str, other: str) -> None:
    assert page_of(one) != page_of(other)


def test_an_episode_has_the_url_of_its_metadata_when_that_is_one() -> None:
    assert str(episode_url("m-1", "https://a.example/m")) == "https://a.example/m"
    for other in (None, "nowhere", 3, {"a": 1}):
        assert str(episode_url("m-1", other)) == "https://episode.invalid/m-1"


def test_a_source_id_is_quoted_and_shown_instead_of_its_url() -> None:
    url = episode_url("mail/1 ä?#")
    assert str(url) == "https://episode.invalid/mail%2F1%20%C3%A4%3F%23"
    assert shown_source(url, "mail/1 ä?#") == "mail/1 ä?#"
    assert shown_source("https://a.example/x", "m-1") == "https://a.example/x"


@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_two_episodes_never_share_a_url(one: str, other: str) -> None:
    assert is_episode_url(episode_url(one))
    clean = [text.encode("utf-8", "replace") for text in (one, other)]
    assert (page_of(episode_url(one)) == page_of(episode_url(other))) == (clean[0] == clean[1])


@pytest.mark.parametrize("source_id", [".", "..", "x" * 5_000, "ä" * 900])
def test_an_odd_source_id_still_has_a_url_of_its_own(source_id: str) -> None:
    assert is_episode_url(episode_url(source_id))
    assert page_of(episode_url(source_id)) != page_of(episode_url(source_id + "x"))

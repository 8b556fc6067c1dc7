"""Secrets leave a result's text, and nothing else does."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from calls import call, pipeline
from ostiary import FoundSecret, RedactionMiddleware
from ostiary.dispatch.middleware import redaction

# In two parts each, so that no scanner takes this file for a leak.
GITHUB = "ghp_" + "Vq8sT3kLmZ0xYb5nRc2wJd7fGh4aPe1uQiXt"
GITLAB = "glpat-" + "x7Kd93nQz_LpW4vTmR2s"
AWS_ID = "AKIA" + "Q3EGRLWF6MZT7XYK"
AWS_SECRET = "9vKz1pQx8Rj2Lm4Nt6Wy0Bc3Df5" + "Gh7JaXsZuEoPq"
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEA3Tz2mr7SZiAM" * 4
    + ("\n-----END RSA PRIVATE KEY-----")
)


def words(data: bytes) -> Iterable[FoundSecret]:
    """Find the words that begin with an S; a finder that raises at an X."""
    if b"X" in data:
        raise OSError
    for each in re.finditer(rb"S\S*", data):
        yield FoundSecret("word", *each.span())


async def redacted(output: Any, finder: Any = words) -> Any:
    async def tool() -> Any:
        return output

    result = await pipeline(RedactionMiddleware(finder), tools={"Tool": tool}).invoke(call("Tool"))
    assert not result.is_error
    return result.output


async def test_a_secret_is_replaced_by_its_kind() -> None:
    assert await redacted("é Secret and Some") == "é [REDACTED:word] and [REDACTED:word]"


async def test_a_text_without_secrets_stays() -> None:
    assert await redacted("nothing here") == "nothing here"


async def test_text_blocks_are_redacted_and_others_left_alone() -> None:
    image = {"type": "image", "data": "S", "mimeType": "image/png"}
    blocks = [{"type": "text", "text": "a Secret", "id": 1}, image, {"type": "text"}]
    assert await redacted(blocks) == [
        {"type": "text", "text": "a [REDACTED:word]", "id": 1},
        image,
        {"type": "text"},
    ]


async def test_errors_are_redacted_and_stay_errors() -> None:
    async def tool() -> None:
        raise ValueError("Secret")

    built = pipeline(RedactionMiddleware(words), tools={"Tool": tool})
    result = await built.invoke(call("Tool"))
    assert (result.output, result.is_error) == ("ValueError: [REDACTED:word]", True)


async def test_a_text_that_could_not_be_searched_is_withheld() -> None:
    assert await redacted("X marks") == "[withheld: the search for secrets failed]"


async def test_a_long_text_is_searched_in_a_worker_thread() -> None:
    text = "a " * redaction.INLINE_CHARS
    assert await redacted(text + "Secret") == text + "[REDACTED:word]"


async def test_secrets_that_overlap_are_one() -> None:
    def finder(_: bytes) -> list[FoundSecret]:
        return [FoundSecret("late", 3, 6), FoundSecret("in", 2, 3), FoundSecret("first", 1, 4)]

    assert await redacted("abcdefgh", finder) == "a[REDACTED:first]gh"


async def test_a_lone_surrogate_passes() -> None:
    assert await redacted("\ud800 Secret") == "\ud800 [REDACTED:word]"


def test_without_the_extra_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'ostiary\[redaction\]'"):
        RedactionMiddleware()


@pytest.fixture(scope="module")
def kingfisher(tmp_path_factory: pytest.TempPathFactory) -> Iterable[Any]:
    pytest.importorskip("kingfisher_sdk", reason="the extra ostiary[redaction] is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KF_RULE_CACHE_DIR", str(tmp_path_factory.mktemp("rules")))
        yield redaction.kingfisher_finder()


@pytest.mark.parametrize(
    ("secret", "kind"),
    [(GITHUB, "github-pat"), (GITLAB, "gitlab-pat"), (KEY, "private-key")],
)
async def test_known_secrets_are_found(kingfisher: Any, secret: str, kind: str) -> None:
    text = f"é before {secret} between {secret} after"
    mark = f"[REDACTED:{kind}]"
    assert await redacted(text, kingfisher) == f"é before {mark} between {mark} after"


async def test_both_halves_of_a_pair_are_taken_out(kingfisher: Any) -> None:
    text = f"aws_access_key_id = {AWS_ID}\naws_secret_access_key = {AWS_SECRET}\n"
    clean = await redacted(text, kingfisher)
    assert AWS_ID not in clean
    assert AWS_SECRET not in clean


@pytest.mark.parametrize(
    "text",
    [
        "9b74c9897bac770ffc029102a200c5de  /usr/bin/ls",
        "commit 26b4e16aa36ccbfa9c5ac9332fb39a0d6f1b7c33",
        'checksum = "sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"',
        "b1f5f0c4-6c5d-4b6e-9d57-0b0c6f1f2a3b",
        Path(__file__).read_text(encoding="utf-8"),
    ],
)
async def test_ordinary_output_stays(kingfisher: Any, text: str) -> None:
    assert await redacted(text, kingfisher) == text


def test_the_layer_is_called_redaction() -> None:
    assert RedactionMiddleware(words).name == "redaction"

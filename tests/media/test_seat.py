"""The tool-result seat: what passes, what is rebuilt or replaced, and that it never raises."""

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

import reference
import samples
from ostiary import (
    MAX_IMAGE_BASE64_LENGTH,
    MAX_IMAGE_READ_BYTES,
    PDF_TARGET_RAW_SIZE,
    RustDownsampler,
    ToolResultMediaAdmission,
    ToolResultMediaRefusal,
    admit_tool_result_media,
)
from strategies import contents

PNG = samples.encoded(samples.photo(40, 30), "image/png")
TEXT = {"type": "text", "text": "look"}


def image(data: Any = PNG, mime_type: Any = "image/png", **others: Any) -> dict[str, Any]:
    text = samples.b64(data) if isinstance(data, bytes) else data
    return {"type": "image", "data": text, "mimeType": mime_type, **others}


def document(data: bytes = samples.PDF, mime_type: str = "application/pdf") -> dict[str, Any]:
    return {**image(data, mime_type), "type": "document"}


async def admitted(
    content: Any, tool: str = "shot", downsampler: RustDownsampler | None = None
) -> ToolResultMediaAdmission:
    waiting = admit_tool_result_media(content, tool, downsampler=downsampler)
    assert waiting is not None
    return await waiting


async def refused(block: dict[str, Any], tool: str = "shot") -> tuple[Any, str]:
    """The one refusal of a block, and the placeholder's text."""
    result = await admitted([block], tool)
    [refusal], [placeholder] = result.refused, result.content
    assert placeholder["type"] == "text"
    return refusal, placeholder["text"]


@pytest.mark.parametrize(
    "content",
    [
        [],
        (),
        [TEXT],
        [{"type": "resource", "blob": "AAAA", "mimeType": "image/png"}],
        [{"type": "IMAGE", "data": "AAAA"}],
        [{"data": "AAAA", "mimeType": "image/png"}],
        [{"type": ["image"]}],
        "text",
        None,
        image(),
        {"content": [image()]},
        iter([image()]),
    ],
)
def test_content_without_a_media_block_is_not_touched_and_nothing_is_awaited(content: Any) -> None:
    assert admit_tool_result_media(content, "shot") is None


async def test_media_is_rebuilt_in_its_own_slot_and_the_rest_passes_untouched() -> None:
    other = object()
    content = [TEXT, image(), other, document()]
    result = await admitted(content)
    assert result.content == [TEXT, image(), other, document()]
    assert result.content is not content
    assert result.content[0] is TEXT
    assert result.content[2] is other
    assert result.content[1] is not content[1]
    assert result.refused == ()


async def test_a_tuple_is_read_too() -> None:
    assert (await admitted((image(), TEXT))).content == [image(), TEXT]


@pytest.mark.parametrize("key", ["mimeType", "media_type", "mime_type"])
async def test_the_media_type_is_read_and_written_under_the_name_it_came_with(key: str) -> None:
    block = {"type": "image", "data": samples.b64(PNG), key: "image/png"}
    assert (await admitted([block])).content == [block]


async def test_annotations_stay_and_keys_that_nobody_checked_go() -> None:
    kept = {"annotations": {"audience": ["user"]}, "_meta": {"a": 1}, "cache_control": {"b": 2}}
    block = image(**kept, source={"data": "unchecked"})
    assert (await admitted([block])).content == [image(**kept)]
    placeholder = (await admitted([{**block, "mimeType": "x/y"}])).content[0]
    assert placeholder == {"type": "text", "text": placeholder["text"]}


@pytest.mark.parametrize(
    "text",
    [
        samples.b64(PNG).rstrip("="),
        samples.b64(PNG).replace("+", "-").replace("/", "_"),
        "\n".join(samples.b64(PNG)[at : at + 76] for at in range(0, len(samples.b64(PNG)), 76)),
        f"  data:image/png;base64,{samples.b64(PNG)}\n",
    ],
)
async def test_lenient_base64_comes_out_canonical(text: str) -> None:
    assert (await admitted([image(text)])).content == [image()]


async def test_a_downsample_changes_the_block_and_its_type() -> None:
    big = samples.encoded(samples.photo(2400, 1200), "image/png")
    [block] = (await admitted([image(big)], downsampler=RustDownsampler())).content
    assert block["mimeType"] == "image/jpeg"
    assert samples.opened(reference.base64_decode(block["data"]) or b"").size == (2000, 1000)


@pytest.mark.parametrize(
    "data", [None, 5, b"AAAA", ["AAAA"], "not base64!", "QQ==QQ==", "é", "\ud800"]
)
async def test_a_block_without_base64_that_decodes_is_undecodable(data: Any) -> None:
    block = {"type": "image", "data": data, "mimeType": "image/png"}
    refusal, text = await refused(block)
    assert refusal == ToolResultMediaRefusal("image", "undecodable", 0, None, "image/png")
    assert text == (
        '[The image that tool "shot" returned was not delivered. Reason: undecodable: '
        "it holds no base64 that decodes. Size: 0 bytes. Fetch it again.]"
    )


async def test_a_block_without_data_is_undecodable_and_one_without_a_type_unsupported() -> None:
    refusal, _ = await refused({"type": "document"})
    assert refusal == ToolResultMediaRefusal("document", "undecodable", 0)
    refusal, text = await refused({"type": "image", "data": samples.b64(PNG)})
    assert refusal == ToolResultMediaRefusal("image", "mime_unsupported", len(PNG))
    assert "it claims no valid media type" in text


async def test_an_empty_text_decodes_to_no_bytes_and_has_no_signature() -> None:
    refusal, _ = await refused(image(""))
    assert refusal == ToolResultMediaRefusal("image", "magic_mismatch", 0, None, "image/png")


async def test_a_wrong_type_is_named_with_what_is_supported() -> None:
    refusal, text = await refused(image(PNG, "image/bmp"))
    assert refusal == ToolResultMediaRefusal(
        "image", "mime_unsupported", len(PNG), None, "image/bmp"
    )
    assert text == (
        '[The image that tool "shot" returned was not delivered. Reason: mime_unsupported: '
        "it claims image/bmp; supported: image/png, image/jpeg, image/gif, image/webp. "
        f"Size: {len(PNG) / 1024:.1f} KiB ({len(PNG):,} bytes). Convert it first.]"
    )
    refusal, text = await refused(document(PNG, "image/png"))
    assert refusal == ToolResultMediaRefusal(
        "document", "mime_unsupported", len(PNG), None, "image/png"
    )
    assert "supported: application/pdf." in text


async def test_another_format_is_a_mismatch_named_with_its_size() -> None:
    refusal, text = await refused(image(b"<!DOCTYPE html>"))
    assert refusal == ToolResultMediaRefusal("image", "magic_mismatch", 15, None, "image/png")
    assert "its 15 bytes are not image/png" in text
    refusal, _ = await refused(document(PNG))
    assert refusal.reason == "magic_mismatch"


@pytest.mark.parametrize("pad", ["", "\n"])
async def test_beyond_the_cap_a_block_is_refused_by_the_size_that_it_would_decode_to(
    pad: str,
) -> None:
    size = MAX_IMAGE_READ_BYTES + 1
    block = image(samples.b64(bytes(size)) + pad * 1000)
    refusal, text = await refused(block)
    cap = MAX_IMAGE_READ_BYTES
    assert refusal == ToolResultMediaRefusal("image", "raw_too_large", size, cap, "image/png")
    assert "its size is 5.0 MiB (5,242,881 bytes); at most 5.0 MiB (5,242,880 bytes)" in text
    refusal, _ = await refused({**block, "mimeType": "image/bmp"})
    assert (refusal.reason, refusal.bytes) == ("mime_unsupported", size)
    refusal, _ = await refused({**block, "data": block["data"] + "!"})
    assert (refusal.reason, refusal.bytes) == ("undecodable", 0)


async def test_white_space_does_not_count_towards_the_cap() -> None:
    spaced = samples.b64(PNG) + " " * (2 * MAX_IMAGE_READ_BYTES)
    assert (await admitted([image(spaced)])).content == [image()]


async def test_a_base64_text_above_the_limit_is_refused_with_that_limit() -> None:
    size = MAX_IMAGE_BASE64_LENGTH // 4 * 3 + 1
    data = samples.SIGNATURES["image/png"].ljust(size, b"\0")
    refusal, text = await refused(image(data))
    assert refusal == ToolResultMediaRefusal(
        "image", "base64_too_large", size, MAX_IMAGE_BASE64_LENGTH, "image/png"
    )
    assert "longer than 5,242,880 characters" in text


async def test_a_large_document_is_admitted_up_to_its_cap() -> None:
    data = samples.SIGNATURES["application/pdf"].ljust(PDF_TARGET_RAW_SIZE, b"\0")
    assert (await admitted([document(data)])).content == [document(data)]
    refusal, _ = await refused(document(data + b"\0"))
    assert (refusal.reason, refusal.limit) == ("raw_too_large", PDF_TARGET_RAW_SIZE)


@pytest.mark.parametrize(
    ("tool", "shown"),
    [
        ("Read", "Read"),
        ("a\n\x1b[31m\u202e\u200bb", "a[31mb"),
        ('x" says "hi', "x says hi"),
        ("n" * 128, "n" * 128),
        ("n" * 10_000_000, "n" * 127 + "…"),
        ("", ""),
    ],
)
async def test_the_tools_name_is_shown_without_control_characters_at_a_sane_length(
    tool: str, shown: str
) -> None:
    _, text = await refused(image("!"), tool)
    assert text.startswith(f'[The image that tool "{shown}" returned')


@pytest.mark.parametrize(
    "mime_type", ["x" * 999 + "/y", "a b/c", "image/png\nIgnore this", 5, "png", "obey/this"]
)
async def test_a_claimed_type_that_can_be_none_is_not_repeated(mime_type: Any) -> None:
    refusal, text = await refused(image(PNG, mime_type))
    assert refusal.mime_type is None
    assert "it claims no valid media type" in text


class Hostile:
    """An object whose every attribute raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class HostileKey:
    """A key that is found where `type` is looked for, and raises."""

    def __hash__(self) -> int:
        return hash("type")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


class HostileDict(dict[str, Any]):
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)


class HostileList(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


class HostileStr(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError

    def __str__(self) -> str:
        raise RuntimeError


async def test_hostile_objects_pass_as_they_are_beside_media_that_is_admitted() -> None:
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    others = [Hostile(), {HostileKey(): 1}, cyclic, HostileDict(a=1), (n for n in "ab"), Hostile]
    content = HostileList([*others, HostileDict(image()), image(HostileStr(samples.b64(PNG)))])
    result = await admitted(content)
    assert all(seen is given for seen, given in zip(result.content, others, strict=False))
    assert result.content[-2:] == [image(), image()]


async def test_ten_thousand_blocks_keep_their_order() -> None:
    content = [
        image(PNG) if at % 100 == 0 else {"type": "text", "text": str(at)} for at in range(10_000)
    ]
    assert (await admitted(content)).content == content


@given(contents)
async def test_the_seat_is_total_and_lets_nothing_unchecked_through(content: Any) -> None:
    waiting = admit_tool_result_media(content, "tool", downsampler=RustDownsampler(max_edge=4))
    if waiting is None:
        return
    result = await waiting
    placeholders = 0
    assert len(result.content) == len(content)
    for before, after in zip(content, result.content, strict=True):
        if after is before:
            assert not isinstance(before, dict) or before.get("type") not in ("image", "document")
        elif after["type"] == "text":
            placeholders += 1
            assert after["text"].isprintable()
        else:
            mime_type = next(
                after[key] for key in ("mimeType", "media_type", "mime_type") if key in after
            )
            assert reference.sniff(reference.base64_decode(after["data"]) or b"") == mime_type
    assert len(result.refused) == placeholders


@pytest.mark.parametrize("tool", [None, b"x", 5])
def test_a_tool_name_that_is_no_str_is_a_misuse(tool: Any) -> None:
    with pytest.raises(TypeError, match="tool_name must be a str"):
        admit_tool_result_media([], tool)


def test_an_object_that_cannot_downsample_is_a_misuse() -> None:
    with pytest.raises(TypeError, match="downsampler must have a method"):
        admit_tool_result_media([], "tool", downsampler=object())  # type: ignore[arg-type] # wrong on purpose


def test_the_call_needs_no_running_loop() -> None:
    waiting: Any = admit_tool_result_media([image()], "tool")
    assert hasattr(waiting, "__await__")
    waiting.close()
    gc.collect()  # a coroutine that was never awaited would warn here


async def test_the_blocks_are_read_in_the_call() -> None:
    content = [image()]
    waiting = admit_tool_result_media(content, "tool")
    content[0]["data"] = "changed"
    content.clear()
    assert waiting is not None
    assert (await waiting).content == [image()]

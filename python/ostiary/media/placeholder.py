"""The text that stands in a refused block's slot: tool, reason, size, and what would help."""

import re
from typing import assert_never

from ostiary.media import limits
from ostiary.media.outcome import ToolResultMediaRefusal

# The registered top-level types, and RFC 6838's characters for the names below them.
_MEDIA_TYPE = re.compile(
    r"(application|audio|font|image|message|model|multipart|text|video)/[a-z0-9][\w!#$&^.+-]*",
    re.ASCII | re.IGNORECASE,
)

_UNITS = ("KiB", "MiB", "GiB")


def is_media_type(text: str) -> bool:
    """Return whether a text has the form of a media type, and may be repeated to a model."""
    return len(text) <= limits.MAX_MIME_TYPE_LENGTH and _MEDIA_TYPE.fullmatch(text) is not None


def human_size(size: int) -> str:
    """Return a number of bytes for people: `12.3 KiB (12,595 bytes)`."""
    exact = f"{size:,} byte{'' if size == 1 else 's'}"
    power = min((size.bit_length() - 1) // 10, len(_UNITS))
    return exact if power <= 0 else f"{size / 1024**power:.1f} {_UNITS[power - 1]} ({exact})"


def placeholder_text(refusal: ToolResultMediaRefusal, tool_name: str) -> str:
    """Return the sentence that a model reads instead of a refused block; none of its bytes."""
    return (
        f'[The {refusal.type} that tool "{_clean(tool_name)}" returned was not delivered. '
        f"Reason: {refusal.reason}: {_explain(refusal)}]"
    )


def _explain(refusal: ToolResultMediaRefusal) -> str:
    claimed = refusal.mime_type or "no valid media type"
    size = human_size(refusal.bytes)
    image = refusal.type == "image"
    admitted = limits.ADMITTED_IMAGE_MIME_TYPES if image else limits.ADMITTED_DOCUMENT_MIME_TYPES
    match refusal.reason:
        case "mime_unsupported":
            wanted = ", ".join(admitted)
            return f"it claims {claimed}; supported: {wanted}. Size: {size}. Convert it first."
        case "raw_too_large":
            most = human_size(refusal.limit or 0)
            return f"its size is {size}; at most {most} are read. Ask for a smaller one."
        case "magic_mismatch":
            return f"its {size} are not {claimed}, whatever its name says. Check the file."
        case "base64_too_large":
            most = f"{refusal.limit or 0:,} characters"
            return f"the base64 of its {size} is longer than {most}. Ask for a smaller one."
        case "undecodable":
            return f"it holds no base64 that decodes. Size: {size}. Fetch it again."
        case _ as never:
            assert_never(never)


def _clean(tool_name: str) -> str:
    """Return a tool's name on one line, without invisible characters, at a sane length."""
    most = limits.MAX_TOOL_NAME_LENGTH
    name = "".join(char for char in tool_name[: 4 * most] if char.isprintable() and char != '"')
    return name if len(name) <= most else name[: most - 1] + "…"

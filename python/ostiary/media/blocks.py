"""What a model reads: media as the content blocks of each provider."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ImageContent:
    """An image that was admitted.

    Attributes:
        data: The bytes in canonical base64.
        mime_type: The media type of these bytes.
    """

    data: str
    mime_type: str

    def to_block(self) -> dict[str, Any]:
        """Return the plain dict that the tool-result seat takes and gives; MCP has the same."""
        return {"type": "image", "data": self.data, "mimeType": self.mime_type}

    def to_anthropic(self) -> dict[str, Any]:
        """Return an Anthropic Messages content block."""
        return {"type": "image", "source": _anthropic_source(self.data, self.mime_type)}

    def to_openai_chat(self) -> dict[str, Any]:
        """Return an OpenAI Chat Completions content part, for a user message."""
        return {"type": "image_url", "image_url": {"url": _data_url(self.data, self.mime_type)}}

    def to_openai_responses(self) -> dict[str, Any]:
        """Return an OpenAI Responses input item."""
        return {"type": "input_image", "image_url": _data_url(self.data, self.mime_type)}

    def to_gemini(self) -> dict[str, Any]:
        """Return a Gemini API content part."""
        return {"inline_data": {"mime_type": self.mime_type, "data": self.data}}


@dataclass(frozen=True, slots=True)
class DocumentContent:
    """A document that was admitted.

    Attributes:
        data: The bytes in canonical base64.
        mime_type: The media type of these bytes.
    """

    data: str
    mime_type: str

    def to_block(self) -> dict[str, Any]:
        """Return the plain dict that the tool-result seat takes and gives."""
        return {"type": "document", "data": self.data, "mimeType": self.mime_type}

    def to_anthropic(self) -> dict[str, Any]:
        """Return an Anthropic Messages content block."""
        return {"type": "document", "source": _anthropic_source(self.data, self.mime_type)}

    def to_openai_responses(self, filename: str = "document.pdf") -> dict[str, Any]:
        """Return an OpenAI Responses input item; the API asks for a file name."""
        url = _data_url(self.data, self.mime_type)
        return {"type": "input_file", "filename": filename, "file_data": url}

    def to_gemini(self) -> dict[str, Any]:
        """Return a Gemini API content part."""
        return {"inline_data": {"mime_type": self.mime_type, "data": self.data}}


def _anthropic_source(data: str, mime_type: str) -> dict[str, Any]:
    return {"type": "base64", "media_type": mime_type, "data": data}


def _data_url(data: str, mime_type: str) -> str:
    return f"data:{mime_type};base64,{data}"

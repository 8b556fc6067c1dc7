"""Each provider's shape of an admitted block."""

from ostiary import DocumentContent, ImageContent

IMAGE = ImageContent("aGk=", "image/png")
DOCUMENT = DocumentContent("aGk=", "application/pdf")


def test_an_image_in_each_shape() -> None:
    assert IMAGE.to_block() == {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    source = {"type": "base64", "media_type": "image/png", "data": "aGk="}
    assert IMAGE.to_anthropic() == {"type": "image", "source": source}
    url = "data:image/png;base64,aGk="
    assert IMAGE.to_openai_chat() == {"type": "image_url", "image_url": {"url": url}}
    assert IMAGE.to_openai_responses() == {"type": "input_image", "image_url": url}
    assert IMAGE.to_gemini() == {"inline_data": {"mime_type": "image/png", "data": "aGk="}}


def test_a_document_in_each_shape() -> None:
    block = {"type": "document", "data": "aGk=", "mimeType": "application/pdf"}
    assert DOCUMENT.to_block() == block
    source = {"type": "base64", "media_type": "application/pdf", "data": "aGk="}
    assert DOCUMENT.to_anthropic() == {"type": "document", "source": source}
    assert DOCUMENT.to_openai_responses("a.pdf") == {
        "type": "input_file",
        "filename": "a.pdf",
        "file_data": "data:application/pdf;base64,aGk=",
    }
    assert DOCUMENT.to_gemini() == {"inline_data": {"mime_type": "application/pdf", "data": "aGk="}}

"""Outputs mapped text by text."""

from ostiary.dispatch.values import map_texts


def test_every_text_of_an_output_is_mapped_and_nothing_else() -> None:
    image = {"type": "image", "data": "AAAA"}
    resource = {"type": "resource", "resource": {"uri": "file:///a", "text": "a"}}
    blob = {"type": "resource", "resource": {"uri": "file:///a", "blob": "AAAA"}}
    output = ["a", {"type": "text", "text": "b"}, image, resource, blob, 5]
    assert map_texts(output, str.upper) == [
        "A",
        {"type": "text", "text": "B"},
        image,
        {"type": "resource", "resource": {"uri": "file:///a", "text": "A"}},
        blob,
        5,
    ]
    assert map_texts("a", str.upper) == "A"

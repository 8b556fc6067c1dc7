"""The boundary: every function against plain Python, the types that cross, the GIL, the panics."""

import sys
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reference
import samples
import strategies
from ostiary import _core


@given(strategies.any_bytes | strategies.broken_pictures())
def test_sniff_agrees_with_plain_python(data: bytes) -> None:
    assert _core.sniff(data) == reference.sniff(data)


@given(st.integers(0, 2**40))
@example(3_932_160)
@example(3_932_161)
def test_base64_length_agrees_with_plain_python(raw: int) -> None:
    assert _core.base64_length(raw) == reference.base64_length(raw)


def test_a_length_beyond_the_address_space_is_none() -> None:
    assert _core.base64_length(2 * sys.maxsize + 1) is None


def test_a_negative_length_is_an_error() -> None:
    with pytest.raises(OverflowError):
        _core.base64_length(-1)


@given(st.binary(max_size=4096))
def test_base64_encode_agrees_with_plain_python_and_decodes_back(data: bytes) -> None:
    text = _core.base64_encode(data)
    assert text == reference.base64_encode(data)
    assert _core.base64_decode(text) == data


@given(strategies.base64_text)
@example("")
@example("=")
@example("QQ==")
@example("QQ=")
@example("QQ")
@example("QR==")
@example("QQ===")
@example("Q")
@example("QQ==QQ==")
@example(" data:image/png;base64,iVBO\r\nRw0K ")
@example("data:image/png;BASE64,_-8")
@example("data:image/png,AAAA")
@example("data:no comma")
def test_base64_decode_agrees_with_plain_python(text: str) -> None:
    assert _core.base64_decode(text) == reference.base64_decode(text)
    assert _core.base64_decoded_length(text) == reference.base64_decoded_length(text)


def test_every_one_character_change_of_a_base64_text_is_read_as_plain_python_reads_it() -> None:
    text = reference.base64_encode(bytes(range(7)))
    for place in range(len(text)):
        for code in range(128):
            changed = text[:place] + chr(code) + text[place + 1 :]
            assert _core.base64_decode(changed) == reference.base64_decode(changed), changed
            length = _core.base64_decoded_length(changed)
            assert length == reference.base64_decoded_length(changed), changed


@given(strategies.broken_pictures())
def test_probe_agrees_with_plain_python(data: bytes) -> None:
    assert _core.probe(data) == reference.probe(data)


@given(
    strategies.broken_pictures() | strategies.any_bytes,
    st.sampled_from(strategies.MEDIA_TYPES),
    st.integers(0, 2000),
    st.none() | st.tuples(st.integers(1, 12), st.integers(1, 2000)),
)
def test_admit_fitting_agrees_with_plain_python(
    data: bytes, media_type: str, longest: int, fit: tuple[int, int] | None
) -> None:
    expected = reference.admit_fitting(data, media_type, longest, fit)
    assert _core.admit_fitting(data, media_type, longest, fit) == expected


LIMITS = (8, 400, 10_000_000, 2**27, 2 * 10**9)
WIDE = (800, 10**7, 10**8, 2**29, 10**9)
LADDER = ((80, 60, 40, 20), 4, 20, 5)


@given(strategies.broken_pictures() | strategies.any_bytes)
def test_downsample_gives_a_picture_that_fits_or_a_named_error(data: bytes) -> None:
    try:
        smaller, media_type, original, display = _core.downsample(data, LIMITS, LADDER)
    except _core.DownsampleError as error:
        assert str(error)
        assert "a codec failed" not in str(error), "a codec panicked"
        return
    if smaller is None:
        assert original == display
        assert len(data) <= 400
        assert _core.sniff(data) == media_type
        return
    assert len(smaller) <= 400
    assert _core.sniff(smaller) == media_type
    assert samples.opened(smaller).size == display
    assert max(display) <= 8


@pytest.mark.parametrize("wrong", [bytearray(b"x"), memoryview(b"x"), "x", None, 5])
def test_only_bytes_cross(wrong: object) -> None:
    with pytest.raises(TypeError):
        _core.sniff(wrong)  # type: ignore[arg-type]


BIG = samples.encoded(samples.noise(1600, 1200), "image/png", compress_level=1)
TEXT = reference.base64_encode(BIG)
JPEG = samples.encoded(samples.noise(1600, 1200), "image/jpeg", quality=95)


def another_thread_advances(work: Callable[[], object]) -> bool:
    """Whether a thread that waits for the GIL ever gets it while `work` runs."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)  # lets go of the GIL

    before = sys.getswitchinterval()
    sys.setswitchinterval(60)  # nobody is made to let go of it
    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        start = ticks
        for _ in range(100):
            work()
            if ticks > start:
                return True
        return False
    finally:
        sys.setswitchinterval(before)
        done.set()
        ticker.join()


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda: _core.base64_encode(BIG), id="base64_encode"),
        pytest.param(lambda: _core.base64_decode(TEXT), id="base64_decode"),
        pytest.param(lambda: _core.base64_decoded_length(TEXT), id="base64_decoded_length"),
        pytest.param(lambda: _core.probe(JPEG), id="probe"),
        pytest.param(lambda: _core.admit_fitting(BIG, "image/png", 10**9), id="admit_fitting"),
        pytest.param(lambda: _core.downsample(BIG, WIDE, LADDER), id="downsample"),
    ],
)
def test_another_thread_advances_while_rust_works(work: Callable[[], object]) -> None:
    assert another_thread_advances(work)


def test_no_other_thread_advances_while_python_holds_the_gil() -> None:
    assert not another_thread_advances(lambda: sum(range(10_000)))

"""Running tools: how they are called, what they return, and how they fail."""

import threading
from functools import partial
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calls import Counter, bash, call, echo, pipeline
from ostiary import ToolDispatchContext, ToolDispatchResult, ToolPipeline
from ostiary.closest import closest, not_found_text, shown, similarity
from ostiary.dispatch.values import snapshot

IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}


async def run(tool: Any, input: Any = None) -> ToolDispatchResult:
    return await pipeline(tools={"Tool": tool}).invoke(call("Tool", input, call_id="c1"))


class AsyncCallable:
    async def __call__(self, **input: Any) -> str:
        return f"async {input}"


async def add(left: int, right: int) -> int:
    return left + right


async def whole(input: Any) -> Any:
    return [input]


@pytest.mark.parametrize(
    ("tool", "input", "output"),
    [
        (add, {"left": 1, "right": 2}, "3"),
        (partial(add, right=2), {"left": 1}, "3"),
        (lambda left: left, {"left": "sync"}, "sync"),
        (lambda **_: add(1, 2), {}, "3"),
        (AsyncCallable(), {"a": 1}, "async {'a': 1}"),
        (whole, "no mapping", '["no mapping"]'),
        (whole, [1, None], "[[1, null]]"),
    ],
)
async def test_a_tool_is_called_with_its_input(tool: Any, input: Any, output: str) -> None:
    result = await run(tool, input)
    assert (result.output, result.is_error) == (output, False)


async def test_a_tool_without_an_input_mapping_gets_the_input_itself() -> None:
    tool = Counter()
    await pipeline(tools={"Tool": tool}).invoke(ToolDispatchContext("Tool", None))
    assert tool.ran == [None]


async def test_a_sync_tool_runs_in_a_worker_thread_and_an_async_one_does_not() -> None:
    async def here() -> str:
        return threading.current_thread().name

    name = threading.current_thread().name
    assert (await run(here)).output == name
    assert (await run(lambda: threading.current_thread().name)).output != name


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("text", "text"),
        (None, ""),
        ({"a": "é"}, '{"a": "é"}'),
        ([], "[]"),
        ([{"type": "user"}], '[{"type": "user"}]'),
        ([{"type": ["image"]}], '[{"type": ["image"]}]'),
        (IMAGE, [IMAGE]),
        ((IMAGE, "look"), [IMAGE, {"type": "text", "text": "look"}]),
        ([IMAGE, 7], [IMAGE, 7]),
        ({"path": anyio.Path("/x")}, '{"path": "/x"}'),
    ],
)
async def test_what_a_tool_returns_becomes_text_or_blocks(value: Any, output: Any) -> None:
    async def tool() -> Any:
        return value

    assert (await run(tool)).output == output


@pytest.mark.parametrize("value", [b"x", bytearray(b"x"), memoryview(b"x")])
async def test_bare_bytes_are_an_error_that_says_what_to_return(value: Any) -> None:
    result = await run(lambda: value)
    assert result.is_error
    assert "content blocks" in result.output


async def test_a_tool_may_return_a_whole_result() -> None:
    async def tool() -> ToolDispatchResult:
        return ToolDispatchResult("made up", "no", is_error=True, display_hint="table")

    result = await run(tool)
    assert (result.tool_call_id, result.output, result.is_error) == ("c1", "no", True)
    assert (result.resolved_tool_name, result.display_hint) == ("Tool", "table")


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no such row"), "ValueError: no such row"),
        (KeyError("row"), "KeyError: 'row'"),
        (TimeoutError(), "TimeoutError"),
        (MuteError(), "MuteError"),
        (ExceptionGroup("two", [ValueError("a")]), "ExceptionGroup: two (1 sub-exception)"),
    ],
)
async def test_a_tool_that_raises_becomes_an_error_without_a_traceback(
    error: Exception, text: str
) -> None:
    def sync() -> None:
        raise error

    async def asynchronous() -> None:
        raise error

    for tool in (sync, asynchronous):
        result = await run(tool)
        assert (result.output, result.is_error, result.tool_call_id) == (text, True, "c1")
        assert result.resolved_tool_name == "Tool"


async def test_wrong_arguments_are_an_error_that_names_them() -> None:
    result = await run(add, {"left": 1, "middle": 2})
    assert result.is_error
    assert "middle" in result.output


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
async def test_an_interrupt_passes_through(sync: bool, error: type[BaseException]) -> None:
    def interrupted() -> None:
        raise error

    async def interrupted_async() -> None:
        raise error

    with pytest.raises(error):
        await run(interrupted if sync else interrupted_async)


async def test_cancellation_passes_through_an_async_tool() -> None:
    async def hang() -> None:
        scope.cancel()
        await anyio.sleep_forever()

    with anyio.CancelScope() as scope:
        await run(hang)
    assert scope.cancelled_caught


async def test_a_cancelled_call_does_not_wait_for_the_thread_of_a_sync_tool() -> None:
    release, done = threading.Event(), threading.Event()

    def slow() -> None:
        anyio.from_thread.run_sync(scope.cancel)
        release.wait(30)
        done.set()

    with anyio.CancelScope() as scope:
        await run(slow)
    assert scope.cancelled_caught
    assert not done.is_set()
    release.set()
    assert done.wait(30)


class ObjectCore:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    async def dispatch(self, ctx: ToolDispatchContext) -> ToolDispatchResult:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer or ToolDispatchResult(ctx.call_id, "own")


async def test_a_core_may_be_any_object_that_dispatches() -> None:
    assert (await ToolPipeline.new(ObjectCore(None)).invoke(call())).output == "own"


async def test_a_core_that_raises_becomes_an_error_result() -> None:
    result = await ToolPipeline.new(ObjectCore(OSError("gone"))).invoke(call())
    assert (result.output, result.is_error) == ("OSError: gone", True)


async def test_a_core_that_returns_no_result_is_a_fault() -> None:
    with pytest.raises(TypeError, match="ToolDispatchResult"):
        await ToolPipeline.new(ObjectCore("text")).invoke(call())


@pytest.mark.parametrize("tools", [{1: echo}, {"Bash": "ls"}])
def test_tools_are_callables_under_their_names(tools: Any) -> None:
    with pytest.raises(TypeError, match="callables"):
        ToolPipeline.new(tools)


async def test_tools_are_taken_as_they_are_when_the_pipeline_is_built() -> None:
    tools = {"Bash": echo}
    built = ToolPipeline.new(tools)
    tools.clear()
    assert not (await built.invoke(bash("ls"))).is_error


async def test_an_unknown_tool_names_the_closest_ones() -> None:
    result = await pipeline().invoke(call("bsh", call_id="c1"))
    assert result == ToolDispatchResult(
        "c1", "Tool 'bsh' not found. Did you mean 'Bash'?", is_error=True
    )


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("read", ["read_file", "reader", "write"], "mean 'reader' or 'read_file' or 'write'?"),
        ("zzz", ["a", "b"], "Known tools: 'a', 'b'."),
        ("zzz", list("abcdefghijkl"), "'j' and 2 more."),
        ("zzz", [], "There are no tools."),
    ],
)
def test_the_text_for_an_unknown_tool_helps(name: str, known: list[str], text: str) -> None:
    assert not_found_text(name, known).startswith(f"Tool '{name}' not found.")
    assert not_found_text(name, known).endswith(text)


def test_a_hostile_name_is_shown_on_one_line_at_a_sane_length() -> None:
    assert shown("a\nb\x1b[0m\u202e") == "'ab[0m'"
    assert shown("x" * 10**6) == f"'{'x' * 128}…'"


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        ("", "", 1.0),
        ("Bash", "bash", 1.0),
        ("", "bash", 0.0),
        ("xyz", "abc", 0.0),
        ("kitten", "sitting", 4 / 7),
        # Four of five letters in common, and four tenths of a letter for the prefix.
        ("bash", "bashx", 4.4 / 5),
    ],
)
def test_similarity_is_the_common_letters_and_a_little_for_the_prefix(
    left: str, right: str, value: float
) -> None:
    assert similarity(left, right) == pytest.approx(value)


@given(st.text(max_size=20), st.text(max_size=20))
def test_similarity_is_symmetric_and_within_bounds(left: str, right: str) -> None:
    assert similarity(left, right) == similarity(right, left)
    assert 0.0 <= similarity(left, right) <= 1.1


def test_no_more_than_three_names_are_suggested() -> None:
    assert closest("tool", ["tool1", "tool2", "tool3", "tool4", "x"]) == ["tool1", "tool2", "tool3"]


def test_a_snapshot_shares_nothing_that_can_change() -> None:
    class Own(dict[str, Any]):
        pass

    value: Any = {"a": [1, {"b": None}], "c": Own(d=[1])}
    copy = snapshot(value)
    value["a"][1]["b"] = value["c"]["d"] = 7
    assert copy == {"a": [1, {"b": None}], "c": {"d": [1]}}

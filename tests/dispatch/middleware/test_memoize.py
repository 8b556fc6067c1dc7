"""Answers from memory: when they are given, when they are gone, and who runs the tool."""

from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calls import Counter, Layer, PlainShield, bash, call, pipeline
from ostiary import (
    MemoizingMiddleware,
    SafetyShieldMiddleware,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
    UnixShield,
    touched_paths,
)
from ostiary.dispatch.middleware.paths import anchored


class Files:
    """Two tools over files in memory; each read is counted."""

    def __init__(self) -> None:
        self.content: dict[str, str] = {"a": "1", "b": "2"}
        self.reads: list[str] = []

    async def read(self, path: str) -> str:
        self.reads.append(path)
        return self.content[path]

    async def write(self, path: str, content: str) -> str:
        if content == "error":
            raise OSError("disk full")
        self.content[path] = content
        return "written"

    def pipeline(self, **options: Any) -> ToolPipeline:
        memoizer = MemoizingMiddleware(["Read"], ["Write"], **options)
        return pipeline(memoizer, tools={"Read": self.read, "Write": self.write})


def read(path: str, **others: Any) -> ToolDispatchContext:
    return call("Read", {"path": path}, **others)


def write(path: str, content: str = "new", **others: Any) -> ToolDispatchContext:
    return call("Write", {"path": path, "content": content}, **others)


def test_the_layer_is_called_memoize() -> None:
    assert MemoizingMiddleware([]).name == "memoize"


async def test_a_repeat_is_answered_from_memory_and_says_so() -> None:
    files = Files()
    built = files.pipeline()
    first = await built.invoke(read("a", call_id="c1"))
    again = await built.invoke(read("a", call_id="c2"))
    assert files.reads == ["a"]
    assert first.output == "1"
    assert again == ToolDispatchResult("c2", "1\n[cached]", resolved_tool_name="Read")
    assert (await built.invoke(read("a"))).output == "1\n[cached]"


async def test_a_repeated_list_of_blocks_gets_a_block_that_says_so() -> None:
    async def blocks() -> list[Any]:
        return [{"type": "image", "data": "", "mimeType": "image/png"}]

    built = pipeline(MemoizingMiddleware(["Read"]), tools={"Read": blocks})
    first = await built.invoke(call("Read"))
    assert isinstance(first.output, list)
    first.output[0]["data"] = "changed by the host"
    again = await built.invoke(call("Read"))
    assert isinstance(again.output, list)
    assert again.output[0]["data"] == ""
    assert again.output[1:] == [{"type": "text", "text": "[cached]"}]


async def test_the_order_of_keys_makes_no_other_call() -> None:
    tool = Counter()
    built = pipeline(MemoizingMiddleware(["Read"]), tools={"Read": tool})
    await built.invoke(call("Read", {"a": 1, "b": [{"c": 2, "d": 3}]}))
    await built.invoke(call("Read", {"b": [{"d": 3, "c": 2}], "a": 1}))
    await built.invoke(call("Read", {"a": 1, "b": [{"d": 3, "c": 2.0}]}))
    await built.invoke(call("Read", {"a": True, "b": [{"d": 3, "c": 2}]}))
    assert len(tool.ran) == 3


@pytest.mark.parametrize(
    "other",
    [{"session_id": "t"}, {"extensions": {"cwd": "/elsewhere"}}],
)
async def test_another_session_or_directory_is_another_call(other: dict[str, Any]) -> None:
    files = Files()
    built = files.pipeline()
    await built.invoke(read("a", session_id="s", extensions={"cwd": "/srv"}))
    await built.invoke(read("a", **{"session_id": "s", "extensions": {"cwd": "/srv"}, **other}))
    assert files.reads == ["a", "a"]


async def test_errors_are_not_remembered() -> None:
    files = Files()
    built = files.pipeline()
    assert (await built.invoke(read("c"))).is_error
    files.content["c"] = "3"
    assert (await built.invoke(read("c"))).output == "3"


async def test_tools_that_are_not_named_are_not_remembered() -> None:
    files = Files()
    built = pipeline(MemoizingMiddleware(["Grep"]), tools={"Read": files.read})
    await built.invoke(read("a"))
    await built.invoke(read("a"))
    assert files.reads == ["a", "a"]


@pytest.mark.parametrize(
    ("ttl", "inserted", "turn", "fresh"),
    [
        (2, 0, 1, True),
        (2, 0, 2, False),
        (1, 3, 3, True),
        (1, 3, 4, False),
        (0, 0, 0, False),
        (0, 5, 2, False),
        (2, 5, 2, True),
    ],
)
async def test_an_answer_expires_after_so_many_turns(
    ttl: int,
    inserted: int,
    turn: int,
    fresh: bool,
) -> None:
    files = Files()
    built = files.pipeline(ttl_turns=ttl)
    await built.invoke(read("a", turn_number=inserted))
    await built.invoke(read("a", turn_number=turn))
    assert len(files.reads) == (1 if fresh else 2)


async def test_the_answer_used_least_recently_goes_first() -> None:
    files = Files()
    files.content["c"] = "3"
    built = files.pipeline(max_entries=2)
    for path in ("a", "b", "a", "c", "a", "b"):
        await built.invoke(read(path))
    assert files.reads == ["a", "b", "c", "b"]


async def test_a_successful_write_drops_answers_about_its_file_only() -> None:
    files = Files()
    built = files.pipeline()
    await built.invoke_all([read("a"), read("b"), write("./x/../a")])
    assert (await built.invoke(read("b"))).output == "2\n[cached]"
    assert not str((await built.invoke(read("a"))).output).endswith("[cached]")


async def test_a_write_in_another_session_and_directory_counts_too() -> None:
    files = Files()
    built = files.pipeline()
    await built.invoke(read("a", session_id="s", extensions={"cwd": "/srv"}))
    files.content["/srv/a"] = ""
    await built.invoke(write("/srv/a", session_id="t"))
    await built.invoke(read("a", session_id="s", extensions={"cwd": "/srv"}))
    assert files.reads == ["a", "a"]


async def test_a_failed_write_drops_nothing() -> None:
    files = Files()
    built = files.pipeline()
    await built.invoke_all([read("a"), write("a", "error")])
    assert (await built.invoke(read("a"))).output == "1\n[cached]"


async def test_a_write_that_was_cut_short_may_have_happened() -> None:
    files = Files()

    async def hang(**_: Any) -> None:
        scope.cancel()
        await anyio.sleep_forever()

    memoizer = MemoizingMiddleware(["Read"], ["Write"])
    built = pipeline(memoizer, tools={"Read": files.read, "Write": hang})
    await built.invoke(read("a"))
    with anyio.CancelScope() as scope:
        await built.invoke(write("a"))
    await built.invoke(read("a"))
    assert files.reads == ["a", "a"]


async def test_an_extractor_that_fails_costs_memory_and_no_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    files = Files()
    broken = [False]

    def extract(tool_name: str, input: Any) -> list[str]:
        if broken[0]:
            raise LookupError
        return touched_paths(tool_name, input)

    built = files.pipeline(path_extractor=extract)
    await built.invoke(read("a"))
    broken[0] = True
    assert (await built.invoke(read("b"))).output == "2"
    assert (await built.invoke(read("b"))).output == "2"
    await built.invoke(write("c"))
    assert (await built.invoke(read("a"))).output == "1"
    assert {record.getMessage() for record in caplog.records} == {"the path extractor failed"}


async def test_an_extractor_that_fails_after_the_call_keeps_no_answer() -> None:
    files = Files()

    def extract(_: str, __: Any) -> list[str]:
        if files.reads:
            raise LookupError
        return []

    built = files.pipeline(path_extractor=extract)
    assert (await built.invoke(read("a"))).output == "1"
    files.reads.clear()
    assert (await built.invoke(read("a"))).output == "1"


async def test_an_output_that_cannot_be_copied_is_not_remembered() -> None:
    async def lines() -> list[Any]:
        return [{"type": "text", "text": "ok"}, (each for each in "ab")]

    built = pipeline(MemoizingMiddleware(["Read"]), tools={"Read": lines})
    outputs = [result.output for result in await built.invoke_all([call("Read"), call("Read")])]
    assert list(map(len, outputs)) == [2, 2]


async def test_an_input_that_is_no_json_value_is_not_remembered() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    tool = Counter()
    built = pipeline(MemoizingMiddleware(["Read"]), tools={"Read": tool})
    for _ in range(2):
        await built.invoke(call("Read", {"path": b"bytes"}))
        await built.invoke(call("Read", {"path": 10**400}))
        await built.invoke(call("Read", {"path": deep}))
    assert len(tool.ran) == 6


@pytest.mark.parametrize(
    "options",
    [{"tools": "Read"}, {"tools": [], "write_tools": "Write"}],
)
def test_one_name_is_no_collection_of_names(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="collections"):
        MemoizingMiddleware(**options)


def test_a_memory_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="room"):
        MemoizingMiddleware([], max_entries=0)


class Gate:
    """A tool that waits at a gate, and counts who came."""

    def __init__(self) -> None:
        self.came = 0
        self.arrived = anyio.Event()
        self.open = anyio.Event()

    async def read(self, path: str) -> str:
        self.came += 1
        self.arrived.set()
        await self.open.wait()
        if path == "missing":
            raise OSError("missing")
        return path


@pytest.mark.parametrize("path", ["a", "missing"])
async def test_identical_calls_side_by_side_run_the_tool_once(path: str) -> None:
    gate = Gate()
    built = pipeline(MemoizingMiddleware(["Read"]), tools={"Read": gate.read})
    results: list[ToolDispatchResult] = []

    async def ask(name: str) -> None:
        results.append(await built.invoke(read(path, call_id=name)))

    async with anyio.create_task_group() as group:
        for name in "xyz":
            group.start_soon(ask, name)
        await gate.arrived.wait()
        await anyio.wait_all_tasks_blocked()
        gate.open.set()
    assert gate.came == 1
    assert sorted(result.tool_call_id for result in results) == list("xyz")
    assert {result.is_error for result in results} == {path == "missing"}
    marked = [str(result.output).endswith("[cached]") for result in results]
    assert sorted(marked) == ([False] * 3 if path == "missing" else [False, True, True])


async def test_when_the_one_that_runs_is_cancelled_a_waiting_one_takes_over() -> None:
    gate = Gate()
    built = pipeline(MemoizingMiddleware(["Read"]), tools={"Read": gate.read})
    results: list[ToolDispatchResult] = []

    async def lead() -> None:
        with leading:
            await built.invoke(read("a"))

    async def follow() -> None:
        results.append(await built.invoke(read("a")))

    leading = anyio.CancelScope()
    async with anyio.create_task_group() as group:
        group.start_soon(lead)
        await gate.arrived.wait()
        group.start_soon(follow)
        group.start_soon(follow)
        await anyio.wait_all_tasks_blocked()
        gate.arrived = anyio.Event()
        leading.cancel()
        await gate.arrived.wait()
        gate.open.set()
    assert gate.came == 2
    assert sorted(str(result.output) for result in results) == ["a", "a\n[cached]"]


async def test_a_crash_of_the_one_that_runs_lets_a_waiting_one_take_over() -> None:
    arrived, release = anyio.Event(), anyio.Event()
    came = 0

    async def crash_once(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        nonlocal came
        came += 1
        if came == 1:
            arrived.set()
            await release.wait()
            raise LookupError
        return await next.dispatch(ctx)

    built = pipeline(MemoizingMiddleware(["Read"]), Layer(crash_once))
    results: list[ToolDispatchResult] = []

    async def lead() -> None:
        with pytest.raises(LookupError):
            await built.invoke(read("a"))

    async def follow() -> None:
        results.append(await built.invoke(read("a")))

    async with anyio.create_task_group() as group:
        group.start_soon(lead)
        await arrived.wait()
        group.start_soon(follow)
        await anyio.wait_all_tasks_blocked()
        release.set()
    assert [result.is_error for result in results] == [False]


async def test_a_write_during_a_read_leaves_no_stale_answer() -> None:
    gate = Gate()
    memoizer = MemoizingMiddleware(["Read"], ["Write"])
    built = pipeline(memoizer, tools={"Read": gate.read})
    async with anyio.create_task_group() as group:
        group.start_soon(built.invoke, read("a"))
        group.start_soon(built.invoke, read("b"))
        await anyio.wait_all_tasks_blocked()
        assert gate.came == 2
        await built.invoke(write("a"))
        # Whoever asks after the write does not wait for the read that began before it.
        group.start_soon(built.invoke, read("a"))
        group.start_soon(built.invoke, read("b"))
        await anyio.wait_all_tasks_blocked()
        assert gate.came == 3
        gate.open.set()
    assert (await built.invoke(read("a"))).output == "a\n[cached]"


async def test_inside_the_shield_a_cached_repeat_is_judged_and_recorded() -> None:
    files = Files()
    shield = PlainShield(tools="Read")
    memoizer = MemoizingMiddleware(["Read"])
    built = pipeline(SafetyShieldMiddleware(shield), memoizer, tools={"Read": files.read})
    await built.invoke_all([read("a"), read("a")])
    assert files.reads == ["a"]
    assert (len(shield.seen), len(shield.recorded)) == (2, 2)
    assert shield.seen[1].recent_calls == (("Read", 0),)


async def test_inside_the_shield_cached_repeats_add_up_to_a_block() -> None:
    memoizer = MemoizingMiddleware(["Bash"])
    built = pipeline(SafetyShieldMiddleware(UnixShield()), memoizer)
    results = await built.invoke_all([bash("sudo true") for _ in range(3)])
    assert [str(result.output).endswith("[cached]") for result in results] == [False, True, False]
    assert [result.is_error for result in results] == [False, False, True]


@pytest.mark.parametrize(
    ("input", "paths"),
    [
        ({"path": "a"}, ["a"]),
        ({"file_path": "a", "filepath": "b"}, ["a"]),
        ({"filename": 7}, []),
        ({}, []),
        ("no mapping", []),
        ({"command": "ls > out 2> err"}, ["out", "err"]),
        ({"command": "ls >out 2>&1 >>log"}, ["out", "log"]),
        ({"cmd": "ls &> both"}, ["both"]),
        ({"command": "ls >&2"}, []),
        ({"command": "echo 'a > b'"}, []),
        ({"command": "bash -c 'ls > in' > out"}, ["out", "in"]),
        ({"command": "/bin/sh -c 'ls > in'"}, ["in"]),
        ({"command": "env -c 'ls > in'"}, []),
        ({"command": "echo 'open"}, []),
        ({"command": "ls >"}, []),
    ],
)
def test_the_files_that_a_call_touches_are_read_from_its_input(
    input: Any, paths: list[str]
) -> None:
    assert touched_paths("Any", input) == paths


@given(st.text("abc>&|'\" 2\\;#", max_size=24))
def test_reading_a_command_never_fails(command: str) -> None:
    assert isinstance(touched_paths("Bash", {"command": command}), list)


@pytest.mark.parametrize(
    ("path", "cwd", "one"),
    [
        ("a", None, "a"),
        ("./b/../a", None, "a"),
        ("a", "/srv", "/srv/a"),
        ("../a", "/srv/x", "/srv/a"),
        ("/a", "/srv", "/a"),
    ],
)
def test_a_path_has_one_spelling(path: str, cwd: str | None, one: str) -> None:
    assert anchored(path, cwd) == one

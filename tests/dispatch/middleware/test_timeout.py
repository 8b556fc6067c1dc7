"""Deadlines and retries. A tool that hangs hangs for ever; only deadlines pass."""

from typing import Any

import anyio
import pytest

from calls import Layer, PlainShield, bash, call, pipeline
from ostiary import (
    SafetyShieldMiddleware,
    TimeoutMiddleware,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
)

SOON = 0.001


class Slow:
    """A tool that answers from the given attempt on."""

    def __init__(self, answers_at: int = 99) -> None:
        self.attempts = 0
        self.answers_at = answers_at

    async def run(self, **_: Any) -> str:
        self.attempts += 1
        if self.attempts < self.answers_at:
            await anyio.sleep_forever()
        return "at last"


async def test_a_call_within_its_deadline_is_left_alone() -> None:
    result = await pipeline(TimeoutMiddleware()).invoke(bash("ls"))
    assert result.output == "{'command': 'ls'}"


async def test_a_call_that_misses_its_deadline_is_an_error() -> None:
    slow = Slow()
    built = pipeline(TimeoutMiddleware(SOON), tools={"Bash": slow.run})
    result = await built.invoke(bash("ls", call_id="c1"))
    text = "Tool 'Bash' timed out after 0.001s"
    assert result == ToolDispatchResult("c1", text, True, "Bash", SOON)  # is_error
    assert slow.attempts == 1


async def test_without_a_deadline_nothing_is_timed() -> None:
    result = await pipeline(TimeoutMiddleware(None)).invoke(bash("ls"))
    assert not result.is_error


async def test_only_tools_that_are_safe_to_run_again_run_again() -> None:
    slow = Slow()
    layer = TimeoutMiddleware(SOON, retry_tools=["Read"], max_retries=3)
    result = await pipeline(layer, tools={"Bash": slow.run}).invoke(bash("ls"))
    assert (result.is_error, slow.attempts) == (True, 1)


async def test_each_further_attempt_has_twice_the_time() -> None:
    slow = Slow()
    layer = TimeoutMiddleware(SOON, retry_tools=["Read"], max_retries=2)
    result = await pipeline(layer, tools={"Read": slow.run}).invoke(call("Read"))
    assert slow.attempts == 3
    assert result.duration == pytest.approx(4 * SOON)
    assert result.output == "Tool 'Read' timed out after 0.004s"


async def test_a_further_attempt_may_succeed() -> None:
    slow = Slow(answers_at=2)
    layer = TimeoutMiddleware(SOON, retry_tools=["Read"], max_retries=2)
    result = await pipeline(layer, tools={"Read": slow.run}).invoke(call("Read"))
    assert (slow.attempts, result.output) == (2, "at last")


async def test_a_further_attempt_begins_with_the_call_as_it_came() -> None:
    seen: list[Any] = []

    async def rewrite(ctx: ToolDispatchContext, _: ToolPipeline) -> ToolDispatchResult:
        seen.append((ctx.tool_name, dict(ctx.input)))
        ctx.input["x"] = 2
        ctx.tool_name = "Other"
        await anyio.sleep_forever()
        raise AssertionError

    layer = TimeoutMiddleware(SOON, retry_tools=["Read"], max_retries=1)
    await pipeline(layer, Layer(rewrite)).invoke(call("Read", {"x": 1}))
    assert seen == [("Read", {"x": 1})] * 2


async def test_an_input_that_cannot_be_copied_does_not_come_again() -> None:
    slow = Slow()
    layer = TimeoutMiddleware(SOON, retry_tools=["Read"], max_retries=2)
    ctx = call("Read", {"lines": (each for each in "ab")})
    assert (await pipeline(layer, tools={"Read": slow.run}).invoke(ctx)).is_error
    assert slow.attempts == 1


async def test_attempts_at_one_call_are_one_call_for_a_shield_inside() -> None:
    slow, shield = Slow(), PlainShield(tools="Read")
    timeout = TimeoutMiddleware(SOON, retry_tools=["Read"], max_retries=2)
    built = pipeline(timeout, SafetyShieldMiddleware(shield), tools={"Read": slow.run})
    await built.invoke(call("Read"))
    assert slow.attempts == 3
    assert (len(shield.seen), shield.recorded) == (1, [("Read", {}, False)])


async def test_cancelling_the_caller_is_no_timeout() -> None:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await pipeline(TimeoutMiddleware(), tools={"Bash": Slow().run}).invoke(bash("ls"))
    assert scope.cancelled_caught


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_deadline_is_a_positive_number(seconds: float) -> None:
    with pytest.raises(ValueError, match="positive number"):
        TimeoutMiddleware(seconds)


def test_retries_are_counted_and_their_tools_named_one_by_one() -> None:
    with pytest.raises(ValueError, match="-1 retries"):
        TimeoutMiddleware(max_retries=-1)
    with pytest.raises(TypeError, match="collection"):
        TimeoutMiddleware(retry_tools="Read")

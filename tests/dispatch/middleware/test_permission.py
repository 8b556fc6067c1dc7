"""Only a plain yes runs a call."""

from typing import Any

import anyio
import pytest

from calls import Counter, bash, pipeline
from ostiary import (
    PermissionCheck,
    PermissionMiddleware,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
)


def built(check: Any, **options: Any) -> ToolPipeline:
    layer = (
        check if isinstance(check, PermissionMiddleware) else PermissionMiddleware(check, **options)
    )
    return pipeline(layer)


def always(check: Any) -> Any:
    return lambda _: check


def denied(reason: str) -> ToolDispatchResult:
    return ToolDispatchResult("c1", f"Permission denied for tool 'Bash': {reason}", is_error=True)


async def yes(_: str, __: str) -> bool:
    return True


async def no(_: str, __: str) -> bool:
    return False


async def odd(_: str, __: str) -> Any:
    return "no"


async def broken(_: str, __: str) -> bool:
    raise OSError


@pytest.mark.parametrize(
    ("layer", "reason"),
    [
        (PermissionMiddleware.deny_all(), "blocked by policy"),
        (PermissionMiddleware.from_context(), "no permission was given"),
        (PermissionMiddleware(always(PermissionCheck.deny("too late"))), "too late"),
        (PermissionMiddleware(always(PermissionCheck.ask("run?"))), "nobody can be asked: run?"),
        (PermissionMiddleware(always(PermissionCheck.ask("run?")), ask=no), "denied by user"),
        (PermissionMiddleware(always(PermissionCheck.ask("run?")), ask=odd), "denied by user"),
        (
            PermissionMiddleware(always(PermissionCheck.ask("run?")), ask=broken),
            "the check failed (OSError)",
        ),
        (PermissionMiddleware(always(None)), "the check failed (AttributeError)"),
        (
            PermissionMiddleware(always(PermissionCheck("maybe"))),  # type: ignore[arg-type]
            "the check failed (AssertionError)",
        ),
    ],
)
async def test_whatever_is_no_yes_is_a_denial(layer: PermissionMiddleware, reason: str) -> None:
    assert await pipeline(layer).invoke(bash("ls", call_id="c1")) == denied(reason)


async def asynchronous(_: ToolDispatchContext) -> PermissionCheck:
    return PermissionCheck.allow()


@pytest.mark.parametrize(
    "layer",
    [
        PermissionMiddleware.allow_all(),
        PermissionMiddleware(asynchronous),
        PermissionMiddleware(always(PermissionCheck.ask("run?")), ask=yes),
    ],
)
async def test_a_yes_runs_the_call(layer: PermissionMiddleware) -> None:
    assert (await pipeline(layer).invoke(bash("ls"))).output == "{'command': 'ls'}"


async def test_a_host_may_decide_in_the_context() -> None:
    layer = built(PermissionMiddleware.from_context(ask=yes))
    for check in (PermissionCheck.allow(), PermissionCheck.ask("run?")):
        assert not (await layer.invoke(bash("ls", extensions={"permission": check}))).is_error
    check = PermissionCheck.deny("not here")
    result = await layer.invoke(bash("ls", call_id="c1", extensions={"permission": check}))
    assert result == denied("not here")


async def test_a_changed_input_is_the_one_that_runs() -> None:
    layer = built(always(PermissionCheck.modify({"command": "ls -n"})))
    assert (await layer.invoke(bash("rm"))).output == "{'command': 'ls -n'}"


async def test_the_resolver_hears_the_question_and_the_tool() -> None:
    heard: list[tuple[str, str]] = []

    async def resolve(prompt: str, tool_name: str) -> bool:
        heard.append((prompt, tool_name))
        return True

    await built(always(PermissionCheck.ask("run?")), ask=resolve).invoke(bash("ls"))
    assert heard == [("run?", "Bash")]


async def test_cancellation_wins_over_an_answer_that_arrives_with_it() -> None:
    tool = Counter()

    async def resolve(_: str, __: str) -> bool:
        scope.cancel()
        return True

    layer = PermissionMiddleware(always(PermissionCheck.ask("run?")), ask=resolve)
    with anyio.CancelScope() as scope:
        await pipeline(layer, tools={"Bash": tool}).invoke(bash("ls"))
    assert scope.cancelled_caught
    assert tool.ran == []


async def test_a_cancelled_call_cancels_the_question() -> None:
    ended: list[bool] = []

    async def resolve(_: str, __: str) -> bool:
        scope.cancel()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(True)
        raise AssertionError

    layer = PermissionMiddleware(always(PermissionCheck.ask("run?")), ask=resolve)
    with anyio.CancelScope() as scope:
        await pipeline(layer).invoke(bash("ls"))
    assert (scope.cancelled_caught, ended) == (True, [True])


@pytest.mark.parametrize("arguments", [{"check": "x"}, {"check": always(None), "ask": "x"}])
def test_the_check_and_the_resolver_are_callables(arguments: Any) -> None:
    with pytest.raises(TypeError, match="callables"):
        PermissionMiddleware(**arguments)


def test_the_layer_is_called_permission() -> None:
    assert PermissionMiddleware.allow_all().name == "permission"

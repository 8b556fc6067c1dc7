"""Middleware around a core: the way of every tool call."""

import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, final

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.core import GuardedCore, Tool, ToolCore, ToolMapping
from ostiary.dispatch.order import order_warnings

_log = logging.getLogger(__name__)

_CORE_NAME = "tool_call"


class ToolMiddleware(Protocol):
    """One layer of a pipeline."""

    @property
    def name(self) -> str:
        """What the layer is called in logs and in `middleware_names`."""
        ...

    def dispatch(
        self, ctx: ToolDispatchContext, next: "ToolPipeline"
    ) -> Coroutine[Any, Any, ToolDispatchResult]:
        """Answer a call: change the context, `await next.dispatch(ctx)`, change the result.

        An async method. It may call the rest of the pipeline as often as it wants, or not at all.
        """
        ...


class PipelineError(ValueError):
    """A pipeline cannot be built."""


class EmptyPipelineError(PipelineError):
    """A pipeline has neither middleware nor a core."""


class MissingCoreError(PipelineError):
    """A pipeline has middleware and no core that would run the tool."""


@final
class ToolPipeline:
    """An immutable chain of middleware that ends in a core; shared freely between tasks.

    The `next` that a middleware gets is a view of the same pipeline from the layer below it on.
    """

    __slots__ = ("_core", "_head", "_layers", "_next")

    _core: GuardedCore
    _head: "ToolPipeline"
    _layers: tuple[ToolMiddleware, ...]
    _next: "ToolPipeline | None"

    def __init__(self) -> None:
        """Refuse.

        Raises:
            TypeError: always; pipelines come from `new` or `builder`.
        """
        raise TypeError("a pipeline is made by ToolPipeline.new(core) or ToolPipeline.builder()")

    @staticmethod
    def builder() -> "ToolPipelineBuilder":
        """Return a builder with nothing in it."""
        return ToolPipelineBuilder()

    @staticmethod
    def new(core: Mapping[str, Tool] | ToolCore) -> "ToolPipeline":
        """Return a pipeline without middleware: it runs the tool and nothing else."""
        return ToolPipelineBuilder().with_core(core).build()

    @property
    def middleware_names(self) -> tuple[str, ...]:
        """The names of the layers, outermost first; the last is the core's, `tool_call`."""
        return (*(layer.name for layer in self._head._layers), _CORE_NAME)

    def dispatch(self, ctx: ToolDispatchContext) -> Coroutine[Any, Any, ToolDispatchResult]:
        """Send a call down from this layer on; what a middleware awaits."""
        below = self._next
        if below is None:
            return self._core.dispatch(ctx)
        return self._layers[0].dispatch(ctx, below)

    async def invoke(self, ctx: ToolDispatchContext) -> ToolDispatchResult:
        """Send a new call down from the outermost layer, whichever view this is."""
        ctx.memory = {}
        return await self._head.dispatch(ctx)

    async def invoke_all(self, ctxs: Iterable[ToolDispatchContext]) -> list[ToolDispatchResult]:
        """Send calls down one after the other; cancellation is looked for between them."""
        results = []
        for ctx in ctxs:
            await checkpoint_if_cancelled()
            results.append(await self.invoke(ctx))
        return results

    async def invoke_concurrently(
        self, ctxs: Iterable[ToolDispatchContext], limit: int | None = None
    ) -> list[ToolDispatchResult]:
        """Send calls down side by side, begun in order, with the results in the same order.

        Args:
            ctxs: The calls.
            limit: Calls that are under way at once; None for all of them.

        Raises:
            ValueError: `limit` is less than 1.
        """
        calls = list(ctxs)
        if limit is not None and limit < 1:
            raise ValueError(f"at least one call must be under way at once, not {limit}")
        workers = len(calls) if limit is None else min(limit, len(calls))
        return await _side_by_side(self.invoke, calls, workers)


class ToolPipelineBuilder:
    """Collects the parts of a pipeline; each step returns the builder itself."""

    __slots__ = ("_core", "_layers")

    def __init__(self) -> None:
        """Start with nothing."""
        self._core: ToolCore | None = None
        self._layers: list[ToolMiddleware] = []

    def with_middleware(self, middleware: ToolMiddleware) -> "ToolPipelineBuilder":
        """Add a layer inside those that are there: the first one is outermost.

        Raises:
            TypeError: it has no name or cannot dispatch.
        """
        if not hasattr(middleware, "name") or not hasattr(middleware, "dispatch"):
            raise TypeError(f"a middleware has a name and dispatches; {middleware!r} does not")
        self._layers.append(middleware)
        return self

    def with_core(self, core: Mapping[str, Tool] | ToolCore) -> "ToolPipelineBuilder":
        """Set what runs the tools: callables by name, or an object with `async dispatch(ctx)`.

        Raises:
            TypeError: it is neither.
        """
        if isinstance(core, Mapping):
            core = ToolMapping(core)
        elif not hasattr(core, "dispatch"):
            raise TypeError(f"a core is a mapping of tools or dispatches; {core!r} does neither")
        self._core = core
        return self

    def build(self) -> ToolPipeline:
        """Return the pipeline; an order of layers that defeats one of them is logged.

        Raises:
            EmptyPipelineError: there is neither middleware nor a core.
            MissingCoreError: there is middleware and no core.
        """
        if self._core is None:
            if self._layers:
                raise MissingCoreError("the pipeline has middleware but no core: add with_core(…)")
            raise EmptyPipelineError("the pipeline is empty: add with_core(…) at least")
        for warning in order_warnings(self._layers):
            _log.warning("%s", warning)
        return _chain(tuple(self._layers), GuardedCore(self._core))


def _chain(layers: tuple[ToolMiddleware, ...], core: GuardedCore) -> ToolPipeline:
    """Return the outermost of the views, one for each layer and one for the core."""
    views = [ToolPipeline.__new__(ToolPipeline) for _ in range(len(layers) + 1)]
    for at, view in enumerate(views):
        view._core = core
        view._head = views[0]
        view._layers = layers[at:]
        view._next = views[at + 1] if at < len(layers) else None
    return views[0]


T = TypeVar("T")


async def _side_by_side(
    invoke: Callable[[T], Coroutine[Any, Any, ToolDispatchResult]], calls: Sequence[T], workers: int
) -> list[ToolDispatchResult]:
    """Return the results in order; the first fault ends the other calls and is raised itself."""
    results: dict[int, ToolDispatchResult] = {}
    faults: list[BaseException] = []
    queue = iter(enumerate(calls))

    async def work() -> None:
        for at, call in queue:
            try:
                results[at] = await invoke(call)
            except anyio.get_cancelled_exc_class():
                raise
            except BaseException as fault:  # noqa: BLE001 # raised below, out of the task group
                faults.append(fault)
                group.cancel_scope.cancel()
                return

    async with anyio.create_task_group() as group:
        for _ in range(workers):
            group.start_soon(work)
    if faults:
        raise faults[0]
    return [results[at] for at in range(len(calls))]

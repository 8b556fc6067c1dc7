"""Where the two doors meet: every result's media is admitted on its way out."""

import logging
from dataclasses import replace
from typing import Final

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.order import SEAT
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.media.downsample import ImageDownsampler, require_downsampler
from ostiary.media.seat import admit_tool_result_media

_log = logging.getLogger(__name__)


class MediaSeatMiddleware:
    """Admits the media of every result, or puts a text that says why in its place.

    It stands outermost, after the last hand that can change a result, so that what comes from a
    cache or from a layer that answered by itself is admitted too.
    """

    name: Final = SEAT

    def __init__(self, downsampler: ImageDownsampler | None = None) -> None:
        """Make pictures smaller with this, where they are too large.

        Raises:
            TypeError: it is no downsampler.
        """
        require_downsampler(downsampler)
        self._downsampler = downsampler

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call, and admit what comes of it."""
        result = await next.dispatch(ctx)
        tool_name = result.resolved_tool_name or ctx.tool_name
        admission = admit_tool_result_media(result.output, tool_name, downsampler=self._downsampler)
        if admission is None:
            return result
        admitted = await admission
        for refusal in admitted.refused:
            _log.info("media refused", extra={"tool": tool_name, "reason": refusal.reason})
        return replace(result, output=admitted.content)

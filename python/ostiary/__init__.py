"""Ostiary: the doorkeeper of an AI agent's tool traffic.

The map, each file importing only files below it: `media` turns bytes into content blocks,

    seat ─▶ admission · placeholder ─▶ downsample · worker · outcome ─▶ blocks ─▶ limits

`dispatch` takes a tool call through middleware to the tool, and `shield` judges calls:

    middleware ─▶ pipeline · guard ─▶ core · order · shield_call ─▶ values ─▶ context
    replay ─▶ command ─▶ explain ─▶ judgement · policy_file ─▶ policy · rule_table ─▶ files · tools
      · own_rules · faults ─▶ file_runs · file_changes ─▶ judge ─▶ rules · step ─▶ scene ─▶ places
      · marks · rule ─▶ reading
    unix ─▶ unix_score ─▶ null · protocols · unix_rules ─▶ decision ─▶ compact · float32 · history

The two doors meet in `dispatch.middleware.media_seat`, and on public names in `integrations`.
"""

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult, ToolOutput
from ostiary.dispatch.core import Tool, ToolCore
from ostiary.dispatch.guard import CallGuard, refusal_text, surfaced, warning_text
from ostiary.dispatch.middleware.media_seat import MediaSeatMiddleware
from ostiary.dispatch.middleware.memoize import MemoizingMiddleware, PathExtractor
from ostiary.dispatch.middleware.output_limit import OutputLimitMiddleware
from ostiary.dispatch.middleware.paths import touched_paths
from ostiary.dispatch.middleware.permission import (
    AskResolver,
    CheckFunction,
    PermissionCheck,
    PermissionMiddleware,
)
from ostiary.dispatch.middleware.redaction import FoundSecret, RedactionMiddleware, SecretFinder
from ostiary.dispatch.middleware.safety_shield import SafetyShieldMiddleware
from ostiary.dispatch.middleware.timeout import TimeoutMiddleware
from ostiary.dispatch.middleware.unknown_tool import UnknownToolMiddleware
from ostiary.dispatch.middleware.verify import Verifier, VerifyMiddleware, VerifyResult
from ostiary.dispatch.pipeline import (
    EmptyPipelineError,
    MissingCoreError,
    PipelineError,
    ToolMiddleware,
    ToolPipeline,
    ToolPipelineBuilder,
)
from ostiary.dispatch.shield_call import JudgedCall
from ostiary.media.admission import (
    admit_document_bytes,
    admit_image_bytes,
    admit_image_bytes_sync,
    image_magic_matches,
    image_read_cap,
    pdf_magic_matches,
    sniff_media_type,
)
from ostiary.media.blocks import DocumentContent, ImageContent
from ostiary.media.downsample import (
    Downsampled,
    DownsampleError,
    ImageDownsampler,
    RustDownsampler,
)
from ostiary.media.limits import (
    ADMITTED_DOCUMENT_MIME_TYPES,
    ADMITTED_IMAGE_MIME_TYPES,
    MAX_IMAGE_BASE64_LENGTH,
    MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES,
    MAX_IMAGE_READ_BYTES,
    PDF_TARGET_RAW_SIZE,
)
from ostiary.media.outcome import (
    DocumentAdmitted,
    ImageAdmitted,
    ImageDimensions,
    MediaKind,
    RefusalReason,
    Refused,
    ToolResultMediaRefusal,
    ToolResultRefusalReason,
)
from ostiary.media.seat import ToolResultMediaAdmission, admit_tool_result_media
from ostiary.media.worker import current_media_limiter
from ostiary.shield.command import CommandShield
from ostiary.shield.decision import (
    CallOutcome,
    RiskLevel,
    SafetyAction,
    SafetyDecision,
    ShieldContext,
)
from ostiary.shield.explain import Explanation
from ostiary.shield.file_history import FileHistory, InMemoryFileHistory
from ostiary.shield.history import SessionHistory
from ostiary.shield.marks import Change, Changes, Downloaded, SessionFiles, Strength, Written
from ostiary.shield.null import NullShield
from ostiary.shield.own_rules import OwnRule
from ostiary.shield.policy import CommandPolicy
from ostiary.shield.policy_file import PolicyError
from ostiary.shield.protocols import (
    AnyShield,
    AsyncToolSafetyShield,
    ReservingShield,
    ToolSafetyShield,
)
from ostiary.shield.rule import Rule
from ostiary.shield.tools import ToolFields
from ostiary.shield.unix import UnixShield, UnixShieldBuilder
from ostiary.shield.unix_rules import CombinationRule, RiskPattern

__all__ = [
    "ADMITTED_DOCUMENT_MIME_TYPES",
    "ADMITTED_IMAGE_MIME_TYPES",
    "MAX_IMAGE_BASE64_LENGTH",
    "MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES",
    "MAX_IMAGE_READ_BYTES",
    "PDF_TARGET_RAW_SIZE",
    "AnyShield",
    "AskResolver",
    "AsyncToolSafetyShield",
    "CallGuard",
    "CallOutcome",
    "Change",
    "Changes",
    "CheckFunction",
    "CombinationRule",
    "CommandPolicy",
    "CommandShield",
    "DocumentAdmitted",
    "DocumentContent",
    "Downloaded",
    "DownsampleError",
    "Downsampled",
    "EmptyPipelineError",
    "Explanation",
    "FileHistory",
    "FoundSecret",
    "ImageAdmitted",
    "ImageContent",
    "ImageDimensions",
    "ImageDownsampler",
    "InMemoryFileHistory",
    "JudgedCall",
    "MediaKind",
    "MediaSeatMiddleware",
    "MemoizingMiddleware",
    "MissingCoreError",
    "NullShield",
    "OutputLimitMiddleware",
    "OwnRule",
    "PathExtractor",
    "PermissionCheck",
    "PermissionMiddleware",
    "PipelineError",
    "PolicyError",
    "RedactionMiddleware",
    "RefusalReason",
    "Refused",
    "ReservingShield",
    "RiskLevel",
    "RiskPattern",
    "Rule",
    "RustDownsampler",
    "SafetyAction",
    "SafetyDecision",
    "SafetyShieldMiddleware",
    "SecretFinder",
    "SessionFiles",
    "SessionHistory",
    "ShieldContext",
    "Strength",
    "TimeoutMiddleware",
    "Tool",
    "ToolCore",
    "ToolDispatchContext",
    "ToolDispatchResult",
    "ToolFields",
    "ToolMiddleware",
    "ToolOutput",
    "ToolPipeline",
    "ToolPipelineBuilder",
    "ToolResultMediaAdmission",
    "ToolResultMediaRefusal",
    "ToolResultRefusalReason",
    "ToolSafetyShield",
    "UnixShield",
    "UnixShieldBuilder",
    "UnknownToolMiddleware",
    "Verifier",
    "VerifyMiddleware",
    "VerifyResult",
    "Written",
    "admit_document_bytes",
    "admit_image_bytes",
    "admit_image_bytes_sync",
    "admit_tool_result_media",
    "current_media_limiter",
    "image_magic_matches",
    "image_read_cap",
    "pdf_magic_matches",
    "refusal_text",
    "sniff_media_type",
    "surfaced",
    "touched_paths",
    "warning_text",
]

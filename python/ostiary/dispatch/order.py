"""What is wrong with the order in which somebody stacked middleware."""

from collections.abc import Sequence

SHIELD = "safety_shield"
MEMOIZER = "memoize"
SEAT = "media_seat"


def order_warnings(layers: Sequence[object]) -> list[str]:
    """Return a sentence for each mistake in the order of layers, the outermost first.

    A middleware that sends calls to other tools says so with a true attribute `rewrites_names`.
    """
    names = [str(getattr(layer, "name", "")) for layer in layers]
    warnings = []
    if names.count(SHIELD) > 1:
        warnings.append("two safety shields are installed, so each judges and records every call")
    if SHIELD in names:
        warnings.extend(_shield_warnings(layers, names, names.index(SHIELD)))
    if SEAT in names and names.index(SEAT) != 0:
        warnings.append(
            f"{SEAT} is not outermost, so what {names[0]!r} makes of a result is not admitted"
        )
    return warnings


def _shield_warnings(layers: Sequence[object], names: Sequence[str], shield: int) -> list[str]:
    warnings = [
        f"{SHIELD} stands outside {names[at]!r}, which renames tools, so it judges another name"
        for at in range(shield + 1, len(layers))
        if getattr(layers[at], "rewrites_names", False)
    ]
    if MEMOIZER in names[:shield]:
        warnings.append(f"{SHIELD} stands inside {MEMOIZER}, so a cached repeat is never judged")
    return warnings

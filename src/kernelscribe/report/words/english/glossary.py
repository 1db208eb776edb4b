"""The words of the report that not everybody uses every day."""

from kernelscribe.kernels.base import Role
from kernelscribe.kernels.bases import BASES, PAPER
from kernelscribe.kernels.tree import Expression, leaves
from kernelscribe.report.document import Strong, Text

__all__ = ["glossary"]

# Which values a kernel of each role calls alike.
_ALIKE = {
    Role.NOISE: "of the same place alone",
    Role.SMOOTH: "near each other",
    Role.ROUGH: "near each other, with something new at every moment",
    Role.CYCLE: "a whole number of periods apart",
    Role.DRIFT: "with few steps between them",
    Role.BEND: "on a line that bends",
    Role.LINE: "on a line",
    Role.STEP: "from a place on",
    Role.KINK: "on a line from a place on",
    Role.SPELL: "within a stretch",
    Role.LEVEL: "anywhere",
}

_WORDS = (
    ("Component", "one of the curves that add up to the model: a trend, a cycle, ups and downs."),
    (
        "Share",
        "of the variance: what the model explains is shared out among its components, and noise has the rest, so that all shares "
        "lie between 0 and 100 % and add up to 100 %. A component gets what it adds to the model on average over all orders in "
        "which the components can be added: those that say the same, or take back what another gives, share what they do.",
    ),
    (
        "Band",
        "the range in which the model expects a value, here in 95 of 100 cases; bands of components are about the curve, those "
        "of forecasts about the values, noise included.",
    ),
    ("Length-scale", "how far one has to go until a smooth curve may be quite another; ups and downs last about that long."),
    ("Period", "the length of one cycle."),
    ("Noise", "what differs from row to row without any pattern."),
    (
        "Cross-validated error",
        "how far off the model is on rows that were kept from it while it drew its curve; the smaller, the better. A component "
        "without which it would be no larger may be noise.",
    ),
    (
        "Kernel",
        "the formula that says which values are alike: {alike}; a sum adds curves, a product lets one change with the other.",
    ),
    ("Evidence", "the logarithm of how probable a kernel makes the data."),
    ("BIC", "the evidence less a charge for every fitted value, so that a larger kernel has to earn its size; more is better."),
    ("Nat", "the unit of both: one nat more is e = 2.7 times more probable, ten are 22,000 times."),
)


def glossary(kernel: Expression | None) -> tuple[Text, ...]:
    """Each word with what it means; of base kernels those that the kernel is made of, or those of the paper."""
    used = {leaf.kind for leaf in leaves(kernel)} if kernel is not None else set(PAPER)
    told = [name for name in BASES if name in used]
    alike = ", ".join(f"{name} for those {_ALIKE[BASES[name].role]}" for name in told)
    return tuple(Text((Strong(word), f": {meaning.format(alike=alike)}")) for word, meaning in _WORDS)

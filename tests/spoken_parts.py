"""Components of statements with values, for standardised inputs from −1.7 to 1.7."""

from kernelscribe.statements.statement import Part

# By word; what is held stands behind the size of what is placed.
VALUES = {
    "line": (0.4, 0.0),
    "bend": (0.02, -4.0),
    "drift": (0.1, -1.7),
    "smooth": (0.3, 0.5),
    "rough": (0.1, 0.1),
    "departures": (0.1, 0.12),
    "cycle": (0.2, 0.8, 0.5),
    "step": (1.0, 0.3),
    "kink": (1.0, 0.4),
    "spell": (1.0, -0.5, 0.3),
    "changing": (1.0, 1.5),
    "growing": (0.1, -2.5),
}
PLACED = ("step", "kink", "spell")


def made(noun, adjectives=(), period=None, place=None):
    """A component; of a cycle with that period, of what is placed there."""
    values = VALUES[noun]
    if period is not None:
        values = (*values[:2], period)
    if place is not None:
        values = (values[0], place, *values[2:])
    held = values[1:] if noun in PLACED else ()
    return Part(noun, tuple(adjectives), held, (values, *(VALUES[each] for each in adjectives)))

"""Words that formats write themselves. They are loaded when something is rendered: the language brings the model with it, and to
name the formats neither is needed."""

from kernelscribe.report.document import Kind

__all__ = ["callout", "chart"]


def callout(kind: Kind) -> str:
    """What stands before something that must not be overlooked."""
    from kernelscribe.report.words import language  # noqa: PLC0415

    return language.page.CALLOUTS[kind]


def chart() -> str:
    """What stands for a chart where there is no picture."""
    from kernelscribe.report.words import language  # noqa: PLC0415

    return language.page.CHART

"""Templates of Jinja, for the report and for the pages of the web: everything from outside is escaped on its way into a page."""

from typing import TYPE_CHECKING, Any

from kernelscribe.report.formats.escape import readable

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment"]


def environment(package: str) -> "Environment":
    """For the folder `templates` of a package."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    return Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )


def _shown(value: Any) -> Any:
    """Every value on its way into a page: on one line, without characters that cannot be shown."""
    return readable(value) if type(value) is str else value

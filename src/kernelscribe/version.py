"""The version of the package, once: a file, a report and a page that say it need nothing else of the package."""

__all__ = ["__version__"]

__version__ = "0.1.0"

"""What the report says, one folder a language. Which one is spoken is decided here, in one line; all others ask `language`."""

from kernelscribe.report.words import english as language

__all__ = ["language"]

"""What stands in the folder of a job, and what of it may be downloaded."""

import json
from dataclasses import dataclass
from pathlib import Path

from kernelscribe.files import COMPONENTS, FORECAST, JOURNAL, MODEL, PAGE, REPORT

__all__ = ["ASKED", "DOWNLOADS", "NOISE", "OUT", "OUTCOME", "PROGRAM", "RESULT", "STOP", "Download", "aim", "offered"]

# What was asked for: the process reads it when it begins.
ASKED = "asked.json"
# How it ended: the server reads it, even one that was started meanwhile.
OUTCOME = "outcome.json"
# The result as `run --json` prints it, for the pages that compare.
RESULT = "result.json"
# Whoever makes this file wishes the search to stop: that works across processes, and across a restart.
STOP = "stop"
# What the process says by the way: for whoever looks into a failure.
NOISE = "noise.txt"
# The folder that `kernelscribe run` would write.
OUT = "out"
# The program that does it again.
PROGRAM = "reproduce.py"


@dataclass(frozen=True, slots=True)
class Download:
    """One file that a job offers.

    Attributes:
        made: the format that `kernelscribe report` makes of the saved report, when it is first asked for; "" where the file is
            there from the beginning.
    """

    name: str
    label: str
    kind: str
    made: str = ""

    @property
    def source(self) -> str:
        """The file in the folder of results that must be there for it."""
        return REPORT if self.made else self.name


DOWNLOADS = (
    Download(PAGE, "Report (web page)", "text/html"),
    Download("report.pdf", "Report (PDF)", "application/pdf", "pdf"),
    Download("report-markdown.zip", "Report (Markdown with its figures)", "application/zip", "md"),
    Download(FORECAST, "Forecast (CSV)", "text/csv"),
    Download(COMPONENTS, "Parts at every row (CSV)", "text/csv"),
    Download(MODEL, "Model (JSON)", "application/json"),
    Download(PROGRAM, "Python program that does it again", "text/x-python"),
    Download(JOURNAL, "Journal of the search (JSON lines)", "application/x-ndjson"),
)


def offered(folder: Path) -> list[Download]:
    """What there is to download by now."""
    return [each for each in DOWNLOADS if (folder / OUT / each.source).is_file()]


def aim(folder: Path) -> str | None:
    """The fingerprint of what was explained, as the head of the journal has it; None where there is none."""
    try:
        with (folder / OUT / JOURNAL).open("rb") as journal:
            found = json.loads(journal.readline())["aim"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, str) else None

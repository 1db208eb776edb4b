"""The process of one job: `python -m kernelscribe.web.job FOLDER`.

It does what `kernelscribe run` does, by the same functions, in the folder that the server made for it. The journal there lets it
go on where it was, if it is begun a second time. It ends when the server does: a new one begins it again.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from kernelscribe.api.analysis import Analysis
from kernelscribe.app.results import write_results
from kernelscribe.app.run import Request, find, look
from kernelscribe.config import seconds
from kernelscribe.data.reading import Reading
from kernelscribe.errors import JournalError, KernelscribeError, OutputError
from kernelscribe.events import Stop
from kernelscribe.faces import Face
from kernelscribe.files import JOURNAL, write
from kernelscribe.report.description.program import program
from kernelscribe.report.description.view import View
from kernelscribe.report.words import language
from kernelscribe.search.lock import Lock
from kernelscribe.summary import analysis_dict
from kernelscribe.web.ending import Ending, write_ending
from kernelscribe.web.folder import ASKED, OUT, PROGRAM, RESULT, STOP
from kernelscribe.web.log import Log, spent
from kernelscribe.web.recorder import Recorder

__all__ = ["main", "work"]

# Seconds between two looks whether the server is still there: short enough that a new one need not wait.
_WATCH = 0.5
# Seconds that the process before this one may take to end, and hold the folder until then.
_WAIT = 15.0


def main(folder: Path) -> int:
    """Do the job in the folder; what became of it stands in a file there."""
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    asked = json.loads((folder / ASKED).read_text(encoding="utf-8"))
    with _alone(folder), Log(folder, asked["began"]) as log:
        try:
            ending = work(folder, asked, log)
        except JournalError:
            ending = Ending("failed", "What an earlier run of this search has left behind cannot be read: run it again.")
        except OutputError:
            ending = Ending("failed", "The results cannot be written: the disk may be full. Make room and run it again.")
        except KernelscribeError as error:
            ending = Ending("failed", error.said(Face.PAGE))
        except MemoryError:
            ending = Ending("failed", "There is not enough memory for this search: choose fewer columns, or bring fewer rows.")
        write_ending(folder, ending)
    return 0


def work(folder: Path, asked: dict[str, Any], log: Log) -> Ending:
    """Search and write everything; what the server remembers of it."""
    request = _request(folder, asked)
    recorder = Recorder(log)
    data, config = look(request)
    found = find(request, data, config, on_event=recorder, stop=lambda: Stop.USER if (folder / STOP).exists() else None)
    write_results(found, request.folder, request.forecast)
    result = analysis_dict(found)
    write(folder / OUT / PROGRAM, program(View(found, request.forecast), asked["name"], asked["reading"]))
    write(folder / RESULT, json.dumps(result, allow_nan=False))
    return _ending(found, result)


def _request(folder: Path, asked: dict[str, Any]) -> Request:
    options = dict(asked["options"])
    if "budget" in options:
        # What is left of the time, where the search was begun before.
        options["budget"] = max(seconds(options["budget"]) - spent(folder), 0.0)
    return Request(
        file=Path(asked["file"]),
        name=asked["name"],
        reading=Reading.of(asked["reading"]),
        options=options,
        typed=frozenset(options),
        out=folder / OUT,
        forecast=asked["forecast"],
        workers=asked["workers"],
        resume=(folder / OUT / JOURNAL).exists(),
    )


def _ending(found: Analysis, result: dict[str, Any]) -> Ending:
    stopped, best = found.outcome.stopped, found.outcome.best
    why = "" if stopped is None else language.facts.stop(stopped)
    message = f"{why[0].upper()}{why[1:]}: what was known by then is reported." if why else ""
    summary = {
        "rows": result["n"] if "n" in result else len(found.model.data.y),
        "target": found.model.data.target,
        "inputs": list(found.model.data.names),
        "best": result["kernel"],
        "best_bic": result.get("bic"),
        "kernel_words": None if best is None else result["statement"] or language.brief.brief(best.expr, found.model.data.names),
        "headline": found.headline,
    }
    return Ending("stopped" if stopped is Stop.USER else "done", message, summary)


def _watch(parent: int) -> None:
    """End with the server."""
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)


def _alone(folder: Path) -> Lock:
    """The folder for this process alone; the one before it may be about to end."""
    end = time.monotonic() + _WAIT
    while True:
        try:
            return Lock(folder / "job")
        except JournalError:
            if time.monotonic() > end:
                raise
            time.sleep(_WATCH / 2)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

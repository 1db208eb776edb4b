"""Plays the process of a job for tests: the number of steps to forecast says what it does, the target is all that it finds."""

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from kernelscribe.web.ending import Ending, write_ending
from kernelscribe.web.folder import ASKED, RESULT, STOP
from kernelscribe.web.log import Log

DONE, HANG, FAIL, CRASH, KILLED = 1, 2, 3, 4, 5


def main(folder):
    asked = json.loads((folder / ASKED).read_text())
    part, word = asked["forecast"], asked["reading"].get("target", "y")
    inputs = asked["reading"].get("inputs", [word])
    summary = {name: word for name in ("target", "best", "kernel_words", "headline")}
    ending = Ending("done", summary={**summary, "rows": 3, "inputs": inputs, "best_bic": None})
    with Log(folder) as log:
        log.add("began", rows=3, inputs=inputs, target=word, engine="exact", strategy="auto", workers=1, known=0)
        if part == CRASH:
            raise RuntimeError(f"a secret of {folder}")
        if part == KILLED:
            os.kill(os.getpid(), signal.SIGKILL)
        if part == FAIL:
            ending = Ending("failed", f"There is no column {word}.")
        parent = os.getppid()
        while part == HANG and os.getppid() == parent:
            if (folder / STOP).exists():
                ending = replace(ending, state="stopped", message="You stopped it.")
                break
            time.sleep(0.02)
        log.add("reporting")
    component = {"text": word, "summary": word, "share": 0.5}
    result = {"kernel": word, "headline": word, "explained": 0.5, "decision": word, "components": [component]}
    (folder / RESULT).write_text(json.dumps(result))
    write_ending(folder, ending)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Our side on a series: `python ours_series.py ENGINE KERNEL TIMES ROWS`, in a process of its own."""

import math
import sys
from dataclasses import replace

import numpy as np

from kernelscribe import Config, Dataset, __version__, parse
from kernelscribe.engines.choose import prepare
from kernelscribe.kernels import Form, pack
from series_problems import LENGTHSCALE, NOISE, VARIANCE, coordinates, made, tell

engine, name, kind, rows = sys.argv[1:]
x, y = made(kind, int(rows))
expr = parse(f"{name}(variance={VARIANCE!r}, lengthscale={LENGTHSCALE!r})")
form, u = Form.of(expr), np.append(pack(expr), math.log(NOISE))
if not np.allclose(u, coordinates(), rtol=0, atol=1e-12):
    raise SystemExit(f"the coordinates are {u}, not the logarithms that the peers take gradients in")
# The data as they are, not standardised, so that values can be compared.
prepared = prepare(replace(Dataset.of(x, y), X=x[:, None], y=y), Config(engine=engine))
tell(__version__, lambda: prepared.value(form, u), lambda: prepared.objective(form, u))

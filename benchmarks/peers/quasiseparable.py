"""celerite2 and tinygp on a series: `python quasiseparable.py LIBRARY KERNEL TIMES ROWS`, in the peers' own environment.

celerite2 has values in NumPy and gradients in JAX, tinygp has both in JAX. celerite2's Matérn is its own approximation, at its
default of eps = 0.01; all else is exact up to rounding.
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

os.environ["JAX_ENABLE_X64"] = "True"

import celerite2
import celerite2.jax
import jax
import jax.numpy as jnp
import numpy as np
import tinygp

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from series_problems import LENGTHSCALE, NOISE, VARIANCE, coordinates, made, tell


def celerite_term(terms, kernel, variance, lengthscale):
    if kernel == "ROUGH":
        return terms.RealTerm(a=variance, c=1 / lengthscale)
    return terms.Matern32Term(sigma=variance**0.5, rho=lengthscale)


def celerite(kernel, x, y):
    process = celerite2.GaussianProcess(celerite_term(celerite2.terms, kernel, VARIANCE, LENGTHSCALE), mean=0.0)

    def value():
        process.compute(x, diag=np.full(len(x), NOISE))
        return process.log_likelihood(y)

    def evidence(u, x, y):
        variance, lengthscale, noise = jnp.exp(u)
        term = celerite_term(celerite2.jax.terms, kernel, variance, lengthscale)
        process = celerite2.jax.GaussianProcess(term, mean=0.0)
        process.compute(x, diag=jnp.full(len(x), noise))
        return process.log_likelihood(y)

    return value, compiled(jax.value_and_grad(evidence), x, y)


def tiny(kernel, x, y):
    kind = {"ROUGH": tinygp.kernels.quasisep.Exp, "MATERN": tinygp.kernels.quasisep.Matern32}[kernel]

    def evidence(u, x, y):
        variance, lengthscale, noise = jnp.exp(u)
        return tinygp.GaussianProcess(variance * kind(scale=lengthscale), x, diag=noise).log_probability(y)

    return compiled(evidence, x, y), compiled(jax.value_and_grad(evidence), x, y)


def compiled(function, x, y):
    fast = jax.jit(function)
    u, x, y = jnp.array(coordinates()), jnp.array(x), jnp.array(y)
    return lambda: jax.block_until_ready(fast(u, x, y))


library, name, kind, rows = sys.argv[1:]
tell(version(library), *{"celerite2": celerite, "tinygp": tiny}[library](name, *made(kind, int(rows))))

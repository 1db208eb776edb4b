"""Scoring one kernel from Python: how well it explains the data, at given values or at fitted ones."""

import math
from typing import Any

from kernelscribe.config import Config, configure
from kernelscribe.data.dataset import Dataset, asked_link, varied
from kernelscribe.engines.interval import Evidence
from kernelscribe.errors import KernelError
from kernelscribe.fit.facts import Fit
from kernelscribe.fit.kernel import certify, fit
from kernelscribe.kernels.language import parse
from kernelscribe.kernels.tree import Expression, owners
from kernelscribe.kernels.units import to_standard
from kernelscribe.noises import Constant, Noise

__all__ = ["evidence", "fit_kernel", "understand"]


def understand(kernel: str | Expression, data: Dataset) -> Expression:
    """The kernel as an expression that fits the data's inputs, values in the user's units as given."""
    varied(data)
    inputs = data.X.shape[1]
    expr = parse(kernel, inputs=inputs) if isinstance(kernel, str) else kernel
    for leaf in owners(expr):
        if leaf.dim > inputs:
            raise KernelError(f"{leaf} names input {leaf.dim}, but the data have {inputs}")
    given = [leaf.values is not None for leaf in owners(expr)]
    if any(given) and not all(given):
        raise KernelError("give values for every part of the kernel, or for none")
    return expr


def fit_kernel(kernel: str | Expression, X: Any, y: Any, *, noise: str | float | Noise | None = None, **options: Any) -> Fit:
    """Fit a kernel to data and certify the result.

    Args:
        kernel: text such as "SE*PER + LIN", or an expression. Values in it, in the data's units, are starting values.
        X: inputs [N] or [N, D]; y: the target [N].
        noise: its kind, as the option of this name, or where the fit starts: a variance, the same everywhere, or noise of
            another kind, as the `user_noise` of a fit; in the data's units.
        options: any other of `kernelscribe.Config`.
    """
    data, (config, start) = Dataset.of(X, y), _configured(noise, options)
    return fit_data(kernel, data, config, noise=start)


def _configured(noise: str | float | Noise | None, options: dict[str, Any]) -> tuple[Config, float | Noise | None]:
    """The options with the kind of the noise, and its values where they are given."""
    if isinstance(noise, str):
        return configure({**options, "noise": noise}), None
    return configure(options), noise


def fit_data(kernel: str | Expression, data: Dataset, config: Config, *, noise: float | Noise | None = None) -> Fit:
    """The same for data that are already checked and scaled."""
    data = asked_link(data, config.transform)
    expr = understand(kernel, data)
    if all(leaf.values is not None for leaf in owners(expr)):
        expr = to_standard(expr, data.inputs, data.output)
    return fit(data, expr, config, noise=None if noise is None else _noise(noise, data))


def evidence(kernel: str | Expression, X: Any, y: Any, *, noise: str | float | Noise | None = None, **options: Any) -> Evidence:
    """The certified interval of log p(y), for y scaled to mean 0 and variance 1, in nats.

    A kernel with values, as in "SE(variance=4, lengthscale=2.5)", is scored at them and at `noise`, all in the data's
    units: a variance, or noise as the `user_noise` of a fit. Without values it is fitted first, with noise as `fit_kernel` takes
    it. Options are those of `kernelscribe.Config`.
    """
    data, (config, values) = Dataset.of(X, y), _configured(noise, options)
    data = asked_link(data, config.transform)
    expr = understand(kernel, data)
    if any(leaf.values is None for leaf in owners(expr)):
        return fit_data(expr, data, config, noise=values).evidence
    if values is None:
        raise KernelError("a kernel with values needs the noise variance too: noise=...")
    return certify(data, to_standard(expr, data.inputs, data.output), _noise(values, data), config)


def _noise(noise: float | Noise, data: Dataset) -> Noise:
    given = noise if isinstance(noise, Noise) else Constant(noise)
    for parameter, value in zip(given.parameters, given.values, strict=True):
        if not (0 if parameter.positive else -math.inf) < value < math.inf:
            needed = "positive and finite" if parameter.positive else "finite"
            raise KernelError(f"the noise {parameter.name} must be {needed}, got {value:g}")
    return given.standard(data.inputs, data.output)

"""The command line. Results go to standard output, everything else to standard error.

Heavy modules are loaded by the command that needs them, so that `--help` answers at once.
"""

import json as jsonlib
import sys
from collections.abc import Callable
from dataclasses import fields
from enum import IntEnum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import click

from kernelscribe import __version__
from kernelscribe.config import Config, configure
from kernelscribe.errors import KernelscribeError

__all__ = ["Exit", "cli", "main"]


class Exit(IntEnum):
    """What the exit code says."""

    DONE = 0
    BAD_INPUT = 2
    NO_MODEL = 3
    STOPPED = 130


def config_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command every option of Config."""
    hints = get_type_hints(Config)
    for each in reversed(fields(Config)):
        option = each.metadata["option"]
        kinds = [kind for kind in get_args(hints[each.name]) if kind is not NoneType] or [hints[each.name]]
        command = click.option(
            f"--{each.name.replace('_', '-')}",
            type=click.Choice(option.choices) if option.choices else kinds[0],
            default=each.default,
            show_default=each.default is not None,
            help=option.help[0].upper() + option.help[1:] + ".",
        )(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="kernelscribe")
def cli() -> None:
    """Find the structure of your data, and how sure that is."""


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("kernel")
@click.option("--target", help="Name of the target column; the last one when not given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@config_options
def score(file: Path, kernel: str, target: str | None, as_json: bool, **options: Any) -> None:
    """Fit one KERNEL, such as "SE*PER + LIN", to the table in FILE and bound its evidence.

    FILE is a comma-separated table of numbers. The kernel is made of SE (smooth), PER (periodic) and LIN (linear) with + and
    *; where there are several inputs, each name carries the number of its input, as in "SE1*PER1 + LIN2". Values may be
    given in the data's units as starting values: "SE(variance=1, lengthscale=2)".
    """
    from kernelscribe.data.table import read  # noqa: PLC0415
    from kernelscribe.score import fit_data  # noqa: PLC0415
    from kernelscribe.summary import as_dict, as_text  # noqa: PLC0415

    config = configure(options)
    fit = fit_data(kernel, read(file, target), config)
    if as_json:
        click.echo(jsonlib.dumps(as_dict(fit), allow_nan=False))
    elif fit.usable:
        click.echo(as_text(fit))
    if not fit.usable:
        click.echo(f"No model: {fit.status.value}.", err=True)
        sys.exit(Exit.NO_MODEL)


@cli.command()
@click.option("--seed", default=0, show_default=True, help="Seed of every random choice.")
def demo(seed: int) -> None:
    """Score a few kernels on the embedded Mauna Loa series."""
    from kernelscribe.datasets import load  # noqa: PLC0415
    from kernelscribe.score import fit_data  # noqa: PLC0415
    from kernelscribe.summary import comparison  # noqa: PLC0415

    data = load("mauna_loa")
    click.echo(
        f"Atmospheric CO2 at Mauna Loa: {len(data.y)} monthly means, 1958 to 2001. How well does each kernel explain it?\n"
    )
    config = Config(inducing=80, seed=seed)
    kernels = ("LIN", "SE", "PER + LIN", "SE + PER", "SE + PER + LIN", "SE*PER + SE + LIN")
    fits = []
    with click.progressbar(kernels, label="Fitting", file=sys.stderr) as bar:
        for kernel in bar:
            fits.append(fit_data(kernel, data, config))
    click.echo(comparison(fits))


def main() -> None:
    """Run the command line: one plain sentence for input that cannot be used, and no traceback."""
    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(Exit.BAD_INPUT)
    except KernelscribeError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(Exit.BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(Exit.STOPPED)
    except BrokenPipeError:
        # The reader went away, as `| head` does; the interpreter must not try to flush again.
        sys.stdout = None
        sys.exit(Exit.DONE)

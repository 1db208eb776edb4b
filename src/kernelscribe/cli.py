"""The command line. Results go to standard output, everything else to standard error.

Heavy modules are loaded by the command that needs them, so that `--help` answers at once.
"""

import json as jsonlib
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import click

from kernelscribe import __version__
from kernelscribe.config import Config, configure, seconds
from kernelscribe.errors import KernelscribeError, OptionError
from kernelscribe.exits import Exit

__all__ = ["Exit", "cli", "main"]


class Duration(click.ParamType[Any]):
    """90, 90s, 10m or 2h."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return seconds(value)
        except OptionError as error:
            self.fail(str(error), param, ctx)


def config_options(command: Callable[..., Any], *, search: bool = False) -> Callable[..., Any]:
    """Give a command the options of Config: all of them, or those that concern one kernel."""
    hints = get_type_hints(Config)
    for each in reversed(fields(Config)):
        option = each.metadata["option"]
        if option.search and not search:
            continue
        kinds = [kind for kind in get_args(hints[each.name]) if kind is not NoneType] or [hints[each.name]]
        command = click.option(
            f"--{each.name.replace('_', '-')}",
            type=click.Choice(option.choices) if option.choices else Duration() if option.duration else kinds[0],
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


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command every option of Config."""
    return config_options(command, search=True)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--target", help="Name of the target column; the last one when not given.")
@click.option("--time", "time_column", help="Name of the time column, when it is the only input.")
@click.option("--inputs", help="Names of the input columns, separated by commas; all others when not given.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for the results; FILE's name with -kernelscribe when not given."
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes to use; one for each core when not given.")
@click.option("--dask", metavar="ADDRESS", help="Address of a Dask scheduler whose workers do the fitting.")
@click.option("--resume", is_flag=True, help="Go on with the search in that folder, with its own options.")
@click.option("--force", is_flag=True, help="Write over the results in that folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@search_options
@click.pass_context
def run(context: click.Context, /, file: Path, **given: Any) -> None:
    """Search for the kernel that explains the table in FILE best, and say how sure that is.

    FILE is a comma-separated table of numbers. Writes search.jsonl, the journal of the search, and model.json, the chosen model,
    and prints the model. A search that was stopped or killed goes on with --resume.
    """
    from kernelscribe.running import Request, run_search  # noqa: PLC0415

    names = {each.name for each in fields(Config)}
    typed = {name for name in names if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE}
    rest = {name: value for name, value in given.items() if name not in names}
    sys.exit(run_search(Request(file=file, options={n: given[n] for n in names}, typed=frozenset(typed), **rest)))


@cli.command()
@click.option("--depth", default=3, show_default=True, help="Rounds of growing kernels.")
@click.option("--seed", default=0, show_default=True, help="Seed of every random choice.")
def demo(depth: int, seed: int) -> None:
    """Search the embedded Mauna Loa series for its structure."""
    from kernelscribe.datasets import load  # noqa: PLC0415
    from kernelscribe.discovery import search  # noqa: PLC0415
    from kernelscribe.display import display  # noqa: PLC0415
    from kernelscribe.search.tree import tree  # noqa: PLC0415
    from kernelscribe.summary import discovery_text  # noqa: PLC0415

    data = load("mauna_loa")
    click.echo(f"Atmospheric CO2 at Mauna Loa: {len(data.y)} monthly means, 1958 to 2001. What structure is in it?\n")
    shown = display(sys.stderr)
    try:
        found = search(data, Config(depth=depth, seed=seed), tell=shown)
    finally:
        shown.close()
    click.echo(f"\n{tree(found.state)}\n\n{discovery_text(found)}")


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

"""The command line. Results go to standard output, everything else to standard error.

Heavy modules are loaded by the command that needs them, so that `--help` answers at once.
"""

import json as jsonlib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import click

from kernelscribe.app.exits import Exit
from kernelscribe.app.outlets import open_streams
from kernelscribe.config import Config, Option, chosen, configure, seconds
from kernelscribe.config import options as options_of_config
from kernelscribe.data.reading import Reading
from kernelscribe.data.reading import reading_options as options_of_reading
from kernelscribe.engines.registry import engine_choices
from kernelscribe.errors import KernelscribeError, OptionError, OutputError
from kernelscribe.faces import Face
from kernelscribe.version import __version__

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
    hints, defaults = get_type_hints(Config), chosen(Config())
    for name, option in reversed(options_of_config().items()):
        if option.search and not search:
            continue
        kinds = [kind for kind in get_args(hints[name]) if kind is not NoneType] or [hints[name]]
        command = click.option(
            f"--{name.replace('_', '-')}",
            type=_type(option, kinds[0]),
            default=defaults[name],
            show_default=defaults[name] is not None,
            help=option.help[0].upper() + option.help[1:] + ".",
        )(command)
    return command


def _type(option: Option, kind: Any) -> Any:
    """How a value is read from the command line; names are taken apart by `configure`."""
    if option.choices or option.named:
        return click.Choice(option.choices or engine_choices())
    return Duration() if option.duration else str if option.names else kind


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="kernelscribe")
def cli() -> None:
    """Find the structure of your data, and how sure that is."""


def _pairs(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """COLUMN=VALUE, any number of times."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not name.strip() or not sign:
            raise click.BadParameter(f"{text!r} names no column and value: write it as in store=A", context, option)
        if name.strip() in found:
            raise click.BadParameter(f"{name.strip()!r} is given twice: a column can have one value", context, option)
        found[name.strip()] = value.strip()
    return found


def _names(context: click.Context, option: click.Parameter, given: str | None) -> list[str] | None:
    """Names with commas between them."""
    return None if given is None else [name.strip() for name in given.split(",")]


# How click takes each kind of option of `Reading`.
_KINDS: dict[str, dict[str, Any]] = {
    "text": {},
    "names": {"callback": _names},
    "pairs": {"callback": _pairs, "metavar": "COLUMN=VALUE", "multiple": True},
}


def reading_options(command: Callable[..., Any], names: tuple[str, ...] = ()) -> Callable[..., Any]:
    """Give a command the options that say how a file is read: all of them, or those of these names."""
    for name, option in reversed(options_of_reading().items()):
        if names and name not in names:
            continue
        help_ = f"{option.help[0].upper()}{option.help[1:]}; {option.usual} when not given.".replace("`", "")
        command = click.option(f"--{name.replace('_', '-')}", help=help_, **_KINDS[Reading.kind(name)])(command)
    return command


def text_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how the cells of a file are written."""
    return reading_options(command, ("date_format", "encoding"))


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("kernel")
@reading_options
@json_option
@config_options
def score(file: Path, kernel: str, as_json: bool, **given: Any) -> None:
    """Fit one KERNEL, such as "SE*PER + LIN", to the table in FILE and bound its evidence.

    The kernel is made of SE (smooth), PER (periodic) and LIN (linear) with + and *; where there are several inputs, each name
    carries the number of its input, as in "SE1*PER1 + LIN2". Values may be given in the data's units as starting values:
    "SE(variance=1, lengthscale=2)".
    """
    from kernelscribe.api.score import fit_data  # noqa: PLC0415
    from kernelscribe.data.reader import file_data  # noqa: PLC0415
    from kernelscribe.summary import as_dict, as_text  # noqa: PLC0415

    reading, options = _divide(given)
    config = configure(options)
    fit = fit_data(kernel, file_data(file, Reading.of(reading), config.memory), config)
    if as_json:
        click.echo(jsonlib.dumps(as_dict(fit), allow_nan=False))
    elif fit.usable:
        click.echo(as_text(fit))
    if not fit.usable:
        click.echo(f"No model: {fit.status.value}.", err=True)
        sys.exit(Exit.NO_MODEL)


def _divide(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was given to a command: the rest, and the options of Config."""
    names = options_of_config()
    return {n: v for n, v in given.items() if n not in names}, {n: v for n, v in given.items() if n in names}


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command every option of Config."""
    return config_options(command, search=True)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@reading_options
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for the results; FILE's name with -kernelscribe when not given."
)
@click.option("--forecast", type=click.IntRange(min=1), help="Steps to forecast; a tenth of the range when not given.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes to use; one for each core when not given.")
@click.option("--dask", metavar="ADDRESS", help="Address of a Dask scheduler whose workers do the fitting.")
@click.option("--resume", is_flag=True, help="Go on with the search in that folder, with its own options.")
@click.option("--force", is_flag=True, help="Write over the results in that folder.")
@json_option
@search_options
@click.pass_context
def run(context: click.Context, /, file: Path, **given: Any) -> None:
    """Find the structure of the table in FILE, and write a report of it.

    Writes a folder: index.html, the report; model.json, the model; components.csv and forecast.csv; search.jsonl, the journal of
    the search, with which one that was stopped or killed goes on (--resume); report.json, from which `kernelscribe report` makes
    other formats.
    """
    rest, options = _divide(given)
    typed = {name for name in options if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE}
    reading = Reading.of({name: rest.pop(name) for name in options_of_reading()})
    with _workers(rest["workers"] if rest["dask"] is None and file.exists() else 0):
        from kernelscribe.app.run import Request, run_search  # noqa: PLC0415

        code = run_search(Request(file, reading=reading, options=options, typed=frozenset(typed), **rest))
    sys.exit(code)


def _workers(count: int | None) -> AbstractContextManager[None]:
    """Begin to start so many workers, one for each core if not given: they load what they need while this process does."""
    from kernelscribe.search.pool import cores, early  # noqa: PLC0415

    open_streams()
    return early(cores() if count is None else count)


@cli.command()
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("kernelscribe-demo"), show_default=True, help="Folder for the results."
)
@click.option("--depth", type=int, help="Rounds of growing kernels; three when not given.")
@click.option("--seed", default=0, show_default=True, help="Seed of every random choice.")
@json_option
def demo(out: Path, depth: int | None, seed: int, as_json: bool) -> None:
    """Do the main job on the embedded Mauna Loa series, and say where the report is."""
    with _workers(None):
        from kernelscribe.app.run import Request, run_search  # noqa: PLC0415
        from kernelscribe.datasets import about, load  # noqa: PLC0415

        if not as_json:
            click.echo(f"{about('mauna_loa')}\n")
        options = {"depth": depth, "seed": seed}
        code = run_search(Request(loaded=load("mauna_loa"), options=options, out=out, force=True, as_json=as_json))
    sys.exit(code)


def known_format(context: click.Context, option: click.Parameter, value: str) -> str:
    """One of the formats of a report, which are loaded when one is asked for."""
    from kernelscribe.report.formats.render import FORMATS  # noqa: PLC0415

    return str(click.Choice(tuple(FORMATS)).convert(value, option, context))


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    callback=known_format,
    metavar="FORMAT",
    default="html",
    show_default=True,
    help="Of the report: html, pdf, md or json.",
)
@click.option("--out", type=click.Path(path_type=Path), help="File to write; report.FORMAT in that folder when not given.")
def report(folder: Path, format_: str, out: Path | None) -> None:
    """Write the report of a finished run in FOLDER once more, in another format."""
    from kernelscribe.app.results import saved_report  # noqa: PLC0415
    from kernelscribe.report.formats.render import write_report  # noqa: PLC0415

    path = (out or folder / f"report.{format_}").absolute()
    try:
        click.echo(str(write_report(saved_report(folder), path, format_)))
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None


level_option = click.option(
    "--level",
    "levels",
    type=float,
    multiple=True,
    default=(95.0,),
    show_default=True,
    help="Band in per cent, as in 95, or as a share below 1, as in 0.95; may be given several times.",
)
table_option = click.option("--out", type=click.Path(path_type=Path), help="CSV file to write; standard output when not given.")


@cli.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@text_options
@level_option
@table_option
def predict(
    model: Path, file: Path, date_format: str | None, encoding: str | None, levels: tuple[float, ...], out: Path | None
) -> None:
    """Predict the target at the rows of FILE, which has the input columns that MODEL (model.json) was fitted with."""
    from kernelscribe.api.analysis import load  # noqa: PLC0415
    from kernelscribe.app.run import print_table  # noqa: PLC0415
    from kernelscribe.data import read_points  # noqa: PLC0415

    found = load(model)
    points = read_points(file, found.model.axes, date_format=date_format, encoding=encoding)
    print_table(found.predict(points, levels), out)


@cli.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--horizon", type=click.IntRange(min=1), help="Steps to forecast; a tenth of the range when not given.")
@level_option
@table_option
def forecast(model: Path, horizon: int | None, levels: tuple[float, ...], out: Path | None) -> None:
    """Forecast the series that MODEL (model.json) was fitted to, from its last row on."""
    from kernelscribe.api.analysis import load  # noqa: PLC0415
    from kernelscribe.app.run import print_table  # noqa: PLC0415

    print_table(load(model).forecast(horizon, levels), out)


@cli.command()
def datasets() -> None:
    """List the embedded data sets."""
    from kernelscribe.datasets import NAMES, about  # noqa: PLC0415

    for name in NAMES:
        click.echo(f"{name}\n  {about(name)}")


def main() -> None:
    """Run the command line: one plain sentence for input that cannot be used, and no traceback."""
    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(Exit.BAD_INPUT)
    except OutputError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(Exit.CANNOT_WRITE)
    except KernelscribeError as error:
        click.echo(f"Error: {error.said(Face.TERMINAL)}", err=True)
        sys.exit(Exit.BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(Exit.STOPPED)
    except BrokenPipeError:
        # The reader went away, as `| head` does; the interpreter must not try to flush again.
        sys.stdout = None
        sys.exit(Exit.DONE)

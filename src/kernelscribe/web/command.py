"""The command `kernelscribe web`. The server and its libraries are loaded when it runs, so that `--help` answers at once."""

from pathlib import Path

import click

from kernelscribe.errors import OptionError
from kernelscribe.folders import home
from kernelscribe.web.settings import PORT, TOKEN, Settings

__all__ = ["web"]


@click.command()
@click.option(
    "--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="Port to listen at; 0 for any that is free."
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen at; another than this machine's own needs a token."
)
@click.option("--token", envvar=TOKEN, help=f"What a browser must show; also in the environment as {TOKEN}.")
@click.option(
    "--max-upload", default=200.0, show_default=True, type=click.FloatRange(0.001), help="Megabytes of one file, at most."
)
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    help="Folder for files and results; that of your programs' data when not given.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def web(port: int, host: str, token: str | None, max_upload: float, data_dir: Path | None, no_open: bool) -> None:
    """Start the browser application on this machine: files in, searches live, reports and their history."""
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise OptionError('the browser application needs the extra web: pip install "kernelscribe[web]"') from None
    from kernelscribe.web.serve import serve  # noqa: PLC0415

    folder = (data_dir or home()).absolute()
    serve(
        Settings(folder=folder, host=host, port=port, token=token or None, max_upload=round(max_upload * 1e6)), show=not no_open
    )

"""The command `kernelscribe`, and `python -m kernelscribe`: the command line, and beside it the browser application."""

from kernelscribe.app.cli import cli, main
from kernelscribe.web.command import web

__all__ = ["cli", "main"]

cli.add_command(web)

if __name__ == "__main__":
    main()

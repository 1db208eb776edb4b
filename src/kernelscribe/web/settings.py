"""What the server is told when it starts, in one frozen value."""

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

__all__ = ["PORT", "TOKEN", "Settings", "local"]

# Free of common programs, and easy to remember.
PORT = 8321
# The environment variable of the token, for those who do not want it in the list of processes.
TOKEN = "KERNELSCRIBE_TOKEN"  # noqa: S105  (its name, not its value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Limits and places.

    Attributes:
        token: what a browser must show, where others than this machine may ask; None for this machine alone.
        max_upload: bytes of one file; `quota`: bytes of the whole folder.
        waiting: jobs that may wait; `at_once`: jobs that run.
        keep: seconds for which a file without a job is kept.
        pause: longest wait for the next bytes of a request, and `patience` for all of them, in seconds.
        preview_time, render_time: seconds after which reading a table or making a PDF is given up.
        worker: the module whose process does a job.
    """

    folder: Path
    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = None
    max_upload: int = 200_000_000
    quota: int = 10_000_000_000
    waiting: int = 20
    at_once: int = 2
    keep: float = 3600.0
    pause: float = 20.0
    patience: float = 1800.0
    preview_time: float = 120.0
    render_time: float = 900.0
    worker: str = "kernelscribe.web.job"

    @property
    def uploads(self) -> Path:
        return self.folder / "uploads"

    @property
    def jobs(self) -> Path:
        return self.folder / "jobs"


def local(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

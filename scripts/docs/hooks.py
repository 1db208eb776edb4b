"""Hooks of the docs' site: what lets it open from the disk, where a page may neither fetch a file nor start a worker.

The search is that of theme/search/main.js, and its index a script like any other.
"""

from pathlib import Path
from typing import Any

# Where mkdocs writes the index of the search, which a page from the disk may not fetch.
_INDEX = "search/search_index.json"
# Where it stands instead, as a script.
_SCRIPT = "search/index.js"


def on_config(config: Any) -> None:
    """Leave out the page for addresses that lead nowhere: it finds its own scripts only at the top of a host."""
    config.theme.static_templates.discard("404.html")


def on_files(files: Any, config: Any) -> Any:
    """Leave out the worker of the search that ours stands for."""
    files.remove(files.get_file_from_path("search/worker.js"))
    return files


def on_post_build(config: Any) -> None:
    """The index of the search as a script: what is JSON is JavaScript too."""
    index = Path(config.site_dir, _INDEX)
    Path(config.site_dir, _SCRIPT).write_text(f"var found_in_docs = {index.read_text('utf-8')};\n", "utf-8")
    index.unlink()

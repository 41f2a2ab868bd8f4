"""Where embedded parts keep their data."""

import os
from pathlib import Path

VARIABLE = "APTBOARD_HOME"


def home() -> Path:
    """Folder of everything that embedded parts write; not created here.

    `APTBOARD_HOME` if set; else `.local` beside the project when this package runs from a source checkout; else the
    user's data folder (`$XDG_DATA_HOME/aptboard`, by default `~/.local/share/aptboard`).
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    project = Path(__file__).resolve().parents[2]
    if (project / "pyproject.toml").is_file():
        return project / ".local"
    data = os.environ.get("XDG_DATA_HOME")
    base = Path(data) if data and Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "aptboard"


def private_folder(path: Path) -> Path:
    """Make a folder for this user only, and its missing parents so that others may pass but not look.

    Folders that exist stay as they are, their permissions too.
    """
    for folder in reversed(path.parents):
        folder.mkdir(mode=0o711, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    return path

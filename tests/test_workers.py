"""Tests in several processes: nothing is lost, whatever a test does to its process. Tried on a small project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
FILES = {
    "conftest.py": "import pytest\nfrom workers import Workers\n\n"
    "def pytest_configure(config):\n    config.pluginmanager.register(Workers(3))\n\n"
    "@pytest.fixture(scope='session')\ndef shared(tmp_path_factory):\n"
    "    yield tmp_path_factory.mktemp('shared')\n    open('closed.txt', 'a').write('closed\\n')\n",
    "test_dies.py": "import os\n\ndef test_before():\n    pass\n\n"
    "def test_dies():\n    os._exit(7)\n\ndef test_after():\n    pass\n",
    "test_fails.py": "def test_fails(capsys):\n    print('said in vain')\n    assert 1 + 1 == 3\n\n"
    "def test_passes():\n    pass\n",
    "test_waits.py": "import pytest\n\npytestmark = pytest.mark.waits\n\n"
    "def test_skipped():\n    pytest.skip('not today')\n\n"
    "def test_shares(shared):\n    assert shared.is_dir()\n",
}
NOTE = "    open('ran.txt', 'a').write(__name__ + f' {os.getpid()}\\n')\n\n"
FILES |= {
    f"test_file_{n}.py": f"import os\n\ndef test_one(shared):\n{NOTE}def test_two(shared):\n{NOTE}" for n in range(6)
}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    shutil.copyfile(HERE / "workers.py", folder / "workers.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:schemathesis", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_every_test_is_reported_once_and_one_that_ends_its_process_has_failed(tmp_path: Path) -> None:
    result = run(tmp_path, "-W", "ignore::pytest.PytestUnknownMarkWarning")
    assert re.search(r"^2 failed, 16 passed, 1 skipped", result.stdout, re.MULTILINE), result.stdout
    assert "The process of this test ended (exit status 7)." in result.stdout
    assert "assert (1 + 1) == 3" in result.stdout
    assert "said in vain" in result.stdout
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    ran = (tmp_path / "ran.txt").read_text().splitlines()
    assert len(ran) == 12
    assert len(set(ran)) == 6  # both tests of a file ran in one process
    sharing = len({line.split()[1] for line in ran})
    assert sharing <= (tmp_path / "closed.txt").read_text().count("closed") <= 3  # once in each worker that used it


def test_enough_failures_end_the_run(tmp_path: Path) -> None:
    result = run(tmp_path, "-x", "-W", "ignore::pytest.PytestUnknownMarkWarning")
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert "stopping after 1 failures" in result.stdout

"""`make test-changed` leaves out what has passed and would again, and nothing else: tried on a small project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow(seconds=8)

HERE = Path(__file__).parent
FILES = {
    "pyproject.toml": "",
    "constraints.txt": "",
    "table.txt": "3",
    "parlor/__init__.py": "",
    "parlor/once.py": "def once(x):\n    return x\n",
    "parlor/twice.py": "def twice(x):\n    return 2 * x\n\ndef kernel(x):\n    return twice(x)\n",
    "parlor/compile/__init__.py": "",
    "parlor/compile/link.py": "def definition_of(function):\n    return function\n",
    "parlor/compile/binding.py": "from parlor.compile import link\n\n"
    "def compile(text, entry, what):\n    return lambda *arguments: 4\n\n"
    "def native(entry):\n    link.definition_of(entry)\n    return compile('', '', '')\n",
    "tests/__init__.py": "",
    "tests/conftest.py": "from tests.changed import Changed\n\n"
    "def pytest_configure(config):\n    config.pluginmanager.register(Changed())\n",
    "tests/test_once.py": "import parlor.once\n\ndef test_once():\n    assert parlor.once.once(1) == 1\n",
    "tests/test_late.py": "def test_twice():\n    from importlib import import_module\n"
    "    assert import_module('parlor.twice').twice(1) == 2\n",
    "tests/test_kernel.py": "from importlib import import_module\n\n"
    "native = import_module('parlor.compile.binding').native\n\n"
    "def test_kernel():\n    assert native(import_module('parlor.twice').kernel)(2) == 4\n",
    "tests/test_table.py": "def test_table():\n    assert open('table.txt').read().strip() == '3'\n",
    "tests/test_thread.py": "import threading\nfrom importlib import import_module\n\n"
    "def test_thread():\n    found = []\n"
    "    once = import_module('parlor.' + 'once').once\n"
    "    thread = threading.Thread(target=lambda: found.append(once(5)))\n"
    "    thread.start()\n    thread.join()\n    assert found == [5]\n",
    "tests/test_child.py": "import subprocess, sys\n\n"
    "def test_child():\n    assert subprocess.run([sys.executable, '-S', '-c', '']).returncode == 0\n",
}
ALL = {"test_once", "test_late", "test_kernel", "test_table", "test_thread", "test_child"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copyfile(HERE / "changed.py", tmp_path / "tests" / "changed.py")
    return tmp_path


def ran(project: Path) -> set[str]:
    """The test files that are run now."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:randomly", "tests"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=800, check=False)
    files = set(re.findall(r"^tests/(\w+)\.py::\w+ (?:PASSED|FAILED)", done.stdout, re.MULTILINE))
    assert done.returncode == ("FAILED" in done.stdout), done.stdout + done.stderr
    left_out = re.search(r"^(\d+) test files are left out", done.stdout, re.MULTILINE)
    assert left_out is not None
    assert int(left_out[1]) == len(ALL - files)
    return files


def test_what_has_passed_is_left_out_until_something_it_uses_changes(project: Path) -> None:
    assert ran(project) == ALL
    assert ran(project) == set()
    (project / "parlor" / "once.py").write_text("def once(x):\n    return x + 0\n")
    assert ran(project) == {"test_once", "test_thread", "test_child"}
    (project / "parlor" / "twice.py").write_text(FILES["parlor/twice.py"].replace("2 * x", "3 * x"))
    assert ran(project) == {"test_late", "test_kernel", "test_child"}
    assert ran(project) == {"test_late"}  # which has failed
    (project / "parlor" / "twice.py").write_text(FILES["parlor/twice.py"])
    (project / "table.txt").write_text("3\n")
    assert ran(project) == {"test_kernel", "test_table", "test_child"}  # the late one passed with what is there again

"""Tests of the Python package, as the preset `python` builds it in build/python/python."""

import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "build" / "python" / "python"
# Other processes (spawn, Dask, subprocesses) import the same package and the engines of these tests.
PATHS = [str(PACKAGE), str(Path(__file__).parent)]
sys.path[:0] = PATHS
os.environ["PYTHONPATH"] = os.pathsep.join([*PATHS, *filter(None, [os.environ.get("PYTHONPATH")])])

# A shell that starts the tests in the background ignores SIGINT for them, which would let the tests of interrupts wait
# for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

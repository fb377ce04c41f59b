"""muxcl, an OpenCL driver, for pyopencl and other programs.

Installing this package registers the driver with the ICD loader in pyopencl's wheels: it is a
platform of ``pyopencl.get_platforms()``. Programs with another ICD loader find it through the
command ``muxcl-run``::

    muxcl-run clinfo
"""

import os
import sys
from pathlib import Path

__version__ = "@VERSION@"

_TREE = Path(__file__).resolve().parent


def library():
    """The path of the driver, for ``OCL_ICD_FILENAMES`` or an ``.icd`` file."""
    return str(_TREE / "lib" / "libmuxcl.so")


def _program():
    """Runs the program of the driver's tree that has the name of this command."""
    program = str(_TREE / "bin" / Path(sys.argv[0]).name)
    os.execv(program, [program, *sys.argv[1:]])
